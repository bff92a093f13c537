/**
 * What can go wrong while working on a call: a closed set. Each vendor has one classifier that turns its errors into
 * these; `afterFailure` in libs/calls decides what to do about each kind.
 *
 * transient       this attempt failed and another may succeed: try again later, counted
 * unavailable     a dependency that every call needs does not work: wait until it does, not counted
 * unanswered      a request got no usable answer, because of the dependency or because of this call: counted only
 *                 while the dependency answers other requests (docs/decisions/0018)
 * rate-limited    the vendor says when: try again then, not counted
 * out-of-quota    the vendor account is empty or its key refused: pause, tell the operator, not counted
 * rejected        the caller's file cannot be worked on: no retry, the message goes to the caller
 * bug             ours: counted like a transient, logged as an error
 */
export type Failure =
  | { kind: 'transient'; code: string; message: string }
  | { kind: 'unavailable'; code: string; message: string; until?: Date }
  | { kind: 'unanswered'; code: string; message: string }
  | { kind: 'rate-limited'; code: string; message: string; until: Date }
  | { kind: 'out-of-quota'; code: string; message: string }
  | { kind: 'rejected'; code: string; message: string }
  | { kind: 'bug'; code: string; message: string };

/**
 * Thrown by engines and stores. `failure.message` is for people: it says what happened and what to do, without paths,
 * secrets or transcript text.
 */
export class WorkError extends Error {
  override name = 'WorkError';
  readonly failure: Failure;
  constructor(failure: Failure, options?: { cause?: unknown }) {
    super(failure.message, options);
    this.failure = failure;
  }
}

/** What people read of a bug. */
export const OUR_FAULT = 'Something went wrong on our side.';

/** Any error as a failure. An unclassified one is a bug of ours. */
export function failureOf(error: unknown): Failure {
  if (error instanceof WorkError) return error.failure;
  return { kind: 'bug', code: 'internal_error', message: OUR_FAULT };
}

/** The time, which tests can step. Everything that decides by wall-clock time takes a clock. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/**
 * The delay before attempt number `failures` + 1. It doubles with each failure, up to a cap, and varies by up to a
 * fifth, so that calls that failed together do not return together.
 * @param failures attempts that have failed so far, at least 1
 * @returns milliseconds
 */
export function backoffMs(
  failures: number,
  {
    firstMs = 2_000,
    capMs = 5 * 60_000,
    random = Math.random,
  }: { firstMs?: number; capMs?: number; random?: () => number } = {},
): number {
  const exact = Math.min(capMs, firstMs * 2 ** (failures - 1));
  return Math.round(exact * (0.8 + 0.4 * random()));
}

/**
 * Waits for `promise`, but no longer than `ms` milliseconds; what it does after that is ignored. p-timeout costs 50 µs
 * more on the path of each message (docs/decisions/0019).
 * @throws what `promise` throws; Error with `message` when it is late
 */
export async function withTimeout<T>(promise: Promise<T>, ms: number, message: string): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(message)), ms);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Waits for `promise` until `signal` aborts; what it does after that is ignored.
 * @throws what `promise` throws; the reason of the signal
 */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal.reason);
  if (signal.aborted) onAbort();
  // The signal may live as long as the process.
  else signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
