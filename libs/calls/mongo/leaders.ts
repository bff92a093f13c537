import mongoose from 'mongoose';
import { DURABLE } from './connection.ts';
import type { Database } from './database.ts';

const DUPLICATE_KEY = 11000;

/** One write: it finds the role free or held by the same process, or it tries to make it anew, which fails when another has it. */
export async function lead(
  { leaders }: Database,
  role: string,
  holder: string,
  now: Date,
  until: Date,
): Promise<boolean> {
  const mayTake = { _id: role, $or: [{ holder }, { until: { $lte: now } }] };
  try {
    await leaders.updateOne(mayTake, { $set: { holder, until } }, { upsert: true, writeConcern: DURABLE });
    return true;
  } catch (error) {
    if (error instanceof mongoose.mongo.MongoServerError && error.code === DUPLICATE_KEY) return false;
    throw error;
  }
}

export async function resign({ leaders }: Database, role: string, holder: string): Promise<void> {
  await leaders.deleteOne({ _id: role, holder }, { writeConcern: DURABLE });
}
