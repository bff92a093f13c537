import type { CallStatus, EventType } from '@call-analytics/contracts';
import { Schema, type SchemaDefinition } from 'mongoose';
import type { Analysis } from '../analysis.ts';
import type { Call, Idempotency, Removal } from '../record.ts';
import type { AttemptCost } from '../spending.ts';
import type { Segment, Transcript } from '../transcript.ts';

// The collection of the calls, with its fields and indexes; the other collections are in collections.ts. An index names
// the queries that it serves, and keeps its name and keys forever, because other releases read the same data.

/**
 * A time that is not set is stored as `false`. MongoDB answers "is null" only by reading the document, because a
 * missing field counts as null too; `false` is a value that an index finds and counts.
 */
export type Time = Date | false;
export const NOT_SET: false = false;
/** For "any time" in queries and partial indexes. */
export const EPOCH = new Date(0);
/** Any status; a removed call has none. */
export const NOT_REMOVED = { $gt: '' as CallStatus };
export const FINISHED = { $in: ['completed', 'failed'] satisfies CallStatus[] };

export interface OutboxEvent {
  /** `{call}.{version}.{type}`: unique, because a version of a call is written once. */
  id: string;
  type: EventType;
  at: Date;
}

/** What the words of a call were taken from: each holds more than the one before. */
export type WordSource = 'name' | 'transcript' | 'analysis';

/** Missing in calls of earlier releases. */
type AddedField = 'waiting' | 'retries' | 'analysisEngine' | 'earlierAnalyses' | 'corrections';

/**
 * One call with everything about it, so that what changes together changes in one atomic write without a transaction.
 * Six hours of continuous talk have about 3 MB (`document-size.servers.test.ts`); beyond 16 MB, the limit of MongoDB,
 * a write is refused as `result_too_large`.
 */
export interface CallDocument
  extends Omit<Call, 'id' | 'status' | 'lease' | 'grantedUntil' | 'nextAttemptAt' | 'audio' | 'removal' | AddedField>,
    Partial<Pick<Call, AddedField>> {
  _id: string;
  schemaVersion: number;
  /** null for a removed call, whose status is in `removal`, so that it is in no page and no total. */
  status: CallStatus | null;
  /** Missing in calls of earlier releases. */
  removal?: (Removal & { status: CallStatus }) | null;
  leaseWorker: string | null;
  leaseSince: Time;
  leaseUntil: Time;
  grantedUntil: Time;
  nextAttemptAt: Time;
  /** `secondsDone` is missing in calls of earlier releases. */
  audio: Omit<Call['audio'], 'secondsDone' | 'deleteAfter' | 'deletedAt'> & {
    secondsDone?: number;
    deleteAfter: Time;
    deletedAt: Time;
  };
  idempotency?: Idempotency;
  /** Events that the dispatcher has yet to publish, oldest first. */
  outbox: OutboxEvent[];
  /** Set to its version by each write that the dispatcher may want to see: what the change stream filters by. */
  announces: number;
  /** The status under which `call_counts` counts this call; missing while it is not counted. */
  counted?: CallStatus | null;
  /** Since when `counted` may differ from `status`; missing when it does not. */
  uncounted?: Date;
  /** Needed until there is a transcript, then dropped. */
  segments: Segment[];
  /** Missing when the upload brought none. */
  vocabulary?: readonly string[];
  /** What each attempt has cost, by its number; missing while none has. */
  costs?: Record<string, Omit<AttemptCost, 'attempt'>>;
  /** The length of the recording as far as it is in `spending`; missing while the call has cost nothing. */
  paidSeconds?: number;
  transcript?: Transcript;
  analysis?: Analysis;
  /** The words that a search finds the call by, each once; missing in calls of earlier releases. */
  words?: string[];
  wordSource?: WordSource;
  /** What the account's trackers find; missing until they have looked at the present analysis. */
  trackerResults?: string;
}

const { Mixed } = Schema.Types;
/** A `Time`: a Date or false. */
const TIME = Mixed;

/** The fields of a list item. */
const SUMMARY = {
  schemaVersion: Number,
  fileName: String,
  status: String,
  reportType: String,
  language: String,
  product: String,
  saleStatus: String,
  score: Number,
  createdAt: Date,
  updatedAt: Date,
} as const satisfies SchemaDefinition;

/** The fields of a call record, without what is large and what only this adapter needs. */
const RECORD = {
  ...SUMMARY,
  accountId: String,
  stage: String,
  version: Number,
  audio: {
    key: String,
    bytes: Number,
    format: String,
    seconds: Number,
    secondsDone: Number,
    deleteAfter: TIME,
    deletedAt: TIME,
  },
  attempt: Number,
  failures: Number,
  leaseWorker: String,
  leaseSince: TIME,
  leaseUntil: TIME,
  grantedUntil: TIME,
  nextAttemptAt: TIME,
  readySince: Date,
  waiting: { for: String, since: Date },
  retries: Number,
  lastFailure: Mixed,
  failure: Mixed,
  analysisEngine: String,
  earlierAnalyses: [Mixed],
  corrections: Mixed,
  removal: { at: Date, until: Date, stage: String, final: Boolean, status: String },
  traceparent: String,
} as const satisfies SchemaDefinition;

export const SUMMARY_FIELDS = projectionOf(SUMMARY);
export const RECORD_FIELDS = projectionOf(RECORD);
const WITHOUT_REPORT = { $and: [{ $eq: ['$status', 'failed'] }, { $eq: [{ $type: '$analysis' }, 'missing'] }] };
/** Only a failed call shows its transcript, unless it has an analysis, whose lines hold the same text. */
export const DETAIL_FIELDS = {
  ...RECORD_FIELDS,
  analysis: 1,
  transcript: { $cond: [WITHOUT_REPORT, '$transcript', '$$REMOVE'] },
} as const;

