import type { CleanupParts } from '../parts.ts';

const MOST_ACCOUNTS = 10_000;
/** For this long after its removal an account is looked at: a call whose upload was under way has been written by then, or never will be. */
const SETTLED_AFTER_MS = 3_600_000;

/** Removes all calls of removed accounts, without a way back; they are purged as every call that cannot be restored any more. What dies in between is begun anew. */
export async function emptyRemovedAccounts({ calls, clock, log }: CleanupParts, stop: AbortSignal): Promise<void> {
  for (const { accountId, at } of await calls.store.removedAccounts(MOST_ACCOUNTS)) {
    let removed = 0;
    for (let some = 1; some > 0 && !stop.aborted; removed += some) some = await calls.emptyAccount(accountId);
    if (removed > 0) log.info({ accountId, calls: removed }, 'the calls of a removed account are removed');
    if (stop.aborted) return;
    if (removed === 0 && clock.now().getTime() - at.getTime() >= SETTLED_AFTER_MS)
      await calls.store.accountEmptied(accountId);
  }
}
