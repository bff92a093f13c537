import { type CallStatus, type Dependency, type Stage, TRANSITIONS } from '@call-analytics/contracts';
import type { Failure } from '@call-analytics/service-kit';
import { dependencyOf, outageOf } from './outages.ts';
import type { Analysis, Call, Transcript } from './record.ts';
import type { Write } from './store.ts';

// Everything that may happen to a call after its upload, as pure functions: the call and the facts in, the write out, or a refusal with its reason.
// `Calls` applies them; an adapter only stores them. A transition that is not here does not exist.

export interface Policy {
  /** Counted failures of a stage after which the call is failed. */
  maxFailures: number;
  leaseMs: number;
  grantMs: number;
  /** How long the audio of a failed call stays. */
  failedAudioRetentionMs: number;
  /** How long a call waits for a dependency that does not work before it fails. */
  outageLimitMs: number;
  /** How long a removed call can be restored. */
  removalGraceMs: number;
}

export const DEFAULT_POLICY: Policy = {
  maxFailures: 5,
  leaseMs: 60_000,
  grantMs: 30_000,
  failedAudioRetentionMs: 24 * 3_600_000,
  outageLimitMs: 24 * 3_600_000,
  removalGraceMs: 30_000,
};

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

/** What the call waited for has come, or did not come in time: it is ready. */
export function endWait(call: Call, now: Date): Decision {
  const blocked = notReady(call, now);
  if (blocked !== null) return { refused: blocked };
  if (isAhead(call.grantedUntil, now)) return { refused: 'granted' };
  if (call.grantedUntil === null && call.nextAttemptAt === null) return { refused: 'ready already' };
  return light(AT_REST);
}

/**
 * A worker takes the call. Its attempt number is the fencing token.
 * @param answeredAt when the engine of the stage last answered this worker: the call does not wait for it any more
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
  return light({
    ...moveTo(call, status, now),
    attempt: call.attempt + 1,
    lease: { worker, since: now, until: later(now, policy.leaseMs) },
    grantedUntil: null,
    nextAttemptAt: null,
    ...(waitIsOver(call, answeredAt) ? { waiting: null } : {}),
  });
}

/** The call waited for an engine, and that engine has answered since the call's last try. */
function waitIsOver({ waiting, lastFailure }: Call, answeredAt: Date | null): boolean {
  if (waiting === null || answeredAt === null || lastFailure === null) return false;
  return (waiting.for === 'speech_engine' || waiting.for === 'analysis_engine') && answeredAt > lastFailure.at;
}

/** What the worker waited for works again. */
export function goesOn(call: Call, attempt: number): Decision {
  return held(call, attempt, () =>
    call.waiting === null ? { refused: 'waits for nothing' } : light({ waiting: null }),
  );
}

export function renew(call: Call, attempt: number, now: Date, policy: Policy): Decision {
  return held(call, attempt, (lease) => {
    // A beginning in the future says that the clock was set back; the worker is alive, and its lease must not count as ended.
    const since = lease.since > now ? now : lease.since;
    return light({ lease: { ...lease, since, until: later(now, policy.leaseMs) } });
  });
}

/** The length is known since decoding. */
export function measured(call: Call, attempt: number, seconds: number): Decision {
  return held(call, attempt, () => light({ audio: { seconds } }));
}

export function transcribed(call: Call, attempt: number, transcript: Transcript, now: Date): Decision {
  if (call.stage !== 'transcription') return { refused: 'not in transcription' };
  return held(call, attempt, () => ({
    write: {
      change: {
        ...moveTo(call, 'analyzing', now),
        ...AT_REST,
        stage: 'analysis',
        readySince: now,
        failures: 0,
        waiting: null,
        lastFailure: null,
        language: transcript.language,
        transcript,
        audio: { seconds: transcript.audio.seconds },
      },
      events: ['call.transcribed'],
      durable: true,
    },
  }));
}

