import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { FILES } from '@call-analytics/stand-in/recordings';
import { seeded } from '../audio/wave.ts';
import type { Account } from '../faults/account.fixture.ts';

/** Every so many uploads is of a recording that cannot be read, and whose call must fail for that. */
const UNREADABLE_EVERY = 20;
const UNREADABLE = join(FILES, 'truncated.m4a');
/** Of so many calls one is deleted after a while; of those every other is restored. */
const DELETED_EVERY = 5;
const DELETED_AFTER_MS = 10_000;
/** A deleted call can be restored for 30 s; outages take a part of it. */
const RESTORABLE_MS = 25_000;

/** What uploading came to. */
export interface Uploaded {
  /** How many were accepted that cannot be read. */
  unreadable: number;
  deleted: number;
  restored: number;
  /** Uploads, deletions and restorations that were given up or refused. */
  givenUp: string[];
}

/**
 * Uploads recordings at random times, each again and again until it is accepted, and deletes and restores some calls.
 * @param until when the last upload begins
 * @param giveUpMs after how long a client gives up
 */
export async function uploadAll(
  accounts: Account[],
  { calls, seed, until, giveUpMs }: { calls: number; seed: number; until: number; giveUpMs: number },
): Promise<Uploaded> {
  const random = seeded(seed);
  const begin = Date.now();
  const uploaded: Uploaded = { unreadable: 0, deleted: 0, restored: 0, givenUp: [] };

  const deleteCall = async (account: Account, id: string, restores: boolean) => {
    await delay(random() * DELETED_AFTER_MS);
    const began = Date.now();
    const mayBeGone = () => Date.now() - began > RESTORABLE_MS;
    // The answer to a first request may be lost, and the call gone before the second.
    const isDeleted = (await account.change(id, 'delete', giveUpMs)) || mayBeGone();
    if (!isDeleted) throw new Error(`${id} is lost: it cannot be deleted`);
    uploaded.deleted += 1;
    const isRestored = restores && (await account.change(id, 'restore', giveUpMs));
    if (isRestored) uploaded.restored += 1;
    else if (restores && !mayBeGone()) throw new Error(`${id} cannot be restored`);
    else {
      account.accepted.delete(id);
      account.deleted.add(id);
    }
  };
  const upload = async (number: number, afterMs: number) => {
    await delay(afterMs);
    const account = accounts[number % accounts.length] as Account;
    const isUnreadable = number % UNREADABLE_EVERY === UNREADABLE_EVERY - 1;
    try {
      const { id } = await account.insist(isUnreadable ? UNREADABLE : undefined, giveUpMs);
      if (isUnreadable) uploaded.unreadable += 1;
      else if (number % DELETED_EVERY === 0) await deleteCall(account, id, number % (2 * DELETED_EVERY) === 0);
    } catch (error) {
      uploaded.givenUp.push(String(error));
    }
  };
  await Promise.all(Array.from({ length: calls }, (_, number) => upload(number, random() * (until - begin))));
  return uploaded;
}
