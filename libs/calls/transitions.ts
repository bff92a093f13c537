import { type CallStatus, type Dependency, type Stage, TRANSITIONS } from '@call-analytics/contracts';
import type { Failure } from '@call-analytics/service-kit';
import { corrected, stillApplying } from './corrections.ts';
import { dependencyOf, outageOf } from './outages.ts';
import type { Analysis, Call, Transcript } from './record.ts';
import type { Policy } from './settings.ts';
import type { Write } from './store.ts';

// What may happen to a call after its upload, as pure functions from the call and facts to a write or a refusal.
// `Calls` applies them and those of removals.ts and corrections.ts; an adapter only stores them.

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
 * The account may spend no more today: the grant ends. The short delay keeps a dispatcher that does not know yet from
 * granting the call again and again.
 */
export function holdBack(call: Call, stage: Stage, now: Date): Decision {
  const blocked = notReady(call, now);
  if (blocked !== null) return { refused: blocked };
  if (call.stage !== stage) return { refused: `waits for ${call.stage}` };
  return internalWrite({ ...UNCLAIMED, nextAttemptAt: later(now, HELD_BACK_MS) });
}
const HELD_BACK_MS = 2_000;

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

/**
 * An attempt failed. A rejected file, the last counted failure, or a dependency that was away for too long fails the
 * call; otherwise it waits until `at`.
 * @param at when to try again, from backoff or the vendor's answer; limited to LONGEST_DELAY_MS from now
 */
export function failAttempt(
  call: Call,
  attempt: number,
  failure: Failure,
  at: Date,
  now: Date,
  policy: Policy,
): Decision {
  return held(call, attempt, () => afterFailure(call, failure, at, now, policy));
}

/** A worker that stops gives the call back; nothing is counted. */
export function release(call: Call, attempt: number): Decision {
  return held(call, attempt, () => internalWrite(UNCLAIMED));
}

