import type { DatabaseSync, StatementSync } from 'node:sqlite';

const MAX_ENTRIES = 10_000;

/**
 * What was read of keys, for as long as nobody has written to the database since. SQLite counts the commits of all other connections, in this process and in
 * others (https://www.sqlite.org/pragma.html#pragma_data_version), and asking it for that number costs a third of reading the key again, on every request.
 */
export class KnownKeys<T> {
  readonly #entries = new Map<string, T>();
  readonly #dataVersion: StatementSync;
  #seenVersion: number | null = null;

  /** @param db the connection that reads the keys. Its own writes are not counted: whoever writes with it says `forget` */
  constructor(db: DatabaseSync) {
    this.#dataVersion = db.prepare('PRAGMA data_version');
    this.#dataVersion.setReturnArrays(true);
  }

  /** @returns what `read` gave before, if that still holds; otherwise what it gives now. null is not remembered: there is no end of keys that do not exist. */
  get(hash: string, read: (hash: string) => T | null): T | null {
    const [version] = this.#dataVersion.get() as unknown as [number];
    if (version !== this.#seenVersion || this.#entries.size >= MAX_ENTRIES) this.forget();
    this.#seenVersion = version;
    const known = this.#entries.get(hash);
    if (known !== undefined) return known;
    const found = read(hash);
    if (found !== null) this.#entries.set(hash, found);
    return found;
  }

  forget(): void {
    this.#entries.clear();
  }
}
