import type {
  CallSearch,
  CallStatus,
  CallTotals,
  Dependency,
  EventType,
  Message,
  OverviewQuery,
  Stage,
} from '@call-analytics/contracts';
import { WorkError } from '@call-analytics/service-kit';
import type { Analysis } from './analysis.ts';
import type { DrainRecords } from './drains.ts';
import type { QueuePace, QueuePlace, Queues } from './queues.ts';
import type { Call, HeldLease, Idempotency } from './record.ts';
import type { Segment, Transcript } from './transcript.ts';

// One port for each reader of the call store; an adapter implements all of them, and those beside their subjects, as
// `CallStore` (calls.ts). Every method throws WorkError `transient` for what may pass: `store_unavailable`, or
// `store_full` when there is no room.

/** What a write may change; fields left out stay as they are. A write that changes `removal` also names `status`. */
export type CallChange = Partial<
  Omit<Call, 'id' | 'accountId' | 'version' | 'traceparent' | 'createdAt' | 'fileName' | 'audio'>
> & {
  audio?: Partial<Pick<Call['audio'], 'seconds' | 'deleteAfter' | 'deletedAt'>>;
  transcript?: Transcript;
  analysis?: Analysis;
};

export interface Write {
  change: CallChange;
  /** Written to the outbox with the change, atomically. */
  events: readonly EventType[];
  /** true: survives a loss of power. false: survives the death of the process; its loss would only repeat some work. */
  durable: boolean;
}

/** Names an event: a version of a call is written once. */
export function eventIdOf(callId: string, version: number, type: EventType): string {
  return `${callId}.${version}.${type}`;
}

/** Greater than the id of each call created before `time`, and not than that of any later one: ids are UUIDs v7. */
export function firstIdAt(time: Date): string {
  return `call_${time.getTime().toString(16).padStart(12, '0')}`;
}

/** Whether the change brings text that is searched. */
export function bringsText({ transcript, analysis }: CallChange): boolean {
  return transcript !== undefined || analysis !== undefined;
}

/**
 * Whether the dispatcher may want to look: there is an event to publish, or room for the next grant, which a claim or
 * the end of a lease makes. A renewed lease changes nothing for it.
 */
export function concernsDispatcher({ change, events }: Pick<Write, 'change' | 'events'>): boolean {
  return events.length > 0 || change.lease === null || change.attempt !== undefined;
}

export type Inserted = { kind: 'created'; call: Call } | { kind: 'existing'; call: Call; sameRequest: boolean };

/** For an upload that was under way when its account was removed. */
export function noSuchAccount(): WorkError {
  return new WorkError({ kind: 'rejected', code: 'no_such_account', message: 'This account was deleted.' });
}

export function storeUnavailable(cause?: unknown): WorkError {
  const message = 'The call store does not answer.';
  return new WorkError({ kind: 'transient', code: 'store_unavailable', message }, { cause });
}

export function storeFull(cause: unknown): WorkError {
  const message = 'There is no room left to store calls.';
  return new WorkError({ kind: 'transient', code: 'store_full', message }, { cause });
}

/** What `Calls` writes with. An adapter keeps records; `Calls` decides what may happen to a call. */
export interface CallRecords extends Pick<CallReads, 'get' | 'list' | 'transcript'> {
  /**
   * Writes a new call with its events, durably. With `idempotency`, an account has at most one call per key until that
   * call is removed: a second insert returns the first call.
   * @throws WorkError `rejected` `no_such_account` when the account is removed. An insert that was under way at that
   * moment may be written; `removedAccounts` lets cleanup find it.
   */
  insert(
    call: Call,
    events: readonly EventType[],
    idempotency: Idempotency | null,
    /** The terms that the upload brought. */
    vocabulary?: readonly string[],
  ): Promise<Inserted>;
  /**
   * One atomic write of the change, the version and the events, if the call still has this version. A write that
   * removes the call deletes its idempotency key.
   * @param known the call at this version, if the writer has it: saves reading it back
   * @returns the call after the write, or null when another writer was first
   */
  update(callId: string, version: number, write: Write, known?: Call): Promise<Call | null>;
  /**
   * Keeps a finished segment, durably, if the lease is still held, and leaves one whose key exists as it is. Moves
   * `audio.secondsDone` and `updatedAt` forward, and does not change the version.
   * @returns false when the lease is lost
   */
  saveSegment(lease: HeldLease, segment: Segment, now: Date): Promise<boolean>;
  /**
   * Deletes the record, durably, with everything kept beside it: transcript, analysis, segments, waiting events.
   * @returns false when the call has another version or does not exist
   */
  purge(callId: string, version: number): Promise<boolean>;
  /** Marks an account as removed, durably: it gets no more calls, and its settings are deleted. Idempotent. */
  removeAccount(accountId: string, now: Date): Promise<void>;
  /**
   * Calls whose wait is over: delayed until `now` or earlier, or granted until then and not claimed. A time further
   * ahead than MAX_DELAY_MS (transitions.ts) dates from before a clock was set back, and counts as over.
   */
  endedWaits(now: Date, limit: number): Promise<Call[]>;
  /** Calls whose lease has ended (see `hasEnded` in transitions.ts). */
  expiredLeases(now: Date, limit: number): Promise<Call[]>;
  /**
   * Replaces settings of an account, durably, if no other request did since `revision` was read (0: there were none).
   * @returns false when they have another revision
   * @throws WorkError `rejected` `no_such_account` when the account is removed
   */
  saveSettings(accountId: string, name: AccountSettingsName, revision: number, value: unknown): Promise<boolean>;
  /** Says how many calls of a stage a worker process works on at a time; 0 when it stops. Valid until `until`. */
  announceWorker(stage: Stage, worker: string, calls: number, now: Date, until: Date): Promise<void>;
}