/** The worker is gone: its lease has expired. Counted, because the recording itself may have killed the worker. */
export function reclaim(call: Call, attempt: number, at: Date, now: Date, policy: Policy): Decision {
  const lost: Failure = {
    kind: 'transient',
    code: 'worker_lost',
    message:
      'Processing stopped unexpectedly several times. Upload the recording again; if that does not help, convert it to MP3 first.',
  };
  return held(call, attempt, (lease) => {
    if (!hasEnded(lease, now)) return { refused: 'the lease was renewed' };
    return afterFailure(call, lost, at, now, policy);
  });
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
export const LONGEST_DELAY_MS = 3_600_000;

/** @returns whether `time` is still to come */
export function isAhead(time: Date | null, now: Date): boolean {
  return time !== null && time > now && time.getTime() <= now.getTime() + LONGEST_DELAY_MS;
}

/** The code of the failure of a call whose `analysisEngine` no worker has any more. */
export const ENGINE_GONE = 'engine_not_available';

/**
 * The owner retries a failed call: it goes back into the queue of the stage that failed.
 * @param stage whose input is kept: `analysis` when there is a transcript
 */
export function retry(call: Call, stage: Stage, now: Date): Decision {
  if (call.removal !== null) return { refused: 'removed' };
  if (call.status !== 'failed') return { refused: 'not failed' };
  if (stage === 'transcription' && !recordingIsKept(call, now)) return { refused: 'nothing kept' };
  return {
    write: {
      change: {
        ...moveTo(call, 'queued', now),
        ...UNCLAIMED,
        stage,
        readySince: now,
        failures: 0,
        retries: call.retries + 1,
        // The owner has read that the engine is gone and what a retry does.
        ...(call.failure?.code === ENGINE_GONE && { analysisEngine: null }),
        lastFailure: null,
        failure: null,
        audio: { deleteAfter: null },
      },
      events: ['call.retried'],
      durable: true,
    },
  };
}

/**
 * Whether a failed call's recording is kept and has sound. Not in the last minute before it is due: a process whose
 * clock is ahead may be deleting it already.
 */
function recordingIsKept({ audio, failure }: Call, now: Date): boolean {
  if (audio.deletedAt !== null || failure?.code === 'audio_empty') return false;
  return audio.deleteAfter === null || audio.deleteAfter.getTime() > now.getTime() + CLOCK_TOLERANCE_MS;
}

/** @returns whether `retry` is possible */
export function isRetryable(call: Call, hasTranscript: boolean, now: Date): boolean {
  return call.status === 'failed' && (hasTranscript || recordingIsKept(call, now));
}

/** The audio store has confirmed that the recording is deleted. */
export function audioDeleted(call: Call, now: Date): Decision {
  if (call.stage !== null || (call.removal !== null && call.removal.stage !== null))
    return { refused: `still ${call.status}` };
  if (call.audio.deletedAt !== null) return { refused: 'known already' };
  // If this write is lost, the recording is deleted once more, which does no harm.
  return { write: { change: { audio: { deletedAt: now } }, events: ['audio.deleted'], durable: false } };
}

/** An operator ends a call that cannot go on. Its worker loses the lease. */
export function fail(call: Call, message: string, now: Date, policy: Policy): Decision {
  if (call.removal !== null) return { refused: 'removed' };
  if (call.stage === null) return { refused: `already ${call.status}` };
  const ended = failed(call, { code: 'ended_by_operator', message }, now, policy);
  return { write: { ...ended, change: { ...ended.change, attempt: call.attempt + 1 } } };
}

function afterFailure(call: Call, failure: Failure, at: Date, now: Date, policy: Policy): Decision {
  const { kind, code, message } = failure;
  const counted = kind === 'transient' || kind === 'unanswered' || kind === 'bug';
  const failures = call.failures + (counted ? 1 : 0);
  const lastFailure = { kind, code, message, at: now };
  const waiting = counted || kind === 'rejected' ? null : waitFor(dependencyOf(code, call.stage), call, now);
  const isOver = waiting !== null && now.getTime() - waiting.since.getTime() >= policy.outageLimitMs;
  if (kind === 'rejected' || isOver || (counted && failures >= policy.maxFailures)) {
    const write = failed(call, isOver ? outageOf(waiting.for, policy.outageLimitMs) : { code, message }, now, policy);
    return { write: { ...write, change: { ...write.change, failures, lastFailure } } };
  }
  const latest = later(now, LONGEST_DELAY_MS);
  // If this write is lost, the lease expires and the call is reclaimed, which counts the same.
  return internalWrite({ ...UNCLAIMED, failures, waiting, lastFailure, nextAttemptAt: at < latest ? at : latest });
}

function failed(call: Call, failure: NonNullable<Call['failure']>, now: Date, policy: Policy): Write {
  return {
    change: {
      ...moveTo(call, 'failed', now),
      ...UNCLAIMED,
      stage: null,
      waiting: null,
      failure,
      audio: { deleteAfter: later(now, policy.failedAudioRetentionMs) },
    },
    events: ['call.failed'],
    durable: true,
  };
}

/** A wait continues as long as attempts fail for the same reason. */
function waitFor(dependency: Dependency, { waiting }: Call, now: Date): NonNullable<Call['waiting']> {
  // A start in the future means that the clock was set back.
  const continues = waiting?.for === dependency && waiting.since <= now;
  return continues ? waiting : { for: dependency, since: now };
}

function notReady(call: Call, now: Date): string | null {
  if (call.removal !== null) return 'removed';
  if (call.stage === null) return `already ${call.status}`;
  if (call.lease !== null) return 'someone works on it';
  if (isAhead(call.nextAttemptAt, now)) return 'its time has not come';
  return null;
}

function held(call: Call, attempt: number, then: (lease: NonNullable<Call['lease']>) => Decision): Decision {
  if (call.lease === null || call.attempt !== attempt) return { refused: 'the lease is lost' };
  return then(call.lease);
}

function moveTo(call: Call, status: CallStatus, now: Date) {
  if (call.status === status) return {};
  if (!TRANSITIONS[call.status].includes(status)) throw new Error(`illegal transition ${call.status} -> ${status}`);
  // `updatedAt` never goes back, also when the clock was set back.
  return { status, updatedAt: now > call.updatedAt ? now : call.updatedAt };
}

/**
 * Not leased, not granted, not delayed. `readySince` stays: a call that is tried again keeps its place in the queue.
 */
export const UNCLAIMED = { lease: null, grantedUntil: null, nextAttemptAt: null };

/** Without events, and it may be lost with the machine: losing it only repeats some work. */
function internalWrite(change: Write['change']): Decision {
  return { write: { change, events: [], durable: false } };
}

export function later(from: Date, ms: number): Date {
  return new Date(from.getTime() + ms);
}
