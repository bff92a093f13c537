import {
  brokerQueue,
  DEAD_LETTER_QUEUE,
  EXCHANGE,
  LIVE_EXCHANGE,
  QUEUE_NAMES,
  QUEUES,
} from '@call-analytics/contracts';
import type { Logger } from '@call-analytics/service-kit';
import type { Channel, ConfirmChannel, Message, Options } from 'amqplib';
import {
  CLOSE_WITHIN_MS,
  CONFIRM_WITHIN_MS,
  RecoveringChannel,
  RecoveringConnection,
  reasonOf,
  unavailable,
  withDeadline,
} from './connection.ts';

/** Messages beyond this wait in the outbox, not in the memory of this process. */
const MAX_UNCONFIRMED = 10_000;

/** The bytes of a message and what they are. */
export type Body = Pick<Message, 'content'> & {
  properties: Pick<Message['properties'], 'contentType' | 'contentEncoding'>;
};

interface Confirm {
  succeed(): void;
  fail(why: string): void;
}

/** Publishes on a connection of its own: many unconfirmed messages at a time, each with the broker's confirm. */
export class Publisher {
  readonly #connection: RecoveringConnection;
  readonly #channels: RecoveringChannel;
  readonly #log: Logger;
  readonly #confirms = new Map<string, Confirm>();
  #channel: ConfirmChannel | null = null;
  #why = 'not connected yet';
  /** Why the broker accepts no messages although it is reachable. */
  #blocked: string | null = null;
  #declaring: Promise<void> | null = null;
  #closing = false;
  readonly #idle = Promise.withResolvers<void>();
  #sent = 0;
  /** Includes broadcasts and messages whose sender no longer waits. */
  #unconfirmed = 0;

  constructor({ url, name, log }: { url: string; name: string; log: Logger }) {
    this.#log = log;
    this.#connection = new RecoveringConnection({ url, name, log, onBlocked: (reason) => this.#block(reason) });
    this.#channels = new RecoveringChannel(
      this.#connection,
      {
        name: 'publishing',
        up: async (channel) => {
          channel.on('return', ({ properties }) => this.#returned(String(properties.correlationId)));
          await declareTopology(channel);
          this.#channel = channel;
        },
        down: (reason) => {
          this.#channel = null;
          this.#blocked = null;
          this.#why = reason;
          this.#failAll(reason);
        },
      },
      log,
    );
  }

  /** Settles when it can publish, or when the first attempt has failed. */
  get attempted(): Promise<void> {
    return this.#channels.attempted;
  }

