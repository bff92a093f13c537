import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { privateDatabaseFile } from './private-files.ts';

// Primary result codes, https://www.sqlite.org/rescode.html
const BUSY = 5;
const FULL = 13;
/** PERM, BUSY, LOCKED, NOMEM, READONLY, IOERR, CANTOPEN: each may pass by itself. */
const PASSING = new Set([3, BUSY, 6, 7, 8, 10, 14]);

/**
 * Whether an error of a request to SQLite may pass by itself. Every error of node:sqlite has the same `code`, so only
 * the result code tells a locked database from a wrong statement or a damaged file.
 * @returns `full` when there is no room left, `unavailable` for what else may pass, null for everything else
 */
export function passingSqliteError(error: unknown): 'full' | 'unavailable' | null {
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown };
  // A connection that is closed.
  if (code === 'ERR_INVALID_STATE') return 'unavailable';
  const primary = typeof errcode === 'number' ? errcode & 0xff : null;
  if (primary === FULL) return 'full';
  return primary !== null && PASSING.has(primary) ? 'unavailable' : null;
}

interface SqliteOptions {
  /** How long a statement waits for another process's write, blocking this process. */
  busyTimeoutMs: number;
  /** Further pragmas of the connection, as SQL. */
  pragmas: string;
  /** See `migrateSqlite`. */
  migrations: readonly string[];
  /** At the beginning of a sentence, such as `The call database`. */
  name: string;
}

/**
 * Opens a database with a write-ahead log, and brings it to its newest version. Several processes may do this at once.
 * @param file made, with its folder, for this user alone when it is not there; `:memory:` keeps it in memory
 * @throws what SQLite and the disk say; Error when a newer release wrote the database
 */
export function openSqlite(file: string, { busyTimeoutMs, pragmas, migrations, name }: SqliteOptions): DatabaseSync {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  privateDatabaseFile(file);
  const db = new DatabaseSync(file, { timeout: busyTimeoutMs });
  try {
    useWal(db, busyTimeoutMs);
    db.exec(pragmas);
    migrateSqlite(db, migrations, name);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** SQLite's busy timeout does not apply when two processes switch a new database to WAL: one fails at once. */
function useWal(db: DatabaseSync, withinMs: number): void {
  const until = Date.now() + withinMs;
  for (;;) {
    try {
      db.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (((error as { errcode?: number }).errcode ?? 0) % 256 !== BUSY || Date.now() > until) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

/**
 * Applies the missing migrations in one transaction, so that two processes that start together migrate once.
 * @param migrations each entry is one version (`user_version`)
 * @param name of the database, at the beginning of a sentence
 * @throws Error when a newer release wrote the database
 */
export function migrateSqlite(db: DatabaseSync, migrations: readonly string[], name: string): void {
  if (versionOf(db) === migrations.length) return;
  db.exec('BEGIN IMMEDIATE');
  try {
    const version = versionOf(db);
    if (version > migrations.length) {
      throw new Error(
        `${name} has schema version ${version}, and this release knows versions up to ${migrations.length}: ` +
          'it was written by a newer release. Start that release, or restore a copy of the database made before it.',
      );
    }
    for (const migration of migrations.slice(version)) db.exec(migration);
    db.exec(`PRAGMA user_version = ${migrations.length}; COMMIT`);
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

function versionOf(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.user_version);
}
