const FLUSH_AFTER_MS = 1_000;
export const USED_AT_MOST_EVERY_MS = 60_000;

/** Writes when keys were used: key id to ms since 1970, in the order of use. What it throws on is given again later. */
export type WriteUses = (uses: ReadonlyMap<string, number>) => void | Promise<void>;

/** Collects when keys were used and writes it a second later in one batch, so that no request waits for a write. */
export class LastUsed {
  readonly #pending = new Map<string, number>();
  readonly #write: WriteUses;
  #timer: NodeJS.Timeout | null = null;

  constructor(write: WriteUses) {
    this.#write = write;
  }

  /** @param known what the database says */
  used(keyId: string, known: Date | null, now: Date): void {
    const passed = known === null ? USED_AT_MOST_EVERY_MS : now.getTime() - known.getTime();
    // A time in the future is a clock that was set back: it must not keep the key looking used for ever.
    if (passed < USED_AT_MOST_EVERY_MS && passed >= -USED_AT_MOST_EVERY_MS) return;
    if (this.#pending.has(keyId)) return;
    this.#pending.set(keyId, now.getTime());
    this.#flushSoon();
  }

  async close(): Promise<void> {
    await this.#flush();
    this.#stopTimer();
  }

  /** Never throws: a failed write is tried again, and losing it would only make a last use look a minute older. */
  async #flush(): Promise<void> {
    this.#stopTimer();
    if (this.#pending.size === 0) return;
    const uses = new Map(this.#pending);
    try {
      await this.#write(uses);
      for (const keyId of uses.keys()) this.#pending.delete(keyId);
    } catch {
      this.#flushSoon();
    }
  }

  #flushSoon(): void {
    this.#timer ??= setTimeout(() => this.#flush(), FLUSH_AFTER_MS).unref();
  }

  #stopTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
