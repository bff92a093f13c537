import mongoose, { type Connection } from 'mongoose';
import { AUDIO_INDEXES } from './audio.ts';
import { WORD_INDEXES } from './call-words.ts';
import { DURABLE } from './connection.ts';
import { databaseOf, type Index } from './database.ts';
import { LISTING_INDEXES } from './listing.ts';
import { OUTBOX_INDEXES } from './outbox.ts';
import { RECORD_INDEXES } from './records.ts';
import { REMOVAL_INDEXES } from './removals.ts';
import { REMOVED_ACCOUNT_INDEXES } from './removed-accounts.ts';
import { TOTAL_INDEXES } from './totals.ts';
import { WAITING_INDEXES } from './waiting.ts';
import { WORKER_INDEXES } from './workers.ts';

/** Each is declared beside the query that it serves. A name stays with its keys for ever: other releases read the same data. */
const CALL_INDEXES: Index[] = [
  ...RECORD_INDEXES,
  ...LISTING_INDEXES,
  ...WORD_INDEXES,
  ...TOTAL_INDEXES,
  ...WAITING_INDEXES,
  ...OUTBOX_INDEXES,
  ...AUDIO_INDEXES,
  ...REMOVAL_INDEXES,
];

/** Makes collections and indexes that are missing; what is there already costs nothing. Any number of processes may do so at once. */
export async function prepare(connection: Connection): Promise<void> {
  const { calls, counts, leaders, removedAccounts, workers, indexing } = databaseOf(connection);
  // By name, because the first write of each would make it while transactions and snapshots are under way, which bear that badly.
  for (const { collectionName } of [calls, counts, leaders, removedAccounts, workers, indexing]) {
    await connection.db?.createCollection(collectionName, { writeConcern: DURABLE }).catch(unlessThere);
  }
  await calls.createIndexes(CALL_INDEXES);
  await removedAccounts.createIndexes([...REMOVED_ACCOUNT_INDEXES]);
  await workers.createIndexes([...WORKER_INDEXES]);
}

function unlessThere(error: unknown): void {
  const NAMESPACE_EXISTS = 48;
  if (!(error instanceof mongoose.mongo.MongoServerError && error.code === NAMESPACE_EXISTS)) throw error;
}
