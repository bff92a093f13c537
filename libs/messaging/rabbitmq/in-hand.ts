import { setTimeout as sleep } from 'node:timers/promises';
import type { QueueName } from '@call-analytics/contracts';
import { backoffMs, failureOf, type Logger, type Metrics } from '@call-analytics/service-kit';
import type { Handler } from '../port.ts';
import { type Handled, settle } from '../settlement.ts';
import type { Delivery } from './delivery.ts';
import { reasonOf } from './failures.ts';

/** How long handlers that were told to stop have to give back what they hold elsewhere, such as a lease. */
const ABORT_GRACE_MS = 2_000;
/** How soon a message that could not be passed on is tried again. */
const PASS_ON_BACKOFF = { firstMs: 500, capMs: 10_000 };

export interface InHandParts {
  queue: QueueName;
  handler: Handler;
  concurrency: number;
  redeliverAfterMs: number | undefined;
  /** Puts the message into its queue again. Both resolve when the broker has confirmed. */
  redeliver(delivery: Delivery): Promise<void>;
  deadLetter(delivery: Delivery, reason: string): Promise<void>;
  /** Resolves when nothing more is taken. */
  pauseUntil(time: Date): Promise<void>;
  log: Logger;
  metrics: Metrics;
}

/**
 * The deliveries that a consumer works on, from the handler to the acknowledgement.
 *
 * A message whose handler threw stays in hand, unacknowledged, until it is time; then it is published into its queue again with its count, and acknowledged once the
 * broker has confirmed that. If this process dies before, the broker delivers the message again; if it dies between the two, it is there twice: never not at all.
 * Neither `nack` nor the broker's counter has a part in it: the one returns at once, a hot loop, and the other counts something else in each release. Queues with a
 * time to live that pass their messages on can lose them. The price is one place of `concurrency` for as long as it waits, at most a minute: where every message makes
 * the handler throw, that is a brake rather than a price.
 */
export class InHand {
  readonly #parts: InHandParts;
  readonly #working = new Map<Delivery, Promise<void>>();
  /** Arrived while as many as allowed were worked on: a new channel brings its own share while the handlers of the one before still run. */
  #waiting: Delivery[] = [];
  readonly #stop = new AbortController();
  /** Wakes those that wait to be passed on: it is now or never. */
  readonly #closing = new AbortController();

  constructor(parts: InHandParts) {
    this.#parts = parts;
  }

  add(delivery: Delivery): void {
    this.#waiting.push(delivery);
    this.#next();
  }

  /** Of what was not begun; what belongs to a channel that is gone, the broker has taken back. */
  giveBackWaiting(): void {
    for (const delivery of this.#waiting.splice(0)) delivery.giveBack();
  }

  /** Waits for what is worked on, up to `deadline` and the time to obey it, and gives back the rest. */
  async close(deadline?: AbortSignal): Promise<void> {
    this.#closing.abort();
    this.giveBackWaiting();
    const idle = Promise.all(this.#working.values());
    await (deadline === undefined ? idle : Promise.race([idle, aborted(deadline)]));
    if (this.#working.size === 0) return;
    this.#stop.abort(new Error('the consumer was told to stop'));
    const over = new AbortController();
    await Promise.race([idle, sleep(ABORT_GRACE_MS, undefined, { signal: over.signal }).catch(() => {})]);
    over.abort();
    for (const delivery of this.#working.keys()) {
      this.#working.delete(delivery);
      this.#count('given_back');
      delivery.giveBack();
    }
  }

  #next(): void {
    while (this.#working.size < this.#parts.concurrency) {
      const delivery = this.#waiting.shift();
      if (delivery === undefined) return;
      this.#working.set(delivery, Promise.resolve());
      this.#working.set(delivery, this.#handle(delivery));
    }
  }

  async #handle(delivery: Delivery): Promise<void> {
    const handled = await this.#handled(delivery);
    // Given back meanwhile: the message is another delivery's now.
    if (!this.#working.has(delivery)) return;
    this.#count(handled.kind);
    await this.#settle(delivery, handled);
    this.#working.delete(delivery);
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
      this.#parts.log[level](
        { err: error, queue: this.#parts.queue, callId, delivery: delivery.number },
        'a handler threw',
      );
      return { kind: 'threw', error };
    }
  }

  async #settle(delivery: Delivery, handled: Handled): Promise<void> {
    // Deliveries that were given back or lost are not counted here: a message whose broker was restarted five times is no poison.
    const settlement = settle(handled, delivery.thrown + 1, this.#parts.redeliverAfterMs);
    switch (settlement.act) {
      case 'ack':
        // First the pause: the acknowledgement makes room for the next message.
        if (settlement.pauseUntil !== undefined) await this.#parts.pauseUntil(settlement.pauseUntil);
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