  /** @returns null when it can publish now, otherwise why not */
  ready(): string | null {
    if (this.#closing) return 'closed';
    if (this.#blocked !== null) return `the broker accepts no messages: ${this.#blocked}`;
    return this.#channel === null ? (this.#connection.why ?? this.#why) : null;
  }

  /** @throws WorkError `broker_unavailable` when it cannot publish now */
  assertReady(): void {
    const why = this.ready();
    if (why !== null) throw unavailable(why);
  }

  /**
   * Sends a message to one queue of the broker. Its own headers are dropped.
   * @param headers the library throws beyond 64 KiB in all
   */
  sendToQueue(queue: string, { content, properties }: Body, headers: Record<string, string | number>): Promise<void> {
    const { contentType, contentEncoding } = properties;
    // The routing keys of the default exchange are queue names.
    return this.send('', queue, content, { contentType, contentEncoding, headers });
  }

  /**
   * Resolves when the broker has confirmed the message: for a quorum queue, that most of its replicas have written it
   * to disk. It is an error when no queue takes the message.
   * @throws WorkError `broker_unavailable` when that is not certain; the message may be in its queue all the same
   */
  async send(exchange: string, routingKey: string, content: Buffer, properties: Options.Publish): Promise<void> {
    const why = this.ready();
    const channel = this.#channel;
    if (why !== null || channel === null) throw unavailable(why ?? this.#why);
    if (this.#unconfirmed >= MAX_UNCONFIRMED)
      throw unavailable(`${MAX_UNCONFIRMED} messages wait for its confirm already`);
    this.#sent += 1;
    const tag = String(this.#sent);
    const confirmed = new Promise<void>((resolve, reject) => {
      this.#confirms.set(tag, { succeed: resolve, fail: (why) => reject(unavailable(why)) });
      const options = { ...properties, persistent: true, mandatory: true, correlationId: tag };
      try {
        channel.publish(exchange, routingKey, content, options, (error) => this.#onConfirm(tag, error));
        this.#unconfirmed += 1;
      } catch (error) {
        this.#take(tag)?.fail(reasonOf(error));
      }
    });
    try {
      await withDeadline(CONFIRM_WITHIN_MS, 'a message', confirmed);
    } catch (error) {
      if (this.#take(tag) === undefined) throw error;
      // The confirms of later messages are as doubtful, and the library would keep this one in memory forever.
      const why = reasonOf(error);
      this.#connection.live?.discard(why);
      throw unavailable(why, error);
    }
  }

  /** Publishes once, without a confirm, to the current subscribers. Does nothing while the broker is unavailable. */
  broadcast(routingKey: string, content: Buffer, properties: Options.Publish): void {
    const channel = this.#channel;
    if (channel === null || this.ready() !== null || this.#unconfirmed >= MAX_UNCONFIRMED) return;
    this.#unconfirmed += 1;
    try {
      channel.publish(LIVE_EXCHANGE, routingKey, content, properties, () => {
        this.#unconfirmed -= 1;
      });
    } catch {
      // The channel has just ended. Its next user notices.
      this.#unconfirmed -= 1;
    }
  }

  /** Publishes no more, and waits a few seconds for the last confirms. */
  async close(): Promise<void> {
    this.#closing = true;
    if (this.#confirms.size > 0)
      await withDeadline(CLOSE_WITHIN_MS, 'the last messages', this.#idle.promise).catch(() => {});
    await this.#channels.close();
    await this.#connection.close();
  }

  #onConfirm(tag: string, error: unknown): void {
    this.#unconfirmed -= 1;
    const waiting = this.#take(tag);
    if (error) waiting?.fail(reasonOf(error));
    else waiting?.succeed();
  }

  #take(tag: string): Confirm | undefined {
    const waiting = this.#confirms.get(tag);
    this.#confirms.delete(tag);
    if (this.#closing && this.#confirms.size === 0) this.#idle.resolve();
    return waiting;
  }

  /** No queue took a mandatory message: its queue or binding was deleted. A positive confirm of the broker follows. */
  #returned(tag: string): void {
    this.#take(tag)?.fail('no queue took the message');
    const channel = this.#channel;
    if (channel === null || this.#declaring !== null) return;
    this.#log.error('a queue or its binding is missing: declaring it again');
    this.#declaring = declareTopology(channel)
      .catch((error) => this.#log.error({ reason: reasonOf(error) }, 'cannot declare the queues'))
      .finally(() => {
        this.#declaring = null;
      });
  }

  /** Under a memory or disk alarm the broker stops reading from publishers: no confirm comes until it ends. */
  #block(reason: string | null): void {
    this.#blocked = reason;
    if (reason === null) {
      this.#log.info('the broker accepts messages again');
      return;
    }
    this.#log.error({ reason }, 'the broker accepts no messages');
    this.#failAll(`it accepts no messages: ${reason}`);
  }

  #failAll(why: string): void {
    for (const tag of [...this.#confirms.keys()]) this.#take(tag)?.fail(why);
  }
}

/** The arguments of a queue cannot change: everything but its type is a policy (deploy/rabbitmq/definitions.json). */
export const QUORUM = { durable: true, arguments: { 'x-queue-type': 'quorum' } };

/** Declares what is missing, on each new channel of each process: the first one finds an empty broker. */
export async function declareTopology(channel: Channel): Promise<void> {
  await channel.assertExchange(EXCHANGE, 'topic', { durable: true });
  await declareLiveExchange(channel);
  await declareDeadLetterQueue(channel);
  for (const queue of QUEUE_NAMES) {
    await channel.assertQueue(brokerQueue(queue), QUORUM);
    for (const type of QUEUES[queue]) await channel.bindQueue(brokerQueue(queue), EXCHANGE, type);
  }
}

export async function declareDeadLetterQueue(channel: Channel): Promise<void> {
  await channel.assertQueue(DEAD_LETTER_QUEUE, QUORUM);
}

export async function declareLiveExchange(channel: Channel): Promise<void> {
  await channel.assertExchange(LIVE_EXCHANGE, 'topic', { durable: true });
}
