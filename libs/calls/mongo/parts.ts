import type { Clock } from '@call-analytics/service-kit';
import type mongoose from 'mongoose';
import type { Call } from '../record.ts';
import type { CallStore } from '../store.ts';
import type { Database } from './database.ts';
import { toCall } from './documents.ts';
import type { Migrations } from './migrations.ts';
import type { QueueReader } from './queues.ts';
import { type CallDocument, RECORD_FIELDS } from './schema.ts';
import type { Totals } from './totals.ts';

/** What the queries of the store work on, once the database is open. */
export interface Parts extends Database {
  clock: Clock;
  versions: SchemaVersions;
  totals: Totals;
  queues: QueueReader;
  migrations: Migrations;
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
 * Append only. A document is migrated when it is read, and written back when it is read to be changed or when cleanup
 * comes by. A migration computes new fields from those of the version before, and keeps these: the previous release
 * runs beside this one, reads the new version, and its writes make documents of its own version again. A field is
 * removed one version after its successor has come.
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

  /** The version of this release, and that of the next one, which has all the fields of this one. */
  get writable(): number[] {
    return [this.current, this.current + 1];
  }

  /** @throws Error when a release after the next one has written the document */
  read(document: CallDocument): CallDocument {
    const { schemaVersion } = document;
    if (this.writable.includes(schemaVersion)) return document;
    if (schemaVersion > this.current) {
      throw new Error(
        `The call ${document._id} has schema version ${schemaVersion}, and this release reads versions up to ${this.current + 1}: ` +
          'it was written by a newer release. Start that release.',
      );
    }
    const migrated = this.#migrations.slice(schemaVersion - 1).reduce((each, migration) => migration(each), document);
    return { ...migrated, schemaVersion: this.current };
  }
}
