import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CallStatus } from '@call-analytics/contracts';
import type { Connection } from 'mongoose';
import mongoose from 'mongoose';
import { accountsIn, type CopiedCalls, callsIn, checkVersion } from '../sqlite/copy.ts';
import { connect, DURABLE, databaseOf, MAJORITY, prepare } from './database.ts';
import { newDocument, toCall, wordsOf } from './documents.ts';
import { SchemaVersions } from './migrations.ts';
import type { CallDocument } from './schema.ts';

// Copies of collections as files `NAME.bson`, one document after the other, which mongorestore and bsondump read too.
// A restore also takes its documents from elsewhere, such as the database of a standalone installation.

const { BSON } = mongoose.mongo;
const VERSIONS = new SchemaVersions();
const CALLS = 'calls';
const REMOVED_ACCOUNTS = 'removed_accounts';
const INDEXING = 'search_indexing';
const ACCOUNT_SETTINGS = 'account_settings';
const SPENDING = 'spending';
/** What a copy of the calls has beside the accounts, in files of these names. */
export const CALL_COLLECTIONS = [CALLS, INDEXING, REMOVED_ACCOUNTS, ACCOUNT_SETTINGS, SPENDING] as const;
const BATCH_BYTES = 8 * 2 ** 20;
/** A recording is deleted a moment before its call says so. */
const LOOKS = { times: 20, everyMs: 250 };

type Raw = mongoose.mongo.Document;
/** The documents of a collection, by its name. */
export type Documents = (collection: string) => AsyncIterable<Raw> | Iterable<Raw>;

/**
 * Copies calls, each as it is in one atomic read, while services work. Leaders, workers, drains and counts are left
 * out: the services make the first two, operators the third, `restoreCalls` the last.
 * @param copyRecording copies the recording of a key; false when the audio store has none
 * @throws Error when an unfinished call has no recording; as `connect`
 */
export async function copyCalls(
  url: string,
  folder: string,
  copyRecording: (key: string) => Promise<boolean>,
): Promise<CopiedCalls> {
  return using(url, async (connection) => {
    const { calls } = databaseOf(connection);
    const copied = { calls: 0, recordings: new Set<string>(), accountIds: new Set<string>() };
    const add = (bytes: Buffer, { accountId }: { accountId: string }) => {
      copied.calls += 1;
      copied.accountIds.add(accountId);
      return bytes;
    };
    // A call that needs its recording is read again when the recording is copied: meanwhile it may have ended.
    async function* documents(): AsyncGenerator<Buffer> {
      const unfinished: { id: string; key: string }[] = [];
      for await (const bytes of asBuffers(calls.find({}, { raw: true, ...MAJORITY }))) {
        const call = callOf(bytes);
        if (needsRecording(call)) unfinished.push({ id: call.id, key: call.audio.key });
        else yield add(bytes, call);
      }
      for (const { id, key } of unfinished) {
        const isCopied = await copyRecording(key);
        for (let look = 1; ; look += 1) {
          const bytes = await firstOf(asBuffers(calls.find({ _id: id }, { raw: true, ...MAJORITY })));
          if (bytes === undefined) break;
          const call = callOf(bytes);
          if (!needsRecording(call) || isCopied) {
            if (needsRecording(call)) copied.recordings.add(key);
            yield add(bytes, call);
            break;
          }
          if (look === LOOKS.times) throw new Error(`The recording of the unfinished call ${id} is missing.`);
          await sleep(LOOKS.everyMs);
        }
      }
    }
    // Its progress first: then calls that it says are indexed are so in the copy.
    await copyTo(folder, INDEXING, asBuffers(collectionOf(connection, INDEXING).find({}, { raw: true, ...MAJORITY })));
    await copyTo(folder, CALLS, documents());
    return { calls: copied.calls, recordings: [...copied.recordings], accountIds: [...copied.accountIds] };
  });
}

