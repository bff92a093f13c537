import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { unavailable } from './errors.ts';

/** Asks for rows and changes them. Throws WorkError `transient` `accounts_unavailable` when that cannot be done now. */
export class Rows {
  readonly #db: DatabaseSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  get<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return unavailable(() => this.#db.prepare(sql).get(...values)) as unknown as Row | undefined;
  }

  all<Row>(sql: string, ...values: SQLInputValue[]): Row[] {
    return unavailable(() => this.#db.prepare(sql).all(...values)) as unknown as Row[];
  }

  /** @returns how many rows changed */
  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(unavailable(() => this.#db.prepare(sql).run(...values)).changes);
  }
}
