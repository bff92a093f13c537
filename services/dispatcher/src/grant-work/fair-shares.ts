export interface Candidate {
  accountId: string;
  /** What its next call costs: seconds of audio. */
  seconds: number;
  /** Since when that call has been waiting. */
  readySince: Date;
}

/**
 * Decides whose call is next, so that accounts which all have work get equal seconds of audio, however long or short their calls are.
 *
 * Round robin by deficit, with the turn made as short as it can be: one call. Each account pays for its calls after they are granted and is next when its debt is
 * the smallest; what the smallest debt amounts to is forgiven to all. This is start-time fair queueing (Goyal, Vin and Cheng, SIGCOMM 1996): `#paid` is the
 * virtual time, an account's mark the virtual time at which it has paid. Its two promises, for accounts that have work all the while:
 *
 *   - between any two moments, two accounts' seconds differ by no more than one call of each;
 *   - an account without debt is next, before all that have had a call since it came.
 *
 * An account that goes away keeps its debt: coming back with one call at a time does not make it a newcomer each time.
 */
export class FairShares {
  /** Seconds that every account has been given, or has been forgiven for not asking. */
  #paid = 0;
  /** Of accounts in debt: the seconds at which their debt is paid, and when they were served, to settle ties. */
  readonly #marks = new Map<string, { until: number; turn: number }>();
  #turns = 0;

  /** How many accounts are remembered. */
  get size(): number {
    return this.#marks.size;
  }

  /** Whether the account was given nothing for so long that nobody remembers it: it is next before all that were. */
  isNewcomer({ accountId }: Pick<Candidate, 'accountId'>): boolean {
    return !this.#marks.has(accountId);
  }

  /** @returns the one whose turn it is, or null of none; among equals the one served longest ago, then the one that waits longest */
  next<C extends Candidate>(candidates: readonly C[]): C | null {
    let best: C | null = null;
    for (const candidate of candidates) if (best === null || this.#order(candidate, best) < 0) best = candidate;
    return best;
  }

  /** The account was given a call. */
  charge({ accountId, seconds }: Pick<Candidate, 'accountId' | 'seconds'>): void {
    const start = this.#start(accountId);
    this.#turns += 1;
    // Every call costs something, so that a flood of empty ones cannot hold the turn.
    this.#marks.set(accountId, { until: start + Math.max(1, seconds), turn: this.#turns });
    if (start <= this.#paid) return;
    this.#paid = start;
    for (const [id, { until }] of this.#marks) if (until < this.#paid) this.#marks.delete(id);
  }

  /** Nobody waits: what was owed to others is owed to no one. */
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
