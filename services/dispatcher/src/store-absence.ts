/**
 * Workers find that the store is back within this time, in ms: their circuits stay open for ten seconds after a try that failed, and a write that waits is tried again
 * within two.
 */
const WORKERS_FIND_OUT_MS = 15_000;

/**
 * When the store was away, leases ended because nobody could renew them: that says nothing of the workers, who hold results that were paid for and write them down when it is
 * back. So leases count as ended only after they could have been renewed once more.
 */
export class StoreAbsence {
  readonly #leaseMs: number;
  /** On the clock of `performance.now()`, which nobody sets. */
  #lastNoticedAt = Number.NEGATIVE_INFINITY;

  constructor(leaseMs: number) {
    this.#leaseMs = leaseMs;
  }

  /** The store did not answer just now. */
  notice(): void {
    this.#lastNoticedAt = performance.now();
  }

  /** @returns whether it is so long ago that every worker that lives has renewed its leases since */
  get isPast(): boolean {
    return performance.now() - this.#lastNoticedAt > Math.max(this.#leaseMs, WORKERS_FIND_OUT_MS);
  }
}
