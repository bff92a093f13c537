import type { EventType } from '@call-analytics/contracts';
import type { Call } from '../record.ts';
import type { CallChange, Write } from '../store.ts';
import type { CallWords } from './call-words.ts';
import { type CallDocument, leaseFields, type OutboxEvent, removalFields, toTime } from './documents.ts';

/** What a write is in MongoDB's words. */
export interface Update {
  $set: Record<string, unknown>;
  $push?: { outbox: { $each: OutboxEvent[] } };
  $unset?: { idempotency: '' };
}

/**
 * @param version of the call before the write
 * @param at stamps the events and the mark of a new status
 * @param words of a write that brings a transcript or an analysis
 */
export function updateOf(
  callId: string,
  version: number,
  { change, events }: Write,
  at: Date,
  words: CallWords | null = null,
): Update {
  const next = version + 1;
  const $set: Record<string, unknown> = { ...changedFields(change), ...words, version: next };
  if (change.status !== undefined) $set.uncounted = at;
  if (isAnnounced({ change, events })) $set.announces = next;
  return {
    $set,
    ...(events.length === 0 ? {} : { $push: { outbox: { $each: eventsOf(callId, next, events, at) } } }),
    ...(change.removal == null ? {} : { $unset: { idempotency: '' } }),
  };
}

/** @returns what the call is when it has been written. Whatever makes a call changes with its version alone, so nobody has to ask the server. */
export function afterWrite(call: Call, { change }: Write): Call {
  const { audio, transcript, analysis, ...changed } = change;
  return { ...call, ...changed, audio: { ...call.audio, ...audio }, version: call.version + 1 };
}

export function eventsOf(callId: string, version: number, types: readonly EventType[], at: Date): OutboxEvent[] {
  return types.map((type) => ({ id: `${callId}.${version}.${type}`, type, at }));
}

/**
 * Whether the dispatcher may want to look: there is something to publish, or room for the next call. A claim makes room for the next grant, and so does whatever ends a
 * lease; a renewed lease changes nothing for the dispatcher.
 */
function isAnnounced({ change, events }: Pick<Write, 'change' | 'events'>): boolean {
  return events.length > 0 || change.lease === null || change.attempt !== undefined;
}

/**
 * Whether the write may be acknowledged by the primary alone. That is so for grants, renewals and measured lengths, which nobody is told of: lost with the primary, they are
 * done again. Not so for
 * - what others act on or readers see (events, status, results): they would have acted on something that never was;
 * - a claim, whatever its caller thinks: after its loss another worker would get the same attempt number, and both would think that they hold the call;
 * - what is announced: the change stream tells of majorities alone, and nobody asks the members to hurry for a write that waits for none (100 ms on a single one).
 */
export function mayBeLight({ change, events, durable }: Write): boolean {
  const { status, transcript, analysis } = change;
  return (
    !durable &&
    !isAnnounced({ change, events }) &&
    status === undefined &&
    transcript === undefined &&
    analysis === undefined
  );
}

function changedFields({
  audio,
  lease,
  grantedUntil,
  nextAttemptAt,
  transcript,
  removal,
  ...rest
}: CallChange): Record<string, unknown> {
  if (removal !== undefined && rest.status === undefined)
    throw new Error('a write that changes the removal names the status');
  const fields: Partial<Record<keyof CallDocument | `audio.${string}`, unknown>> = {
    ...rest,
    ...(removal === undefined || rest.status === undefined ? {} : removalFields(removal, rest.status)),
    ...(lease === undefined ? {} : leaseFields(lease)),
    ...(grantedUntil === undefined ? {} : { grantedUntil: toTime(grantedUntil) }),
    ...(nextAttemptAt === undefined ? {} : { nextAttemptAt: toTime(nextAttemptAt) }),
    'audio.seconds': audio?.seconds,
    'audio.deleteAfter': audio?.deleteAfter === undefined ? undefined : toTime(audio.deleteAfter),
    'audio.deletedAt': audio?.deletedAt === undefined ? undefined : toTime(audio.deletedAt),
    // The transcript holds what the segments held.
    ...(transcript === undefined ? {} : { transcript, segments: [] }),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
