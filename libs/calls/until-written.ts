import { setTimeout as delay } from 'node:timers/promises';
import { backoffMs, failureOf } from '@call-analytics/service-kit';

/** Longer than a server takes to restart or to elect another primary. */
const GIVE_UP_AFTER_MS = 120_000;
const DELAY = { firstMs: 100, capMs: 2_000 };

/**
 * For a result that somebody was paid for: while the store does not answer, the write is tried again rather than the result thrown away. Writing twice does no harm: the
 * record's guards refuse the second.
 * @param signal aborts when the lease is lost or the service stops
 * @throws what `write` throws, when that is not the store being away, or when it has been away for two minutes; the reason of the signal
 */
export async function retryWrite<T>(write: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const began = performance.now();
  for (let failures = 1; ; failures += 1) {
    try {
      return await write();
    } catch (error) {
      const { code } = failureOf(error);
      const away = code === 'store_unavailable' || code === 'store_full';
      if (!away || performance.now() - began > GIVE_UP_AFTER_MS) throw error;
      await delay(backoffMs(failures, DELAY), undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }
}
