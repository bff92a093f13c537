import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { types } from 'node:util';
import { openSqlite, passingSqliteError } from '@call-analytics/service-kit/sqlite';
import type { User } from '../accounts.ts';
import { accountsUnavailable } from '../refusals.ts';

/** How long a write waits for another process to finish its own. */
export const BUSY_TIMEOUT_MS = 5_000;

/**
 * A connection to the accounts database, brought to its newest version.
 * @param file made, with its folder, when it is not there
 * @throws WorkError `transient` `accounts_unavailable` when it cannot be opened now; Error when a newer version made it
 */
export function openDatabase(file: string): DatabaseSync {
  return unavailable(() =>
    openSqlite(file, {
      busyTimeoutMs: BUSY_TIMEOUT_MS,
      // FULL: a key that was shown to its owner, and a revocation that was confirmed, survive the loss of power.
      pragmas: 'PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON',
      migrations: MIGRATIONS,
      name: 'The accounts database',
    }),
  );
}

/** @param work all or nothing. It must not await: another user of the connection would get into the transaction. */
export function inTransaction<T>(db: DatabaseSync, work: () => T): T {
  try {
    db.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      db.exec('COMMIT');
      return result;
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK');
      throw error;
    }
  } catch (error) {
    throw asAccountsError(error);
  }
}

/** @returns WorkError `transient` `accounts_unavailable` for what may pass; otherwise the error itself */
function asAccountsError(error: unknown): unknown {
  const isOfDisk = (error as NodeJS.ErrnoException | null)?.syscall !== undefined;
  return isOfDisk || passingSqliteError(error) !== null ? accountsUnavailable(error) : error;
}

export function unavailable<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw asAccountsError(error);
  }
}

export async function withStoreErrors<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw asAccountsError(error);
  }
}

type Value = SQLInputValue | Date;

/**
 * Asks for rows and changes them; a date becomes milliseconds. Throws WorkError `transient` `accounts_unavailable` when
 * that cannot be done now.
 */
export class Rows {
  readonly #db: DatabaseSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  get<Row>(sql: string, ...values: Value[]): Row | undefined {
    return unavailable(() => this.#db.prepare(sql).get(...stored(values))) as unknown as Row | undefined;
  }

  all<Row>(sql: string, ...values: Value[]): Row[] {
    return unavailable(() => this.#db.prepare(sql).all(...stored(values))) as unknown as Row[];
  }

  /** @returns how many rows changed */
  run(sql: string, ...values: Value[]): number {
    return Number(unavailable(() => this.#db.prepare(sql).run(...stored(values))).changes);
  }
}

function stored(values: readonly Value[]): SQLInputValue[] {
  return values.map((value) => (types.isDate(value) ? value.getTime() : value));
}

/** A user, of `users u`. */
export const USER = 'u.id AS user_id, u.name AS user_name, u.email';

export interface UserRow {
  user_id: string;
  user_name: string;
  email: string;
}

export function userOf({ user_id: id, user_name: name, email }: UserRow): User {
  return { id, name, email };
}

/** Each entry is one version (`user_version`). A released entry never changes: a change is a new entry. */
const MIGRATIONS: readonly string[] = [
  `CREATE TABLE accounts (
     id TEXT PRIMARY KEY,
     name TEXT NOT NULL,
     created_at INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE api_keys (
     hash BLOB PRIMARY KEY,
     id TEXT NOT NULL UNIQUE,
     account_id TEXT NOT NULL REFERENCES accounts (id),
     name TEXT NOT NULL,
     prefix TEXT NOT NULL,
     created_at INTEGER NOT NULL,
     last_used_at INTEGER,
     revoked_at INTEGER
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX api_keys_by_account ON api_keys (account_id, created_at);`,

  // The first three are better-auth's, with its column names and times (ISO 8601). A test compares them with its
  // schema.
  `CREATE TABLE users (
     id TEXT PRIMARY KEY,
     name TEXT NOT NULL,
     email TEXT NOT NULL UNIQUE,
     emailVerified INTEGER NOT NULL,
     image TEXT,
     createdAt TEXT NOT NULL,
     updatedAt TEXT NOT NULL
   ) STRICT;
   CREATE TABLE sessions (
     id TEXT PRIMARY KEY,
     token TEXT NOT NULL UNIQUE,
     userId TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
     expiresAt TEXT NOT NULL,
     createdAt TEXT NOT NULL,
     updatedAt TEXT NOT NULL,
     ipAddress TEXT,
     userAgent TEXT
   ) STRICT;
   CREATE INDEX sessions_by_user ON sessions (userId);
   CREATE INDEX sessions_by_end ON sessions (expiresAt);
   CREATE TABLE credentials (
     id TEXT PRIMARY KEY,
     accountId TEXT NOT NULL,
     providerId TEXT NOT NULL,
     userId TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
     accessToken TEXT,
     refreshToken TEXT,
     idToken TEXT,
     accessTokenExpiresAt TEXT,
     refreshTokenExpiresAt TEXT,
     scope TEXT,
     password TEXT,
     createdAt TEXT NOT NULL,
     updatedAt TEXT NOT NULL
   ) STRICT;
   CREATE INDEX credentials_by_user ON credentials (userId);
   CREATE TABLE members (
     user_id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
     account_id TEXT NOT NULL REFERENCES accounts (id),
     role TEXT NOT NULL,
     joined_at INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX members_by_account ON members (account_id, joined_at, user_id);
   CREATE TABLE invitations (
     hash TEXT PRIMARY KEY,
     id TEXT NOT NULL UNIQUE,
     account_id TEXT NOT NULL REFERENCES accounts (id),
     role TEXT NOT NULL,
     created_at INTEGER NOT NULL,
     expires_at INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX invitations_by_account ON invitations (account_id, created_at, id);
   CREATE TABLE user_links (
     hash TEXT PRIMARY KEY,
     id TEXT NOT NULL UNIQUE,
     kind TEXT NOT NULL,
     user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
     created_at INTEGER NOT NULL,
     expires_at INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX user_links_by_user ON user_links (user_id);
   CREATE TABLE attempts (
     key TEXT PRIMARY KEY,
     count INTEGER NOT NULL,
     expires_at INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX attempts_by_end ON attempts (expires_at);`,

  // Keys from before may do what they could: everything, without an end. Who created them is not known.
  `ALTER TABLE api_keys ADD COLUMN scope TEXT NOT NULL DEFAULT 'write';
   ALTER TABLE api_keys ADD COLUMN created_by TEXT;
   ALTER TABLE api_keys ADD COLUMN expires_at INTEGER;
   CREATE INDEX api_keys_by_creator ON api_keys (created_by) WHERE revoked_at IS NULL;`,

  `CREATE TABLE installation (
     id INTEGER PRIMARY KEY CHECK (id = 1),
     closed INTEGER NOT NULL,
     device_secret TEXT NOT NULL
   ) STRICT;
   INSERT INTO installation (id, closed, device_secret) VALUES (1, 0, lower(hex(randomblob(32))));
   CREATE TABLE sign_up_links (
     hash TEXT PRIMARY KEY,
     email TEXT,
     created_at INTEGER NOT NULL,
     expires_at INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX sign_up_links_by_end ON sign_up_links (expires_at);`,
];
/** Of the database of this release. */
export const VERSION = MIGRATIONS.length;
