import type { Call } from '@call-analytics/calls';
import type { CleanupParts } from './parts.ts';

const PAGE = 100;
/** Failures after which one sweep gives up: something is wrong with more than single calls. */
const MOST_FAILURES = 1_000;

/**
 * Goes through all calls for which something is due, page by page, past those for which it cannot be done now.
 * @param due the first `limit` of them; a call for which it was done is no more among them
 * @param act @returns whether it is done
 */
export async function workThrough(
  { audioStore }: Pick<CleanupParts, 'audioStore'>,
  due: (limit: number) => Promise<Call[]>,
  act: (call: Call) => Promise<boolean>,
  stop: AbortSignal,
): Promise<void> {
  const failed = new Set<string>();
  while (!stop.aborted && failed.size < MOST_FAILURES) {
    // Those that failed come first in every page; asking for as many more keeps them from hiding the others.
    const untried = (await due(PAGE + failed.size)).filter(({ id }) => !failed.has(id));
    if (untried.length === 0) return;
    for (const call of untried) {
      if (stop.aborted) return;
      if (await act(call)) continue;
      failed.add(call.id);
      if ((await audioStore.ready()) !== null) return;
    }
  }
}
