import { z } from 'zod';

/** The data of a message. A message is a hint ("look at call X"), so it holds only what finds the call in the store. */
const AboutCall = z.object({
  callId: z.string().min(1).describe('The call to look at in the store'),
  accountId: z.string().min(1).describe('The account that the call belongs to'),
});
type AboutCall = z.infer<typeof AboutCall>;

interface CatalogueEntry {
  /** `event`: a fact, written with its change. `work`: a grant, which the dispatcher publishes. */
  kind: 'event' | 'work';
  summary: string;
  /**
   * The schema of `data` by version; the last one is sent, and older ones stay while a queue, an outbox or a dead
   * letter may hold them. Never change a published version: add a successor with a golden sample.
   */
  versions: Readonly<Record<number, z.ZodType<AboutCall>>>;
  /**
   * How long a handler may take, in ms; set for messages that a queue takes. It is shorter than the broker's
   * `consumer-timeout`, after which another worker gets the message while this one goes on.
   */
  timeoutMs?: number;
}
export type Catalogue = Readonly<Record<string, CatalogueEntry>>;

const V1 = { 1: AboutCall };
const MINUTE_MS = 60_000;

/** All messages. */
export const CATALOGUE = {
  'call.uploaded': { kind: 'event', summary: 'A recording was accepted and its call is queued', versions: V1 },
  'call.transcribed': { kind: 'event', summary: 'The transcript of a call is stored', versions: V1 },
  'call.completed': {
    kind: 'event',
    summary: 'The analysis of a call is stored and the call is completed',
    timeoutMs: 10 * MINUTE_MS,
    versions: V1,
  },
  'call.failed': {
    kind: 'event',
    summary: 'A call has failed, with a reason for its owner',
    timeoutMs: 10 * MINUTE_MS,
    versions: V1,
  },
  'audio.deleted': {
    kind: 'event',
    summary: 'The recording of a call is deleted, and the audio store confirms it',
    versions: V1,
  },
  'call.removed': {
    kind: 'event',
    summary: 'The owner of a call has deleted it; for a short time it can be restored',
    versions: V1,
  },
  'call.retried': { kind: 'event', summary: 'A failed call is queued again', versions: V1 },
  'call.restored': { kind: 'event', summary: 'A deleted call is restored', versions: V1 },
  'transcription.requested': {
    kind: 'work',
    summary: 'A call may be transcribed now',
    timeoutMs: 330 * MINUTE_MS,
    versions: V1,
  },
  'analysis.requested': {
    kind: 'work',
    summary: 'A call may be analyzed now',
    // A recording of six hours takes up to 52 requests to a language model in turn, each of up to five minutes
    // (ANALYSIS_TIMEOUT): 260 minutes. A request that hangs ends after its own five.
    timeoutMs: 330 * MINUTE_MS,
    versions: V1,
  },
} as const satisfies Catalogue;

export type MessageType = keyof typeof CATALOGUE;
export type EventType = { [T in MessageType]: (typeof CATALOGUE)[T]['kind'] extends 'event' ? T : never }[MessageType];
/** The messages that a queue may take: the time of their handlers is limited. */
type HandledType = {
  [T in MessageType]: (typeof CATALOGUE)[T] extends { timeoutMs: number } ? T : never;
}[MessageType];
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
} as const satisfies Record<string, readonly HandledType[]>;

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

/**
 * CloudEvents 1.0, structured JSON, with the extension for traces. Unknown attributes are allowed: a newer sender may
 * add some.
 * https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/spec.md
 */
const Envelope = z.looseObject({
  specversion: z.literal('1.0'),
  id: z.string().min(1).describe('Unique, so that a consumer can recognize a second delivery'),
  source: z.string().min(1).describe('The service that sends it, e.g. `/api-gateway`'),
  type: z.string(),
  time: z.iso.datetime(),
  subject: z.string().min(1).describe('The id of the call'),
  datacontenttype: z.literal('application/json'),
  dataschema: z.string().min(1).describe('The version of `data`'),
  traceparent: z.string().optional().describe('W3C trace context of the upload'),
  data: z.unknown(),
});

export const CLOUD_EVENT = 'application/cloudevents+json';

export type Message<T extends MessageType = MessageType> = z.infer<typeof Envelope> & { type: T; data: AboutCall };

/** The schema of a message of one type and version, as it is sent. */
export function messageSchema(type: MessageType, version: number, catalogue: Catalogue = CATALOGUE) {
  const data = catalogue[type]?.versions[version];
  if (data === undefined) throw new Error(`there is no version ${version} of ${type}`);
  return Envelope.extend({ type: z.literal(type), dataschema: z.literal(dataSchemaOf(type, version)), data });
}

export class UnreadableMessage extends Error {
  override name = 'UnreadableMessage';
}

/**
 * Reads a message of any published version.
 * @param text the JSON of one message
 * @param catalogue for tests of later releases: another catalogue
 * @throws UnreadableMessage when no known version fits; it belongs in the dead-letter queue
 */
export function parseMessage(text: string, catalogue: Catalogue = CATALOGUE): Message {
  const envelope = fits('', Envelope, json(text));
  const entry = Object.hasOwn(catalogue, envelope.type) ? catalogue[envelope.type] : undefined;
  if (entry === undefined) throw new UnreadableMessage(`unknown type ${short(envelope.type)}`);
  const version = versionsOf(entry).find((known) => dataSchemaOf(envelope.type, known) === envelope.dataschema);
  if (version === undefined) throw new UnreadableMessage(`unknown dataschema ${short(envelope.dataschema)}`);
  const data = fits('data: ', entry.versions[version] as z.ZodType<AboutCall>, envelope.data);
  return { ...envelope, type: envelope.type as MessageType, data };
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UnreadableMessage('not JSON');
  }
}

function fits<T>(what: string, schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new UnreadableMessage(`${what}${z.prettifyError(parsed.error)}`);
}

/** Reasons are logged, so foreign text in them is cut. */
function short(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, 200)}…`;
}

/**
 * A message of the newest version.
 * @param id unique, so that a consumer can recognize a second delivery
 * @param source the service that sends it, e.g. `/api-gateway`
 * @param traceparent W3C trace context of the upload, when there is one
 */
export function makeMessage(
  type: MessageType,
  about: AboutCall,
  id: string,
  source: string,
  time: Date,
  traceparent: string | null = null,
): Message {
  return {
    specversion: '1.0',
    id,
    source,
    type,
    time: time.toISOString(),
    subject: about.callId,
    datacontenttype: 'application/json',
    dataschema: dataSchemaOf(type, Math.max(...versionsOf(CATALOGUE[type]))),
    ...(traceparent === null ? {} : { traceparent }),
    data: { callId: about.callId, accountId: about.accountId },
  };
}
