import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementResultingChanges } from 'node:sqlite';
import { openSqlite, passingSqliteError } from '@call-analytics/service-kit/sqlite';
import type { CallStore } from '../calls.ts';
import { storeFull, storeUnavailable } from '../store.ts';
import { MIGRATIONS } from './schema.ts';

/** A row as an array, in the order of the columns: objects cost twice as much. */
export type Row = readonly SQLOutputValue[];

type Parameters = SQLInputValue[] | [named: Record<string, SQLInputValue>];

/** A prepared statement whose rows are arrays. */
export interface Statement {
  all(...parameters: Parameters): Row[];
  get(...parameters: Parameters): Row | undefined;
  run(...parameters: Parameters): StatementResultingChanges;
}

/** Methods of the port as they run within `Database.read` or `write`: without a promise. */
export type Queries = {
  [Name in keyof CallStore]?: CallStore[Name] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Awaited<Result>
    : never;
};

/**
 * One connection to the database, whose statements run within `read` or `write` and fail with the errors of the port.
 * Both kinds of write switch `synchronous`, which costs 1.5 µs; a second connection would lose its page cache at each
 * write of the first.
 */
export class Database {
  readonly #db: DatabaseSync;
  readonly #begin: Statement;
  readonly #commit: Statement;
  readonly #rollback: Statement;
  #durable: boolean | null = null;

  /** @param db open and migrated */
  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#begin = this.prepare('BEGIN IMMEDIATE');
    this.#commit = this.prepare('COMMIT');
    this.#rollback = this.prepare('ROLLBACK');
  }

  prepare(sql: string): Statement {
    const statement = this.#db.prepare(sql);
    statement.setReturnArrays(true);
    return statement as unknown as Statement;
  }

  /** @returns the statements under their names */
  prepareAll<Name extends string>(sql: Readonly<Record<Name, string>>): Record<Name, Statement> {
    const prepared = Object.entries<string>(sql).map(([name, text]) => [name, this.prepare(text)] as const);
    return Object.fromEntries(prepared) as Record<Name, Statement>;
  }

  read<T>(body: () => T): T {
    try {
      return body();
    } catch (error) {
      throw asStoreError(error);
    }
  }

  /**
   * One transaction; whatever `body` throws undoes all of it.
   * @param durable true: on disk when this returns. false: with the operating system, so it survives this process
   */
  write<T>(durable: boolean, body: () => T): T {
    try {
      if (this.#durable !== durable) {
        this.#db.exec(durable ? 'PRAGMA synchronous = FULL' : 'PRAGMA synchronous = NORMAL');
        this.#durable = durable;
      }
      // IMMEDIATE: a transaction that reads first and writes later fails instead of waiting for another writer.
      this.#begin.run();
      try {
        const result = body();
        this.#commit.run();
        return result;
      } catch (error) {
        if (this.#db.isTransaction) this.#rollback.run();
        throw error;
      }
    } catch (error) {
      throw asStoreError(error);
    }
  }

  close(): void {
    if (this.#db.isOpen) this.#db.close();
  }
}

/**
 * Opens the database, creates it if it is missing, and migrates it.
 * @param busyTimeoutMs how long a statement waits for another process's write, blocking this process
 * @throws Error when the database was written by a newer version; WorkError `transient` when it cannot be opened now
 */
export function openDatabase(file: string, busyTimeoutMs: number): DatabaseSync {
  try {
    return openSqlite(file, {
      busyTimeoutMs,
      // The log shrinks to 64 MiB after a burst.
      pragmas:
        'PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16384; ' +
        'PRAGMA journal_size_limit = 67108864',
      migrations: MIGRATIONS,
      name: 'The call database',
    });
  } catch (error) {
    throw asStoreError(error);
  }
}

/** @returns the error as WorkError `transient` when it may pass; otherwise the error itself, e.g. a damaged database */
function asStoreError(error: unknown): unknown {
  const passing = passingSqliteError(error);
  if (passing === null) return error;
  return passing === 'full' ? storeFull(error) : storeUnavailable(error);
}
