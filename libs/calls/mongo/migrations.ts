import mongoose from 'mongoose';
import { callsToMigrate, firstIdAt, type MigrationState, ROLLOUT_MS } from '../store.ts';
import type { ProgressDocument } from './collections.ts';
import { type Database, DURABLE, PRIMARY_ONLY } from './database.ts';
import { SEARCHED_FIELDS, wordsOf } from './documents.ts';
import { type CallDocument, RETIRED_INDEXES, type WordSource } from './schema.ts';

const AFTER_ALL = '~';
/** Attempts for a call that others write at the same time. */
const MAX_ATTEMPTS = 10;
/** `migrations` counts so many calls that are left, and no more. */
const MAX_COUNTED = 1_000_000;
// https://www.mongodb.com/docs/manual/reference/error-codes/
const UNAUTHORIZED = 13;
const INDEX_NOT_FOUND = 27;

const isThere = (field: string) => ({ $ne: [{ $type: `$${field}` }, 'missing'] });
const SOURCE = { $cond: [isThere('analysis'), 'analysis', { $cond: [isThere('transcript'), 'transcript', 'name'] }] };

/** Entry n brings a document from schema version n + 1 to n + 2. It may get some fields; unknown ones stay. */
export type Migration = (document: CallDocument) => CallDocument;

/**
 * Append only. A migration adds fields; an old field is removed one version later, because the previous release runs
 * beside this one, reads the new version, and writes documents of its own version again. There is none yet: all
 * documents have version 1.
 */
export const MIGRATIONS: readonly Migration[] = [];

/** A document is migrated when it is read, and written back when a request changes it or cleanup finds it. */
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

/**
 * Brings the database to what this release writes, in the background: rewrites calls of earlier schema versions,
 * indexes the words of calls for search, and drops indexes that only earlier releases use. The progress is in the
 * database, so another process goes on where one has stopped.
 */
export class Migrations {
  readonly #database: Database;
  readonly #versions: SchemaVersions;
  /** One for each schema version: beside this release, an earlier one goes through the calls for itself. */
  readonly #id: string;
  #hasBegun = false;

  constructor(database: Database, versions: SchemaVersions) {
    this.#database = database;
    this.#versions = versions;
    this.#id = versions.current === 1 ? 'calls' : `calls ${versions.current}`;
  }

