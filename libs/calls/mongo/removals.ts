import type { Call } from '../record.ts';
import type { Database, Index } from './database.ts';
import { EPOCH, RECORD_FIELDS, toCall } from './documents.ts';
import type { SchemaVersions } from './schema-versions.ts';
import { horizon } from './waiting.ts';

const REMOVED = 'removed';
export const REMOVAL_INDEXES: readonly Index[] = [
  // removalsDue, countRemovalsDue
  { name: REMOVED, key: { 'removal.until': 1 }, partialFilterExpression: { 'removal.until': { $gte: EPOCH } } },
];

/** Asked of the latest: what comes of it is a guarded write. */
export async function removalsDue(
  { calls }: Database,
  versions: SchemaVersions,
  now: Date,
  limit: number,
): Promise<Call[]> {
  const found = await calls
    .find(
      { $or: [{ 'removal.until': { $gte: EPOCH, $lte: now } }, { 'removal.until': { $gt: horizon(now) } }] },
      { projection: RECORD_FIELDS, hint: REMOVED, sort: { 'removal.until': 1 }, limit },
    )
    .toArray();
  return found.map((document) => toCall(versions.read(document)));
}

export async function countRemovalsDue({ calls }: Database, now: Date): Promise<number> {
  return calls.countDocuments({ 'removal.until': { $gte: EPOCH, $lte: now } }, { hint: REMOVED });
}

/** The call is counted somewhere, or marked as not yet counted; with it goes what it has in the totals, so both go in one transaction. */
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
