import { setTimeout as sleep } from 'node:timers/promises';
import { brokerQueue, type QueueName } from '@call-analytics/contracts';
import { backoffMs, type Clock, failureOf, type Logger, type Metrics } from '@call-analytics/service-kit';
import type { Channel, ConsumeMessage } from 'amqplib';
import type { Consumer, Handler } from '../port.ts';
import { type Handled, settle } from '../settlement.ts';
import { LastingChannel } from './channel.ts';
import type { LastingConnection } from './connection.ts';
import { Delivery, type Session } from './delivery.ts';
import { reasonOf } from './failures.ts';
import { declareTopology } from './topology.ts';
import { ANSWER_WITHIN_MS, within } from './within.ts';

/** How long handlers that were told to stop have to give back what they hold elsewhere, such as a lease. */
const ABORT_GRACE_MS = 2_000;
/** The longest that a timer can wait. https://nodejs.org/api/timers.html#settimeoutcallback-delay-args */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** How soon a message that could not be passed on is tried again. */
const PASS_ON_BACKOFF = { firstMs: 500, capMs: 10_000 };

export interface ConsumerParts {
  connection: LastingConnection;
  queue: QueueName;
  handler: Handler;
  concurrency: number;
  redeliverAfterMs: number | undefined;
  /** Puts the message into its queue again. Both resolve when the broker has confirmed. */
  redeliver(delivery: Delivery): Promise<void>;
  deadLetter(delivery: Delivery, reason: string): Promise<void>;
  log: Logger;
  metrics: Metrics;
  clock: Clock;
}

/**
 * A message whose handler threw stays in hand, unacknowledged, until it is time; then it is published into its queue again with its count, and acknowledged once the
 * broker has confirmed that. If this process dies before, the broker delivers the message again; if it dies between the two, it is there twice: never not at all.
 * Neither `nack` nor the broker's counter has a part in it: the one returns at once, a hot loop, and the other counts something else in each release. Queues with a
 * time to live that pass their messages on can lose them. The price is one place of `concurrency` for as long as it waits, at most a minute: where every message makes
 * the handler throw, that is a brake rather than a price.
 */
export class RabbitmqConsumer implements Consumer {
  readonly #parts: ConsumerParts;
  readonly #channels: LastingChannel;
  readonly #inHand = new Map<Delivery, Promise<void>>();
  /** Arrived while as many as allowed were in hand: a new channel brings its own share while the handlers of the one before still run. */
  #waiting: Delivery[] = [];
  readonly #stop = new AbortController();
  /** Wakes those that wait to be passed on: it is now or never. */
  readonly #closing = new AbortController();
  #session: Session | null = null;
  #why = 'not consuming yet';
  #paused = false;
  /** Set while an outcome's `pauseUntil` lasts. */
  #pause: { until: number; timer: NodeJS.Timeout } | null = null;
  #steps: Promise<void> = Promise.resolve();

  constructor(parts: ConsumerParts) {
    this.#parts = parts;
    this.#channels = new LastingChannel(
      parts.connection,
      { name: brokerQueue(parts.queue), up: (channel, fail) => this.#up(channel, fail), down: (reason) => this.#down(reason) },
      parts.log,
    );
  }

  /** Settled when it consumes, or when the first try to get there has failed. */
  get tried(): Promise<void> {
    return this.#channels.tried;
  }

  async pause(): Promise<void> {
    this.#paused = true;
    await this.#follow();
  }

  async resume(): Promise<void> {
    this.#paused = false;
    await this.#follow();
  }

