import type { CallStatus, EventType } from '@call-analytics/contracts';
import type { Call, Idempotency } from '../record.ts';
import { indexedWords, type SearchedAnalysis, searchedTexts } from '../search.ts';
import { bringsText, type CallChange, type CallSummary, concernsDispatcher, eventIdOf, type Write } from '../store.ts';
import { type CallDocument, NOT_SET, type OutboxEvent, type Time } from './schema.ts';

// Between call records and their documents, and between writes and updates.

export function newDocument(
  call: Call,
  {
    schemaVersion,
    events,
    idempotency,
    vocabulary,
    words,
    at,
  }: {
    schemaVersion: number;
    events: OutboxEvent[];
    idempotency: Idempotency | null;
    vocabulary: readonly string[];
    words: CallWords;
    at: Date;
  },
): CallDocument {
  const { id, lease, grantedUntil, nextAttemptAt, audio, removal, status, ...rest } = call;
  return {
    _id: id,
    schemaVersion,
    ...rest,
    ...removalFields(removal, status),
    ...leaseFields(lease),
    grantedUntil: toTime(grantedUntil),
    nextAttemptAt: toTime(nextAttemptAt),
    audio: { ...audio, deleteAfter: toTime(audio.deleteAfter), deletedAt: toTime(audio.deletedAt) },
    ...(idempotency === null ? {} : { idempotency }),
    ...(vocabulary.length === 0 ? {} : { vocabulary }),
    outbox: events,
    announces: call.version,
    uncounted: at,
    ...words,
    segments: [],
  };
}

export function toCall(document: CallDocument): Call {
  const { leaseWorker, leaseSince, leaseUntil, audio, removal = null } = document;
  return {
    ...toSummary(document),
    accountId: document.accountId,
    stage: document.stage,
    version: document.version,
    audio: {
      key: audio.key,
      bytes: audio.bytes,
      format: audio.format,
      seconds: audio.seconds,
      secondsDone: audio.secondsDone ?? 0,
      deleteAfter: fromTime(audio.deleteAfter),
      deletedAt: fromTime(audio.deletedAt),
    },
    attempt: document.attempt,
    failures: document.failures,
    lease: leaseSince && leaseUntil ? { worker: leaseWorker ?? '', since: leaseSince, until: leaseUntil } : null,
    grantedUntil: fromTime(document.grantedUntil),
    nextAttemptAt: fromTime(document.nextAttemptAt),
    readySince: document.readySince,
    waiting: document.waiting ?? null,
    retries: document.retries ?? 0,
    lastFailure: document.lastFailure,
    failure: document.failure,
    removal: removal && { at: removal.at, until: removal.until, stage: removal.stage, final: removal.final },
    analysisEngine: document.analysisEngine ?? null,
    earlierAnalyses: document.earlierAnalyses ?? [],
    corrections: document.corrections ?? [],
    traceparent: document.traceparent,
  };
}

export function toSummary(document: CallDocument): CallSummary {
  const { _id, fileName, reportType, language, product, saleStatus, score, createdAt, updatedAt } = document;
  return {
    id: _id,
    fileName,
    status: statusOf(document),
    reportType,
    language,
    product,
    saleStatus,
    score,
    createdAt,
    updatedAt,
  };
}

function leaseFields(lease: Call['lease']): Pick<CallDocument, 'leaseWorker' | 'leaseSince' | 'leaseUntil'> {
  if (lease === null) return { leaseWorker: null, leaseSince: NOT_SET, leaseUntil: NOT_SET };
  return { leaseWorker: lease.worker, leaseSince: lease.since, leaseUntil: lease.until };
}

function removalFields(removal: Call['removal'], status: CallStatus): Pick<CallDocument, 'status' | 'removal'> {
  return removal === null ? { status, removal } : { status: null, removal: { ...removal, status } };
}

function statusOf({ _id, status, removal }: CallDocument): CallStatus {
  const known = removal?.status ?? status;
  if (known === null) throw new Error(`the call ${_id} has no status`);
  return known;
}

function toTime(date: Date | null): Time {
  return date ?? NOT_SET;
}

function fromTime(time: Time): Date | null {
  return time === NOT_SET ? null : time;
}

/** A write as an update of MongoDB. */
interface Update {
  $set: Record<string, unknown>;
  $push?: { outbox: { $each: OutboxEvent[] } };
  $unset?: { idempotency?: ''; trackerResults?: '' };
}

/**
 * @param version of the call before the write
 * @param at stamps the events and the mark of a new status
 * @param words of a write with a transcript or an analysis
 */
export function updateOf(
  callId: string,
  version: number,
  { change, events }: Write,
  at: Date,
  beside: Partial<Pick<CallDocument, 'schemaVersion' | keyof CallWords>> | null = null,
): Update {
  const next = version + 1;
  const $set: Record<string, unknown> = { ...changedFields(change), ...beside, version: next };
  const $unset: Update['$unset'] = {
    ...(change.removal == null ? {} : { idempotency: '' }),
    ...(bringsText(change) ? { trackerResults: '' } : {}),
  };
  if (change.status !== undefined) $set.uncounted = at;
  if (concernsDispatcher({ change, events })) $set.announces = next;
  return {
    $set,
    ...(events.length === 0 ? {} : { $push: { outbox: { $each: eventsOf(callId, next, events, at) } } }),
    ...(Object.keys($unset).length === 0 ? {} : { $unset }),
  };
}

/** @returns the call after the write, without reading it back: every field of it changes only with the version. */
export function afterWrite(call: Call, { change }: Write): Call {
  const { audio, transcript, analysis, ...changed } = change;
  return { ...call, ...changed, audio: { ...call.audio, ...audio }, version: call.version + 1 };
}

export function eventsOf(callId: string, version: number, types: readonly EventType[], at: Date): OutboxEvent[] {
  return types.map((type) => ({ id: eventIdOf(callId, version, type), type, at }));
}

/**
 * Whether the primary alone may acknowledge the write, as for grants, renewals and measured lengths, which are done
 * again if they are lost with the primary. Not for
 * - what others act on or readers see (events, status, results);
 * - a claim: after its loss another worker would get the same attempt number, and both would hold the call;
 * - what the change stream announces: it shows only what a majority has, and a single member waits 100 ms for that
 *   unless a write asks for it.
 */
export function primarySuffices({ change, events, durable }: Write): boolean {
  return !durable && !concernsDispatcher({ change, events }) && change.status === undefined && !bringsText(change);
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
    // The transcript replaces the segments.
    ...(transcript === undefined ? {} : { transcript, segments: [] }),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** The words of a call as its document holds them, written together with the texts that they come from. */
export type CallWords = Required<Pick<CallDocument, 'words' | 'wordSource'>>;

type Content = Pick<CallChange, 'transcript'> & { analysis?: SearchedAnalysis | null };

export function wordsOf(fileName: string, { transcript, analysis }: Content): CallWords {
  return {
    words: indexedWords(searchedTexts(fileName, { transcript: transcript ?? null, analysis: analysis ?? null })),
    wordSource: analysis != null ? 'analysis' : transcript === undefined ? 'name' : 'transcript',
  };
}

/** @returns the words of a call after a write that brings a transcript or an analysis; null after any other */
export function wordsAfter(write: Write, fileName: string): CallWords | null {
  return bringsText(write.change) ? wordsOf(fileName, write.change) : null;
}

/** The fields of a document that are searched. */
export const SEARCHED_FIELDS = {
  fileName: 1,
  version: 1,
  'analysis.product': 1,
  'analysis.summary': 1,
  'analysis.lines.text': 1,
  'transcript.utterances.text': 1,
} as const;
