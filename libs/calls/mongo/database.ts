import { setTimeout as sleep } from 'node:timers/promises';
import { types } from 'node:util';
import {
  backoffMs,
  checkedMongoVersion,
  failureOf,
  isTransientMongoError,
  type Logger,
  SettingsError,
  WorkError,
} from '@call-analytics/service-kit';
import mongoose, { type Connection, type Schema } from 'mongoose';
import { storeFull, storeUnavailable } from '../store.ts';
import {
  type AccountSettingsDocument,
  accountSettingsSchema,
  type CountsDocument,
  countsSchema,
  type DrainDocument,
  drainSchema,
  type LeaderDocument,
  leaderSchema,
  type ProgressDocument,
  progressSchema,
  type RemovedAccountDocument,
  removedAccountSchema,
  type SpendingDocument,
  spendingSchema,
  type WorkerDocument,
  workerSchema,
} from './collections.ts';
import { type CallDocument, callSchema } from './schema.ts';

/**
 * A server that refuses connections is noticed after `selection`, one that accepts them and does not answer after
 * `answer` and `selection`. When a majority is missing, the server itself answers, so the fate of the write is known.
 */
const TIMEOUT_MS = { selection: 3_000, connect: 2_000, answer: 5_000, majority: 4_000 };
/** How often the driver checks its servers; until it has noticed a failure, requests wait. */
const HEARTBEAT_MS = 1_000;
const REOPEN = { firstMs: 200, capMs: 2_000 };

/** Survives a loss of power, and of the primary. For writes that this process tells others about. */
export const DURABLE = { w: 'majority', journal: true, wtimeoutMS: TIMEOUT_MS.majority } as const;
/** Survives the death of this process, but not of the primary. For writes whose loss only repeats some work. */
export const PRIMARY_ONLY = { w: 1 } as const;
/** For what readers of the API see or what is published: no rollback. What decides a guarded write reads the latest. */
export const MAJORITY = { readConcern: { level: 'majority' } } as const;

type Collection<T extends mongoose.mongo.Document> = mongoose.mongo.Collection<T>;

/**
 * The collections as the driver gives them. Queries through mongoose's models would check every field once more, for a
 * third of the time of a request (0.30 ms instead of 0.21 for reading a call); nothing unchecked gets here.
 */
export interface Database {
  calls: Collection<CallDocument>;
  counts: Collection<CountsDocument>;
  leaders: Collection<LeaderDocument>;
  removedAccounts: Collection<RemovedAccountDocument>;
  accountSettings: Collection<AccountSettingsDocument>;
  spending: Collection<SpendingDocument>;
  workers: Collection<WorkerDocument>;
  drains: Collection<DrainDocument>;
  /** Of migrations. */
  progress: Collection<ProgressDocument>;
  /** All or nothing, for a majority. Runs `work` again when another write came in between. */
  transaction<T>(work: (session: mongoose.mongo.ClientSession) => Promise<T>): Promise<T>;
}

export function databaseOf(connection: Connection): Database {
  const { db } = connection;
  if (db === undefined) throw new Error('the connection is not open');
  const collection = <T extends mongoose.mongo.Document>(schema: Schema) => db.collection<T>(nameOf(schema));
  return {
    calls: collection(callSchema),
    counts: collection(countsSchema),
    leaders: collection(leaderSchema),
    removedAccounts: collection(removedAccountSchema),
    accountSettings: collection(accountSettingsSchema),
    spending: collection(spendingSchema),
    workers: collection(workerSchema),
    drains: collection(drainSchema),
    progress: collection(progressSchema),
    transaction: (work) =>
      connection
        .getClient()
        .withSession((session) =>
          session.withTransaction(work, { readConcern: { level: 'snapshot' }, writeConcern: DURABLE }),
        ),
  };
}

/** @returns such as `8.0.4` @throws as `checkedMongoVersion` */
function versionOf({ db }: Connection): Promise<string> {
  if (db === undefined) throw new Error('the connection is not open');
  return checkedMongoVersion((command) => db.admin().command(command));
}

