import type {
  CallSearch,
  CallStatus,
  Dependency,
  EventType,
  Message,
  Overview,
  OverviewQuery,
  Stage,
} from '@call-analytics/contracts';
import type { Analysis, Call, HeldLease, Segment, Transcript } from './record.ts';
import type { Match } from './search/searched.ts';

/** What a write may change. Fields left out stay as they are. A write that changes `removal` names `status` too, changed or not. */
export type CallChange = Partial<
  Omit<Call, 'id' | 'accountId' | 'version' | 'traceparent' | 'createdAt' | 'fileName' | 'reportType' | 'audio'>
> & {
  audio?: Partial<Pick<Call['audio'], 'seconds' | 'deleteAfter' | 'deletedAt'>>;
  transcript?: Transcript;
  analysis?: Analysis;
};

export interface Write {
  change: CallChange;
  /** Written to the outbox with the change, atomically. */
  events: readonly EventType[];
  /** true: survives the loss of power once it returns. false: survives the death of the process; losing it would only repeat some work. */
  durable: boolean;
}

export interface Idempotency {
  key: string;
  /** A hash of everything the request asked for. */
  fingerprint: string;
}

export type Inserted = { kind: 'created'; call: Call } | { kind: 'existing'; call: Call; sameRequest: boolean };

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

/** A call as a search finds it. `match` is set when not all searched words are in the file name and the product. */
export type FoundSummary = CallSummary & Pick<Call, 'failure' | 'waiting'> & { match: Match | null };

/** An account's calls that wait for a stage. */
export interface Backlog {
  accountId: string;
  /** The next few that are ready, longest waiting first. What is said of a call holds while it has this version. */
  next: { callId: string; version: number; seconds: number; readySince: Date }[];
}

export type Queues = Record<Stage, { inFlight: InFlight; backlog: Backlog[] }>;
export type PerAccount = (stage: Stage, inFlight: InFlight) => number;

/** What is on its way through a stage. */
export interface InFlight {
  /** Calls that are granted and not yet claimed. */
  granted: number;
  /** Calls that are being worked on. */
  leased: number;
  /** Both together, of each account that has any. */
  ofAccount: ReadonlyMap<string, number>;
}

/** Where a call stands in its account's queue for a stage. */
export interface QueuePlace {
  /** Calls of the account that come before it; at most COUNTED_AHEAD + 1, which means more than COUNTED_AHEAD. */
  ahead: number;
  /** What a call of the account waits for in this stage, and so those behind it; null when none waits. */
  waiting: Call['waiting'];
}
export const COUNTED_AHEAD = 1_000;

export interface OutboxEntry {
  /** Also the id of the message. */
  id: string;
  message: Message;
}

export interface RemovedAccount {
  accountId: string;
  at: Date;
}

export interface StoreFigures {
  ready: Record<Stage, number>;
  leased: Record<Stage, number>;
  /** Calls that wait for a dependency that does not work. */
  waiting: Record<Dependency, number>;
  oldestOutboxAgeMs: number;
  /** Recordings that should be gone: those that are due, and those of removed calls whose time to be restored is over. */
  audioDue: number;
}

/**
 * Where call records live. An adapter keeps them and answers questions; what may happen to a call is decided by `Calls`, once, for all adapters.
 * Every method throws WorkError `transient` for what may pass: `store_unavailable`, or `store_full` when there is no room.
 */
export interface CallStore {
  /**
   * Writes a new call with its events, durably. With `idempotency`, at most one call per account and key: the second insert gets the first one's call.
   * Remembered as long as the call is, and until it is removed.
   * @throws WorkError `rejected` `no_such_account` when the account is removed. An insert that was under way at that moment may be written; `removedAccounts` has it found.
   */
  insert(call: Call, events: readonly EventType[], idempotency: Idempotency | null): Promise<Inserted>;

  /**
   * One atomic write: the change, the version and the events, if the call still has this version. One that removes the call forgets its idempotency key, for good.
   * @param known the call at this version, if the writer has it: then what is written need not be read back
   * @returns the call as it now is, or null when someone else wrote first
   */
  update(callId: string, version: number, write: Write, known?: Call): Promise<Call | null>;

  /**
   * Keeps a finished segment, durably, if the lease is still held (same attempt, leased). A segment whose key is already there is left as it is. Does not change the version.
   * @returns false when the lease is lost
   */
  saveSegment(lease: HeldLease, segment: Segment): Promise<boolean>;
  segments(callId: string): Promise<Segment[]>;

  /** A removed call too. */
  get(callId: string): Promise<Call | null>;
  transcript(callId: string): Promise<Transcript | null>;
  analysis(callId: string): Promise<Analysis | null>;
  /** For GET /calls/:id: one read. null also when the call is another account's, or removed. `transcript` only while there is no analysis, whose lines hold the same text. */
  detail(
    accountId: string,
    callId: string,
  ): Promise<{ call: Call; transcript: Transcript | null; analysis: Analysis | null } | null>;
  /** Newest first (createdAt, then id), stable, without those that are removed. `total` counts all that match and costs the same however many there are. */
  list(accountId: string, query: ListQuery): Promise<{ calls: CallSummary[]; total: number }>;