/** The accounts whose calls are being deleted, and the rest of accounts. Copied after accounts and calls. */
export function copyRemovedAccounts(url: string, folder: string): Promise<void> {
  return copyCollections(url, [REMOVED_ACCOUNTS, ACCOUNT_SETTINGS, SPENDING], folder);
}

/** Copies collections as they are at one moment. For some seconds of reading at most: MongoDB keeps no older past. */
export async function copyCollections(url: string, names: readonly string[], folder: string): Promise<void> {
  await using(url, async (connection) => {
    const session = await connection.startSession({ snapshot: true });
    try {
      for (const name of names)
        await copyTo(folder, name, asBuffers(collectionOf(connection, name).find({}, { raw: true, session })));
    } finally {
      await session.endSession();
    }
  });
}

/** @returns the ids of the documents of a copied collection */
export async function idsIn(folder: string, name: string): Promise<Set<string>> {
  const ids = new Set<string>();
  for await (const { _id } of documentsIn(folder)(name)) ids.add(String(_id));
  return ids;
}

/** @throws Error when a collection has documents */
export async function refuseUnlessEmpty(url: string, name: string = CALLS): Promise<void> {
  const found = await using(url, (connection) =>
    collectionOf(connection, name).findOne({}, { projection: { _id: 1 } }),
  );
  if (found !== null)
    throw new Error(`The database has ${name}. Restore to an empty database, or drop this one first.`);
}

/** Restores calls to an empty database, with their indexes and counts. @returns how many */
export async function restoreCalls(url: string, from: Documents): Promise<number> {
  return using(url, async (connection) => {
    await prepare(connection);
    const counts = new Map<string, Partial<Record<CallStatus, number>>>();
    await restore(connection, from, INDEXING);
    // Cleanup deletes what the copy still has of their calls.
    await restore(connection, from, REMOVED_ACCOUNTS, (account) => ({ ...account, isEmptied: false }));
    await restore(connection, from, ACCOUNT_SETTINGS);
    await restore(connection, from, SPENDING);
    const calls = await restore(connection, from, CALLS, (document) => {
      const { accountId, counted } = document as CallDocument;
      const ofAccount = counts.get(accountId) ?? {};
      if (counted != null) counts.set(accountId, { ...ofAccount, [counted]: (ofAccount[counted] ?? 0) + 1 });
      return document;
    });
    const documents = [...counts].map(([_id, ofAccount]) => ({ _id, calls: ofAccount }));
    if (documents.length > 0) await databaseOf(connection).counts.insertMany(documents, { writeConcern: DURABLE });
    return calls;
  });
}

/** Restores collections. Their services create the indexes when they start. */
export async function restoreCollections(url: string, names: readonly string[], from: Documents): Promise<void> {
  await using(url, async (connection) => {
    for (const name of names) await restore(connection, from, name);
  });
}

async function restore(
  connection: Connection,
  from: Documents,
  name: string,
  change: (document: Raw) => Raw = (document) => document,
): Promise<number> {
  let [restored, batch, bytesInBatch] = [0, [] as Raw[], 0];
  const write = async () => {
    // Not inserted: a service that was started has documents of its own, such as the settings of the installation.
    const operations = batch.map((replacement) => ({
      replaceOne: { filter: { _id: replacement._id }, replacement, upsert: true },
    }));
    if (operations.length > 0)
      await collectionOf(connection, name).bulkWrite(operations, { ordered: false, writeConcern: DURABLE });
    restored += operations.length;
    [batch, bytesInBatch] = [[], 0];
  };
  for await (const document of from(name)) {
    batch.push(change(document));
    bytesInBatch += BSON.calculateObjectSize(document);
    if (bytesInBatch >= BATCH_BYTES) await write();
  }
  await write();
  return restored;
}

function needsRecording({ status, audio, removal }: ReturnType<typeof toCall>): boolean {
  return audio.deletedAt === null && status !== 'completed' && removal?.final !== true;
}

