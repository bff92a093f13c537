import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { User } from '../users.ts';
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