/**
 * Connects to a replica set (of one member at least). The connection recovers by itself.
 * @param url MongoDB's connection string, with the name of the database
 * @throws WorkError `transient` `store_unavailable` when no primary can be reached now; SettingsError when the server
 * is too old or not a member of a replica set; Error when it refuses the credentials
 */
export async function connect(url: string, options: { monitorCommands?: boolean } = {}): Promise<Connection> {
  const connection = mongoose.createConnection(url, {
    appName: 'call-analytics calls',
    serverSelectionTimeoutMS: TIMEOUT_MS.selection,
    connectTimeoutMS: TIMEOUT_MS.connect,
    socketTimeoutMS: TIMEOUT_MS.answer,
    waitQueueTimeoutMS: TIMEOUT_MS.selection,
    heartbeatFrequencyMS: HEARTBEAT_MS,
    readPreference: 'primary',
    // No write concern here: each write has its own, and the driver would copy this one into the options of each read.
    // mongoose would buffer requests while disconnected and send them later, when no caller waits for the answer.
    bufferCommands: false,
    autoIndex: false,
    autoCreate: false,
    ...options,
  });
  try {
    await connection.asPromise();
    await versionOf(connection);
    return connection;
  } catch (error) {
    await connection.destroy(true);
    throw asStoreError(error);
  }
}

const databaseSchemas: readonly Schema[] = [
  callSchema,
  countsSchema,
  leaderSchema,
  removedAccountSchema,
  accountSettingsSchema,
  spendingSchema,
  workerSchema,
  drainSchema,
  progressSchema,
];

/**
 * Creates missing collections and indexes; any number of processes may do so at once. Collections come first, because
 * transactions and snapshots fail on a collection that is created meanwhile.
 */
export async function prepare(connection: Connection): Promise<void> {
  for (const schema of databaseSchemas)
    await connection.createCollection(nameOf(schema), { writeConcern: DURABLE }).catch(unlessItExists);
  for (const schema of databaseSchemas) {
    const indexes = schema.indexes().map(([key, options]) => ({ key, ...options }) as mongoose.mongo.IndexDescription);
    if (indexes.length > 0) await connection.db?.collection(nameOf(schema)).createIndexes(indexes);
  }
}

/** Connects and prepares the database in the background until that succeeds: a process may start before its store. */
export class Opening {
  readonly #open: () => Promise<Connection>;
  readonly #log: Logger | null;
  readonly #stop = new AbortController();
  readonly #ended: Promise<void>;
  #attempt: Promise<Connection>;

  constructor(url: string, log: Logger | null) {
    this.#log = log;
    this.#open = () => open(url);
    this.#attempt = this.#open();
    this.#ended = this.#untilOpen();
  }

  /** @throws why the latest attempt failed: WorkError `store_unavailable`, or Error for an unusable database */
  async connection(): Promise<Connection> {
    if (this.#stop.signal.aborted) throw storeUnavailable();
    return this.#attempt;
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#ended;
    await this.#attempt.then(
      (connection) => connection.destroy(),
      () => {},
    );
  }

  async #untilOpen(): Promise<void> {
    const { signal } = this.#stop;
    for (let failures = 0, told = ''; !signal.aborted; ) {
      try {
        await this.#attempt;
        if (failures > 0) this.#log?.info({}, 'the call database is open');
        return;
      } catch (error) {
        failures += 1;
        if (told !== String(error))
          this.#log?.[failureOf(error).kind === 'bug' ? 'error' : 'warn'](
            { err: error },
            'the call database cannot be opened; trying again',
          );
        told = String(error);
        await sleep(backoffMs(failures, REOPEN), undefined, { signal }).catch(() => {});
        if (!signal.aborted) this.#attempt = this.#open();
      }
    }
  }
}

async function open(url: string): Promise<Connection> {
  const connection = await connect(url);
  try {
    await prepare(connection);
    return connection;
  } catch (error) {
    await connection.destroy(true);
    throw asStoreError(error);
  }
}

export function nameOf(schema: Schema): string {
  return String(schema.get('collection'));
}

function unlessItExists(error: unknown): void {
  const NAMESPACE_EXISTS = 48;
  if (!(error instanceof mongoose.mongo.MongoServerError && error.code === NAMESPACE_EXISTS)) throw error;
}

