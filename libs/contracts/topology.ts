import type { MessageType } from './catalogue.ts';

/** One queue per consumer, and the messages that reach it. The in-process bus and RabbitMQ are built from this one table. */
export const QUEUES = {
  transcription: ['transcription.requested'],
  analysis: ['analysis.requested'],
  cleanup: ['call.completed', 'call.failed'],
} as const satisfies Record<string, readonly MessageType[]>;

export type QueueName = keyof typeof QUEUES;
export const QUEUE_NAMES = Object.keys(QUEUES) as QueueName[];

/** @returns the queues a message of this type must reach; none for an event that nobody has to hear */
export function queuesFor(type: MessageType): QueueName[] {
  return QUEUE_NAMES.filter((queue) => (QUEUES[queue] as readonly MessageType[]).includes(type));
}

/** The topic exchange of a broker; the routing key is the type of the message. */
export const EXCHANGE = 'calls';
/**
 * The topic exchange on which subscribers hear every message a second time. They cannot listen on the one above: a message that only their queues take would count as
 * taken, and a lost queue would never be noticed.
 */
export const LIVE_EXCHANGE = 'calls.live';
/** One for all queues: an operator looks in one place, and each dead letter says where it comes from. */
export const DEAD_LETTER_QUEUE = 'calls.dead-letters';

/** The name of a queue on a broker, where other systems have theirs too. */
export function brokerQueue(queue: QueueName): string {
  return `${EXCHANGE}.${queue}`;
}
