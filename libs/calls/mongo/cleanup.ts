import type { Call } from '../record.ts';
import type { RemovedAccount } from '../store.ts';
import { type Database, DURABLE, MAJORITY } from './database.ts';
import { toCall } from './documents.ts';
import { horizon } from './queues.ts';
import type { SchemaVersions } from './records.ts';
import { EPOCH, INDEX, NOT_SET, RECORD_FIELDS } from './schema.ts';

// Recordings that are due, removed calls, and removed accounts.

const due = (now: Date) => ({
  'audio.deletedAt': NOT_SET,
  'audio.deleteAfter': { $gte: EPOCH, $lte: now },
  stage: null,
});

/**
 * Longest due first. Reads what a majority has: if the end of the call were lost, its recording could not come back.
 */
export async function audioDue(
  { calls }: Database,
  versions: SchemaVersions,
  now: Date,
  limit: number,
): Promise<Call[]> {
  const found = await calls
    .find(due(now), {
      projection: RECORD_FIELDS,
      hint: INDEX.audioDue,
      sort: { 'audio.deleteAfter': 1 },
      limit,
      ...MAJORITY,
    })
    .toArray();
  return found.map((document) => toCall(versions.read(document)));
}

export async function countAudioDue({ calls }: Database, now: Date): Promise<number> {
  return calls.countDocuments(due(now), { hint: INDEX.audioDue });
}

/** Reads the latest state, not a majority's: a call that is being written already needs its recording. */
export async function audioKeysInUse({ calls }: Database, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const found = await calls
    .find(
      { 'audio.key': { $in: keys }, 'audio.deletedAt': NOT_SET },
      { projection: { _id: 0, 'audio.key': 1 }, hint: INDEX.audioByKey },
    )
    .toArray();
  return new Set(found.map(({ audio }) => audio.key));
}

/** Reads the latest state: what follows is a guarded write. */
export async function removalsDue(
  { calls }: Database,
  versions: SchemaVersions,
  now: Date,
  limit: number,
): Promise<Call[]> {
  const found = await calls
    .find(
      { $or: [{ 'removal.until': { $gte: EPOCH, $lte: now } }, { 'removal.until': { $gt: horizon(now) } }] },
      { projection: RECORD_FIELDS, hint: INDEX.removed, sort: { 'removal.until': 1 }, limit },
    )
    .toArray();
  return found.map((document) => toCall(versions.read(document)));
}

export async function countRemovalsDue({ calls }: Database, now: Date): Promise<number> {
  return calls.countDocuments({ 'removal.until': { $gte: EPOCH, $lte: now } }, { hint: INDEX.removed });
}

/** One transaction deletes the call and takes it out of the totals, if it is counted there. */
export async function purge(
  { calls, counts, transaction }: Database,
  callId: string,
  version: number,
): Promise<boolean> {
  return transaction(async (session) => {
    const gone = await calls.findOneAndDelete(
      { _id: callId, version },
      { projection: { accountId: 1, counted: 1 }, session },
    );
    if (gone === null) return false;
    if (gone.counted != null)
      await counts.updateOne({ _id: gone.accountId }, { $inc: { [`calls.${gone.counted}`]: -1 } }, { session });
    return true;
  });
}

export async function removeAccount({ removedAccounts }: Database, accountId: string, now: Date): Promise<void> {
  await removedAccounts.updateOne(
    { _id: accountId },
    { $setOnInsert: { at: now, isEmptied: false } },
    { upsert: true, writeConcern: DURABLE },
  );
}

export async function isRemoved({ removedAccounts }: Database, accountId: string): Promise<boolean> {
  return (await removedAccounts.findOne({ _id: accountId }, { projection: { _id: 1 } })) !== null;
}

export async function removedAccounts(database: Database, limit: number): Promise<RemovedAccount[]> {
  const found = await database.removedAccounts
    .find({ isEmptied: false }, { hint: INDEX.accountsToEmpty, sort: { at: 1 }, limit })
    .toArray();
  return found.map(({ _id, at }) => ({ accountId: _id, at }));
}

export async function accountEmptied({ removedAccounts, counts }: Database, accountId: string): Promise<void> {
  await removedAccounts.updateOne({ _id: accountId }, { $set: { isEmptied: true } }, { writeConcern: DURABLE });
  await counts.deleteOne({ _id: accountId }, { writeConcern: DURABLE });
}
