import type { Clock } from '@call-analytics/service-kit';
import type mongoose from 'mongoose';
import type { Call } from '../record.ts';
import type { CallStore } from '../store.ts';
import type { Database } from './database.ts';
import { toCall } from './documents.ts';
import type { QueueReader } from './queues.ts';
import { type CallDocument, RECORD_FIELDS } from './schema.ts';
import type { Totals } from './totals.ts';
import type { OlderCalls } from './words.ts';

/** What the queries of the store work on, once the database is open. */
export interface Parts extends Database {
  clock: Clock;
  versions: SchemaVersions;
  totals: Totals;
  queues: QueueReader;
  older: OlderCalls;
  /** Turns errors of the driver into those of the port. */
  ask<T>(query: () => Promise<T>): Promise<T>;
}

/** Methods of the port as functions of the parts. */
export type Queries = {
  [Name in keyof CallStore]?: CallStore[Name] extends (...args: infer Args) => infer Result
    ? (parts: Parts, ...args: Args) => Result
    : never;
};

export async function callsWhere(
  { calls, versions }: Pick<Parts, 'calls' | 'versions'>,
  filter: mongoose.mongo.Filter<CallDocument>,
  options: mongoose.mongo.FindOptions,
): Promise<Call[]> {
  const found = await calls.find(filter, { projection: RECORD_FIELDS, ...options }).toArray();
  return found.map((document) => toCall(versions.read(document)));
}

/**
 * Entry n brings a document from schema version n + 1 to n + 2. It gets some or all of the fields, and leaves unknown
 * ones alone.
 */
export type Migration = (document: CallDocument) => CallDocument;

/**
 * Append only. A document is migrated when it is read, and written back when it is read to be changed. So a migration
 * may only add, split or rename fields that no index or query uses; others need a script that rewrites all documents
 * first. During a rollout a release reads what the next one writes: ship the reading first, then the writing.
 */
export const MIGRATIONS: readonly Migration[] = [];

export class SchemaVersions {
  readonly #migrations: readonly Migration[];

  constructor(migrations: readonly Migration[] = MIGRATIONS) {
    this.#migrations = migrations;
  }

  get current(): number {
    return this.#migrations.length + 1;
  }

  /** @throws Error when a newer release has written the document */
  read(document: CallDocument): CallDocument {
    const { schemaVersion } = document;
    if (schemaVersion === this.current) return document;
    if (schemaVersion > this.current) {
      throw new Error(
        `The call ${document._id} has schema version ${schemaVersion}, and this release knows versions up to ${this.current}: ` +
          'it was written by a newer release. Start that release.',
      );
    }
    const migrated = this.#migrations.slice(schemaVersion - 1).reduce((each, migration) => migration(each), document);
    return { ...migrated, schemaVersion: this.current };
  }
}
