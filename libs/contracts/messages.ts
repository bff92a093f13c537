import { z } from 'zod';
import { type AboutCall, CATALOGUE, type Catalogue, dataSchemaOf, type MessageType, versionsOf } from './catalogue.ts';

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