/** Names of the indexes that queries name as their hint. */
export const INDEX = {
  idempotency: 'one_call_per_idempotency_key',
  ofAccount: 'of_account_for_lists_and_sums',
  byStatus: 'of_account_by_status_and_date',
  byWords: 'of_account_by_words',
  byTrackerResults: 'of_account_by_tracker_results',
  finished: 'of_account_by_end',
  uncounted: 'of_account_uncounted',
  unfinished: 'queues',
  delayed: 'delayed_by_time',
  byDependency: 'waiting_for_dependency',
  outbox: 'outbox',
  audioDue: 'audio_due',
  audioByKey: 'audio_by_key',
  removed: 'removed',
  accountsToEmpty: 'to_empty',
  endedWorkers: 'ended',
  spendingOfAccount: 'of_account',
} as const;

/** Indexes of `calls` that earlier releases use. Cleanup drops them when they are not used any more. */
export const RETIRED_INDEXES: readonly string[] = ['unfinished', 'delayed_by_account'];

export const callSchema = new Schema(
  {
    _id: String,
    ...RECORD,
    idempotency: { key: String, fingerprint: String },
    outbox: [{ _id: false, id: String, type: { type: String }, at: Date }],
    announces: Number,
    counted: String,
    uncounted: Date,
    segments: [Mixed],
    costs: Mixed,
    paidSeconds: Number,
    transcript: Mixed,
    analysis: Mixed,
    words: [String],
    wordSource: String,
    trackerResults: String,
  },
  { collection: 'calls', versionKey: false },
);
// insert
callSchema.index(
  { accountId: 1, 'idempotency.key': 1 },
  { name: INDEX.idempotency, unique: true, partialFilterExpression: { 'idempotency.key': { $exists: true } } },
);
// list, search, overview: it holds everything they filter, sort and count by, because documents are large. The status
// excludes removed calls, which have none.
callSchema.index(
  { accountId: 1, createdAt: 1, _id: 1, status: 1, saleStatus: 1, reportType: 1, score: 1, product: 1, fileName: 1 },
  { name: INDEX.ofAccount },
);
// list and search of one status; the remarks of the overview
callSchema.index({ accountId: 1, status: 1, createdAt: 1, _id: 1 }, { name: INDEX.byStatus });
// search with words: an entry for each word of each call
callSchema.index({ accountId: 1, words: 1 }, { name: INDEX.byWords });
// countTrackerResults, callsToTrack, and search by what a tracker finds
callSchema.index(
  { accountId: 1, status: 1, createdAt: 1, _id: 1, trackerResults: 1 },
  { name: INDEX.byTrackerResults },
);
// queuePace
callSchema.index(
  { accountId: 1, updatedAt: 1, status: 1 },
  { name: INDEX.finished, partialFilterExpression: { status: FINISHED } },
);
// total, and the calls to be counted
callSchema.index(
  { accountId: 1, uncounted: 1, status: 1, counted: 1, _id: 1 },
  { name: INDEX.uncounted, partialFilterExpression: { uncounted: { $gte: EPOCH } } },
);
// queues, queuePlace, queuePace, queuePositions, expiredLeases, figures, and grants in endedWaits and nextWake
callSchema.index(
  {
    stage: 1,
    leaseUntil: 1,
    grantedUntil: 1,
    accountId: 1,
    nextAttemptAt: 1,
    readySince: 1,
    leaseSince: 1,
    version: 1,
    'audio.seconds': 1,
    _id: 1,
  },
  { name: INDEX.unfinished, partialFilterExpression: { stage: { $gt: '' } } },
);
// delays in endedWaits, nextWake and figures
callSchema.index(
  { nextAttemptAt: 1, stage: 1, leaseUntil: 1, grantedUntil: 1 },
  { name: INDEX.delayed, partialFilterExpression: { nextAttemptAt: { $gte: EPOCH } } },
);
// figures, and what an account's calls wait for in queuePlace
callSchema.index(
  { stage: 1, accountId: 1, 'waiting.for': 1, 'waiting.since': 1 },
  { name: INDEX.byDependency, partialFilterExpression: { 'waiting.since': { $gte: EPOCH } } },
);
// outbox, and the age of its oldest event
callSchema.index(
  { 'outbox.at': 1, _id: 1 },
  { name: INDEX.outbox, partialFilterExpression: { 'outbox.at': { $exists: true } } },
);
// audioDue, countAudioDue
callSchema.index(
  { 'audio.deleteAfter': 1, stage: 1, 'audio.deletedAt': 1 },
  {
    name: INDEX.audioDue,
    partialFilterExpression: { 'audio.deletedAt': NOT_SET, 'audio.deleteAfter': { $gte: EPOCH } },
  },
);
// audioKeysInUse
callSchema.index(
  { 'audio.key': 1, 'audio.deletedAt': 1 },
  { name: INDEX.audioByKey, partialFilterExpression: { 'audio.deletedAt': NOT_SET } },
);
// removalsDue, countRemovalsDue
callSchema.index(
  { 'removal.until': 1 },
  { name: INDEX.removed, partialFilterExpression: { 'removal.until': { $gte: EPOCH } } },
);

function projectionOf<Fields extends object>(fields: Fields): Record<keyof Fields, 1> {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, 1])) as Record<keyof Fields, 1>;
}