/** What an account's users edit together: a JSON document with a revision, 1 for the first one. */
export const ACCOUNT_SETTINGS = ['vocabulary', 'trackers', 'scorecard', 'spendingLimit'] as const;
export type AccountSettingsName = (typeof ACCOUNT_SETTINGS)[number];

/** Reads and replaces such documents; `Calls` implements it. */
export interface AccountSettings {
  reads: Pick<CallReads, 'settings'>;
  /** See `CallRecords`. */
  saveSettings(accountId: string, name: AccountSettingsName, revision: number, value: unknown): Promise<boolean>;
}

export interface ListQuery {
  limit: number;
  offset: number;
  status?: CallStatus;
}

export type CallSummary = Pick<
  Call,
  | 'id'
  | 'fileName'
  | 'status'
  | 'reportType'
  | 'language'
  | 'product'
  | 'saleStatus'
  | 'score'
  | 'createdAt'
  | 'updatedAt'
>;

/** Tracker results (see `TrackerResults`) that begin with a prefix and have a letter at a place after it. */
export interface ResultPattern {
  prefix: string;
  at: number;
  letter: string;
}

/** With `resultPattern`, only calls with such tracker results are found. */
export type CallQuery = CallSearch & { resultPattern?: ResultPattern };

/** Where searched words are in a call. Offsets into `text`, in UTF-16 code units, in order and without overlap. */
export interface Match {
  text: string;
  marks: { start: number; end: number }[];
}

export type FoundSummary = CallSummary &
  Pick<Call, 'failure' | 'waiting'> & {
    /** It is not finished, and no worker has it. */
    isPending: boolean;
    /** Set when not all searched words are in the file name and the product. */
    match: Match | null;
  };

/** What the API and the workers read. */
export interface CallReads extends Pick<DrainRecords, 'drainedStages'> {
  /** Also returns a removed call. */
  get(callId: string): Promise<Call | null>;
  segments(callId: string): Promise<Segment[]>;
  transcript(callId: string): Promise<Transcript | null>;
  analysis(callId: string): Promise<Analysis | null>;
  /** The terms that the upload of the call brought. */
  vocabulary(callId: string): Promise<string[]>;
  /** @returns null when the account has none. The value is as it was stored, maybe by an earlier release. */
  settings(accountId: string, name: AccountSettingsName): Promise<{ revision: number; value: unknown } | null>;
  /**
   * For GET /calls/:id, in one read; null also when the call is another account's, or removed. `transcript` is set
   * only for a failed call without an analysis, whose lines hold the same text.
   */
  detail(
    accountId: string,
    callId: string,
  ): Promise<{ call: Call; transcript: Transcript | null; analysis: Analysis | null } | null>;
  /**
   * Newest first (createdAt, then id), stable, without removed calls. `total` counts all matches, at the same cost for
   * any number of calls.
   */
  list(accountId: string, query: ListQuery): Promise<{ calls: CallSummary[]; total: number }>;
  /**
   * As `list`, with more filters and orders; a text without a letter or digit finds none. By date, without filters but
   * the status, it costs what `list` costs; otherwise it looks at the account's calls that have the rarest word
   * (MongoDB) or all words (SQLite), or without words at those in the range of dates.
   */
  search(accountId: string, query: CallQuery): Promise<{ calls: FoundSummary[]; total: number }>;
  /**
   * Totals of the account's calls for days of a time zone. Looks at the account's calls in these days; for objections
   * and mistakes, at the results of the latest 1,000 completed calls at most.
   * @throws RangeError when the time zone does not exist
   */
  overview(accountId: string, query: OverviewQuery): Promise<CallTotals>;
  /** For a call that waits for a stage and is not worked on. The cost is bounded for any number of waiting calls. */
  queuePlace(call: Pick<Call, 'accountId' | 'stage' | 'grantedUntil' | 'readySince'>): Promise<QueuePlace>;
  /** @returns null when the account has no queue for the stage, or one that says nothing (see `paceSince`) */
  queuePace(accountId: string, stage: Stage, now: Date): Promise<QueuePace | null>;
  /** The positions of the account's calls that wait for a stage, by call id; of the first COUNTED_AHEAD + 1 calls. */
  queuePositions(accountId: string, stage: Stage): Promise<Map<string, number>>;
  /** Of these audio keys, those that belong to a call whose audio is not yet proven deleted. */
  audioKeysInUse(keys: readonly string[]): Promise<Set<string>>;
  /** @returns null when the store answers, otherwise the reason why not */
  ready(): Promise<string | null>;
}

