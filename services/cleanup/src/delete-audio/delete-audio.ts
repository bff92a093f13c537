import type { Call } from '@call-analytics/calls';
import { failureOf, point } from '@call-analytics/service-kit';
import type { CleanupParts } from '../parts.ts';

/**
 * Deletes the recording of a finished call and writes that it is gone, in this order: what dies in between is found again by the sweep, and deleting twice does no harm.
 * @returns whether it is gone and known to be; otherwise that was logged and counted, and the sweep tries again
 */
export async function deleteAudioOf(call: Call, { calls, audioStore, log, metrics }: CleanupParts): Promise<boolean> {
  try {
    await proveGone(call.audio.key, call.id, audioStore);
    if (await calls.audioGone(call.id, call)) {
      metrics.audioDeletions.inc({ outcome: 'deleted' });
      log.info({ callId: call.id }, 'the recording is deleted');
    }
    return true;
  } catch (error) {
    metrics.audioDeletions.inc({ outcome: 'failed' });
    log.error({ err: error, callId: call.id, code: failureOf(error).code }, 'a recording could not be deleted');
    return false;
  }
}

/**
 * Deletes a recording. The store says itself that it is gone: that is a promise of its port, which every adapter proves by asking again.
 * @param about the id of its call, or its key when it has none
 * @throws WorkError when it may be there still
 */
export async function proveGone(key: string, about: string, audioStore: CleanupParts['audioStore']): Promise<void> {
  await point('audio.deleting', about);
  await audioStore.delete(key);
}
