import { deleteAudioOf } from '../delete-audio/delete-audio.ts';
import type { CleanupParts } from '../parts.ts';

const PAGE = 100;
/** Failures after which one sweep gives up: something is wrong with more than single recordings. */
const MOST_FAILURES = 1_000;

/** Deletes every recording that should be gone: those of failed calls whose time has come, and those whose message was lost or whose deletion failed. */
export async function sweepDueAudio(parts: CleanupParts, stop: AbortSignal): Promise<void> {
  const { calls, audioStore, clock, metrics } = parts;
  const failed = new Set<string>();
  while (!stop.aborted && failed.size < MOST_FAILURES) {
    // Those that failed come first in every page; asking for as many more keeps them from hiding the others.
    const due = await calls.store.audioDue(clock.now(), PAGE + failed.size);
    const untried = due.filter(({ id }) => !failed.has(id));
    if (untried.length === 0) break;
    for (const call of untried) {
      if (stop.aborted) break;
      if (await deleteAudioOf(call, parts)) continue;
      failed.add(call.id);
      if ((await audioStore.ready()) !== null) return showWhatWaits();
    }
  }
  return showWhatWaits();

  async function showWhatWaits(): Promise<void> {
    metrics.audioAwaitingDeletion.set((await calls.store.figures(clock.now())).audioDue);
  }
}
