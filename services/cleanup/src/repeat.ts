import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@call-analytics/service-kit';

/**
 * Does something now and again and again, one at a time, until it is stopped. What it throws is logged, and the next time comes all the same.
 * @param everyMs the pause after each time, in milliseconds
 * @returns stops it: aborts the signal that `work` gets and resolves when it has ended
 */
export function repeat(
  name: string,
  work: (stop: AbortSignal) => Promise<void>,
  everyMs: number,
  log: Logger,
): () => Promise<void> {
  const stopping = new AbortController();
  const stop = stopping.signal;
  const ended = (async () => {
    while (!stop.aborted) {
      await work(stop).catch((error) => log.error({ err: error }, `${name} failed`));
      await sleep(everyMs, undefined, { signal: stop }).catch(() => {});
    }
  })();
  return () => {
    stopping.abort();
    return ended;
  };
}
