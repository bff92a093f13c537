export interface Candidate {
  accountId: string;
  /** What its next call costs: seconds of audio. */
  seconds: number;
  /** Since when that call has been waiting. */
  readySince: Date;
}

/**
 * Decides whose call is next, so that accounts with work get equal seconds of audio, however long their calls are.
 *
 * Deficit round robin with the shortest possible turn: one call. An account pays for its calls after they are granted,
 * and is next when its debt is the smallest; the smallest debt is forgiven to all. This is start-time fair queueing
 * (Goyal, Vin and Cheng, SIGCOMM 1996): `#paid` is the virtual time, and an account's mark the virtual time at which it
 * has paid. For accounts that always have work it guarantees:
 *
 *   - between any two moments, the seconds of two accounts differ by at most one call of each;
 *   - an account without debt is next, before all that got a call since it came.
 *
 * An account that goes away keeps its debt, so it does not become a newcomer by coming back with one call at a time.
 */
export class FairShares {
  /** Seconds that every account has been given, or was forgiven because it did not ask. */
  #paid = 0;
  /** Of accounts in debt: the seconds at which the debt is paid, and the turn of their last call, for ties. */
  readonly #marks = new Map<string, { until: number; turn: number }>();
  #turns = 0;

  /** How many accounts are remembered. */
  get size(): number {
    return this.#marks.size;
  }

  /** Whether the account is without debt: it comes before all accounts in debt. */
  isNewcomer({ accountId }: Pick<Candidate, 'accountId'>): boolean {
    return !this.#marks.has(accountId);
  }

  /** @returns whose turn it is, or null; among equals the one served longest ago, then the one that waits longest */
  next<C extends Candidate>(candidates: readonly C[]): C | null {
    let best: C | null = null;
    for (const candidate of candidates) if (best === null || this.#order(candidate, best) < 0) best = candidate;
    return best;
  }

  /** The account was given a call. */
  charge({ accountId, seconds }: Pick<Candidate, 'accountId' | 'seconds'>): void {
    const start = this.#start(accountId);
    this.#turns += 1;
    // Every call costs something, so that many empty ones cannot keep the turn.
    this.#marks.set(accountId, { until: start + Math.max(1, seconds), turn: this.#turns });
    if (start <= this.#paid) return;
    this.#paid = start;
    for (const [id, { until }] of this.#marks) if (until < this.#paid) this.#marks.delete(id);
  }

  /** No account waits, so all debts are forgiven. */
  forgive(): void {
    this.#paid = 0;
    this.#marks.clear();
  }

  #order(a: Candidate, b: Candidate): number {
    const turn = ({ accountId }: Candidate) => this.#marks.get(accountId)?.turn ?? 0;
    return (
      this.#start(a.accountId) - this.#start(b.accountId) ||
      turn(a) - turn(b) ||
      a.readySince.getTime() - b.readySince.getTime()
    );
  }

  #start(accountId: string): number {
    return Math.max(this.#paid, this.#marks.get(accountId)?.until ?? 0);
  }
}
