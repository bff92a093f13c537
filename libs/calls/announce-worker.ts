import type { Stage } from '@call-analytics/contracts';
import type { Logger } from '@call-analytics/service-kit';
import type { Calls } from './calls.ts';
import { WORKER_NAME } from './stage-worker.ts';

/**
 * Keeps the dispatcher informed of how many calls of a stage this process works on at a time. A process that dies is forgotten after the duration of a
 * lease. Best effort: while the store does not answer, the dispatcher goes by what it knew.
 * @returns ends it, and has the process forgotten at once
 */
export async function announceWorker(
  calls: Calls,
  stage: Stage,
  atOnce: number,
  log: Logger,
): Promise<{ close(): Promise<void> }> {
  const announce = (count: number) =>
    calls
      .announceWorker(stage, WORKER_NAME, count)
      .catch((error) => log.warn({ err: error, stage }, 'could not announce the worker'));
  await announce(atOnce);
  // Three times in the life of an announcement, so that one slow write does not lose it.
  const timer = setInterval(() => announce(atOnce), calls.leaseMs / 3);
  timer.unref();
  return {
    async close() {
      clearInterval(timer);
      await announce(0);
    },
  };
}