  async close(deadline?: AbortSignal): Promise<void> {
    this.#closing.abort();
    if (this.#pause !== null) clearTimeout(this.#pause.timer);
    void this.#follow();
    const idle = Promise.all(this.#inHand.values());
    await (deadline === undefined ? idle : Promise.race([idle, aborted(deadline)]));
    if (this.#inHand.size > 0) {
      this.#stop.abort(new Error('the consumer was told to stop'));
      const over = new AbortController();
      await Promise.race([idle, sleep(ABORT_GRACE_MS, undefined, { signal: over.signal }).catch(() => {})]);
      over.abort();
    }
    for (const delivery of this.#inHand.keys()) {
      this.#inHand.delete(delivery);
      this.#count('given_back');
      delivery.giveBack();
    }
    await this.#channels.close();
  }

  ready(): string | null {
    if (this.#closing.signal.aborted) return 'closed';
    if (!this.#wanted()) return null;
    return this.#session?.consumerTag == null ? (this.#parts.connection.why ?? this.#why) : null;
  }

  #wanted(): boolean {
    return !this.#closing.signal.aborted && !this.#paused && this.#pause === null;
  }

  async #up(channel: Channel, fail: (reason: string) => void): Promise<void> {
    await declareTopology(channel);
    await channel.prefetch(this.#parts.concurrency);
    this.#session = { channel, consumerTag: null, ended: new AbortController(), fail };
    await this.#follow();
  }

  #down(reason: string): void {
    this.#why = reason;
    this.#session?.ended.abort();
    this.#session = null;
    this.#waiting = [];
  }

  /** Has the broker deliver, or not, as is wanted now. One step at a time: a consumer that is being cancelled is not yet registered again. */
  #follow(): Promise<void> {
    this.#steps = this.#steps.then(() => this.#step());
    return this.#steps;
  }

  async #step(): Promise<void> {
    const session = this.#session;
    const wanted = this.#wanted();
    if (!wanted) for (const delivery of this.#waiting.splice(0)) delivery.giveBack();
    if (session === null || wanted === (session.consumerTag !== null)) return;
    const { channel } = session;
    try {
      if (session.consumerTag === null) {
        const take = (message: ConsumeMessage | null) => this.#take(session, message);
        const { consumerTag } = await within(ANSWER_WITHIN_MS, 'consume', channel.consume(brokerQueue(this.#parts.queue), take));
        session.consumerTag = consumerTag;
      } else {
        const tag = session.consumerTag;
        session.consumerTag = null;
        await within(ANSWER_WITHIN_MS, 'cancel', channel.cancel(tag));
      }
    } catch (error) {
      session.fail(reasonOf(error));
    }
  }

  #take(session: Session, message: ConsumeMessage | null): void {
    if (message === null) {
      session.consumerTag = null;
      session.fail('the broker cancelled the consumer');
      return;
    }
    const delivery = new Delivery(session, message);
    if (this.#wanted()) this.#waiting.push(delivery);
    else delivery.giveBack();
    this.#next();
  }

  #next(): void {
    while (this.#inHand.size < this.#parts.concurrency) {
      const delivery = this.#waiting.shift();
      if (delivery === undefined) return;
      this.#inHand.set(delivery, Promise.resolve());
      this.#inHand.set(delivery, this.#handle(delivery));
    }
  }

  async #handle(delivery: Delivery): Promise<void> {
    const handled = await this.#handled(delivery);
    // Given back meanwhile: the message is another delivery's now.
    if (!this.#inHand.has(delivery)) return;
    this.#count(handled.kind);
    await this.#settle(delivery, handled);
    this.#inHand.delete(delivery);
    this.#next();
  }

  async #handled(delivery: Delivery): Promise<Handled> {
    let callId: string | undefined;
    try {
      const message = delivery.read();
      callId = message.data.callId;
      return await this.#parts.handler(message, { delivery: delivery.number, signal: this.#stop.signal });
    } catch (error) {
      if (callId === undefined) return { kind: 'unreadable', reason: String(error) };
      const level = failureOf(error).kind === 'bug' ? 'error' : 'warn';
      this.#parts.log[level]({ err: error, queue: this.#parts.queue, callId, delivery: delivery.number }, 'a handler threw');
      return { kind: 'threw', error };
    }
  }

  async #settle(delivery: Delivery, handled: Handled): Promise<void> {
    // Deliveries that were given back or lost are not counted here: a message whose broker was restarted five times is no poison.
    const settlement = settle(handled, delivery.thrown + 1, this.#parts.redeliverAfterMs);
    switch (settlement.act) {
      case 'ack':
        // First the pause: the acknowledgement makes room for the next message.
        if (settlement.pauseUntil !== undefined) await this.#pauseUntil(settlement.pauseUntil);
        return delivery.ack();
      case 'redeliver':
        await this.#wait(settlement.afterMs, delivery);
        return this.#passOn(delivery, () => this.#parts.redeliver(delivery));
      case 'dead-letter':
        return this.#passOn(delivery, () => this.#parts.deadLetter(delivery, settlement.reason));
    }
  }

  /** Publishes and then acknowledges. While the broker takes nothing the message stays in hand; a consumer that closes gives it back. */
  async #passOn(delivery: Delivery, publish: () => Promise<void>): Promise<void> {
    for (let failures = 1; !delivery.lost.aborted; failures += 1) {
      try {
        await publish();
        return delivery.ack();
      } catch (error) {
        this.#parts.log.warn({ reason: reasonOf(error), queue: this.#parts.queue }, 'cannot pass a message on');
      }
      if (this.#closing.signal.aborted) return delivery.giveBack();
      await this.#wait(backoffMs(failures, PASS_ON_BACKOFF), delivery);
    }
  }

  async #wait(ms: number, delivery: Delivery): Promise<void> {
    const signal = AbortSignal.any([this.#closing.signal, delivery.lost]);
    await sleep(ms, undefined, { signal }).catch(() => {});
  }

  /** Lasts as long as it looks now: a clock that is set later does not stretch it. */
  async #pauseUntil(until: Date): Promise<void> {
    const ms = Math.min(until.getTime() - this.#parts.clock.now().getTime(), LONGEST_TIMER_MS);
    if (ms <= 0 || this.#closing.signal.aborted || (this.#pause !== null && this.#pause.until >= until.getTime())) return;
    if (this.#pause !== null) clearTimeout(this.#pause.timer);
    const timer = setTimeout(() => {
      this.#pause = null;
      void this.#follow();
    }, ms);
    this.#pause = { until: until.getTime(), timer };
    await this.#follow();
  }

  #count(outcome: string): void {
    this.#parts.metrics.messagesHandled.inc({ queue: this.#parts.queue, outcome });
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
