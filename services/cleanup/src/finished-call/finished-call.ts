import type { Message } from '@call-analytics/contracts';
import type { Outcome } from '@call-analytics/messaging';
import { deleteAudioOf } from '../delete-audio/delete-audio.ts';
import type { CleanupParts } from '../parts.ts';

/** A call has completed or failed: its recording goes now, unless it is kept for a while. What is kept is the sweep's when its time has come. */
export async function onFinishedCall(message: Message, parts: CleanupParts): Promise<Outcome> {
  const call = await parts.calls.store.get(message.data.callId);
  // Its owner removed it before this came.
  if (call === null) return { kind: 'skipped', reason: 'no such call' };
  if (call.removal !== null)
    return { kind: 'skipped', reason: 'it is removed: its recording goes when it cannot be restored any more' };
  if (call.stage !== null) return { kind: 'skipped', reason: `the call is ${call.status}` };
  if (call.audio.deletedAt !== null) return { kind: 'skipped', reason: 'its recording is deleted already' };
  // A completed call's recording goes at once, also when the clock was set back since.
  const { deleteAfter } = call.audio;
  const kept = call.status === 'failed' && deleteAfter !== null && deleteAfter > parts.clock.now();
  if (kept) return { kind: 'skipped', reason: 'its recording is kept for a while' };
  if (await deleteAudioOf(call, parts)) return { kind: 'done' };
  return { kind: 'retry', reason: 'its recording could not be deleted; the sweep tries again' };
}
