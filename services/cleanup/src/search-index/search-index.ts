import { setTimeout as sleep } from 'node:timers/promises';
import type { CleanupParts } from '../parts.ts';

/** Calls at a time. Those of some hours take tens of milliseconds each, in which a single process does nothing else. */
const AT_ONCE = 5;

/** Indexes for search the calls that an earlier release has written. Pauses as long as it works, so that the process stays free for others. */
export async function indexOlderCalls(
  { calls, log }: Pick<CleanupParts, 'calls' | 'log'>,
  stop: AbortSignal,
): Promise<void> {
  let looked = 0;
  while (!stop.aborted) {
    const began = performance.now();
    const some = await calls.store.indexForSearch(AT_ONCE);
    if (some === 0) break;
    looked += some;
    await sleep(performance.now() - began, undefined, { signal: stop }).catch(() => {});
  }
  if (looked > 0) log.info({ calls: looked }, 'calls of an earlier release were looked at for the search index');
}
