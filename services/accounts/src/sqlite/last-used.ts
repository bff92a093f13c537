import type { DatabaseSync } from 'node:sqlite';

const FLUSH_AFTER_MS = 1_000;
const AT_MOST_EVERY_MS = 60_000;

/**
 * Remembers when keys were used and writes it down a moment later, many at once, so that no request waits for a write. `db` must be a connection of its own
 * that gives up at once when another process is writing: then the times stay here for the next round.
 */
export class LastUsed {
  readonly #pending = new Map<string, number>();
  readonly #db: DatabaseSync;
  readonly #write;
  #timer: NodeJS.Timeout | null = null;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#write = db.prepare('UPDATE api_keys SET last_used_at = ? WHERE id = ?');
  }

  /** @param known what the database says */
  used(keyId: string, known: Date | null, now: Date): void {
    const passed = known === null ? AT_MOST_EVERY_MS : now.getTime() - known.getTime();
    // A time in the future is a clock that was set back: it must not keep the key looking used for ever.
    if (passed < AT_MOST_EVERY_MS && passed >= -AT_MOST_EVERY_MS) return;
    if (this.#pending.has(keyId)) return;
    this.#pending.set(keyId, now.getTime());
    this.#timer ??= setTimeout(() => this.flush(), FLUSH_AFTER_MS).unref();
  }

  /** Never throws: what could not be written now is written later, and losing it would only make a key look a minute less used. */
  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#pending.size === 0) return;
    try {
      this.#db.exec('BEGIN IMMEDIATE');
      try {
        for (const [keyId, at] of this.#pending) this.#write.run(at, keyId);
        this.#db.exec('COMMIT');
        this.#pending.clear();
      } catch (error) {
        this.#db.exec('ROLLBACK');
        throw error;
      }
    } catch {
      this.#timer = setTimeout(() => this.flush(), FLUSH_AFTER_MS).unref();
    }
  }

  close(): void {
    this.flush();
    if (this.#timer !== null) clearTimeout(this.#timer);
  }
}
