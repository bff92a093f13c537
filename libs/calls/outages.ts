import type { Dependency, Stage, Wait } from '@call-analytics/contracts';
import { backoffMs, type Failure } from '@call-analytics/service-kit';
import type { Call } from './record.ts';

const STORAGE = /^(store|audio_store|work_dir)_/;

/** @returns what a call waits for after an uncounted failure with this code */
export function dependencyOf(code: string, stage: Stage | null): Dependency {
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
export function waitingWords(wait: Wait): string {
  if (wait === 'spending_limit') return 'Waiting: daily spending limit. The call continues at 00:00 UTC.';
  return `Waiting for the ${NAMES[wait]}.`;
}

/** @returns the failure of a call whose dependency was away for all the time that it may wait, in milliseconds */
export function outageOf(dependency: Dependency, limitMs: number): NonNullable<Call['failure']> {
  const message = `The ${NAMES[dependency]} was unavailable for ${shownDuration(limitMs)}. Retry the call.`;
  return { code: `${dependency}_unavailable`, message };
}

function shownDuration(ms: number): string {
  const [amount, unit] =
    ms >= 3_600_000 ? [ms / 3_600_000, 'hour'] : ms >= 60_000 ? [ms / 60_000, 'minute'] : [ms / 1_000, 'second'];
  const rounded = Math.round(amount);
  return `${rounded} ${unit}${rounded === 1 ? '' : 's'}`;
}

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
