import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { types } from 'node:util';
import { privateDatabaseFile, WorkError } from '@call-analytics/service-kit';
import { accountsUnavailable } from '../refusals.ts';
import type { User } from '../users.ts';
import { migrate } from './schema.ts';

/** How long a write waits for another process to finish its own. */
export const BUSY_TIMEOUT_MS = 5_000;
/** https://www.sqlite.org/rescode.html#busy */
const SQLITE_BUSY = 5;

/**
 * A connection to the accounts database, brought to its newest version.
 * @param file made, with its folder, when it is not there
 * @throws WorkError `transient` `accounts_unavailable` when it cannot be opened; Error when a newer version made it
 */
export function openDatabase(file: string): DatabaseSync {
  return unavailable(() => {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    privateDatabaseFile(file);
    const db = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
    try {
      // FULL: a key that was shown to its owner, and a revocation that was confirmed, survive the loss of power.
      useWal(db);
      db.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON');
      migrate(db);
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  });
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

/** SQLite's busy timeout does not apply when two processes switch a new database to WAL: one fails at once. */
function useWal(db: DatabaseSync): void {
  const until = Date.now() + BUSY_TIMEOUT_MS;
  for (;;) {
    try {
      db.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if ((error as { errcode?: number }).errcode !== SQLITE_BUSY || Date.now() > until) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

/** Errors of SQLite and of the disk carry a `code`. They can pass: a full disk, a locked database. */
function asAccountsError(error: unknown): unknown {
  if (error instanceof WorkError || (error as { code?: string }).code === undefined) return error;
  return accountsUnavailable(error);
}

export function unavailable<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw asAccountsError(error);
  }
}

export async function asking<T>(ask: () => Promise<T>): Promise<T> {
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
