import { EventEmitter } from 'node:events';
import type { Stage } from '@call-analytics/contracts';
import { backoffMs, type Clock, type Failure, point, systemClock } from '@call-analytics/service-kit';
import { v7 as uuidv7 } from 'uuid';
import type { Analysis } from './analysis.ts';
import { Corrections } from './corrections.ts';
import { claimBlockedBy, type DrainRecords } from './drains.ts';
import * as failures from './failures.ts';
import { type Call, type HeldLease, type Idempotency, type NewCall, newRecord } from './record.ts';
import { DEFAULT_POLICY, type Policy } from './settings.ts';
import { Spending, type SpendingRecords } from './spending.ts';
import type {
  AccountSettings,
  AccountSettingsName,
  CallReads,
  CallRecords,
  CleanupStore,
  DispatcherStore,
  Inserted,
} from './store.ts';
import type { TrackerResults } from './trackers.ts';
import type { Segment, Transcript } from './transcript.ts';
import * as transitions from './transitions.ts';
import { type Decide, isMissing, ofAccount, type Written, writeGuarded, writtenOrNull } from './transitions.ts';

/** The whole port, which an adapter implements: the ports of all readers and writers together. */
export interface CallStore
  extends CallRecords,
    CallReads,
    DispatcherStore,
    CleanupStore,
    TrackerResults,
    SpendingRecords,
    DrainRecords {
  close(): Promise<void>;
}

export type Claimed = { call: Call; lease: HeldLease } | { refused: string };

/** A difference in a recording's length that a reader would notice. */
const NOTICEABLE_SECONDS = 0.5;

/**
 * Everything that may happen to a call, on any store. Each method, also of `corrections`, is one atomic, guarded write;
 * `false` or `refused` means that the guard refused it.
 */
export class Calls implements AccountSettings {
  /** What readers of calls may ask the store. Writes go through the methods of this class. */
  readonly reads: CallReads;
  readonly trackerResults: TrackerResults;
  readonly corrections: Corrections;
  readonly spending: Spending;
  readonly #store: CallRecords & CallReads;
  readonly #clock: Clock;
  readonly #policy: Policy;
  /** The call as the last write under each lease left it, so that the next write need not read it first. */
  readonly #lastWritten = new WeakMap<HeldLease, Call>();
  /** By call id: the workers of this process that work on it. */
  readonly #removals = new EventEmitter().setMaxListeners(0);

