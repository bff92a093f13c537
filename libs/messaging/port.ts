import type { Message, MessageType, QueueName } from '@call-analytics/contracts';

/**
 * What became of a message. Ack and reject follow from it in one place, the adapter.
 * done, skipped   acknowledged. Skipped: there was nothing (more) to do; a second delivery ends like this.
 * retry           acknowledged: the time of the next try is in the call's record, not in the broker. With `pauseUntil` the consumer takes nothing before that time.
 * failed          dead-lettered with the reason: the message itself cannot be handled, now or later
 * A handler that throws has met a bug: the message is delivered again, a few times, later each time, and then dead-lettered.
 */
export type Outcome =
  | { kind: 'done' }
  | { kind: 'skipped'; reason: string }
  | { kind: 'retry'; reason: string; pauseUntil?: Date }
  | { kind: 'failed'; reason: string };

export interface DeliveryContext {
  /** The delivery's number, from 1; above 1 the message may have been handled before. A hint, never a guarantee. */
  delivery: number;
  /** Aborted when the consumer is told to stop now. */
  signal: AbortSignal;
}

export type Handler = (message: Message, context: DeliveryContext) => Promise<Outcome>;

export interface Consumer {
  /** Takes no new messages; those in hand go on. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /**
   * Takes no new messages and waits for those in hand. When `deadline` aborts, their `signal` aborts; those that end within two seconds of it are settled as
   * ever, the rest go back to the queue and what they return later counts for nothing.
   */
  close(deadline?: AbortSignal): Promise<void>;
  /** @returns null when messages flow (or it is paused on purpose), otherwise why not */
  ready(): string | null;
}

/** Told of a message in the order in which they come. It must not take long, and what it throws is logged and goes no further. */
export type Listener = (message: Message) => void;

export interface Subscription {
  /** @returns null when it hears, otherwise why not: what is published meanwhile it never hears of */
  ready(): string | null;
  close(): Promise<void>;
}

export interface DeadLetter {
  id: string;
  queue: QueueName;
  reason: string;
  deadAt: Date;
  wire: string;
}

/** At least once, in no order, possibly twice. Losing every message may cost time, never data. */
export interface Messaging {
  /**
   * Resolves when every queue that must get the message (`queuesFor`) has taken responsibility for it.
   * @throws WorkError `transient` with code `broker_unavailable` when that is not certain
   */
  publish(message: Message): Promise<void>;
  /** @param concurrency the most messages in hand at a time (prefetch) */
  consume(queue: QueueName, handler: Handler, options: { concurrency: number }): Promise<Consumer>;
  /**
   * Hears every message of these types, beside the queues and whatever becomes of it there: for those who show what happens. Every subscriber in every process hears it.
   * At most once for each time that it is published; it may be missed, and nothing is kept while nobody listens. Publishing never waits for it.
   */
  subscribe(types: readonly MessageType[], listener: Listener): Promise<Subscription>;
  /** How many messages wait in a queue, not counting those in hand. */
  depth(queue: QueueName): Promise<number>;
  deadLetters(limit: number): Promise<DeadLetter[]>;
  /** Puts a dead letter back into its queue. @returns false when there is no such dead letter */
  replay(deadLetterId: string): Promise<boolean>;
  ready(): string | null;
  close(): Promise<void>;
}
