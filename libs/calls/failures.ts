import type { Dependency, Stage, Wait } from '@call-analytics/contracts';
import { backoffMs, type Failure, shownDuration } from '@call-analytics/service-kit';
import type { Call } from './record.ts';
import type { Policy } from './settings.ts';
import type { Write } from './store.ts';
import {
  CLOCK_TOLERANCE_MS,
  type Decision,
  hasEnded,
  held,
  internalWrite,
  later,
  MAX_DELAY_MS,
  moveTo,
  UNCLAIMED,
} from './transitions.ts';

// Transitions of a call that failed: what it waits for, when it is tried again, and what its owner reads.

const STORAGE = /^(store|audio_store|work_dir)_/;

/** @returns what a call waits for after an uncounted failure with this code */
function dependencyOf(code: string, stage: Stage | null): Dependency {
  if (STORAGE.test(code)) return 'storage';
  if (code === 'decoder_not_started') return 'decoder';
  return stage === 'analysis' ? 'analysis_engine' : 'speech_engine';
}

const NAMES: Record<Dependency, string> = {
  speech_engine: 'speech engine',
  analysis_engine: 'analysis engine',
  storage: 'storage',
  decoder: 'audio decoder',
};

/** @returns what the owner of a call reads while it waits */
export function waitingMessage(wait: Wait): string {
  if (wait === 'spending_limit') return 'Waiting: daily spending limit. The call continues at 00:00 UTC.';
  return `Waiting for the ${NAMES[wait]}.`;
}

/** @returns the failure of a call whose dependency was unavailable for as long as the call may wait, in milliseconds */
function outageOf(dependency: Dependency, limitMs: number): NonNullable<Call['failure']> {
  const message = `The ${NAMES[dependency]} was unavailable for ${shownDuration(limitMs)}. Retry the call.`;
  return { code: `${dependency}_unavailable`, message };
}

/** What who wants to retry a call reads when neither is kept that an attempt could work on. */
export const NOTHING_KEPT =
  'Neither a recording with sound nor a transcript of this call is kept. Upload the recording again.';

/** How long a call waits when the account at a vendor is out of quota. */
const QUOTA_PAUSE_MS = 5 * 60_000;

/** @returns when a call is tried again after a failed attempt: by the answer of the vendor, else by backoff */
export function nextAttemptAt(call: Call, failure: Failure, now: Date): Date {
  if (failure.kind === 'rate-limited') return failure.until;
  if (failure.kind === 'unavailable' && failure.until !== undefined) return failure.until;
  const failures = failure.kind === 'unavailable' ? 0 : call.failures;
  const delayMs = failure.kind === 'out-of-quota' ? QUOTA_PAUSE_MS : backoffMs(failures + 1);
  return new Date(now.getTime() + delayMs);
}

/**
 * An attempt failed. A rejected file, the last counted failure, or a dependency that was unavailable for too long fails
 * the call; otherwise it waits until `at`.
 * @param at when to try again, from backoff or the vendor's answer; limited to MAX_DELAY_MS from now
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

/** The worker is gone: its lease has expired. Counted, because the recording itself may have killed the worker. */
export function reclaim(call: Call, attempt: number, at: Date, now: Date, policy: Policy): Decision {
  const lost: Failure = {
    kind: 'transient',
    code: 'worker_lost',
    message:
      'Processing stopped unexpectedly several times. Upload the recording again; if that does not help, ' +
      'convert it to MP3 first.',
  };
  return held(call, attempt, (lease) => {
    if (!hasEnded(lease, now)) return { refused: 'the lease was renewed' };
    return afterFailure(call, lost, at, now, policy);
  });
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
  const latest = later(now, MAX_DELAY_MS);
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