export interface OutboxEntry {
  /** Also the id of the message. */
  id: string;
  message: Message;
}

export interface StoreFigures {
  ready: Record<Stage, number>;
  /** Calls granted and not yet claimed. */
  granted: Record<Stage, number>;
  leased: Record<Stage, number>;
  /** Calls that wait for a dependency that does not work. */
  waiting: Record<Dependency, number>;
  /** Of the ready calls, those of accounts that have reached their spending limit. */
  held: Record<Stage, number>;
  oldestOutboxAgeMs: number;
  /** Recordings to delete: those that are due, and those of removed calls that can no longer be restored. */
  audioDue: number;
}

/** What the dispatcher reads and writes beside the calls themselves. */
export interface DispatcherStore {
  /** What is in flight for each stage. The cost does not depend on finished calls, nor on how many wait. */
  queues(now: Date): Promise<Queues>;
  /** The earliest `nextAttemptAt` or `grantedUntil` after `now` of any waiting call; null when none waits. */
  nextWake(now: Date): Promise<Date | null>;
  /** Oldest first. */
  outbox(limit: number): Promise<OutboxEntry[]>;
  removeFromOutbox(ids: readonly string[]): Promise<void>;
  /**
   * Takes or keeps a role that one process has at a time, durably, when no other process holds it at `now`.
   * @param until when the role is free again unless it is renewed
   * @returns null when another process has the role, otherwise when it was free before: `now` when it was held until
   *   now
   * or is new
   */
  lead(role: string, holder: string, now: Date, until: Date): Promise<Date | null>;
  /** Gives the role up, if the holder has it. The next to take it is told that it is free since `now`. */
  resign(role: string, holder: string, now: Date): Promise<void>;
  /** How many calls of each stage all workers known at `now` work on at a time. */
  capacity(now: Date): Promise<Record<Stage, number>>;
  /** @param atLimit accounts that have reached their spending limit */
  figures(now: Date, atLimit?: Iterable<string>): Promise<StoreFigures>;
  /**
   * Calls back soon after a change that may matter to the dispatcher. A hint: changes may be missed.
   * @returns a function that stops it
   */
  watch(listener: () => void): () => void;
}

interface RemovedAccount {
  accountId: string;
  at: Date;
}

/** What cleanup reads and writes beside the calls themselves. */
export interface CleanupStore extends Pick<CallReads, 'get' | 'audioKeysInUse'>, Pick<DispatcherStore, 'figures'> {
  /** Finished calls whose audio may be deleted (`deleteAfter` passed) and is not proven deleted. */
  audioDue(now: Date, limit: number): Promise<Call[]>;
  /** Finished calls, not removed, whose last change of status was before `endedBefore`. Oldest first. */
  finishedBefore(endedBefore: Date, limit: number): Promise<Call[]>;
  /** Removed calls that can no longer be restored. Longest due first. */
  removalsDue(now: Date, limit: number): Promise<Call[]>;
  /** Removed accounts that may still have calls, longest removed first. */
  removedAccounts(limit: number): Promise<RemovedAccount[]>;
  /** The removed account has no calls and gets no more; the rest of it is deleted. Its id is not used again. */
  accountEmptied(accountId: string): Promise<void>;
  /**
   * Brings some calls that an earlier release has written to what this release writes, newest first. Can be interrupted
   * at any time; several processes may do it at once.
   * @returns how many calls it looked at, at most `limit`; 0 when none is left
   */
  migrate(limit: number): Promise<number>;
  /** What `migrate` has done and has left to do. */
  migrations(): Promise<MigrationState[]>;
}

/** A change of stored data that runs in the background while this release and the previous one work. */
export interface MigrationState {
  name: string;
  /** `waiting`: nothing can be done now; `text` says for what it waits. */
  state: 'done' | 'running' | 'waiting';
  text: string;
}

/** @param left how many calls are left, or more if `isCut` */
export function callsToMigrate(left: number, isCut = false): MigrationState {
  const name = 'calls of earlier releases';
  if (left === 0) return { name, state: 'done', text: 'All calls are rewritten and indexed for search.' };
  return { name, state: 'running', text: `Calls left: ${left}${isCut ? ' or more' : ''}. Cleanup migrates them.` };
}

/** How long a rollout may take, during which the previous release still reads and writes. */
export const ROLLOUT_MS = 48 * 3_600_000;
