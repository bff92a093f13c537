import { setTimeout as sleep } from 'node:timers/promises';
import { type Message, parseMessage } from '@call-analytics/contracts';
import { type Clock, failureOf, type Logger, type Metrics } from '@call-analytics/service-kit';
import type { Consumer, Handler } from '../port.ts';
import { type Handled, settle } from '../settlement.ts';
import type { InProcessQueue, Taker, Waiting } from './queue.ts';

/** How long handlers that were told to stop have to give back what they hold elsewhere, such as a lease. */
const ABORT_GRACE_MS = 2_000;
/** The longest that a timer can wait. https://nodejs.org/api/timers.html#settimeoutcallback-delay-args */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

interface InHand {
  message: Waiting;
  ended: Promise<void>;
}

export interface ConsumerParts {
  queue: InProcessQueue;
  handler: Handler;
  concurrency: number;
  redeliverAfterMs: number | undefined;
  deadLetter(message: Waiting, reason: string): void;
  log: Logger;
  metrics: Metrics;
  clock: Clock;
}

export class InProcessConsumer implements Consumer, Taker {
  readonly #parts: ConsumerParts;
  readonly #inHand = new Set<InHand>();
  readonly #stop = new AbortController();
  #paused = false;
  /** Set while an outcome's `pauseUntil` lasts. */
  #pause: { until: number; timer: NodeJS.Timeout } | null = null;
  #closed = false;

  constructor(parts: ConsumerParts) {
    this.#parts = parts;
    parts.queue.attach(this);
  }

  free(): boolean {
    return !this.#closed && !this.#paused && this.#pause === null && this.#inHand.size < this.#parts.concurrency;
  }

  take(message: Waiting): void {
    const inHand: InHand = { message, ended: Promise.resolve() };
    this.#inHand.add(inHand);
    inHand.ended = this.#handle(inHand);
  }

  async pause(): Promise<void> {
    this.#paused = true;
  }

  async resume(): Promise<void> {
    this.#paused = false;
    this.#parts.queue.wake();
  }

  async close(deadline?: AbortSignal): Promise<void> {
    this.#closed = true;
    this.#parts.queue.detach(this);
    if (this.#pause !== null) clearTimeout(this.#pause.timer);
    const idle = Promise.all([...this.#inHand].map(({ ended }) => ended));
    await (deadline === undefined ? idle : Promise.race([idle, aborted(deadline)]));
    if (this.#inHand.size === 0) return;
    this.#stop.abort(new Error('the consumer was told to stop'));
    const over = new AbortController();
    await Promise.race([idle, sleep(ABORT_GRACE_MS, undefined, { signal: over.signal }).catch(() => {})]);
    over.abort();
    for (const inHand of this.#inHand) this.#giveBack(inHand);
  }

  ready(): string | null {
    return this.#closed ? 'closed' : null;
  }

  async #handle(inHand: InHand): Promise<void> {
    const delivery = inHand.message.deliveries + 1;
    const handled = await this.#handled(inHand.message.wire, delivery);
    // Given back meanwhile: the message is another delivery's now.
    if (!this.#inHand.delete(inHand)) return;
    this.#parts.metrics.messagesHandled.inc({ queue: this.#parts.queue.name, outcome: handled.kind });
    this.#settle(inHand.message, delivery, handled);
    this.#parts.queue.wake();
  }

  async #handled(wire: string, delivery: number): Promise<Handled> {
    let message: Message;
    try {
      message = parseMessage(wire);
    } catch (error) {
      return { kind: 'unreadable', reason: String(error) };
    }
    try {
      return await this.#parts.handler(message, { delivery, signal: this.#stop.signal });
    } catch (error) {
      const level = failureOf(error).kind === 'bug' ? 'error' : 'warn';
      this.#parts.log[level](
        { err: error, queue: this.#parts.queue.name, callId: message.data.callId, delivery },
        'a handler threw',
      );
      return { kind: 'threw', error };
    }
  }

  #settle(message: Waiting, delivery: number, handled: Handled): void {
    const settlement = settle(handled, delivery, this.#parts.redeliverAfterMs);
    switch (settlement.act) {
      case 'ack':
        if (settlement.pauseUntil !== undefined) this.#pauseUntil(settlement.pauseUntil);
        return;
      case 'redeliver':
        this.#parts.queue.put({ ...message, deliveries: delivery }, { afterMs: settlement.afterMs });
        return;
      case 'dead-letter':
        this.#parts.deadLetter(message, settlement.reason);
    }
  }

  /** Lasts as long as it looks now: a clock that is set later does not stretch it. */
  #pauseUntil(until: Date): void {
    const ms = Math.min(until.getTime() - this.#parts.clock.now().getTime(), LONGEST_TIMER_MS);
    if (ms <= 0 || this.#closed || (this.#pause !== null && this.#pause.until >= until.getTime())) return;
    if (this.#pause !== null) clearTimeout(this.#pause.timer);
    const timer = setTimeout(() => {
      this.#pause = null;
      this.#parts.queue.wake();
    }, ms);
    this.#pause = { until: until.getTime(), timer };
  }

  #giveBack(inHand: InHand): void {
    this.#inHand.delete(inHand);
    this.#parts.metrics.messagesHandled.inc({ queue: this.#parts.queue.name, outcome: 'given_back' });
    this.#parts.queue.put({ ...inHand.message, deliveries: inHand.message.deliveries + 1 });
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
