import type { Clock } from '@call-analytics/service-kit';
import type mongoose from 'mongoose';
import type { CallStore } from '../calls.ts';
import type { Call } from '../record.ts';
import type { Database } from './database.ts';
import { toCall } from './documents.ts';
import type { Migrations, SchemaVersions } from './migrations.ts';
import type { QueueReader } from './queues.ts';
import { type CallDocument, RECORD_FIELDS } from './schema.ts';
import type { Totals } from './totals.ts';

/** What the queries of the store work on, once the database is open. */
export interface QueryContext extends Database {
  clock: Clock;
  versions: SchemaVersions;
  totals: Totals;
  queues: QueueReader;
  migrations: Migrations;
  /** Turns errors of the driver into those of the port. */
  ask<T>(query: () => Promise<T>): Promise<T>;
}

/** Methods of the port as functions of the context. */
export type Queries = {
  [Name in keyof CallStore]?: CallStore[Name] extends (...args: infer Args) => infer Result
    ? (context: QueryContext, ...args: Args) => Result
    : never;
};

export async function callsWhere(
  { calls, versions }: Pick<QueryContext, 'calls' | 'versions'>,
  filter: mongoose.mongo.Filter<CallDocument>,
  options: mongoose.mongo.FindOptions,
): Promise<Call[]> {
  const found = await calls.find(filter, { projection: RECORD_FIELDS, ...options }).toArray();
  return found.map((document) => toCall(versions.read(document)));
}
