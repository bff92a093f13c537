import type { Call } from '@call-analytics/calls';
import { failureOf } from '@call-analytics/service-kit';
import { proveGone } from '../delete-audio/delete-audio.ts';
import type { CleanupParts } from '../parts.ts';
import { workThrough } from '../work-through.ts';

/** Ends every removal that cannot be undone any more. */
export function sweepRemovedCalls(parts: CleanupParts, stop: AbortSignal): Promise<void> {
  const { calls, clock } = parts;
  return workThrough(
    parts,
    (limit) => calls.store.removalsDue(clock.now(), limit),
    (call) => purgeCall(call, parts),
    stop,
  );
}

/**
 * First it is written that the call does not come back, then its recording goes, is proven gone, and only then its record, which is what leads here again. So whatever dies
 * in between, the next sweep goes on, and each step done twice does no harm.
 * @returns whether nothing of it is left; otherwise that was logged, or it may be restored still
 */
async function purgeCall({ id, audio }: Call, { calls, audioStore, log, metrics }: CleanupParts): Promise<boolean> {
  try {
    if (!(await calls.finishRemoval(id))) return false;
    await proveGone(audio.key, id, audioStore);
    if (await calls.purge(id)) {
      if (audio.deletedAt === null) metrics.audioDeletions.inc({ outcome: 'deleted' });
      log.info({ callId: id }, 'a removed call is gone, with everything about it');
    }
    return true;
  } catch (error) {
    metrics.audioDeletions.inc({ outcome: 'failed' });
    log.error({ err: error, callId: id, code: failureOf(error).code }, 'a removed call could not be purged');
    return false;
  }
}
