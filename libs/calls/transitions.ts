import { type CallStatus, type Stage, TRANSITIONS } from '@call-analytics/contracts';
import type { Analysis } from './analysis.ts';
import { corrected, stillApplying } from './analysis.ts';
import type { Call } from './record.ts';
import type { Policy } from './settings.ts';
import type { CallRecords, Write } from './store.ts';
import type { Transcript } from './transcript.ts';

// What may happen to a call after its upload, as pure functions from the call and facts to a write or a refusal.
// `Calls` applies them and those of failures.ts and corrections.ts; an adapter only stores them.

export type Decision = { write: Write } | { refused: string };

/** The dispatcher hands the call out: a worker may claim it now. */
export function grant(call: Call, now: Date, policy: Policy): Decision {
  const blocked = notReady(call, now);
  if (blocked !== null) return { refused: blocked };
  if (isAhead(call.grantedUntil, now)) return { refused: 'granted already' };
  return { write: granted(now, policy) };
}

/** The write of a grant, for a call that is known to be ready. */
export function granted(now: Date, policy: Policy): Write {
  return { change: { grantedUntil: later(now, policy.grantMs), nextAttemptAt: null }, events: [], durable: false };
}

/** A delay is over, or a grant was not claimed in time: the call is ready. */
export function endWait(call: Call, now: Date): Decision {
  const blocked = notReady(call, now);
  if (blocked !== null) return { refused: blocked };
  if (isAhead(call.grantedUntil, now)) return { refused: 'granted' };
  if (call.grantedUntil === null && call.nextAttemptAt === null) return { refused: 'ready already' };
  return internalWrite(UNCLAIMED);
}

/**
 * A worker takes the call. The attempt number is the fencing token.
 * @param answeredAt when the engine of the stage last answered this worker; ends a wait for this engine
 */
export function claim(
  call: Call,
  stage: Call['stage'],
  worker: string,
  now: Date,
  policy: Policy,
  answeredAt: Date | null = null,
): Decision {
  const blocked = notReady(call, now);
  if (call.stage !== null && call.stage !== stage) return { refused: `waits for ${call.stage}` };
  if (blocked !== null) return { refused: blocked };
  const status = stage === 'transcription' ? 'transcribing' : 'analyzing';
  return internalWrite({
    ...moveTo(call, status, now),
    attempt: call.attempt + 1,
    lease: { worker, since: now, until: later(now, policy.leaseMs) },
    grantedUntil: null,
    nextAttemptAt: null,
    ...(waitIsOver(call, answeredAt) ? { waiting: null } : {}),
  });
}

/**
 * The account may spend no more today, or the stage is drained: the grant ends. The short delay keeps a dispatcher that
 * does not know yet from granting the call again and again.
 */
export function refuseClaim(call: Call, stage: Stage, now: Date): Decision {
  const blocked = notReady(call, now);
  if (blocked !== null) return { refused: blocked };
  if (call.stage !== stage) return { refused: `waits for ${call.stage}` };
  return internalWrite({ ...UNCLAIMED, nextAttemptAt: later(now, REFUSED_CLAIM_DELAY_MS) });
}
const REFUSED_CLAIM_DELAY_MS = 2_000;

/** The call waited for an engine, and that engine has answered since the call's last attempt. */
function waitIsOver({ waiting, lastFailure }: Call, answeredAt: Date | null): boolean {
  if (waiting === null || answeredAt === null || lastFailure === null) return false;
  return (waiting.for === 'speech_engine' || waiting.for === 'analysis_engine') && answeredAt > lastFailure.at;
}

/** The dependency that the call waited for works again. */
export function clearWaiting(call: Call, attempt: number): Decision {
  return held(call, attempt, () =>
    call.waiting === null ? { refused: 'waits for nothing' } : internalWrite({ waiting: null }),
  );
}

export function renew(call: Call, attempt: number, now: Date, policy: Policy): Decision {
  return held(call, attempt, (lease) => {
    // A start in the future means that the clock was set back. The worker is alive, so its lease must not count as
    // ended.
    const since = lease.since > now ? now : lease.since;
    return internalWrite({ lease: { ...lease, since, until: later(now, policy.leaseMs) } });
  });
}