function callOf(bytes: Buffer): ReturnType<typeof toCall> {
  return toCall(VERSIONS.read(BSON.deserialize(bytes) as CallDocument));
}

function collectionOf(connection: Connection, name: string): mongoose.mongo.Collection<Raw> {
  if (connection.db === undefined) throw new Error('the connection is not open');
  return connection.db.collection<Raw>(name);
}

async function firstOf(documents: AsyncIterable<Buffer>): Promise<Buffer | undefined> {
  for await (const bytes of documents) return bytes;
  return undefined;
}

/** A cursor with `raw: true`, whose documents are bytes. The types of the driver do not say so. */
function asBuffers(cursor: AsyncIterable<unknown>): AsyncIterable<Buffer> {
  return cursor as AsyncIterable<Buffer>;
}

function copyTo(folder: string, name: string, documents: AsyncIterable<Buffer>): Promise<void> {
  return pipeline(documents, createWriteStream(join(folder, `${name}.bson`), { flags: 'wx', mode: 0o600 }));
}

/** The documents of copied collections. The types of numbers stay. */
export function documentsIn(folder: string): (collection: string) => AsyncIterable<Raw> {
  return async function* (collection) {
    const file = join(folder, `${collection}.bson`);
    // Copies of earlier releases have none.
    if ((collection === ACCOUNT_SETTINGS || collection === SPENDING) && !existsSync(file)) return;
    let rest = Buffer.alloc(0);
    for await (const chunk of createReadStream(file, { highWaterMark: 2 ** 20 })) {
      rest = Buffer.concat([rest, chunk as Buffer]);
      // A document of BSON begins with its length.
      while (rest.length >= 4 && rest.length >= rest.readInt32LE(0)) {
        const size = rest.readInt32LE(0);
        yield BSON.deserialize(rest.subarray(0, size), { promoteValues: false });
        rest = rest.subarray(size);
      }
    }
    if (rest.length > 0) throw new Error(`${collection}.bson ends in the middle of a document.`);
  };
}

async function using<T>(url: string, use: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await connect(url);
  try {
    return await use(connection);
  } finally {
    await connection.close();
  }
}

const { current: schemaVersion } = new SchemaVersions();

/**
 * The calls of a standalone installation as documents of MongoDB, with the same ids, versions and times.
 * @param file a copy of its database, which is not changed
 * @throws Error when another release has written it
 */
export function documentsInSqlite(file: string): Documents {
  checkVersion(file);
  return function* (collection) {
    if (collection === 'removed_accounts')
      for (const { id, at } of accountsIn(file).removed) yield { _id: id, at, isEmptied: false };
    if (collection === 'account_settings') {
      const settings = Object.groupBy(accountsIn(file).settings, ({ accountId }) => accountId);
      for (const [_id, ofAccount = []] of Object.entries(settings))
        yield { _id, ...Object.fromEntries(ofAccount.map(({ name, revision, value }) => [name, { revision, value }])) };
    }
    if (collection === 'spending')
      for (const { day, ...spent } of accountsIn(file).spending) yield { _id: `${day} ${spent.accountId}`, ...spent };
    if (collection !== 'calls') return;
    for (const { call, transcript, analysis, segments, costs, paidSeconds, ...rest } of callsIn(file)) {
      const content = { ...(transcript && { transcript }), ...(analysis && { analysis }) };
      const paid = Object.fromEntries(costs.map(({ attempt, ...cost }) => [attempt, cost]));
      const words = wordsOf(call.fileName, content);
      const about = { ...rest, schemaVersion, words, at: call.updatedAt };
      const { uncounted: _, ...document } = newDocument(call, about);
      // SQLite keeps the segments beside the transcript that replaces them.
      yield {
        ...document,
        ...content,
        ...(costs.length > 0 && { costs: paid }),
        ...(paidSeconds !== null && { paidSeconds }),
        counted: document.status,
        segments: transcript ? [] : segments,
      };
    }
  };
}
