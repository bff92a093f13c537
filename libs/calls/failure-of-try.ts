import { backoffMs, type CircuitBreaker, CircuitOpen, type Failure, failureOf } from '@call-analytics/service-kit';
import type { Call } from './record.ts';

/** What every call needs beside its engine, the disk of the worker's machine included. */
const FOUNDATIONS = new Set([
  'store_unavailable',
  'store_full',
  'audio_store_unavailable',
  'audio_store_full',
  'broker_unavailable',
  'work_dir_full',
  'work_dir_unusable',
  'decoder_not_started',
]);

/** The longest delay between two tries of a call that no answer was given to, in ms. */
const LONGEST_PATIENCE_MS = 5 * 60_000;

export interface TryFacts {
  /** As it was when the try began. */
  call: Pick<Call, 'lastFailure' | 'waiting'>;
  began: Date;
  now: Date;
  /** The engine of the stage; without it, a request that got no answer counts. */
  engine: Pick<CircuitBreaker, 'answeredAt'> | null;
}

export interface FailedTry {
  failure: Failure;
  /** Until then the worker takes no calls; null when others need not wait. */
  pauseUntil: Date | null;
}

/**
 * Decides whose fault a failed try was (docs/decisions/0018). A dependency's is not counted: the call waits, and when every
 * call needs the dependency, the worker pauses. A request that got no answer is the call's own fault only when the engine has
 * answered another request since the call failed last.
 */
export function failureOfTry(error: unknown, facts: TryFacts): FailedTry {
  // A circuit that was tried and found open tells what the try met.
  const asked = error instanceof CircuitOpen && error.cause !== undefined ? failureOf(error.cause) : null;
  const failure = asked ?? failureOf(error);
  const retryAt = error instanceof CircuitOpen ? error.retryAt : null;
  if (failure.kind === 'unanswered') {
    if (facts.engine === null || answersOthers(facts)) return { failure, pauseUntil: retryAt };
    return unavailable(failure, retryAt ?? later(facts.now, patienceMs(facts)), retryAt);
  }
  const isAway =
    failure.kind === 'unavailable' || FOUNDATIONS.has(failure.code) || (retryAt !== null && asked === null);
  if (isAway) {
    const until =
      retryAt ?? (failure.kind === 'unavailable' ? failure.until : undefined) ?? later(facts.now, backoffMs(1));
    return unavailable(failure, until, until);
  }
  return { failure, pauseUntil: retryAt };
}

function unavailable({ code, message }: Failure, until: Date, pauseUntil: Date | null): FailedTry {
  return { failure: { kind: 'unavailable', code, message, until }, pauseUntil };
}

function answersOthers({ engine, call, began }: TryFacts): boolean {
  const answeredAt = engine?.answeredAt ?? null;
  return answeredAt !== null && answeredAt > (call.lastFailure?.at ?? began);
}

/** The longer a call waits, the less often it is tried: a quarter of the time that it has waited. */
function patienceMs({ call, now }: TryFacts): number {
  const waitedMs = call.waiting === null ? 0 : now.getTime() - call.waiting.since.getTime();
  return Math.min(LONGEST_PATIENCE_MS, Math.max(backoffMs(1), waitedMs / 4));
}

function later(from: Date, ms: number): Date {
  return new Date(from.getTime() + ms);
}
