import { firstIdAt } from '../store.ts';
import { type Database, DURABLE, MAJORITY } from './database.ts';
import { callsWhere, type Queries } from './parts.ts';
import { horizon } from './queues.ts';
import { EPOCH, FINISHED, INDEX, NOT_SET } from './schema.ts';

const audioDueAt = (now: Date) => ({
  'audio.deletedAt': NOT_SET,
  'audio.deleteAfter': { $gte: EPOCH, $lte: now },
  stage: null,
});

/** Recordings that are due, removed calls, and removed accounts. */
export const cleanupQueries = {
  /** Longest due first, of a majority: if the end of the call were lost, its recording could not come back. */
  audioDue: (parts, now, limit) =>
    callsWhere(parts, audioDueAt(now), {
      hint: INDEX.audioDue,
      sort: { 'audio.deleteAfter': 1 },
      limit,
      ...MAJORITY,
    }),

  /** Reads the latest state, not a majority's: a call that is being written already needs its recording. */
  async audioKeysInUse({ calls }, keys) {
    if (keys.length === 0) return new Set();
    const found = await calls
      .find(
        { 'audio.key': { $in: keys }, 'audio.deletedAt': NOT_SET },
        { projection: { _id: 0, 'audio.key': 1 }, hint: INDEX.audioByKey },
      )
      .toArray();
    return new Set(found.map(({ audio }) => audio.key));
  },

  /** A call that ended by then was created by then, and its id says when. Removed calls have no status. */
  finishedBefore: (parts, endedBefore, limit) =>
    callsWhere(
      parts,
      { _id: { $lt: firstIdAt(endedBefore) }, updatedAt: { $lt: endedBefore }, status: FINISHED },
      { hint: { _id: 1 }, sort: { _id: 1 }, limit, ...MAJORITY },
    ),

  /** Reads the latest state: what follows is a guarded write. */
  removalsDue: (parts, now, limit) =>
    callsWhere(
      parts,
      { $or: [{ 'removal.until': { $gte: EPOCH, $lte: now } }, { 'removal.until': { $gt: horizon(now) } }] },
      { hint: INDEX.removed, sort: { 'removal.until': 1 }, limit },
    ),

  /** One transaction deletes the call and takes it out of the totals, if it is counted there. */
  purge: ({ calls, counts, transaction }, callId, version) =>
    transaction(async (session) => {
      const projection = { accountId: 1, counted: 1 } as const;
      const gone = await calls.findOneAndDelete({ _id: callId, version }, { projection, session });
      if (gone === null) return false;
      if (gone.counted != null)
        await counts.updateOne({ _id: gone.accountId }, { $inc: { [`calls.${gone.counted}`]: -1 } }, { session });
      return true;
    }),

  async removeAccount({ removedAccounts, accountSettings }, accountId, now) {
    const mark = { $setOnInsert: { at: now, isEmptied: false } };
    await removedAccounts.updateOne({ _id: accountId }, mark, { upsert: true, writeConcern: DURABLE });
    await forgetSettings(accountSettings, accountId);
  },

  async removedAccounts({ removedAccounts }, limit) {
    const options = { hint: INDEX.accountsToEmpty, sort: { at: 1 }, limit } as const;
    const found = await removedAccounts.find({ isEmptied: false }, options).toArray();
    return found.map(({ _id, at }) => ({ accountId: _id, at }));
  },

  async accountEmptied({ removedAccounts, accountSettings, counts, spending }, accountId) {
    await forgetSettings(accountSettings, accountId);
    await removedAccounts.updateOne({ _id: accountId }, { $set: { isEmptied: true } }, { writeConcern: DURABLE });
    await counts.deleteOne({ _id: accountId }, { writeConcern: DURABLE });
    await spending.deleteMany({ accountId }, { writeConcern: DURABLE });
  },
} satisfies Queries;

/** An update and not a deletion, because the gateway may delete no documents. */
async function forgetSettings(settings: Database['accountSettings'], accountId: string): Promise<void> {
  await settings.updateOne({ _id: accountId }, [{ $replaceWith: { _id: '$_id' } }], { writeConcern: DURABLE });
}

export function countAudioDue({ calls }: Pick<Database, 'calls'>, now: Date): Promise<number> {
  return calls.countDocuments(audioDueAt(now), { hint: INDEX.audioDue });
}

export function countRemovalsDue({ calls }: Pick<Database, 'calls'>, now: Date): Promise<number> {
  return calls.countDocuments({ 'removal.until': { $gte: EPOCH, $lte: now } }, { hint: INDEX.removed });
}
