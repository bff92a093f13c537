import type { RemovedAccount } from '../store.ts';
import { DURABLE } from './connection.ts';
import type { Database, Index } from './database.ts';

const TO_EMPTY = 'to_empty';
export const REMOVED_ACCOUNT_INDEXES: readonly Index[] = [
  // removedAccounts
  { name: TO_EMPTY, key: { at: 1 }, partialFilterExpression: { isEmptied: false } },
];

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

export async function accountsToEmpty({ removedAccounts }: Database, limit: number): Promise<RemovedAccount[]> {
  const found = await removedAccounts.find({ isEmptied: false }, { hint: TO_EMPTY, sort: { at: 1 }, limit }).toArray();
  return found.map(({ _id, at }) => ({ accountId: _id, at }));
}

export async function accountEmptied({ removedAccounts, counts }: Database, accountId: string): Promise<void> {
  await removedAccounts.updateOne({ _id: accountId }, { $set: { isEmptied: true } }, { writeConcern: DURABLE });
  await counts.deleteOne({ _id: accountId }, { writeConcern: DURABLE });
}
