import type { CallStatus, EventType } from '@call-analytics/contracts';
import type { Analysis, Call, Removal, Segment, Transcript } from '../record.ts';
import type { CallSummary, Idempotency } from '../store.ts';
import type { CallWords, WordSource } from './call-words.ts';

/**
 * A time that is not set is stored as `false` and not as null: MongoDB answers "is null" only by reading the document, because a missing field counts as null too, while
 * `false` is a value that an index finds, skips and counts.
 */
export type Time = Date | false;
export const NOT_SET: false = false;
/** Older than any time that is set: for "any time at all" in queries and in the conditions of partial indexes. */
export const EPOCH = new Date(0);

export interface OutboxEvent {
  /** `{call}.{version}.{type}`: a version of a call is written once, so this names the event. */
  id: string;
  type: EventType;
  at: Date;
}

/**
 * One call with everything about it, in one document: whatever changes together changes in one atomic write, without a transaction.
 *
 * A document may have 16 MB. A call of 6 hours of ceaseless talk has some 3 MB (`document-size.servers.test.ts` measures it). Should recordings come whose text does not fit, it
 * belongs into a collection of its own, keyed by call and kind, written before the call that points to it; until then such a write is refused as `result_too_large`.
 */
export interface CallDocument
  extends Omit<
    Call,
    'id' | 'status' | 'lease' | 'grantedUntil' | 'nextAttemptAt' | 'audio' | 'removal' | 'waiting' | 'retries'
  > {
  _id: string;
  schemaVersion: number;
  /** null of a removed call, whose status is in `removal`: so it is in no page and in no total. */
  status: CallStatus | null;
  /** Missing of a call that an earlier release has written. */
  removal?: (Removal & { status: CallStatus }) | null;
  /** These two are missing of a call that an earlier release has written. */
  waiting?: Call['waiting'];
  retries?: number;
  leaseWorker: string | null;
  leaseSince: Time;
  leaseUntil: Time;
  grantedUntil: Time;
  nextAttemptAt: Time;
  audio: Omit<Call['audio'], 'deleteAfter' | 'deletedAt'> & { deleteAfter: Time; deletedAt: Time };
  idempotency?: Idempotency;
  /** Events that the dispatcher has yet to publish, oldest first. */
  outbox: OutboxEvent[];
  /** Set to its version by each write that the dispatcher may want to look at: what the change stream waits for. */
  announces: number;
  /** As which status `call_counts` counts this call; missing while it does not. */
  counted?: CallStatus | null;
  /** Since when `counted` is not known to be `status`; missing when it is. */
  uncounted?: Date;
  /** Needed until there is a transcript, and then dropped. */
  segments: Segment[];
  transcript?: Transcript;
  analysis?: Analysis;
  /** What a search finds the call by, each word once; missing of a call that an earlier release has written. */
  words?: string[];
  wordSource?: WordSource;
}

/** What makes a call: not what is large, nor what only this adapter needs. */
export const RECORD_FIELDS = {
  schemaVersion: 1,
  accountId: 1,
  fileName: 1,
  reportType: 1,
  status: 1,
  stage: 1,
  version: 1,
  audio: 1,
  attempt: 1,
  failures: 1,
  leaseWorker: 1,
  leaseSince: 1,
  leaseUntil: 1,
  grantedUntil: 1,
  nextAttemptAt: 1,
  readySince: 1,
  waiting: 1,
  retries: 1,
  lastFailure: 1,
  failure: 1,
  removal: 1,
  language: 1,
  product: 1,
  saleStatus: 1,
  score: 1,
  traceparent: 1,
  createdAt: 1,
  updatedAt: 1,
} as const;

/** The lines of an analysis hold the transcript's text: reading both would cost each poll of a finished call twice. */
export const DETAIL_FIELDS = {
  ...RECORD_FIELDS,
  analysis: 1,
  transcript: { $cond: [{ $eq: [{ $type: '$analysis' }, 'missing'] }, '$transcript', '$$REMOVE'] },
} as const;

export const SUMMARY_FIELDS = {
  schemaVersion: 1,
  fileName: 1,
  status: 1,
  reportType: 1,
  language: 1,
  product: 1,
  saleStatus: 1,
  score: 1,
  createdAt: 1,
  updatedAt: 1,
} as const;

export function newDocument(
  call: Call,
  {
    schemaVersion,
    events,
    idempotency,
    words,
    at,
  }: { schemaVersion: number; events: OutboxEvent[]; idempotency: Idempotency | null; words: CallWords; at: Date },
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
    id: document._id,
    accountId: document.accountId,
    fileName: document.fileName,
    reportType: document.reportType,
    status: statusOf(document),
    stage: document.stage,
    version: document.version,
    audio: {
      key: audio.key,
      bytes: audio.bytes,
      format: audio.format,
      seconds: audio.seconds,
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
    removal:
      removal === null ? null : { at: removal.at, until: removal.until, stage: removal.stage, final: removal.final },
    language: document.language,
    product: document.product,
    saleStatus: document.saleStatus,
    score: document.score,
    traceparent: document.traceparent,
    createdAt: document.createdAt,
    updatedAt: document.updatedAt,
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

export function leaseFields(lease: Call['lease']): Pick<CallDocument, 'leaseWorker' | 'leaseSince' | 'leaseUntil'> {
  if (lease === null) return { leaseWorker: null, leaseSince: NOT_SET, leaseUntil: NOT_SET };
  return { leaseWorker: lease.worker, leaseSince: lease.since, leaseUntil: lease.until };
}

export function removalFields(removal: Call['removal'], status: CallStatus): Pick<CallDocument, 'status' | 'removal'> {
  return removal === null ? { status, removal } : { status: null, removal: { ...removal, status } };
}

function statusOf({ _id, status, removal }: CallDocument): CallStatus {
  const known = removal?.status ?? status;
  if (known === null) throw new Error(`the call ${_id} has no status`);
  return known;
}

export function toTime(date: Date | null): Time {
  return date ?? NOT_SET;
}

function fromTime(time: Time): Date | null {
  return time === NOT_SET ? null : time;
}
