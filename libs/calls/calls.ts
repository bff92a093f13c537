import { EventEmitter } from 'node:events';
import type { AudioFormat, ReportType, Stage } from '@call-analytics/contracts';
import { backoffMs, type Clock, type Failure, point, systemClock } from '@call-analytics/service-kit';
import { v7 as uuidv7 } from 'uuid';
import type { Analysis, Call, HeldLease, Segment, Transcript } from './record.ts';
import type { CallStore, Idempotency, Inserted } from './store.ts';
import * as transitions from './transitions.ts';

export interface NewCall {
  accountId: string;
  fileName: string;
  reportType: ReportType;
  audio: { key: string; bytes: number; format: AudioFormat; seconds: number };
  traceparent?: string | null;
}

export type Claimed = { call: Call; lease: HeldLease } | { refused: string };

/** How the next try of a set-back call is timed; see `Failure`. */
const QUOTA_PAUSE_MS = 5 * 60_000;

/** Of a recording's length: what a reader of it would notice. */
const SEEN_SECONDS = 0.5;

const NO_SUCH_CALL = 'no such call';

/** Everything that may happen to a call, on any store. Each method is one atomic, guarded write; `false` or `refused` means that the guard said no. */
export class Calls {
  readonly store: CallStore;
  readonly #clock: Clock;
  readonly #policy: transitions.Policy;
  /** What each lease's last write left, so that its next one need not read first. */
  readonly #lastWritten = new WeakMap<HeldLease, Call>();
  /** By call, who works on it in this process. */
  readonly #workers = new EventEmitter().setMaxListeners(0);

  constructor(
    store: CallStore,
    { clock = systemClock, policy = {} }: { clock?: Clock; policy?: Partial<transitions.Policy> } = {},
  ) {
    this.store = store;
    this.#clock = clock;
    this.#policy = { ...transitions.DEFAULT_POLICY, ...policy };
  }

  get leaseMs(): number {
    return this.#policy.leaseMs;
  }

  /** Accepts an uploaded recording. When this returns, the call is never forgotten. */
  async accept(call: NewCall, idempotency: Idempotency | null = null): Promise<Inserted> {
    const now = this.#clock.now();
    const inserted = await this.store.insert(
      {
        id: `call_${uuidv7().replaceAll('-', '')}`,
        accountId: call.accountId,
        fileName: call.fileName,
        reportType: call.reportType,
        status: 'queued',
        stage: 'transcription',
        version: 1,
        audio: { ...call.audio, deleteAfter: null, deletedAt: null },
        attempt: 0,
        failures: 0,
        lease: null,
        grantedUntil: null,
        nextAttemptAt: null,
        readySince: now,
        waiting: null,
        retries: 0,
        lastFailure: null,
        failure: null,
        removal: null,
        language: null,
        product: null,
        saleStatus: null,
        score: null,
        traceparent: call.traceparent ?? null,
        createdAt: now,
        updatedAt: now,
      },
      ['call.uploaded'],
      idempotency,
    );
    if (inserted.kind === 'created') await point('call.written', inserted.call.id);
    return inserted;
  }

