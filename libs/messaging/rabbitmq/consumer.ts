import { setTimeout as sleep } from 'node:timers/promises';
import { brokerQueue } from '@call-analytics/contracts';
import { backoffMs } from '@call-analytics/service-kit';
import type { Channel, ConsumeMessage } from 'amqplib';
import { type ConsumerOptions, type Delivery, QueueConsumer } from '../consumer.ts';
import {
  RESPONSE_WITHIN_MS,
  RecoveringChannel,
  type RecoveringConnection,
  reasonOf,
  withDeadline,
} from './connection.ts';
import type { DeadLetters } from './dead-letters.ts';
import { declareTopology, type Publisher } from './publisher.ts';

/** Counts deliveries that ended in a throw. It travels with the message: the broker's counter differs by release. */
const THROWN_HEADER = 'x-thrown';
/** In bytes. A message has less than a kilobyte; a larger body is not worth parsing. */
const MAX_BODY_BYTES = 65_536;
/** How soon a message that could not be redelivered or dead-lettered is tried again. */
const PASS_ON_BACKOFF = { firstMs: 500, capMs: 10_000 };

/** The channel of a consumer. A delivery tag means nothing on another channel, and an unknown tag closes a channel. */
interface Session {
  channel: Channel;
  /** Set while the consumer is registered at the broker. */
  consumerTag: string | null;
  /** Aborted when the channel is gone: the broker has requeued what was not acknowledged. */
  ended: AbortController;
  fail(reason: string): void;
}

interface RabbitmqConsumerOptions extends ConsumerOptions {
  connection: RecoveringConnection;
  publisher: Publisher;
  letters: DeadLetters;
}

/**
 * Consumes over the current channel, except while it is paused. A message whose handler threw stays in flight until its
 * time, which takes one place of `concurrency` for up to a minute (docs/decisions/0010).
 */
export class RabbitmqConsumer extends QueueConsumer<RabbitmqDelivery, RabbitmqConsumerOptions> {
  readonly #channels: RecoveringChannel;
  #session: Session | null = null;
  #why = 'not consuming yet';
  #steps: Promise<void> = Promise.resolve();

