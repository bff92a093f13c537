import { z } from 'zod';

// The catalogue: every message there is. A message is a hint ("look at call X"): the store is the truth, so the data is the least that finds it.

const aboutCall = z.object({ callId: z.string().min(1), accountId: z.string().min(1) });

/** `event`: a fact, written with the change it tells of. `work`: a grant, published by the dispatcher when it is a call's turn. */
export const CATALOGUE = {
  'call.uploaded': { kind: 'event', version: 1, data: aboutCall },
  'call.transcribed': { kind: 'event', version: 1, data: aboutCall },
  'call.completed': { kind: 'event', version: 1, data: aboutCall },
  'call.failed': { kind: 'event', version: 1, data: aboutCall },
  'audio.deleted': { kind: 'event', version: 1, data: aboutCall },
  'transcription.requested': { kind: 'work', version: 1, data: aboutCall },
  'analysis.requested': { kind: 'work', version: 1, data: aboutCall },
} as const;

export type MessageType = keyof typeof CATALOGUE;
export type EventType = { [T in MessageType]: (typeof CATALOGUE)[T]['kind'] extends 'event' ? T : never }[MessageType];
export const MESSAGE_TYPES = Object.keys(CATALOGUE) as MessageType[];

/** CloudEvents 1.0, structured JSON. The version of `data` is in `dataschema`. Unknown extra attributes are allowed: a newer sender may add some. */
export const Message = z.looseObject({
  specversion: z.literal('1.0'),
  id: z.string().min(1),
  source: z.string().min(1),
  type: z.enum(MESSAGE_TYPES as [MessageType, ...MessageType[]]),
  time: z.iso.datetime(),
  subject: z.string().min(1),
  datacontenttype: z.literal('application/json'),
  dataschema: z.string().min(1),
  traceparent: z.string().optional(),
  data: aboutCall,
});
export type Message = z.infer<typeof Message>;

export class UnreadableMessage extends Error {
  override name = 'UnreadableMessage';
}

/**
 * Reads a message off the wire.
 * @param wire the JSON text of one message
 * @throws UnreadableMessage when no known version of any message fits: it belongs in the dead-letter queue
 */
export function parseMessage(wire: string): Message {
  let json: unknown;
  try {
    json = JSON.parse(wire);
  } catch {
    throw new UnreadableMessage('not JSON');
  }
  const parsed = Message.safeParse(json);
  if (!parsed.success) throw new UnreadableMessage(z.prettifyError(parsed.error));
  if (parsed.data.dataschema !== dataSchemaOf(parsed.data.type))
    throw new UnreadableMessage(`unknown dataschema ${parsed.data.dataschema}`);
  return parsed.data;
}

/** @param id unique, so that a consumer can tell a second delivery; @param source the service that speaks, e.g. `/api-gateway`; @param traceparent W3C trace context of the call */
export function makeMessage(
  type: MessageType,
  about: { callId: string; accountId: string },
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
    dataschema: dataSchemaOf(type),
    ...(traceparent === null ? {} : { traceparent }),
    data: { callId: about.callId, accountId: about.accountId },
  };
}

function dataSchemaOf(type: MessageType): string {
  return `urn:call-analytics:${type}:v${CATALOGUE[type].version}`;
}
