import type { StoredAudio } from '@call-analytics/audio-store';
import { failureOf } from '@call-analytics/service-kit';
import { proveGone } from '../delete-audio/delete-audio.ts';
import type { CleanupParts } from '../parts.ts';

const PAGE = 500;
/** An upload that makes no progress for a minute is cut off, so what has not grown for this long has nobody who writes it. */
const INCOMPLETE_DEAD_AFTER_MS = 15 * 60_000;

/**
 * Deletes every recording that belongs to no call: the upload died before its call was written, or the recording came back after its deletion.
 * @param graceMs the age in milliseconds from which a whole recording without a call is one that will never have one
 */
export async function sweepOrphans(parts: CleanupParts, graceMs: number, stop: AbortSignal): Promise<void> {
  const now = parts.clock.now().getTime();
  let page: StoredAudio[] = [];
  for await (const audio of parts.audioStore.list()) {
    if (stop.aborted) return;
    const age = now - audio.storedAt.getTime();
    if (age < (audio.incomplete ? INCOMPLETE_DEAD_AFTER_MS : graceMs)) continue;
    page.push(audio);
    if (page.length < PAGE) continue;
    await deleteOrphans(page, parts, stop);
    page = [];
  }
  await deleteOrphans(page, parts, stop);
}

async function deleteOrphans(
  page: StoredAudio[],
  { calls, audioStore, log, metrics }: CleanupParts,
  stop: AbortSignal,
): Promise<void> {
  const inUse = await calls.store.audioKeysInUse(page.map(({ key }) => key));
  for (const { key, bytes, storedAt } of page) {
    if (stop.aborted) return;
    if (inUse.has(key)) continue;
    try {
      await proveGone(key, key, audioStore);
      metrics.audioOrphans.inc();
      log.warn({ key, bytes, storedAt }, 'a recording that belonged to no call is deleted');
    } catch (error) {
      metrics.audioDeletions.inc({ outcome: 'failed' });
      log.error(
        { err: error, key, code: failureOf(error).code },
        'a recording that belongs to no call could not be deleted',
      );
    }
  }
}
