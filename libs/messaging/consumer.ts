import {
  CATALOGUE,
  type Message,
  type MessageType,
  parseMessage,
  QUEUES,
  type QueueName,
  type TypesOf,
} from '@call-analytics/contracts';
import {
  backoffMs,
  type Clock,
  failureOf,
  type Logger,
  type Metrics,
  untilAborted,
  withTimeout,
} from '@call-analytics/service-kit';
import { type Consumer, type Handler, HandlerTimeout, type Listener, type Outcome } from './messaging.ts';

/** A message whose handler throws is delivered this often. Deliveries that were given back do not kill a message. */
export const DELIVERY_LIMIT = 5;
/** The delay before the second delivery, in milliseconds. It doubles for each later one. */
const REDELIVER_AFTER_MS = 1_000;
const REDELIVER_CAP_MS = 60_000;
/** How long handlers that were told to stop may take to return what they hold, such as a lease. */
const ABORT_GRACE_MS = 2_000;
/** The longest delay of a timer. https://nodejs.org/api/timers.html#settimeoutcallback-delay-args */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** How a delivery ended: the outcome of the handler, what it threw, or that the message could not be read. */
type Handled = Outcome | { kind: 'threw'; error: unknown } | { kind: 'unreadable'; reason: string };

/** What an adapter does with the delivery. */
type Settlement =
  | { act: 'ack'; pauseUntil?: Date }
  | { act: 'redeliver'; afterMs: number }
  | { act: 'dead-letter'; reason: string };

/**
 * Decides for every adapter: ack, redeliver or reject.
 * @param delivery the number of the delivery that ended, from 1
 * @param redeliverAfterMs the delay after the first delivery
 */
export function settle(handled: Handled, delivery: number, redeliverAfterMs = REDELIVER_AFTER_MS): Settlement {
  switch (handled.kind) {
    case 'done':
    case 'skipped':
      return { act: 'ack' };
    case 'retry':
      return handled.pauseUntil === undefined ? { act: 'ack' } : { act: 'ack', pauseUntil: handled.pauseUntil };
    case 'failed':
    case 'unreadable':
      return { act: 'dead-letter', reason: handled.reason };
    case 'threw':
      if (delivery >= DELIVERY_LIMIT)
        return { act: 'dead-letter', reason: `threw at delivery ${delivery}: ${handled.error}` };
      return { act: 'redeliver', afterMs: backoffMs(delivery, { firstMs: redeliverAfterMs, capMs: REDELIVER_CAP_MS }) };
  }
}

/** One delivery of a message by an adapter. */
export interface Delivery {
  /** From 1. */
  readonly number: number;
  /** How many deliveries of the message ended in a throw before this one. */
  readonly thrown: number;
  /** @returns the JSON text of the message. @throws Error that says why it is none */
  text(): string;
  ack(): void;
  /** Returns the message to its queue at once: only for a consumer that takes no more. */
  giveBack(): void;
}

export interface ConsumerOptions {
  queue: QueueName;
  handler: Handler;
  concurrency: number;
  redeliverAfterMs: number | undefined;
  log: Logger;
  metrics: Metrics;
  clock: Clock;
}

/**
 * Consuming, settling and pausing, the same for every adapter. An adapter accepts deliveries while `isOpen`, and
 * carries out what `settle` decided.
 */