  /**
   * As `list`, with more filters and orders. `text` finds calls that have each of its words as the beginning of a word of
   * the file name, the product, the summary or the transcript, whatever the case and the accents; a text without a letter
   * or digit finds none. Ordered by score, calls without one come last both ways; by file name, letters from A to Z count
   * the same in both cases; what is equal stands as in `list`.
   *
   * Without filters but the status, and by date, it costs what `list` costs. With words it looks at the account's calls
   * that have the rarest of them (MongoDB) or all of them (SQLite), and otherwise at what the account has in the range of
   * dates. It never looks at what other accounts have.
   */
  search(accountId: string, query: CallSearch): Promise<{ calls: FoundSummary[]; total: number }>;
  /**
   * Indexes for `search` some calls that an earlier release has written, the newest first. What this release writes is
   * indexed with the same write. It can be interrupted at any time, and several processes may do it at once.
   * @param limit how many calls at most
   * @returns how many it looked at; 0 when none is left
   */
  indexForSearch(limit: number): Promise<number>;
  /**
   * What the account's calls of some days amount to, days as the time zone has them. It looks at what the account has in these days, and for objections and mistakes at the
   * results of the latest 1,000 completed calls at most.
   * @throws RangeError when there is no such time zone
   */
  overview(accountId: string, query: OverviewQuery): Promise<Overview>;

  /**
   * What is in flight for each stage, and the accounts with calls that are ready for it (neither leased nor granted nor delayed), each with its next few. Its cost depends
   * neither on finished calls nor on how many wait.
   * @param perAccount says, when it is known what is in flight, how many calls of each account are of interest; 0 when none are
   */
  queues(now: Date, perAccount: PerAccount): Promise<Queues>;
  /** For a call that waits for a stage and is not worked on. The cost is bounded, however many calls wait. */
  queuePlace(call: Pick<Call, 'accountId' | 'stage' | 'grantedUntil' | 'readySince'>): Promise<QueuePlace>;
  /**
   * Calls whose time to wait is over: delayed until `now` or earlier, or granted until then and not claimed. A time further ahead than LONGEST_DELAY_MS (transitions.ts) was
   * set before the clock was set back, and is over.
   */
  endedWaits(now: Date, limit: number): Promise<Call[]>;
  /** Calls whose lease ended before `now`, or began after it by more than a minute (the clock was set back while a worker died). */
  expiredLeases(now: Date, limit: number): Promise<Call[]>;
  /** The earliest `nextAttemptAt` or `grantedUntil` after `now` of any waiting call; null when none waits. */
  nextWake(now: Date): Promise<Date | null>;

  /** Oldest first. */
  outbox(limit: number): Promise<OutboxEntry[]>;
  removeFromOutbox(ids: readonly string[]): Promise<void>;

  /** Finished calls whose audio may go (`deleteAfter` passed) and is not proven gone. */
  audioDue(now: Date, limit: number): Promise<Call[]>;
  /** Of these audio keys, those that belong to a call whose audio is not yet proven gone. */
  audioKeysInUse(keys: readonly string[]): Promise<Set<string>>;

  /** Removed calls that cannot be restored any more: their time is over, or lies further ahead than LONGEST_DELAY_MS. Longest due first. */
  removalsDue(now: Date, limit: number): Promise<Call[]>;
  /**
   * Deletes the record, durably, with everything that is kept beside it: transcript, analysis, segments, events that wait. Nothing that comes later brings any of it back.
   * @returns false when the call has another version, or is not there
   */
  purge(callId: string, version: number): Promise<boolean>;

  /** Marks an account as removed, durably: from here on it gets no more calls. Again it changes nothing. */
  removeAccount(accountId: string, now: Date): Promise<void>;
  /** Removed accounts that may still have calls, longest removed first. */
  removedAccounts(limit: number): Promise<RemovedAccount[]>;
  /** The removed account has no calls, and gets none any more. The mark stays, so that it is refused for ever: ids of accounts are not used again. */
  accountEmptied(accountId: string): Promise<void>;

  /**
   * For work that one process does at a time: takes or keeps the role, durably, when nobody else holds it at `now`.
   * @param holder names the process
   * @param until when the role is free again unless it is kept
   * @returns whether the holder has the role
   */
  lead(role: string, holder: string, now: Date, until: Date): Promise<boolean>;
  /** Gives the role up, if the holder has it, so that another need not wait. */
  resign(role: string, holder: string): Promise<void>;

  /**
   * A worker process says how many calls of a stage it works on at a time; 0 when it stops. It is known until `until`, and says so again before. Losing it costs nothing that
   * the next time does not mend.
   */
  announceWorker(stage: Stage, worker: string, calls: number, now: Date, until: Date): Promise<void>;
  /** How many calls of each stage the workers known at `now` work on at a time, all together. */
  capacity(now: Date): Promise<Record<Stage, number>>;

  figures(now: Date): Promise<StoreFigures>;
  /** Calls back soon after something changed that the dispatcher may want to look at. A hint: changes may be missed. @returns a function that stops it */
  watch(listener: () => void): () => void;
  /** @returns null when it answers, otherwise why not */
  ready(): Promise<string | null>;
  close(): Promise<void>;
}