  constructor(options: RabbitmqConsumerOptions) {
    super(options);
    this.#channels = new RecoveringChannel(
      options.connection,
      {
        name: brokerQueue(options.queue),
        up: (channel, fail) => this.#up(channel, fail),
        down: (reason) => this.#down(reason),
      },
      options.log,
    );
  }

  /** Settles when it consumes, or when the first attempt has failed. */
  get attempted(): Promise<void> {
    return this.#channels.attempted;
  }

  override async close(deadline?: AbortSignal): Promise<void> {
    await super.close(deadline);
    await this.#channels.close();
  }

  ready(): string | null {
    if (this.closing.signal.aborted) return 'closed';
    if (!this.isOpen) return null;
    return this.#session?.consumerTag == null ? (this.options.connection.why ?? this.#why) : null;
  }

  /** Registers or cancels the consumer, one step at a time: it is not registered again while it is being canceled. */
  protected follow(): Promise<void> {
    this.#steps = this.#steps.then(() => this.#step());
    return this.#steps;
  }

  /** If the process dies between the two steps of `#passOn`, the message is in the queue twice, never lost. */
  protected async redeliver(delivery: RabbitmqDelivery, afterMs: number): Promise<void> {
    await this.#wait(afterMs, delivery);
    const { publisher, queue } = this.options;
    const headers = { [THROWN_HEADER]: delivery.thrown + 1 };
    await this.#passOn(delivery, () => publisher.sendToQueue(brokerQueue(queue), delivery.message, headers));
  }

  protected deadLetter(delivery: RabbitmqDelivery, reason: string): Promise<void> {
    const { letters, queue } = this.options;
    return this.#passOn(delivery, () => letters.add(queue, delivery.message, reason));
  }

  /** Publishes, then acknowledges. While the broker takes nothing, the message stays in flight; closing returns it. */
  async #passOn(delivery: RabbitmqDelivery, publish: () => Promise<void>): Promise<void> {
    for (let failures = 1; !delivery.lost.aborted; failures += 1) {
      try {
        await publish();
        return delivery.ack();
      } catch (error) {
        const { log, queue } = this.options;
        log.warn({ reason: reasonOf(error), queue }, 'cannot redeliver or dead-letter a message');
      }
      if (this.closing.signal.aborted) return delivery.giveBack();
      await this.#wait(backoffMs(failures, PASS_ON_BACKOFF), delivery);
    }
  }

  async #wait(ms: number, delivery: RabbitmqDelivery): Promise<void> {
    const signal = AbortSignal.any([this.closing.signal, delivery.lost]);
    await sleep(ms, undefined, { signal }).catch(() => {});
  }

  async #up(channel: Channel, fail: (reason: string) => void): Promise<void> {
    await declareTopology(channel);
    await channel.prefetch(this.options.concurrency);
    this.#session = { channel, consumerTag: null, ended: new AbortController(), fail };
    await this.follow();
  }

  #down(reason: string): void {
    this.#why = reason;
    this.#session?.ended.abort();
    this.#session = null;
    this.giveBackWaiting();
  }

  async #step(): Promise<void> {
    const session = this.#session;
    const open = this.isOpen;
    if (!open) this.giveBackWaiting();
    if (session === null || open === (session.consumerTag !== null)) return;
    const { channel } = session;
    try {
      if (session.consumerTag === null) {
        const take = (message: ConsumeMessage | null) => this.#take(session, message);
        const consuming = channel.consume(brokerQueue(this.options.queue), take);
        session.consumerTag = (await withDeadline(RESPONSE_WITHIN_MS, 'consume', consuming)).consumerTag;
      } else {
        const tag = session.consumerTag;
        session.consumerTag = null;
        await withDeadline(RESPONSE_WITHIN_MS, 'cancel', channel.cancel(tag));
      }
    } catch (error) {
      session.fail(reasonOf(error));
    }
  }

  #take(session: Session, message: ConsumeMessage | null): void {
    if (message === null) {
      session.consumerTag = null;
      session.fail('the broker canceled the consumer');
      return;
    }
    const delivery = new RabbitmqDelivery(session, message);
    if (this.isOpen) this.accept(delivery);
    else delivery.giveBack();
  }
}

class RabbitmqDelivery implements Delivery {
  readonly message: ConsumeMessage;
  readonly thrown: number;
  /** As far as it is known: the broker counts deliveries that were given back or lost with a connection, if at all. */
  readonly number: number;
  readonly #session: Session;
  #settled = false;

  constructor(session: Session, message: ConsumeMessage) {
    const { headers } = message.properties;
    this.#session = session;
    this.message = message;
    this.thrown = count(headers?.[THROWN_HEADER]);
    this.number = 1 + this.thrown + Math.max(count(headers?.['x-delivery-count']), message.fields.redelivered ? 1 : 0);
  }

  /** Aborted when the delivery no longer belongs to this consumer. */
  get lost(): AbortSignal {
    return this.#session.ended.signal;
  }

  text(): string {
    return textOf(this.message);
  }

  ack(): void {
    this.#settle(() => this.#session.channel.ack(this.message));
  }

  giveBack(): void {
    this.#settle(() => this.#session.channel.nack(this.message, false, true));
  }

  /** The first answer counts: a second one for the same tag would close the channel. */
  #settle(answer: () => void): void {
    if (this.#settled || this.lost.aborted) return;
    this.#settled = true;
    try {
      answer();
    } catch (error) {
      // A closed channel throws. The message is in the queue again and comes as another delivery.
      this.#session.fail(String(error));
    }
  }
}

/** @throws Error that says why this is not the text of a message */
export function textOf({ content, properties: { contentEncoding } }: ConsumeMessage): string {
  if (content.length > MAX_BODY_BYTES)
    throw new Error(`${content.length} bytes, and a message has no more than ${MAX_BODY_BYTES}`);
  if (contentEncoding !== undefined && !/^(utf-?8|identity)$/i.test(contentEncoding))
    throw new Error(`unknown content encoding ${contentEncoding}`);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    throw new Error('not UTF-8');
  }
}

function count(header: unknown): number {
  return typeof header === 'number' && Number.isSafeInteger(header) && header > 0 ? header : 0;
}
