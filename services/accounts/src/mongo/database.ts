import { randomBytes } from 'node:crypto';
import {
  type CircuitBreaker,
  checkedMongoVersion,
  circuitBreaker,
  isTransientMongoError,
  type Logger,
  type Metrics,
  WorkError,
} from '@call-analytics/service-kit';
import mongoose, { type Connection, type InferSchemaType, Schema } from 'mongoose';
import type { Account, ApiKey, User } from '../accounts.ts';
import { accountsUnavailable, isOutage, UNAVAILABLE } from '../refusals.ts';
import { TABLES } from '../users/identities.ts';

const text = { type: String, required: true } as const;
const time = { type: Date, required: true } as const;
const role = { type: String, enum: ['owner', 'member'], required: true } as const;

/** `prepare` makes collections and indexes. Documents have no `__v`, because none is saved after it was read. */
const options = { autoIndex: false, autoCreate: false, versionKey: false } as const;

/**
 * The collections, with their fields and indexes; their names stay, because other releases read the same data. Of
 * `users`, `sessions` and `credentials`, which are better-auth's, these are the fields that are used here.
 */
const SCHEMAS = {
  // Whatever changes the members or keys of an account increments `memberChanges`, so that no two of them overlap.
  accounts: new Schema(
    { _id: text, name: text, createdAt: time, memberChanges: Number },
    { ...options, collection: 'accounts' },
  ).index({ createdAt: 1, _id: 1 }, { name: 'oldest_first' }),

  // `hash` is the SHA-256 of the secret, in hex. Keys of earlier versions have no scope, creator and expiry.
  keys: new Schema(
    {
      _id: text,
      hash: text,
      accountId: text,
      name: text,
      prefix: text,
      createdAt: time,
      scope: { type: String, enum: ['read', 'write'] } as const,
      createdBy: { type: String, default: null },
      expiresAt: { type: Date, default: null },
      lastUsedAt: { type: Date, default: null },
      revokedAt: { type: Date, default: null },
    },
    { ...options, collection: 'api_keys' },
  )
    .index({ hash: 1 }, { name: 'hash', unique: true })
    .index({ accountId: 1, createdAt: 1, _id: 1 }, { name: 'of_account_oldest_first' })
    .index({ createdBy: 1 }, { name: 'of_creator' }),

  users: new Schema({ _id: text, name: text, email: text }, { ...options, collection: TABLES.user }).index(
    { email: 1 },
    { name: 'email', unique: true },
  ),

  // `token` is the SHA-256 of the token, in hex.
  sessions: new Schema(
    { _id: text, token: text, userId: text, expiresAt: time },
    { ...options, collection: TABLES.session },
  )
    .index({ token: 1 }, { name: 'token', unique: true })
    .index({ userId: 1 }, { name: 'of_user' })
    .index({ expiresAt: 1 }, { name: 'by_end' }),

  credentials: new Schema(
    { _id: text, userId: text, providerId: text, password: text },
    { ...options, collection: TABLES.account },
  ).index({ userId: 1 }, { name: 'of_user' }),

  // `_id` is the user's.
  members: new Schema(
    { _id: text, accountId: text, role, joinedAt: time },
    { ...options, collection: 'members' },
  ).index({ accountId: 1, joinedAt: 1, _id: 1 }, { name: 'of_account' }),

  // `_id` of invitations, links and sign-up links is the SHA-256 of the token, in hex.
  invitations: new Schema(
    { _id: text, id: text, accountId: text, role, createdAt: time, expiresAt: time },
    { ...options, collection: 'invitations' },
  ).index({ accountId: 1, createdAt: 1, id: 1 }, { name: 'of_account' }),

  links: new Schema(
    { _id: text, id: text, kind: text, userId: text, createdAt: time, expiresAt: time },
    { ...options, collection: 'user_links' },
  ).index({ userId: 1 }, { name: 'of_user' }),

  attempts: new Schema(
    { _id: text, count: { type: Number, required: true }, expiresAt: time },
    { ...options, collection: 'attempts' },
  ).index({ expiresAt: 1 }, { name: 'by_end' }),

  signUpLinks: new Schema(
    { _id: text, email: { type: String, default: null }, createdAt: time, expiresAt: time },
    { ...options, collection: 'sign_up_links' },
  ).index({ expiresAt: 1 }, { name: 'by_end' }),

  // One document. The sign-up of a first user increments `foundings`, so that two of them cannot overlap; `closed` says
  // that an account was deleted, after which there is no first user.
  installation: new Schema(
    { _id: text, foundings: { type: Number, required: true }, closed: Boolean, deviceSecret: String },
    { ...options, collection: 'installation' },
  ),
};

/** Their names. `accounts` has the accounts. */
export const COLLECTIONS: readonly string[] = Object.values(SCHEMAS).map((schema) => String(schema.get('collection')));

type Schemas = typeof SCHEMAS;
export type DocumentOf<Name extends keyof Schemas> = InferSchemaType<Schemas[Name]> & { _id: string };
type Collections = { [Name in keyof Schemas]: mongoose.mongo.Collection<DocumentOf<Name>> };
export type Session = mongoose.mongo.ClientSession;

export function accountOf({ _id: id, name, createdAt }: DocumentOf<'accounts'>): Account {
  return { id, name, createdAt };
}