  constructor(
    store: CallRecords & CallReads & TrackerResults & SpendingRecords,
    { clock = systemClock, policy = {} }: { clock?: Clock; policy?: Partial<Policy> } = {},
  ) {
    this.reads = store;
    this.trackerResults = store;
    this.corrections = new Corrections(store, clock);
    this.#store = store;
    this.#clock = clock;
    this.#policy = { ...DEFAULT_POLICY, ...policy };
    this.spending = new Spending(store, clock, this.#policy.spendingLimit);
  }

  get leaseMs(): number {
    return this.#policy.leaseMs;
  }

  /** Accepts an uploaded recording. When this returns, the call is never forgotten. */
  async accept(call: NewCall, idempotency: Idempotency | null = null): Promise<Inserted> {
    const record = newRecord(`call_${uuidv7().replaceAll('-', '')}`, call, this.#clock.now());
    const inserted = await this.#store.insert(record, ['call.uploaded'], idempotency, call.vocabulary ?? []);
    if (inserted.kind === 'created') await point('call.written', inserted.call.id);
    return inserted;
  }

  /**
   * @param version the version at which the store said that the call is ready; without it the call is read
   * @returns the granted call, or null when it was no longer ready
   */
  async grant(callId: string, version?: number): Promise<Call | null> {
    const now = this.#clock.now();
    if (version !== undefined) {
      const written = await this.#store.update(callId, version, transitions.granted(now, this.#policy));
      if (written !== null) return written;
    }
    return writtenOrNull(await this.#write(callId, (call) => transitions.grant(call, now, this.#policy)));
  }

  /**
   * Refused while the account may spend no more today, or the stage is drained; what is in work then is finished.
   * @param worker names the process, for operators
   * @param answeredAt when the engine for the call last answered this worker
   */
  async claim(
    callId: string,
    stage: Stage,
    worker: string,
    answeredAt: (call: Call) => Date | null = () => null,
  ): Promise<Claimed> {
    const known = await this.#store.get(callId);
    const blockedBy = known === null ? null : await claimBlockedBy(this.#store, this.spending, known, stage);
    const result = await this.#write(
      callId,
      (call) =>
        blockedBy !== null
          ? transitions.refuseClaim(call, stage, this.#clock.now())
          : transitions.claim(call, stage, worker, this.#clock.now(), this.#policy, answeredAt(call)),
      known ?? undefined,
    );
    if ('refused' in result) return result;
    if (blockedBy !== null) return { refused: blockedBy };
    await point('stage.claimed', callId);
    const lease = { callId, stage, attempt: result.call.attempt };
    this.#lastWritten.set(lease, result.call);
    return { call: result.call, lease };
  }

  /** @param atOnce how many calls of the stage the worker works on at a time; 0 when it stops. Valid for one lease. */
  async announceWorker(stage: Stage, worker: string, atOnce: number): Promise<void> {
    const now = this.#clock.now();
    await this.#store.announceWorker(stage, worker, atOnce, now, new Date(now.getTime() + this.#policy.leaseMs));
  }

  async renew(lease: HeldLease): Promise<boolean> {
    return this.#isWritten(lease, (call) => transitions.renew(call, lease.attempt, this.#clock.now(), this.#policy));
  }

  /**
   * @param seconds the length of the recording as decoded. A negligible difference is not written: the
   * transcript brings the exact length.
   */
  async measured(lease: HeldLease, seconds: number): Promise<boolean> {
    const known = this.#lastWritten.get(lease)?.audio.seconds;
    if (known !== undefined && Math.abs(known - seconds) < NOTICEABLE_SECONDS) return true;
    return this.#isWritten(lease, (call) => transitions.measured(call, lease.attempt, seconds));
  }

  async saveSegment(lease: HeldLease, segment: Segment): Promise<boolean> {
    const saved = await this.#store.saveSegment(lease, segment, this.#clock.now());
    if (saved) await point('segment.saved', lease.callId);
    return saved;
  }

  /** The dependency that the call waited for works again. @returns false when the lease is lost */
  async clearWaiting(lease: HeldLease): Promise<boolean> {
    if (this.#lastWritten.get(lease)?.waiting === null) return true;
    const result = await this.#writeHeld(lease, (call) => transitions.clearWaiting(call, lease.attempt));
    return 'call' in result || result.refused === 'waits for nothing';
  }

  async commitTranscript(lease: HeldLease, transcript: Transcript): Promise<boolean> {
    await point('transcript.ready', lease.callId);
    const decide = (call: Call) => transitions.transcribed(call, lease.attempt, transcript, this.#clock.now());
    const written = await this.#isWritten(lease, decide);
    if (written) await point('transcript.committed', lease.callId);
    return written;
  }

  async commitAnalysis(lease: HeldLease, analysis: Analysis): Promise<boolean> {
    await point('analysis.ready', lease.callId);
    const decide = (call: Call) => transitions.analyzed(call, lease.attempt, analysis, this.#clock.now());
    const written = await this.#isWritten(lease, decide);
    if (written) await point('analysis.committed', lease.callId);
    return written;
  }

  /** The call waits for its next attempt, or fails. @returns the call after that, or null when the lease was lost */
  async failAttempt(lease: HeldLease, failure: Failure): Promise<Call | null> {
    const result = await this.#writeHeld(lease, (call) => {
      const now = this.#clock.now();
      const at = failures.nextAttemptAt(call, failure, now);
      return failures.failAttempt(call, lease.attempt, failure, at, now, this.#policy);
    });
    return writtenOrNull(result);
  }

  /**
   * An operator ends an unfinished call. Its owner reads `message` and can retry it.
   * @returns the call after the write, why it is refused, or null when there is no such call
   */
  async fail(callId: string, message: string): Promise<{ call: Call } | { refused: string } | null> {
    const fail = (call: Call) => failures.fail(call, message, this.#clock.now(), this.#policy);
    const result = await this.#write(callId, fail);
    return isMissing(result) ? null : result;
  }

  /** Gives the call back; nothing is counted. */
  async release(lease: HeldLease): Promise<boolean> {
    return this.#isWritten(lease, (call) => transitions.release(call, lease.attempt));
  }

  /** Makes the calls ready whose wait is over. @returns how many */
  async endWaits(limit = 100): Promise<number> {
    const now = this.#clock.now();
    const ended = await this.#store.endedWaits(now, limit);
    const endWait = (latest: Call) => transitions.endWait(latest, now);
    const results = await Promise.all(ended.map((call) => this.#write(call.id, endWait, call)));
    return results.filter((result) => 'call' in result).length;
  }

  /** Reclaims the calls whose workers are gone. @returns how many */
  async reclaimExpired(limit = 100): Promise<number> {
    const now = this.#clock.now();
    let reclaimed = 0;
    for (const { id, attempt, ...ended } of await this.#store.expiredLeases(now, limit)) {
      const at = new Date(now.getTime() + backoffMs(ended.failures + 1));
      const result = await this.#write(id, (call) => failures.reclaim(call, attempt, at, now, this.#policy));
      if ('call' in result) reclaimed += 1;
    }
    return reclaimed;
  }

  /** @param lastRead the call, if the caller has read it @returns false when the deletion was recorded before */
  async audioDeleted(callId: string, lastRead?: Call): Promise<boolean> {
    const decide = (call: Call) => transitions.audioDeleted(call, this.#clock.now());
    if ('refused' in (await this.#write(callId, decide, lastRead))) return false;
    await point('audio.deleted', callId);
    return true;
  }

  /**
   * Deletes a call for its owner; for `removalGraceMs` it can be restored.
   * @returns false when the account has no such call; true also when it is removed already
   */
  async remove(accountId: string, callId: string): Promise<boolean> {
    const remove = (call: Call) => transitions.remove(call, this.#clock.now(), this.#policy.removalGraceMs);
    const result = await this.#write(callId, ofAccount(accountId, remove));
    if ('call' in result) {
      this.notifyRemoval(callId);
      await point('call.removed', callId);
    }
    return !isMissing(result);
  }

  /** Calls back when a call may have been removed: a hint, maybe missed or wrong. @returns a function that stops it */
  onRemoval(callId: string, listener: () => void): () => void {
    this.#removals.on(callId, listener);
    return () => this.#removals.off(callId, listener);
  }

  /** Tells the workers of this process that the call may have been removed, by any process. */
  notifyRemoval(callId: string): void {
    this.#removals.emit(callId);
  }

  /** @returns false when the account has no such call, or it is too late; true also when it is not removed */
  async restore(accountId: string, callId: string): Promise<boolean> {
    const restore = (call: Call) => transitions.restore(call, this.#clock.now());
    const result = await this.#write(callId, ofAccount(accountId, restore));
    return 'call' in result || result.refused === 'not removed';
  }

  /**
   * Retries a failed call from what is kept of it.
   * @returns the call after the write, why it cannot be retried, or null when the account has no such call
   */
  async retry(
    accountId: string,
    callId: string,
  ): Promise<{ call: Call } | { refused: 'not failed' | 'nothing kept' } | null> {
    const stage = (await this.#store.transcript(callId)) === null ? 'transcription' : 'analysis';
    const retry = (call: Call) => failures.retry(call, stage, this.#clock.now());
    const result = await this.#write(callId, ofAccount(accountId, retry));
    if ('call' in result) return result;
    if (isMissing(result) || result.refused === 'removed') return null;
    return { refused: result.refused === 'nothing kept' ? 'nothing kept' : 'not failed' };
  }

  /**
   * @param revision the one that was edited; 0 when there was none
   * @returns false when another request has changed the settings since
   */
  saveSettings(accountId: string, name: AccountSettingsName, revision: number, value: unknown): Promise<boolean> {
    return this.#store.saveSettings(accountId, name, revision, value);
  }

  /**
   * Removes all calls of an account, for good; from now on it gets no more. Some are removed at once; cleanup removes
   * the rest of a large account with `emptyAccount`.
   */
  async removeAccount(accountId: string): Promise<void> {
    await this.#store.removeAccount(accountId, this.#clock.now());
    await this.emptyAccount(accountId);
  }

  /** Removes some calls of a removed account; they cannot be restored. @returns how many; 0 when it has none */
  async emptyAccount(accountId: string, limit = 100): Promise<number> {
    const { calls } = await this.#store.list(accountId, { limit, offset: 0 });
    for (const { id } of calls) {
      await this.#write(id, (call) => transitions.remove(call, this.#clock.now(), 0));
      // A store in this process answers without yielding to the event loop.
      await new Promise(setImmediate);
    }
    return calls.length;
  }

  /**
   * Removes a finished call for good when its last change of status was before `endedBefore`.
   * @returns false when it is not finished, changed later, is removed already, or is gone
   */
  async expire(call: Call, endedBefore: Date): Promise<boolean> {
    const decide = (latest: Call) => transitions.expire(latest, endedBefore, this.#clock.now());
    if ('refused' in (await this.#write(call.id, decide, call))) return false;
    await point('call.removed', call.id);
    return true;
  }

  /** Makes a removal final. @returns false when the call is not removed, may still be restored, or is gone */
  async finishRemoval(callId: string): Promise<boolean> {
    const result = await this.#write(callId, (call) => transitions.finishRemoval(call, this.#clock.now()));
    return 'call' in result || result.refused === 'final already';
  }

  /** Deletes the record of a call whose removal is final and recording deleted. @returns false when it is gone */
  async purge(callId: string): Promise<boolean> {
    for (;;) {
      const call = await this.#store.get(callId);
      if (call === null) return false;
      if (call.removal?.final !== true) throw new Error(`the removal of call ${callId} is not final`);
      if (!(await this.#store.purge(callId, call.version))) continue;
      await point('call.purged', callId);
      return true;
    }
  }

  async #isWritten(lease: HeldLease, decide: Decide): Promise<boolean> {
    return 'call' in (await this.#writeHeld(lease, decide));
  }

  /** While the lease is held, no other process writes, so what its last write left is mostly the latest version. */
  async #writeHeld(lease: HeldLease, decide: Decide): Promise<Written> {
    const result = await this.#write(lease.callId, decide, this.#lastWritten.get(lease));
    if ('call' in result) this.#lastWritten.set(lease, result.call);
    return result;
  }

  #write(callId: string, decide: Decide, known?: Call): Promise<Written> {
    return writeGuarded(this.#store, callId, decide, known);
  }
}