/** Decoding has found the length. */
export function measured(call: Call, attempt: number, seconds: number): Decision {
  return held(call, attempt, () => internalWrite({ audio: { seconds } }));
}

export function transcribed(call: Call, attempt: number, transcript: Transcript, now: Date): Decision {
  if (call.stage !== 'transcription') return { refused: 'not in transcription' };
  const { language } = transcript;
  const audio = { seconds: transcript.audio.seconds };
  return held(call, attempt, () => toAnalysis(call, transcript, now, { language, audio }));
}

/** The call waits for the analysis of its transcript. */
export function toAnalysis(call: Call, transcript: Transcript, now: Date, change: Write['change']): Decision {
  return {
    write: {
      change: {
        ...moveTo(call, 'analyzing', now),
        ...UNCLAIMED,
        stage: 'analysis',
        readySince: now,
        failures: 0,
        waiting: null,
        lastFailure: null,
        ...change,
        transcript,
      },
      events: ['call.transcribed'],
      durable: true,
    },
  };
}

/** The call is completed; its audio may be deleted from now on. */
export function analyzed(call: Call, attempt: number, analysis: Analysis, now: Date): Decision {
  if (call.stage !== 'analysis') return { refused: 'not in analysis' };
  const corrections = stillApplying(call.corrections, analysis);
  const { product, saleStatus } = corrected(analysis, corrections);
  return held(call, attempt, () => ({
    write: {
      change: {
        ...moveTo(call, 'completed', now),
        ...UNCLAIMED,
        stage: null,
        waiting: null,
        lastFailure: null,
        language: analysis.language ?? call.language,
        product,
        saleStatus,
        ...(call.corrections.length > 0 && { corrections }),
        score: analysis.score,
        analysis,
        audio: { deleteAfter: now },
      },
      events: ['call.completed'],
      durable: true,
    },
  }));
}

/** A worker that stops gives the call back; nothing is counted. */
export function release(call: Call, attempt: number): Decision {
  return held(call, attempt, () => internalWrite(UNCLAIMED));
}

/** A lease has ended when its time is over, or when it began in the future, which means that the clock was set back. */
export function hasEnded(lease: Pick<NonNullable<Call['lease']>, 'since' | 'until'>, now: Date): boolean {
  return lease.until <= now || lease.since.getTime() > now.getTime() + CLOCK_TOLERANCE_MS;
}

/** How far the clocks of two machines may differ before a timestamp counts as wrong. */
export const CLOCK_TOLERANCE_MS = 60_000;

/**
 * The longest delay of a call, in ms; adapters use it too, so that `grant` accepts what `backlog` offers. A time
 * further ahead dates from before the clock was set back, and counts as over.
 */
export const MAX_DELAY_MS = 3_600_000;

/** @returns whether `time` is still to come */
export function isAhead(time: Date | null, now: Date): boolean {
  return time !== null && time > now && time.getTime() <= now.getTime() + MAX_DELAY_MS;
}

/** The audio store has confirmed that the recording is deleted. */
export function audioDeleted(call: Call, now: Date): Decision {
  if (call.stage !== null || (call.removal !== null && call.removal.stage !== null))
    return { refused: `still ${call.status}` };
  if (call.audio.deletedAt !== null) return { refused: 'known already' };
  // If this write is lost, the recording is deleted once more, which does no harm.
  return { write: { change: { audio: { deletedAt: now } }, events: ['audio.deleted'], durable: false } };
}

function notReady(call: Call, now: Date): string | null {
  if (call.removal !== null) return 'removed';
  if (call.stage === null) return `already ${call.status}`;
  if (call.lease !== null) return 'someone works on it';
  if (isAhead(call.nextAttemptAt, now)) return 'its time has not come';
  return null;
}

export function held(call: Call, attempt: number, then: (lease: NonNullable<Call['lease']>) => Decision): Decision {
  if (call.lease === null || call.attempt !== attempt) return { refused: 'the lease is lost' };
  return then(call.lease);
}

