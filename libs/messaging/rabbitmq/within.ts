// amqplib waits for ever: for a handshake, for an answer, for a confirm, for the end of a connection. These are the limits it lacks, in milliseconds.
export const CONNECT_WITHIN_MS = 10_000;
export const ANSWER_WITHIN_MS = 10_000;
export const CONFIRM_WITHIN_MS = 10_000;
export const CLOSE_WITHIN_MS = 5_000;

/**
 * @param what for the error: "no answer to <what>"
 * @throws Error when `promise` is not settled in time; how it ends after that counts for nothing
 */
export async function within<T>(ms: number, what: string, promise: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`no answer to ${what} within ${ms / 1_000} s`)), ms);
  promise.catch(() => {});
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
