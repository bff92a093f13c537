import { setImmediate } from 'node:timers/promises';
import type { Call } from '@call-analytics/calls';
import { failureOf } from '@call-analytics/service-kit';
import { type CleanupParts, deleteVerified, forEachDue } from './recordings.ts';

const MAX_ACCOUNTS = 10_000;
/** By this time after its account was removed, a call whose upload was under way is written or never will be. */
const SETTLED_AFTER_MS = 3_600_000;

/** Purges every removed call that can no longer be restored. */
export function sweepRemovedCalls(parts: CleanupParts, stop: AbortSignal): Promise<void> {
  const { store, clock } = parts;
  const due = (limit: number) => store.removalsDue(clock.now(), limit);
  return forEachDue(parts, due, (call) => purgeCall(call, parts), stop);
}

/**
 * Removes every call that ended longer ago than the retention; they cannot be restored, and `sweepRemovedCalls` purges
 * them. Can be interrupted at any time.
 */
export async function sweepExpiredCalls(parts: CleanupParts, retentionMs: number, stop: AbortSignal): Promise<void> {
  const { calls, store, clock, log } = parts;
  const endedBefore = new Date(clock.now().getTime() - retentionMs);
  let removed = 0;
  const expire = async (call: Call) => {
    // A store in this process answers without yielding to the event loop.
    await setImmediate();
    const isRemoved = await calls.expire(call, endedBefore);
    if (isRemoved) removed += 1;
    return isRemoved;
  };
  await forEachDue(parts, (limit) => store.finishedBefore(endedBefore, limit), expire, stop);
  if (removed > 0) log.info({ calls: removed }, 'calls whose retention has ended are removed');
}

/**
 * Removes all calls of removed accounts; they cannot be restored, and `sweepRemovedCalls` purges them. Can be
 * interrupted at any time.
 */
export async function emptyRemovedAccounts(
  { calls, store, clock, log }: CleanupParts,
  stop: AbortSignal,
): Promise<void> {
  for (const { accountId, at } of await store.removedAccounts(MAX_ACCOUNTS)) {
    let removed = 0;
    for (let some = 1; some > 0 && !stop.aborted; removed += some) some = await calls.emptyAccount(accountId);
    if (removed > 0) log.info({ accountId, calls: removed }, 'the calls of a removed account are removed');
    if (stop.aborted) return;
    if (removed === 0 && clock.now().getTime() - at.getTime() >= SETTLED_AFTER_MS)
      await store.accountEmptied(accountId);
  }
}

/**
 * Makes the removal final, deletes the recording, verifies that, and deletes the record last, because the sweep finds
 * the call by its record. After a crash the next sweep continues; doing a step twice does no harm.
 * @returns whether nothing of the call is left; a failure is logged
 */
async function purgeCall({ id, audio }: Call, { calls, audioStore, log, metrics }: CleanupParts): Promise<boolean> {
  try {
    if (!(await calls.finishRemoval(id))) return false;
    await deleteVerified(audio.key, id, audioStore);
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