/** The end of a good call; from here on its audio may go. */
export function analysed(call: Call, attempt: number, analysis: Analysis, now: Date): Decision {
  if (call.stage !== 'analysis') return { refused: 'not in analysis' };
  return held(call, attempt, () => ({
    write: {
      change: {
        ...moveTo(call, 'completed', now),
        ...AT_REST,
        stage: null,
        waiting: null,
        lastFailure: null,
        language: analysis.language ?? call.language,
        product: analysis.product,
        saleStatus: analysis.saleStatus,
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
 * A try that did not succeed. A rejected file fails the call, and so do the last counted failure and a dependency that was
 * away for too long; everything else waits until `at`.
 * @param at when to try again, decided by the caller (backoff, or what the vendor said); at most LONGEST_DELAY_MS from now counts
 */
export function setBack(call: Call, attempt: number, failure: Failure, at: Date, now: Date, policy: Policy): Decision {
  return held(call, attempt, () => afterFailure(call, failure, at, now, policy));
}

/** A worker that stops gives the call back; nothing is counted. */
export function release(call: Call, attempt: number): Decision {
  return held(call, attempt, () => light(AT_REST));
}

/** The worker is gone: its lease ended without a word. Counted, because the recording itself may be what killed it. */
export function takeBack(call: Call, attempt: number, at: Date, now: Date, policy: Policy): Decision {
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

/** A lease has ended when its time is over, or when it began in the future: then the clock was set back, and nobody knows when it would end. */
export function hasEnded(lease: Pick<NonNullable<Call['lease']>, 'since' | 'until'>, now: Date): boolean {
  return lease.until <= now || lease.since.getTime() > now.getTime() + CLOCK_TOLERANCE_MS;
}

/** How far two machines' clocks may disagree before a time stamp counts as nonsense. */
export const CLOCK_TOLERANCE_MS = 60_000;

/**
 * The longest that a call may be told to wait, in ms. A time further ahead was written before the clock was set back, and counts as over: whatever the clock does, no
 * call waits longer than this. Adapters read the same two constants, so that what `backlog` offers, `grant` and `claim` accept.
 */
export const LONGEST_DELAY_MS = 3_600_000;

/** @returns whether `time` is still to come */
export function isAhead(time: Date | null, now: Date): boolean {
  return time !== null && time > now && time.getTime() <= now.getTime() + LONGEST_DELAY_MS;
}

/**
 * The owner has a failed call tried again: it goes back into the queue of the stage that failed.
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
        ...AT_REST,
        stage,
        readySince: now,
        failures: 0,
        retries: call.retries + 1,
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
 * Whether a failed call's recording is there and stays there. Not in the last minute before it may be deleted: a process
 * whose clock is ahead may be deleting it already.
 */
export function recordingIsKept({ audio }: Call, now: Date): boolean {
  if (audio.deletedAt !== null) return false;
  return audio.deleteAfter === null || audio.deleteAfter.getTime() > now.getTime() + CLOCK_TOLERANCE_MS;
}

/** @returns whether `retry` is possible */
export function isRetryable(call: Call, hasTranscript: boolean, now: Date): boolean {
  return call.status === 'failed' && (hasTranscript || recordingIsKept(call, now));
}

/** The audio store has said that the recording is gone. */
export function audioGone(call: Call, now: Date): Decision {
  if (call.stage !== null || (call.removal !== null && call.removal.stage !== null))
    return { refused: `still ${call.status}` };
  if (call.audio.deletedAt !== null) return { refused: 'known already' };
  // Lost, the recording would be deleted once more, which it bears.
  return { write: { change: { audio: { deletedAt: now } }, events: ['audio.deleted'], durable: false } };
}

/**
 * The owner deletes the call: out of sight at once, and out of the hands of its worker, whose attempt is over. It waits for no stage, so that the dispatcher does not know it.
 * @param graceMs how long it can be restored; 0 when it cannot
 */
export function remove(call: Call, now: Date, graceMs: number): Decision {
  if (call.removal !== null) return { refused: 'removed already' };
  return {
    write: {
      change: {
        ...AT_REST,
        status: call.status,
        stage: null,
        attempt: call.attempt + 1,
        removal: { at: now, until: later(now, graceMs), stage: call.stage, final: graceMs === 0 },
      },
      events: ['call.removed'],
      durable: true,
    },
  };
}

/** Back to what it was: to its result, or to its place in the queue of its stage. */
export function restore(call: Call, now: Date): Decision {
  const { removal, status } = call;
  if (removal === null) return { refused: 'not removed' };
  if (removal.final || !isAhead(removal.until, now)) return { refused: 'too late' };
  return {
    write: { change: { status, stage: removal.stage, removal: null }, events: ['call.restored'], durable: true },
  };
}

/** Nothing more of the call is kept: from here on it cannot be restored, also by a process whose clock is behind. */
export function finishRemoval(call: Call, now: Date): Decision {
  const { removal, status } = call;
  if (removal === null) return { refused: 'not removed' };
  if (removal.final) return { refused: 'final already' };
  if (isAhead(removal.until, now)) return { refused: 'its time has not come' };
  return { write: { change: { status, removal: { ...removal, final: true } }, events: [], durable: true } };
}

function afterFailure(call: Call, failure: Failure, at: Date, now: Date, policy: Policy): Decision {
  const { kind, code, message } = failure;
  const counted = kind === 'transient' || kind === 'unanswered' || kind === 'bug';
  const failures = call.failures + (counted ? 1 : 0);
  const lastFailure = { kind, code, message, at: now };
  const waiting = counted || kind === 'rejected' ? null : waitFor(dependencyOf(code, call.stage), call, now);
  const isOver = waiting !== null && now.getTime() - waiting.since.getTime() >= policy.outageLimitMs;
  if (kind === 'rejected' || isOver || (counted && failures >= policy.maxFailures)) {
    return {
      write: {
        change: {
          ...moveTo(call, 'failed', now),
          ...AT_REST,
          stage: null,
          failures,
          waiting: null,
          lastFailure,
          failure: isOver ? outageOf(waiting.for, policy.outageLimitMs) : { code, message },
          audio: { deleteAfter: later(now, policy.failedAudioRetentionMs) },
        },
        events: ['call.failed'],
        durable: true,
      },
    };
  }
  const latest = later(now, LONGEST_DELAY_MS);
  // Lost, the lease would end and the call be taken back: counted the same.
  return light({ ...AT_REST, failures, waiting, lastFailure, nextAttemptAt: at < latest ? at : latest });
}

/** A wait goes on as long as tries end for the same reason. */
function waitFor(dependency: Dependency, { waiting }: Call, now: Date): NonNullable<Call['waiting']> {
  // A beginning in the future says that the clock was set back.
  const goesOn = waiting?.for === dependency && waiting.since <= now;
  return goesOn ? waiting : { for: dependency, since: now };
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
  // A clock that was set back does not make a call older than it was.
  return { status, updatedAt: now > call.updatedAt ? now : call.updatedAt };
}

/** Not leased, not granted, ready at once unless a time is set. `readySince` stays: a call that is tried again keeps its place in its account's queue. */
const AT_REST = { lease: null, grantedUntil: null, nextAttemptAt: null };

function light(change: Write['change']): Decision {
  return { write: { change, events: [], durable: false } };
}

function later(from: Date, ms: number): Date {
  return new Date(from.getTime() + ms);
}
