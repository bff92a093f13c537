import type { Message, MessageType, QueueName, TypesOf } from '@call-analytics/contracts';
import { shownDuration, WorkError } from '@call-analytics/service-kit';

/**
 * What became of a message. Ack and reject follow from it in one place (consumer.ts).
 * done, skipped   acknowledged. Skipped: there was nothing (more) to do, as for a second delivery.
 * retry           acknowledged: the time of the next try is in the call's record, not in the broker. With `pauseUntil`
 *                 the consumer takes nothing before that time.
 * failed          dead-lettered with the reason: the message itself cannot be handled, now or later
 * A handler that throws has a bug: the message is redelivered a few times, later each time, and then dead-lettered.
 */
export type Outcome =
  | { kind: 'done' }
  | { kind: 'skipped'; reason: string }
  | { kind: 'retry'; reason: string; pauseUntil?: Date }
  | { kind: 'failed'; reason: string };

export interface DeliveryContext {
  /** The number of the delivery, from 1. Above 1 the message may have been handled before: a hint, not a guarantee. */
  delivery: number;
  /** Aborted when the consumer must stop now, or with `HandlerTimeout` when the time for the message is over. */
  signal: AbortSignal;
}

/** The handler took longer than the catalogue allows for the message. */
export class HandlerTimeout extends WorkError {
  constructor(timeoutMs: number) {
    const message = `The work on this call was not done within ${shownDuration(timeoutMs)}.`;
    super({ kind: 'transient', code: 'handler_timeout', message });
  }
}

/** Handles the messages of one queue. */
export type Handler<Q extends QueueName = QueueName> = (
  message: Message<TypesOf<Q>>,
  context: DeliveryContext,
) => Promise<Outcome>;

export interface Consumer {
  /** Takes no new messages; those in flight go on. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /**
   * Takes no new messages and waits for those in flight; when `deadline` aborts, their `signal` aborts. Those that end
   * within two seconds are settled normally; the rest go back to the queue, and their outcome is ignored.
   */
  close(deadline?: AbortSignal): Promise<void>;
  /** @returns null when messages flow (or it is paused on purpose), otherwise why not */
  ready(): string | null;
}

/** Receives messages in the order in which they come. It must be fast; what it throws is logged. */
export type Listener = (message: Message) => void;

export interface Subscription {
  /** @returns null when it receives messages, otherwise why not. What is published meanwhile is missed. */
  ready(): string | null;
  close(): Promise<void>;
}

export interface DeadLetter {
  id: string;
  queue: QueueName;
  reason: string;
  deadAt: Date;
  body: string;
}

/** At least once, in no order, possibly twice. Losing every message may cost time, never data. */
export interface Messaging {
  /**
   * Resolves when every queue that must get the message (`queuesFor`) is responsible for it. A message without a queue
   * is only broadcast.
   * @throws WorkError `transient` with code `broker_unavailable` when that is not certain
   */
  publish(message: Message): Promise<void>;
  /** @param concurrency the most messages in flight at a time (prefetch) */
  consume<Q extends QueueName>(queue: Q, handler: Handler<Q>, options: { concurrency: number }): Promise<Consumer>;
  /**
   * Receives every message of these types, as does every other subscriber in every process, at most once for each
   * publish and independent of the queues. Nothing is kept for absent subscribers, and publishing never waits.
   */
  subscribe(types: readonly MessageType[], listener: Listener): Promise<Subscription>;
  /** @returns the queues of this process without a consumer: on a broker the queue with the name of the service */
  unhandledQueues(): QueueName[];
  /** How many messages wait in a queue, without those in flight. */
  depth(queue: QueueName): Promise<number>;
  deadLetters(limit: number): Promise<DeadLetter[]>;
  /** Puts a dead letter back into its queue. @returns false when there is no such dead letter */
  replay(deadLetterId: string): Promise<boolean>;
  ready(): string | null;
  close(): Promise<void>;
}
