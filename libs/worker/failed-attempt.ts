import type { Call } from '@call-analytics/calls';
import { backoffMs, type CircuitBreaker, CircuitOpen, type Failure, failureOf } from '@call-analytics/service-kit';

/** What every call needs beside its engine, including the disk of the worker's machine. */
const SHARED_DEPENDENCIES = new Set([
  'store_unavailable',
  'store_full',
  'audio_store_unavailable',
  'audio_store_full',
  'broker_unavailable',
  'work_dir_full',
  'work_dir_unusable',
  'decoder_not_started',
]);

/** The longest delay between two attempts of a call whose request got no answer, in ms. */
const MAX_RETRY_DELAY_MS = 5 * 60_000;

export interface AttemptFacts {
  /** As it was when the attempt began. */
  call: Pick<Call, 'lastFailure' | 'waiting'>;
  began: Date;
  now: Date;
  /** The engine of the stage; without it, a request without an answer counts. */
  engine: Pick<CircuitBreaker, 'answeredAt'> | null;
}

interface FailedAttempt {
  failure: Failure;
  /** Until then the worker takes no messages; null when other calls need not wait. */
  pauseUntil: Date | null;
}

/**
 * Decides what caused a failed attempt: the call, a dependency, or either of them, which is settled by whether the
 * engine has answered another request since the call last failed (docs/decisions/0018).
 */
export function failedAttempt(error: unknown, facts: AttemptFacts): FailedAttempt {
  // A circuit that opened during the attempt carries the error that the attempt met.
  const asked = error instanceof CircuitOpen && error.cause !== undefined ? failureOf(error.cause) : null;
  const failure = asked ?? failureOf(error);
  const retryAt = error instanceof CircuitOpen ? error.retryAt : null;
  if (failure.kind === 'unanswered') {
    if (facts.engine === null || answersOthers(facts)) return { failure, pauseUntil: retryAt };
    return unavailable(failure, retryAt ?? later(facts.now, retryDelayMs(facts)), retryAt);
  }
  const isUnavailable =
    failure.kind === 'unavailable' || SHARED_DEPENDENCIES.has(failure.code) || (retryAt !== null && asked === null);
  if (isUnavailable) {
    const until =
      retryAt ?? (failure.kind === 'unavailable' ? failure.until : undefined) ?? later(facts.now, backoffMs(1));
    return unavailable(failure, until, until);
  }
  return { failure, pauseUntil: retryAt };
}

function unavailable({ code, message }: Failure, until: Date, pauseUntil: Date | null): FailedAttempt {
  return { failure: { kind: 'unavailable', code, message, until }, pauseUntil };
}

function answersOthers({ engine, call, began }: AttemptFacts): boolean {
  const answeredAt = engine?.answeredAt ?? null;
  return answeredAt !== null && answeredAt > (call.lastFailure?.at ?? began);
}

/** The longer a call waits, the less often it is tried: after a quarter of the time that it has waited. */
function retryDelayMs({ call, now }: AttemptFacts): number {
  const waitedMs = call.waiting === null ? 0 : now.getTime() - call.waiting.since.getTime();
  return Math.min(MAX_RETRY_DELAY_MS, Math.max(backoffMs(1), waitedMs / 4));
}

function later(from: Date, ms: number): Date {
  return new Date(from.getTime() + ms);
}
