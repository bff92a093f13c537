import { setImmediate } from 'node:timers/promises';
import type { AudioStore, StoredAudio } from '@call-analytics/audio-store';
import type { Call, Calls, CleanupStore } from '@call-analytics/calls';
import type { Message } from '@call-analytics/contracts';
import type { Outcome } from '@call-analytics/messaging';
import { type Clock, failureOf, type Logger, type Metrics, point } from '@call-analytics/service-kit';

/** What every use case of cleanup works with. */
export interface CleanupParts {
  calls: Calls;
  store: CleanupStore;
  audioStore: AudioStore;
  log: Logger;
  metrics: Metrics;
  clock: Clock;
}

const ORPHANS_PER_PAGE = 500;
/** An upload without progress for a minute is aborted, so no upload writes to an incomplete recording this old. */
const INCOMPLETE_DEAD_AFTER_MS = 15 * 60_000;
const CALLS_PER_PAGE = 100;
/** Failures after which a sweep gives up: more than single calls are affected. */
const MAX_FAILURES = 1_000;

/** A call has completed or failed: deletes its recording now, unless it is kept for a while and swept later. */
export async function onFinishedCall(message: Message, parts: CleanupParts): Promise<Outcome> {
  const call = await parts.store.get(message.data.callId);
  if (call === null) return { kind: 'skipped', reason: 'no such call' };
  if (call.removal !== null)
    return {
      kind: 'skipped',
      reason: 'the call is removed: its recording is deleted when it can no longer be restored',
    };
  if (call.stage !== null) return { kind: 'skipped', reason: `the call is ${call.status}` };
  if (call.audio.deletedAt !== null) return { kind: 'skipped', reason: 'its recording is deleted already' };
  // A completed call's recording is deleted at once, also when the clock was set back since.
  const { deleteAfter } = call.audio;
  const isKept = call.status === 'failed' && deleteAfter !== null && deleteAfter > parts.clock.now();
  if (isKept) return { kind: 'skipped', reason: 'its recording is kept for a while' };
  if (await deleteAudioOf(call, parts)) return { kind: 'done' };
  return { kind: 'retry', reason: 'its recording could not be deleted; the sweep tries again' };
}

/** Deletes every recording that is due: its retention has ended, its message was lost, or its deletion failed. */
export async function sweepDueAudio(parts: CleanupParts, stop: AbortSignal): Promise<void> {
  const { store, clock, metrics } = parts;
  const due = (limit: number) => store.audioDue(clock.now(), limit);
  await forEachDue(parts, due, (call) => deleteAudioOf(call, parts), stop);
  metrics.audioAwaitingDeletion.set((await store.figures(clock.now())).audioDue);
}

/**
 * Deletes every recording that belongs to no call: the upload died before its call was written, or the recording came
 * back after its deletion.
 * @param graceMs the age from which a complete recording without a call never gets one
 */
export async function sweepOrphans(parts: CleanupParts, graceMs: number, stop: AbortSignal): Promise<void> {
  const now = parts.clock.now().getTime();
  let page: StoredAudio[] = [];
  for await (const audio of parts.audioStore.list()) {
    if (stop.aborted) return;
    const age = now - audio.storedAt.getTime();
    if (age < (audio.incomplete ? INCOMPLETE_DEAD_AFTER_MS : graceMs)) continue;
    page.push(audio);
    if (page.length < ORPHANS_PER_PAGE) continue;
    await deleteOrphans(page, parts, stop);
    page = [];
  }
  await deleteOrphans(page, parts, stop);
}

/**
 * Processes all calls for which something is due, page by page, past those for which it fails.
 * @param due the first `limit` calls; a processed call is no longer among them
 * @param act @returns whether it succeeded
 */
async function forEachDue(
  { audioStore }: Pick<CleanupParts, 'audioStore'>,
  due: (limit: number) => Promise<Call[]>,
  act: (call: Call) => Promise<boolean>,
  stop: AbortSignal,
): Promise<void> {
  const failed = new Set<string>();
  while (!stop.aborted && failed.size < MAX_FAILURES) {
    // Failed calls come first in every page; asking for as many more keeps them from hiding the others.
    const untried = (await due(CALLS_PER_PAGE + failed.size)).filter(({ id }) => !failed.has(id));
    if (untried.length === 0) return;
    for (const call of untried) {
      if (stop.aborted) return;
      if (await act(call)) continue;
      failed.add(call.id);
      if ((await audioStore.ready()) !== null) return;
    }
  }
}

/**
 * Deletes a recording. By contract the store confirms the deletion: every adapter asks again whether it is there.
 * @param about the id of its call, or its key when it has none
 * @throws WorkError when it may still be there
 */
async function deleteVerified(key: string, about: string, audioStore: AudioStore): Promise<void> {
  await point('audio.deleting', about);
  await audioStore.delete(key);
}

/**
 * Deletes the recording of a finished call, then records the deletion. After a crash in between, the sweep finds the
 * call again; deleting twice does no harm.
 * @returns whether it is deleted and recorded; a failure is logged and counted, and the sweep tries again
 */
async function deleteAudioOf(call: Call, { calls, audioStore, log, metrics }: CleanupParts): Promise<boolean> {
  try {
    await deleteVerified(call.audio.key, call.id, audioStore);
    if (await calls.audioDeleted(call.id, call)) {
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

async function deleteOrphans(
  page: StoredAudio[],
  { store, audioStore, log, metrics }: CleanupParts,
  stop: AbortSignal,
): Promise<void> {
  const inUse = await store.audioKeysInUse(page.map(({ key }) => key));
  for (const { key, bytes, storedAt } of page) {
    if (stop.aborted) return;
    if (inUse.has(key)) continue;
    try {
      await deleteVerified(key, key, audioStore);
      metrics.audioOrphans.inc();
      log.warn({ key, bytes, storedAt }, 'a recording that belonged to no call is deleted');
    } catch (error) {
      metrics.audioDeletions.inc({ outcome: 'failed' });
      const { code } = failureOf(error);
      log.error({ err: error, key, code }, 'a recording that belongs to no call could not be deleted');
    }
  }
}

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
  if (removed > 0) log.info({ calls: removed }, 'deleted calls whose retention has ended');
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
    if (removed > 0) log.info({ accountId, calls: removed }, 'deleted the calls of a deleted account');
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
      log.info({ callId: id }, 'a deleted call was purged');
    }
    return true;
  } catch (error) {
    metrics.audioDeletions.inc({ outcome: 'failed' });
    log.error({ err: error, callId: id, code: failureOf(error).code }, 'a deleted call could not be purged');
    return false;
  }
}
