import { z } from 'zod';

/** The data of a message. A message is a hint ("look at call X"), so it holds only what finds the call in the store. */
export const AboutCall = z.object({
  callId: z.string().min(1).describe('The call to look at in the store'),
  accountId: z.string().min(1).describe('The account that the call belongs to'),
});
export type AboutCall = z.infer<typeof AboutCall>;

export interface CatalogueEntry {
  /** `event`: a fact, written with its change. `work`: a grant, which the dispatcher publishes. */
  kind: 'event' | 'work';
  summary: string;
  /**
   * The schema of `data` by version; the last one is sent, and older ones stay while a queue, an outbox or a dead
   * letter may hold them. Never change a published version: add a successor with a golden sample.
   */
  versions: Readonly<Record<number, z.ZodType<AboutCall>>>;
}
export type Catalogue = Readonly<Record<string, CatalogueEntry>>;

/** All messages. */
export const CATALOGUE = {
  'call.uploaded': {
    kind: 'event',
    summary: 'A recording was accepted and its call is queued',
    versions: { 1: AboutCall },
  },
  'call.transcribed': { kind: 'event', summary: 'The transcript of a call is stored', versions: { 1: AboutCall } },
  'call.completed': {
    kind: 'event',
    summary: 'The analysis of a call is stored and the call is completed',
    versions: { 1: AboutCall },
  },
  'call.failed': {
    kind: 'event',
    summary: 'A call has failed, with a reason for its owner',
    versions: { 1: AboutCall },
  },
  'audio.deleted': {
    kind: 'event',
    summary: 'The recording of a call is deleted, and the audio store confirms it',
    versions: { 1: AboutCall },
  },
  'call.removed': {
    kind: 'event',
    summary: 'The owner of a call has deleted it; for a short time it can be restored',
    versions: { 1: AboutCall },
  },
  'call.retried': { kind: 'event', summary: 'A failed call is queued again', versions: { 1: AboutCall } },
  'call.restored': { kind: 'event', summary: 'A deleted call is restored', versions: { 1: AboutCall } },
  'transcription.requested': {
    kind: 'work',
    summary: 'A call may be transcribed now',
    versions: { 1: AboutCall },
  },
  'analysis.requested': { kind: 'work', summary: 'A call may be analyzed now', versions: { 1: AboutCall } },
} as const satisfies Catalogue;

export type MessageType = keyof typeof CATALOGUE;
export type EventType = { [T in MessageType]: (typeof CATALOGUE)[T]['kind'] extends 'event' ? T : never }[MessageType];
export const MESSAGE_TYPES = Object.keys(CATALOGUE) as MessageType[];

/** @returns the published versions, oldest first */
export function versionsOf({ versions }: CatalogueEntry): number[] {
  return Object.keys(versions)
    .map(Number)
    .sort((a, b) => a - b);
}

/** The `dataschema` of a message: the type and version of its data. */
export function dataSchemaOf(type: string, version: number): string {
  return `urn:call-analytics:${type}:v${version}`;
}

/** One queue per consumer, with the messages that it takes. Both messagings are built from this table. */
export const QUEUES = {
  transcription: ['transcription.requested'],
  analysis: ['analysis.requested'],
  cleanup: ['call.completed', 'call.failed'],
} as const satisfies Record<string, readonly MessageType[]>;

export type QueueName = keyof typeof QUEUES;
/** The messages of a queue. */
export type TypesOf<Q extends QueueName> = (typeof QUEUES)[Q][number];
export const QUEUE_NAMES = Object.keys(QUEUES) as QueueName[];

/** @returns the queues that a message of this type must reach; none for an event without a consumer */
export function queuesFor(type: MessageType): QueueName[] {
  return QUEUE_NAMES.filter((queue) => (QUEUES[queue] as readonly MessageType[]).includes(type));
}

/** The topic exchange of a broker; the routing key is the type of the message. */
export const EXCHANGE = 'calls';
/**
 * The topic exchange that repeats every message for subscribers. It is separate so that the broker still reports a
 * message on the first exchange as unroutable when its queue is missing.
 */
export const LIVE_EXCHANGE = 'calls.live';
/** One for all queues. Each dead letter names the queue that it comes from. */
export const DEAD_LETTER_QUEUE = 'calls.dead-letters';

/** The name of a queue on the broker. The prefix keeps it apart from the queues of other systems. */
export function brokerQueue(queue: QueueName): string {
  return `${EXCHANGE}.${queue}`;
}
