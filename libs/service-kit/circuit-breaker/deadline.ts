/**
 * Makes a call under a signal of its own, and stops waiting for it when its time is up or its caller gives up, also when it does not listen to the signal.
 * @param deadlineMs milliseconds, up to 24 days; null for no deadline
 * @param late makes the error of a call whose time is up
 * @throws what `call` throws, `late()`, or the reason of `signal`
 */
export function withDeadline<T>(
  call: (signal: AbortSignal) => Promise<T>,
  { deadlineMs, late, signal }: { deadlineMs: number | null; late: () => Error; signal: AbortSignal | undefined },
): Promise<T> {
  const own = new AbortController();
  return new Promise((resolve, reject) => {
    const giveUp = (reason: unknown) => {
      settled();
      // Before the signal, so that this reason is the answer and not what the call makes of the signal.
      reject(reason);
      own.abort(reason);
    };
    const onAbort = () => giveUp(signal?.reason);
    const timer = deadlineMs === null ? undefined : setTimeout(() => giveUp(late()), deadlineMs);
    signal?.addEventListener('abort', onAbort, { once: true });
    // The signal of a caller may live as long as the process: nothing may stay attached to it.
    const settled = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    started(call, own.signal).then(
      (result) => {
        settled();
        resolve(result);
      },
      (error) => {
        settled();
        reject(error);
      },
    );
  });
}

/** A call that throws before its first await fails like any other. */
function started<T>(call: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return call(signal);
  } catch (error) {
    return Promise.reject(error);
  }
}
