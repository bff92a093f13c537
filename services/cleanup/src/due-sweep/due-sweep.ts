import { deleteAudioOf } from '../delete-audio/delete-audio.ts';
import type { CleanupParts } from '../parts.ts';
import { workThrough } from '../work-through.ts';

/** Deletes every recording that should be gone: those of failed calls whose time has come, and those whose message was lost or whose deletion failed. */
export async function sweepDueAudio(parts: CleanupParts, stop: AbortSignal): Promise<void> {
  const { calls, clock, metrics } = parts;
  await workThrough(
    parts,
    (limit) => calls.store.audioDue(clock.now(), limit),
    (call) => deleteAudioOf(call, parts),
    stop,
  );
  metrics.audioAwaitingDeletion.set((await calls.store.figures(clock.now())).audioDue);
}