  /**
   * @param version that the call had when the store said that it is ready, which holds until it is written again; without it the call is read
   * @returns the granted call, or null when it was not ready any more
   */
  async grant(callId: string, version?: number): Promise<Call | null> {
    const written =
      version === undefined
        ? null
        : await this.store.update(callId, version, transitions.granted(this.#clock.now(), this.#policy));
    if (written !== null) return written;
    return this.#apply(callId, (call) => transitions.grant(call, this.#clock.now(), this.#policy)).then(writtenOrNull);
  }

  /**
   * @param worker names the process, for operators
   * @param answeredAt when the engine of the stage last answered this worker
   */
  async claim(callId: string, stage: Stage, worker: string, answeredAt: Date | null = null): Promise<Claimed> {
    const result = await this.#apply(callId, (call) =>
      transitions.claim(call, stage, worker, this.#clock.now(), this.#policy, answeredAt),
    );
    if ('refused' in result) return result;
    await point('stage.claimed', callId);
    const lease = { callId, stage, attempt: result.call.attempt };
    this.#lastWritten.set(lease, result.call);
    return { call: result.call, lease };
  }

  /** @param atOnce how many calls of the stage the worker works on at a time; 0 when it stops. Holds for the duration of a lease. */
  async announceWorker(stage: Stage, worker: string, atOnce: number): Promise<void> {
    const now = this.#clock.now();
    await this.store.announceWorker(stage, worker, atOnce, now, new Date(now.getTime() + this.#policy.leaseMs));
  }

  async renew(lease: HeldLease): Promise<boolean> {
    return this.#applyHeld(lease, (call) => transitions.renew(call, lease.attempt, this.#clock.now(), this.#policy));
  }

  /** @param seconds the length of the recording as decoded. A difference that nobody would see is not written now: the transcript brings the exact length. */
  async measured(lease: HeldLease, seconds: number): Promise<boolean> {
    const known = this.#lastWritten.get(lease)?.audio.seconds;
    if (known !== undefined && Math.abs(known - seconds) < SEEN_SECONDS) return true;
    return this.#applyHeld(lease, (call) => transitions.measured(call, lease.attempt, seconds));
  }

  async saveSegment(lease: HeldLease, segment: Segment): Promise<boolean> {
    const saved = await this.store.saveSegment(lease, segment);
    if (saved) await point('segment.saved', lease.callId);
    return saved;
  }

  /** What the call waited for works again. @returns false when the lease is lost */
  async goesOn(lease: HeldLease): Promise<boolean> {
    if (this.#lastWritten.get(lease)?.waiting === null) return true;
    const result = await this.#applyWithLease(lease, (call) => transitions.goesOn(call, lease.attempt));
    return 'call' in result || result.refused === 'waits for nothing';
  }

  async commitTranscript(lease: HeldLease, transcript: Transcript): Promise<boolean> {
    await point('transcript.ready', lease.callId);
    const written = await this.#applyHeld(lease, (call) =>
      transitions.transcribed(call, lease.attempt, transcript, this.#clock.now()),
    );
    if (written) await point('transcript.committed', lease.callId);
    return written;
  }

  async commitAnalysis(lease: HeldLease, analysis: Analysis): Promise<boolean> {
    await point('analysis.ready', lease.callId);
    const written = await this.#applyHeld(lease, (call) =>
      transitions.analysed(call, lease.attempt, analysis, this.#clock.now()),
    );
    if (written) await point('analysis.committed', lease.callId);
    return written;
  }

  /** A try failed: the call waits for its next one, or is failed. @returns the call as it now is, or null when the lease was lost */
  async setBack(lease: HeldLease, failure: Failure): Promise<Call | null> {
    return this.#applyWithLease(lease, (call) => {
      const now = this.#clock.now();
      return transitions.setBack(call, lease.attempt, failure, this.#nextTry(call, failure, now), now, this.#policy);
    }).then(writtenOrNull);
  }

  async release(lease: HeldLease): Promise<boolean> {
    return this.#applyHeld(lease, (call) => transitions.release(call, lease.attempt));
  }

  /** Makes the calls ready whose time to wait is over. @returns how many */
  async endWaits(limit = 100): Promise<number> {
    const now = this.#clock.now();
    const ended = await this.store.endedWaits(now, limit);
    const made = await Promise.all(
      ended.map((call) => this.#applyTo(call, call.id, (latest) => transitions.endWait(latest, now))),
    );
    return made.filter((result) => 'call' in result).length;
  }

  /** Takes back the calls whose workers are gone. @returns how many */
  async takeBackExpired(limit = 100): Promise<number> {
    const now = this.#clock.now();
    let taken = 0;
    for (const { id, attempt, failures } of await this.store.expiredLeases(now, limit)) {
      const at = new Date(now.getTime() + backoffMs(failures + 1));
      const result = await this.#apply(id, (call) => transitions.takeBack(call, attempt, at, now, this.#policy));
      if ('call' in result) taken += 1;
    }
    return taken;
  }

  /**
   * @param lastRead the call, if it was read before: mostly nobody has written it since
   * @returns false when that was known already
   */
  async audioGone(callId: string, lastRead?: Call): Promise<boolean> {
    const decide = (call: Call) => transitions.audioGone(call, this.#clock.now());
    const result = await this.#applyTo(lastRead, callId, decide);
    if ('refused' in result) return false;
    await point('audio.deleted', callId);
    return true;
  }

  /**
   * Deletes a call for its owner; for `removalGraceMs` it can be restored.
   * @returns false when the account has no such call; true also when it is removed already
   */
  async remove(accountId: string, callId: string): Promise<boolean> {
    const result = await this.#applyOwned(accountId, callId, (call) =>
      transitions.remove(call, this.#clock.now(), this.#policy.removalGraceMs),
    );
    if (result === null) return false;
    if ('call' in result) {
      this.tellOfRemoval(callId);
      await point('call.removed', callId);
    }
    return true;
  }

  /** For who works on a call: calls back when it may have been removed. A hint, which may be missed or wrong. @returns stops it */
  onRemoval(callId: string, listener: () => void): () => void {
    this.#workers.on(callId, listener);
    return () => this.#workers.off(callId, listener);
  }

  /** The call may have been removed, by any process. */
  tellOfRemoval(callId: string): void {
    this.#workers.emit(callId);
  }

  /** @returns false when the account has no such call, or it is too late; true also when it is not removed */
  async restore(accountId: string, callId: string): Promise<boolean> {
    const result = await this.#applyOwned(accountId, callId, (call) => transitions.restore(call, this.#clock.now()));
    return result !== null && ('call' in result || result.refused === 'not removed');
  }

  /**
   * Has a failed call tried again, from what is kept of it.
   * @returns the call as it now is, why it cannot be retried, or null when the account has no such call
   */
  async retry(
    accountId: string,
    callId: string,
  ): Promise<{ call: Call } | { refused: 'not failed' | 'nothing kept' } | null> {
    const stage = (await this.store.transcript(callId)) === null ? 'transcription' : 'analysis';
    const result = await this.#applyOwned(accountId, callId, (call) =>
      transitions.retry(call, stage, this.#clock.now()),
    );
    if (result === null || 'call' in result) return result;
    if (result.refused === 'removed') return null;
    return { refused: result.refused === 'nothing kept' ? 'nothing kept' : 'not failed' };
  }

  /**
   * Removes all calls of an account, for good. When this returns, none is accepted any more, and that the others go is never forgotten: some are out of sight at once, of a
   * large account the rest is left to `emptyAccount`, which cleanup calls.
   */
  async removeAccount(accountId: string): Promise<void> {
    await this.store.removeAccount(accountId, this.#clock.now());
    await this.emptyAccount(accountId);
  }

  /** Removes some calls of a removed account, without a way back. @returns how many there were; 0 when it has none */
  async emptyAccount(accountId: string, limit = 100): Promise<number> {
    const { calls } = await this.store.list(accountId, { limit, offset: 0 });
    for (const { id } of calls) {
      await this.#apply(id, (call) => transitions.remove(call, this.#clock.now(), 0));
      // A store that answers without leaving the process would let nobody else in before the last.
      await new Promise(setImmediate);
    }
    return calls.length;
  }

  /** From here on the call cannot be restored. @returns false when it is not removed, may still be restored, or is gone */
  async finishRemoval(callId: string): Promise<boolean> {
    const result = await this.#apply(callId, (call) => transitions.finishRemoval(call, this.#clock.now()));
    return 'call' in result || result.refused === 'final already';
  }

  /** Deletes what is kept of a call whose removal is final and whose recording is gone. @returns false when it was gone already */
  async purge(callId: string): Promise<boolean> {
    for (;;) {
      const call = await this.store.get(callId);
      if (call === null) return false;
      if (call.removal?.final !== true) throw new Error(`the removal of call ${callId} is not final`);
      if (!(await this.store.purge(callId, call.version))) continue;
      await point('call.purged', callId);
      return true;
    }
  }

  #nextTry(call: Call, failure: Failure, now: Date): Date {
    if (failure.kind === 'rate-limited') return failure.until;
    if (failure.kind === 'unavailable') return failure.until ?? new Date(now.getTime() + backoffMs(1));
    if (failure.kind === 'out-of-quota') return new Date(now.getTime() + QUOTA_PAUSE_MS);
    return new Date(now.getTime() + backoffMs(call.failures + 1));
  }

  async #applyHeld(lease: HeldLease, decide: (call: Call) => transitions.Decision): Promise<boolean> {
    return 'call' in (await this.#applyWithLease(lease, decide));
  }

  /** While the lease is held, nobody else writes: what its last write left is what there is, and if not, the guard says so. */
  async #applyWithLease(
    lease: HeldLease,
    decide: (call: Call) => transitions.Decision,
  ): Promise<{ call: Call } | { refused: string }> {
    const result = await this.#applyTo(this.#lastWritten.get(lease), lease.callId, decide);
    if ('call' in result) this.#lastWritten.set(lease, result.call);
    return result;
  }

  /** @param known the call as it was when it was last seen here: when that is what it still is, it is not read again */
  async #applyTo(known: Call | undefined, callId: string, decide: (call: Call) => transitions.Decision) {
    const decision = known === undefined ? { refused: NO_SUCH_CALL } : decide(known);
    if (known === undefined || 'refused' in decision) return this.#apply(callId, decide);
    const written = await this.store.update(callId, known.version, decision.write, known);
    return written === null ? this.#apply(callId, decide) : { call: written };
  }

  /** @returns null when the account has no such call */
  async #applyOwned(accountId: string, callId: string, decide: (call: Call) => transitions.Decision) {
    const result = await this.#apply(callId, (call) =>
      call.accountId === accountId ? decide(call) : { refused: NO_SUCH_CALL },
    );
    return 'refused' in result && result.refused === NO_SUCH_CALL ? null : result;
  }

  /** Reads, decides, writes if nobody wrote in between, and otherwise looks again. Ends because each round that loses means that another writer got on. */
  async #apply(
    callId: string,
    decide: (call: Call) => transitions.Decision,
  ): Promise<{ call: Call } | { refused: string }> {
    for (;;) {
      const call = await this.store.get(callId);
      if (call === null) return { refused: NO_SUCH_CALL };
      const decision = decide(call);
      if ('refused' in decision) return decision;
      const written = await this.store.update(callId, call.version, decision.write, call);
      if (written !== null) return { call: written };
    }
  }
}

function writtenOrNull(result: { call: Call } | { refused: string }): Call | null {
  return 'call' in result ? result.call : null;
}
