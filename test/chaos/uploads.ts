import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { FILES } from '@call-analytics/stand-in/recordings';
import { seeded } from '../audio/wave.ts';
import type { Account } from '../faults/account.fixture.ts';

/** Every so many uploads is of a recording that cannot be read, and whose call must fail for that. */
const UNREADABLE_EVERY = 20;
const UNREADABLE = join(FILES, 'truncated.m4a');

/**
 * Uploads recordings at random times, each again and again until it is accepted.
 * @param until when the last one begins
 * @param giveUpMs after how long a client gives up
 * @returns how many were accepted that cannot be read, and the uploads that were given up or refused for good
 */
export async function uploadAll(
  accounts: Account[],
  { calls, seed, until, giveUpMs }: { calls: number; seed: number; until: number; giveUpMs: number },
) {
  const random = seeded(seed);
  const begin = Date.now();
  const givenUp: string[] = [];
  let unreadable = 0;
  const upload = async (number: number, afterMs: number) => {
    await delay(afterMs);
    const isUnreadable = number % UNREADABLE_EVERY === UNREADABLE_EVERY - 1;
    try {
      await accounts[number % accounts.length]?.insist(isUnreadable ? UNREADABLE : undefined, giveUpMs);
      if (isUnreadable) unreadable += 1;
    } catch (error) {
      givenUp.push(String(error));
    }
  };
  await Promise.all(Array.from({ length: calls }, (_, number) => upload(number, random() * (until - begin))));
  return { unreadable, givenUp };
}
