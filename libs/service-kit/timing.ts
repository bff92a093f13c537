/** The time, which tests can step. Everything that decides by wall-clock time takes a clock. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/**
 * The delay before try number `failures` + 1. It doubles with each failure, up to a cap, and varies by up to a fifth,
 * so that calls that failed together do not return together.
 * @param failures tries that have failed so far, at least 1
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
 * Waits for `promise`, but no longer than `ms` milliseconds. What the promise does after that is ignored.
 * p-timeout does the same, but builds an error with a stack for each call: 50 µs more on the path of each message.
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
 * Waits for `promise` until `signal` aborts. What the promise does after that is ignored.
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