export function keyOf({ _id: id, name, prefix, createdAt, ...key }: DocumentOf<'keys'>): ApiKey {
  return {
    id,
    name,
    prefix,
    scope: key.scope ?? 'write',
    createdBy: key.createdBy ?? null,
    createdAt,
    expiresAt: key.expiresAt ?? null,
    lastUsedAt: key.lastUsedAt ?? null,
    revokedAt: key.revokedAt ?? null,
  };
}

export function userOf({ _id: id, name, email }: DocumentOf<'users'>): User {
  return { id, name, email };
}

/** How long each step may take: to find a server, to connect, to get an answer. The driver tries some steps twice. */
const TIMEOUT_MS = 5_000;

/** The database of accounts and users, over one connection that reconnects by itself. */
export class Database {
  readonly #connection: Connection;
  readonly collections: Collections;
  #closed = false;

  private constructor(connection: Connection) {
    this.#connection = connection;
    const collections = Object.entries(SCHEMAS).map(([name, schema]) => [
      name,
      this.db.collection(String(schema.get('collection'))),
    ]);
    this.collections = Object.fromEntries(collections) as Collections;
  }

  /**
   * @param url of a replica set, with the name of the database
   * @throws WorkError `transient` `accounts_unavailable` when no server can be reached now; as `checkedMongoVersion`
   */
  static async open(url: string): Promise<Database> {
    const connection = mongoose.createConnection(url, {
      appName: 'call-analytics accounts',
      serverSelectionTimeoutMS: TIMEOUT_MS,
      connectTimeoutMS: TIMEOUT_MS,
      socketTimeoutMS: TIMEOUT_MS,
      waitQueueTimeoutMS: TIMEOUT_MS,
      // A key that was shown to its owner, and a revocation that was confirmed, survive the loss of the primary.
      writeConcern: { w: 'majority', journal: true },
      readConcern: { level: 'majority' },
      readPreference: 'primary',
      // mongoose would keep operations while it is not connected and run them when no request waits for them any more.
      bufferCommands: false,
    });
    try {
      await connection.asPromise();
      const database = new Database(connection);
      await checkedMongoVersion((command) => database.db.admin().command(command));
      await prepare(connection);
      return database;
    } catch (error) {
      await connection.close(true);
      throw asAccountsError(error);
    }
  }

  get db(): mongoose.mongo.Db {
    if (this.#connection.db === undefined) throw new Error('the connection is not open');
    return this.#connection.db;
  }

  /** @throws WorkError `transient` `accounts_unavailable` when the database does not answer or is closed */
  async run<T>(ask: () => PromiseLike<T>): Promise<T> {
    // The driver would connect again.
    if (this.#closed) throw accountsUnavailable(new Error('closed'));
    try {
      return await ask();
    } catch (error) {
      throw asAccountsError(error);
    }
  }

  /** All or nothing, for a majority. Runs `work` again when another write came in between. */
  transaction<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const client = this.#connection.getClient();
    const readConcern = { level: 'snapshot' } as const;
    return this.run(() => client.withSession((session) => session.withTransaction(work, { readConcern })));
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#connection.close(true);
  }
}

/** Makes what is missing. Any number of processes may do so at once. */
async function prepare(connection: Connection): Promise<void> {
  for (const [name, schema] of Object.entries(SCHEMAS)) {
    const model = connection.model(name, schema as Schema);
    // A transaction whose first write makes the collection fails easily.
    await model.createCollection();
    await model.createIndexes();
  }
  const installation = connection.collection<DocumentOf<'installation'>>('installation');
  const _id = 'installation';
  await installation.updateOne({ _id }, { $setOnInsert: { foundings: 0 } }, { upsert: true }).catch((error) => {
    // Another process was earlier.
    if (!isDuplicate(error)) throw error;
  });
  const deviceSecret = randomBytes(32).toString('hex');
  await installation.updateOne({ _id, deviceSecret: { $exists: false } }, { $set: { deviceSecret } });
}

const DUPLICATE_KEY = 11_000;

/** Whether a document exists already with what must be unique. */
export function isDuplicate(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === DUPLICATE_KEY;
}

const { MongoServerError } = mongoose.mongo;

/** Unauthorized, AuthenticationFailed and OutOfDiskSpace: they pass when an operator has acted. */
const NEEDS_OPERATOR = new Set([13, 18, 14031]);

/** @returns WorkError `transient` `accounts_unavailable` for what may pass; otherwise the error itself */
function asAccountsError(error: unknown): unknown {
  if (error instanceof WorkError) return error;
  const needsOperator = error instanceof MongoServerError && NEEDS_OPERATOR.has(Number(error.code));
  return needsOperator || isTransientMongoError(error, mongoose) ? accountsUnavailable(error) : error;
}

/** Longer than the driver takes to find, twice, that no server answers. */
const DEADLINE_MS = 11_000;

export interface About {
  log: Logger;
  metrics: Metrics;
}

/** @param name of what asks the database, as operators see it */
export function breakerOf(name: string, about: About): CircuitBreaker {
  const deadlineMs = DEADLINE_MS;
  return circuitBreaker(name, { unavailable: UNAVAILABLE, deadlineMs, countsAsFailure: isOutage, ...about });
}
