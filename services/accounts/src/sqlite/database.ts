import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { privateDatabaseFile } from '@call-analytics/service-kit';
import { asAccountsError, unavailable } from './errors.ts';
import { migrate } from './schema.ts';

/** How long a write waits for another process to finish its own. */
export const BUSY_TIMEOUT_MS = 5_000;
/** https://www.sqlite.org/rescode.html#busy */
const SQLITE_BUSY = 5;

/**
 * A connection to the accounts database, brought to its newest version.
 * @param file made, with its folder, when it is not there
 * @throws WorkError `transient` `accounts_unavailable` when it cannot be opened; Error when it was made by a newer version of this program
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

/** @param work everything in it holds, or nothing. It awaits nothing: another user of the connection would get into the transaction. */
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

/** SQLite does not wait by itself when two processes turn the same new database to WAL at once: one of them is told "locked" straight away. */
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