export function moveTo(call: Call, status: CallStatus, now: Date) {
  if (call.status === status) return {};
  if (!TRANSITIONS[call.status].includes(status)) throw new Error(`illegal transition ${call.status} -> ${status}`);
  // `updatedAt` never goes back, also when the clock was set back.
  return { status, updatedAt: now > call.updatedAt ? now : call.updatedAt };
}

/** Not leased, granted or delayed. `readySince` stays: a call that is tried again keeps its place in the queue. */
export const UNCLAIMED = { lease: null, grantedUntil: null, nextAttemptAt: null };

/** Without events, and it may be lost with the machine: losing it only repeats some work. */
export function internalWrite(change: Write['change']): Decision {
  return { write: { change, events: [], durable: false } };
}

export function later(from: Date, ms: number): Date {
  return new Date(from.getTime() + ms);
}

// How a call leaves: deleted by its owner or by retention, restored, and gone for good. Pure, as in transitions.ts.

/**
 * The owner deletes the call. Readers no longer see it, its worker loses the lease, and without a stage the dispatcher
 * no longer finds it.
 * @param graceMs how long it can be restored; 0 when it cannot
 */
export function remove(call: Call, now: Date, graceMs: number): Decision {
  if (call.removal !== null) return { refused: 'removed already' };
  const removal = { at: now, until: later(now, graceMs), stage: call.stage, final: graceMs === 0 };
  const change = { ...UNCLAIMED, status: call.status, stage: null, attempt: call.attempt + 1, removal };
  return { write: { change, events: ['call.removed'], durable: true } };
}

/** The retention of a finished call is over: it is removed and cannot be restored. */
export function expire(call: Call, endedBefore: Date, now: Date): Decision {
  if (call.stage !== null) return { refused: `still ${call.status}` };
  if (call.updatedAt >= endedBefore) return { refused: 'its time has not come' };
  return remove(call, now, 0);
}

/** The call goes back to its result, or to its place in the queue of its stage. */
export function restore(call: Call, now: Date): Decision {
  const { removal, status } = call;
  if (removal === null) return { refused: 'not removed' };
  if (removal.final || !isAhead(removal.until, now)) return { refused: 'too late' };
  return {
    write: { change: { status, stage: removal.stage, removal: null }, events: ['call.restored'], durable: true },
  };
}

/** From now on the call cannot be restored, also not by a process whose clock is behind. */
export function finishRemoval(call: Call, now: Date): Decision {
  const { removal, status } = call;
  if (removal === null) return { refused: 'not removed' };
  if (removal.final) return { refused: 'final already' };
  if (isAhead(removal.until, now)) return { refused: 'its time has not come' };
  return { write: { change: { status, removal: { ...removal, final: true } }, events: [], durable: true } };
}

export type Decide = (call: Call) => Decision;
export type Written = { call: Call } | { refused: string };

const NO_SUCH_CALL = { refused: 'no such call' } as const;

/**
 * Reads, decides, writes if there was no other write in between, and otherwise starts again. Ends, because each lost
 * round means that another writer succeeded.
 * @param known the call as it was last seen; it is read only if a write or a refusal on it may be out of date
 */
export async function writeGuarded(
  store: Pick<CallRecords, 'get' | 'update'>,
  callId: string,
  decide: Decide,
  known?: Call,
): Promise<Written> {
  let call = known ?? (await store.get(callId));
  for (; call !== null; call = await store.get(callId)) {
    const decision = decide(call);
    if ('refused' in decision) {
      if (call === known) continue;
      return decision;
    }
    const written = await store.update(callId, call.version, decision.write, call);
    if (written !== null) return { call: written };
  }
  return NO_SUCH_CALL;
}

/** A call of another account is treated like one that does not exist. */
export function ofAccount(accountId: string, decide: Decide): Decide {
  return (call) => (call.accountId === accountId ? decide(call) : NO_SUCH_CALL);
}

export function isMissing(result: Written): boolean {
  return 'refused' in result && result.refused === NO_SUCH_CALL.refused;
}

export function writtenOrNull(result: Written): Call | null {
  return 'call' in result ? result.call : null;
}