export abstract class QueueConsumer<D extends Delivery, O extends ConsumerOptions = ConsumerOptions>
  implements Consumer
{
  protected readonly options: O;
  /** Aborts when the consumer begins to close. */
  protected readonly closing = new AbortController();
  readonly #inFlight = new Map<D, Promise<void>>();
  /** More than may be in flight: a new channel brings its own share while handlers of the old one still run. */
  #waiting: D[] = [];
  readonly #stop = new AbortController();
  #paused = false;
  /** Set while the `pauseUntil` of an outcome lasts. */
  #pause: { until: number; timer: NodeJS.Timeout } | null = null;

  constructor(options: O) {
    this.options = options;
  }

  get queue(): QueueName {
    return this.options.queue;
  }

  abstract ready(): string | null;
  /** Called when `isOpen` or `hasRoom` may have changed: the adapter starts or stops deliveries accordingly. */
  protected abstract follow(): void | Promise<void>;
  /** Both settle the delivery. A promise keeps it in flight until it resolves. */
  protected abstract redeliver(delivery: D, afterMs: number): void | Promise<void>;
  protected abstract deadLetter(delivery: D, reason: string): void | Promise<void>;

  protected get isOpen(): boolean {
    return !this.closing.signal.aborted && !this.#paused && this.#pause === null;
  }

  protected get hasRoom(): boolean {
    return this.#inFlight.size < this.options.concurrency;
  }

  async pause(): Promise<void> {
    this.#paused = true;
    await this.follow();
  }

  async resume(): Promise<void> {
    this.#paused = false;
    await this.follow();
  }

  async close(deadline?: AbortSignal): Promise<void> {
    this.closing.abort();
    clearTimeout(this.#pause?.timer);
    void this.follow();
    this.giveBackWaiting();
    const idle = Promise.all(this.#inFlight.values());
    await untilAborted(idle, deadline).catch(() => {});
    if (this.#inFlight.size === 0) return;
    this.#stop.abort(new Error('the consumer was told to stop'));
    await withTimeout(idle, ABORT_GRACE_MS, 'handlers did not stop').catch(() => {});
    for (const delivery of this.#inFlight.keys()) {
      this.#inFlight.delete(delivery);
      this.#count('given_back');
      delivery.giveBack();
    }
  }

  protected accept(delivery: D): void {
    this.#waiting.push(delivery);
    this.#next();
  }

  /** Returns deliveries that were not started. The broker has already taken back those of a channel that is gone. */
  protected giveBackWaiting(): void {
    for (const delivery of this.#waiting.splice(0)) delivery.giveBack();
  }

  #next(): void {
    while (this.hasRoom) {
      const delivery = this.#waiting.shift();
      if (delivery === undefined) return;
      this.#inFlight.set(delivery, Promise.resolve());
      this.#inFlight.set(delivery, this.#handle(delivery));
    }
  }

  async #handle(delivery: D): Promise<void> {
    const handled = await this.#callHandler(delivery);
    // If it was given back meanwhile, the message belongs to another delivery now.
    if (!this.#inFlight.has(delivery)) return;
    this.#count(handled.kind);
    // Deliveries that were given back or lost do not count: a message that survived five broker restarts is not poison.
    const settlement = settle(handled, delivery.thrown + 1, this.options.redeliverAfterMs);
    const settling = this.#settle(delivery, settlement);
    if (settling !== undefined) await settling;
    this.#inFlight.delete(delivery);
    this.#next();
    void this.follow();
  }

  async #callHandler(delivery: D): Promise<Handled> {
    const { queue, handler, log } = this.options;
    let message: Message<TypesOf<QueueName>>;
    try {
      message = messageOf(queue, delivery.text());
    } catch (error) {
      return { kind: 'unreadable', reason: String(error) };
    }
    const { timeoutMs } = CATALOGUE[message.type];
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new HandlerTimeout(timeoutMs)), timeoutMs);
    const signal = AbortSignal.any([this.#stop.signal, late.signal]);
    try {
      return await handler(message, { delivery: delivery.number, signal });
    } catch (error) {
      const level = failureOf(error).kind === 'bug' ? 'error' : 'warn';
      const { callId } = message.data;
      log[level]({ err: error, queue, callId, delivery: delivery.number }, 'a handler threw');
      return { kind: 'threw', error };
    } finally {
      clearTimeout(timer);
    }
  }

  #settle(delivery: D, settlement: Settlement): void | Promise<void> {
    switch (settlement.act) {
      case 'ack': {
        // The pause comes first: the acknowledgement makes room for the next message.
        const pausing = settlement.pauseUntil === undefined ? undefined : this.#pauseUntil(settlement.pauseUntil);
        return pausing === undefined ? delivery.ack() : pausing.then(() => delivery.ack());
      }
      case 'redeliver':
        return this.redeliver(delivery, settlement.afterMs);
      case 'dead-letter':
        return this.deadLetter(delivery, settlement.reason);
    }
  }

  /** Computes the length once: a clock that is changed later does not extend the pause. */
  #pauseUntil(until: Date): void | Promise<void> {
    const ms = Math.min(until.getTime() - this.options.clock.now().getTime(), MAX_TIMER_MS);
    const lastsLonger = this.#pause !== null && this.#pause.until >= until.getTime();
    if (ms <= 0 || lastsLonger || this.closing.signal.aborted) return;
    clearTimeout(this.#pause?.timer);
    const timer = setTimeout(() => {
      this.#pause = null;
      void this.follow();
    }, ms);
    this.#pause = { until: until.getTime(), timer };
    return this.follow();
  }

  #count(outcome: string): void {
    this.options.metrics.messagesHandled.inc({ queue: this.options.queue, outcome });
  }
}

/** @throws Error when no published version fits, or when the message belongs to another queue */
function messageOf(queue: QueueName, text: string): Message<TypesOf<QueueName>> {
  const message = parseMessage(text);
  if ((QUEUES[queue] as readonly MessageType[]).includes(message.type)) return message as Message<TypesOf<QueueName>>;
  throw new Error(`the queue ${queue} does not take ${message.type}`);
}

/** Passes one broadcast to a subscriber. An unreadable message or a listener that throws does not affect the others. */
export function notify(listener: Listener, text: () => string, log: Logger): void {
  let message: Message;
  try {
    message = parseMessage(text());
  } catch (error) {
    // Its queue makes a dead letter of it.
    log.debug({ reason: String(error) }, 'received a broadcast of an unknown version');
    return;
  }
  try {
    listener(message);
  } catch (error) {
    log.error({ err: error, type: message.type, callId: message.data.callId }, 'a listener threw');
  }
}