  /**
   * Goes through the calls, newest first by their ids, and then looks after the indexes. Each process starts once with
   * the calls of the last two days.
   * @returns how many calls it looked at; 0 when none is left
   */
  async run(limit: number, now: Date): Promise<number> {
    const { calls, progress } = this.#database;
    const { before, until } = await this.#begin(now);
    const projection = { schemaVersion: 1, wordSource: 1, source: SOURCE };
    const range = { _id: { $gte: until, $lt: before } };
    const looked = await calls.find(range, { projection, sort: { _id: -1 }, limit }).toArray();
    for (const { _id, schemaVersion, wordSource, ...rest } of looked) {
      if (schemaVersion < this.#versions.current) await rewrite(this.#database, this.#versions, _id);
      if (wordSource !== (rest as { source?: WordSource }).source) await this.#index(_id);
    }
    const next = { $set: { before: looked.at(-1)?._id ?? until } };
    // A majority that has this write has the rewritten calls before it too.
    await progress.updateOne({ _id: this.#id, before }, next, { writeConcern: DURABLE });
    if (looked.length === 0) await this.#dropRetiredIndexes(now);
    return looked.length;
  }

  async states(): Promise<MigrationState[]> {
    const { calls, progress } = this.#database;
    const found = await progress.findOne({ _id: this.#id });
    const { before = AFTER_ALL, until = '' } = found ?? {};
    const left = await calls.countDocuments(
      { _id: { $gte: until, $lt: before } },
      { limit: MAX_COUNTED, hint: '_id_' },
    );
    const there = await this.#retiredIndexes();
    const states = RETIRED_INDEXES.map(async (name): Promise<MigrationState> => {
      const about = { name: `index ${name}` };
      if (!there.includes(name)) return { ...about, state: 'done', text: 'is not there' };
      const { since, isRefused } = (await progress.findOne({ _id: about.name })) ?? {};
      const waiting = { ...about, state: 'waiting' } as const;
      if (isRefused)
        return { ...waiting, text: 'The MongoDB user of cleanup lacks indexStats and dropIndex on calls.' };
      if (since === undefined) return { ...waiting, text: 'Cleanup has not looked at it yet.' };
      const earliest = new Date(since.getTime() + ROLLOUT_MS).toISOString();
      return {
        ...waiting,
        text: `An earlier release may use it. It is dropped at ${earliest} if it is not used before.`,
      };
    });
    return [callsToMigrate(left, left === MAX_COUNTED), ...(await Promise.all(states))];
  }

  async #begin(now: Date): Promise<{ before: string; until: string }> {
    const { progress } = this.#database;
    const first = { before: AFTER_ALL, until: '' };
    const options = { upsert: true, returnDocument: 'after', writeConcern: DURABLE } as const;
    const found = await progress.findOneAndUpdate({ _id: this.#id }, { $setOnInsert: first }, options);
    const begun = { ...first, ...found };
    const isFirst = !this.#hasBegun;
    this.#hasBegun = true;
    if (!isFirst || begun.before > begun.until) return begun;
    const again = { before: AFTER_ALL, until: firstIdAt(new Date(now.getTime() - ROLLOUT_MS)) };
    await progress.updateOne({ _id: this.#id, before: begun.before }, { $set: again }, { writeConcern: DURABLE });
    return again;
  }

  async #index(callId: string): Promise<void> {
    const { calls } = this.#database;
    for (let left = MAX_ATTEMPTS; left > 0; left -= 1) {
      const found = await calls.findOne({ _id: callId }, { projection: SEARCHED_FIELDS });
      if (found === null) return;
      const { fileName, version, transcript, analysis } = found;
      const words = wordsOf(fileName, { ...(transcript && { transcript }), analysis: analysis ?? null });
      const written = await calls.updateOne({ _id: callId, version }, { $set: words }, { writeConcern: PRIMARY_ONLY });
      if (written.matchedCount === 1) return;
    }
  }

  /**
   * Drops an index that MongoDB has counted no use of for the time of a rollout: a dispatcher of the release that used
   * it does so each second. A release that is started again creates it again.
   */
  async #dropRetiredIndexes(now: Date): Promise<void> {
    const { calls, progress } = this.#database;
    for (const name of await this.#retiredIndexes()) {
      const save = ($set: Partial<ProgressDocument>) =>
        progress.updateOne({ _id: `index ${name}` }, { $set }, { upsert: true, writeConcern: DURABLE });
      try {
        const stats = await calls.aggregate([{ $indexStats: {} }, { $match: { name } }]).toArray();
        // The count begins anew when the server starts, and on another primary.
        const uses = stats.map(({ host, accesses }) => `${host} ${accesses.since.getTime()} ${accesses.ops}`).join();
        const last = await progress.findOne({ _id: `index ${name}` });
        if (last?.uses !== uses || last.since === undefined) await save({ uses, since: now, isRefused: false });
        else if (now.getTime() - last.since.getTime() >= ROLLOUT_MS) await calls.dropIndex(name);
      } catch (error) {
        const code = error instanceof mongoose.mongo.MongoServerError ? error.code : null;
        if (code === UNAUTHORIZED) await save({ isRefused: true });
        // Another process has dropped it.
        else if (code !== INDEX_NOT_FOUND) throw error;
      }
    }
  }

  async #retiredIndexes(): Promise<string[]> {
    const there = (await this.#database.calls.indexes()).map(({ name }) => name);
    return RETIRED_INDEXES.filter((name) => there.includes(name));
  }
}

/** Rewrites a call of an earlier schema version, unless another write has changed it meanwhile. */
export async function rewrite({ calls }: Pick<Database, 'calls'>, versions: SchemaVersions, id: string): Promise<void> {
  const old = await calls.findOne({ _id: id });
  if (old === null || old.schemaVersion >= versions.current) return;
  const { _id, version, schemaVersion } = old;
  await calls.replaceOne({ _id, version, schemaVersion }, versions.read(old), { writeConcern: DURABLE });
}