interface DatabaseFacts {
  /** Of the server, such as `8.0.4`. */
  version: string;
  /** How far the clock of this machine is ahead of the server's, in ms. */
  clockAheadMs: number;
  /** `collection.index`, of those that the services create. */
  missingIndexes: string[];
  /** `collection.index`, of those that an earlier release made and this one does not use. */
  unusedIndexes: string[];
}

/** Looks at the database and changes nothing. @throws as `connect` */
export async function inspectDatabase(url: string): Promise<DatabaseFacts> {
  const connection = await connect(url);
  try {
    const db = connection.db;
    if (db === undefined) throw new Error('the connection is not open');
    const before = Date.now();
    const { localTime } = await db.admin().command({ hello: 1 });
    const clockAheadMs = (before + Date.now()) / 2 - (localTime as Date).getTime();
    const version = await versionOf(connection);
    const [missingIndexes, unusedIndexes]: [string[], string[]] = [[], []];
    for (const schema of databaseSchemas) {
      const name = nameOf(schema);
      const there = await db
        .collection(name)
        .indexes()
        .catch(() => []);
      const names = new Set(there.map((index) => String(index.name)));
      const used = new Set(['_id_', ...schema.indexes().map(([, index]) => String(index.name))]);
      missingIndexes.push(...[...used].filter((index) => !names.has(index)).map((index) => `${name}.${index}`));
      unusedIndexes.push(...[...names].filter((index) => !used.has(index)).map((index) => `${name}.${index}`));
    }
    return { version, clockAheadMs, missingIndexes, unusedIndexes };
  } finally {
    await connection.close();
  }
}

const { MongoServerError } = mongoose.mongo;

// Error codes of the server: https://github.com/mongodb/mongo/blob/r6.0.5/src/mongo/base/error_codes.yml

const AUTHENTICATION_FAILED = 18;
/** OutOfDiskSpace; AtlasError, which a hosted cluster gives for a quota that is used up. */
const FULL = new Set([14031, 8000]);
/** BSONObjectTooLarge; a document that an update would make too large, in two places of the server. */
const TOO_LARGE = new Set([10334, 17419, 17420]);

/**
 * Translates an error of the driver into one of the port.
 * @returns WorkError `transient` `store_unavailable` or `store_full` when it may pass; `rejected` `result_too_large`
 * when a record exceeds the size limit of a document; otherwise the error itself, e.g. wrong credentials or a bug
 */
export function asStoreError(error: unknown): unknown {
  if (isTooLarge(error)) {
    const message = 'The call has more text than can be stored. Upload the recording in parts.';
    return new WorkError({ kind: 'rejected', code: 'result_too_large', message }, { cause: error });
  }
  if (error instanceof MongoServerError && FULL.has(Number(error.code))) return storeFull(error);
  return isTransientMongoError(error, mongoose) || isNotConnected(error) ? storeUnavailable(error) : error;
}

/** @returns why a database that answers cannot be used, for operators: no value of a setting is in it */
export function whyUnusable(error: unknown): string {
  if (error instanceof SettingsError) return error.message;
  if (error instanceof MongoServerError && error.code === AUTHENTICATION_FAILED)
    return 'MongoDB refuses the user or the password of MONGODB_URL';
  return 'the call database cannot be used; see the log';
}

/** @returns whether an insert found that the index holds these values already */
export function isDuplicateIn(error: unknown, index: string): boolean {
  return (
    error instanceof MongoServerError && error.code === 11000 && String(error.message).includes(` index: ${index} `)
  );
}

function isTooLarge(error: unknown): boolean {
  if (error instanceof MongoServerError) return TOO_LARGE.has(Number(error.code));
  // The driver makes documents in a buffer of 17 MB, and does not look whether there is room before it writes.
  return types.isNativeError(error) && 'code' in error && error.code === 'ERR_OUT_OF_RANGE';
}

/** What mongoose says to a request while it is not connected has no class of its own. */
function isNotConnected(error: unknown): boolean {
  return error instanceof mongoose.Error && /bufferCommands|not connected|initial connection/.test(error.message);
}
