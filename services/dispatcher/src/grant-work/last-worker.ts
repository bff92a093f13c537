import type { InFlight } from '@call-analytics/calls';

/**
 * Keeps the last free worker for an account that has no call in flight, so that one account's long calls do not make another account's call wait.
 * With one worker, or when it is not known how many there are, no worker is kept.
 */
export class LastWorker {
  readonly #capacity: number;
  readonly #withWork: Set<string>;
  #inFlight: number;

  /** @param capacity how many calls the workers work on at a time; 0 when that is not known */
  constructor(capacity: number, { granted, leased, ofAccount }: InFlight) {
    this.#capacity = capacity;
    this.#inFlight = granted + leased;
    this.#withWork = new Set(ofAccount.keys());
  }

  mayGoTo({ accountId }: { accountId: string }): boolean {
    return this.#capacity < 2 || !this.#withWork.has(accountId) || this.#capacity - this.#inFlight > 1;
  }

  granted({ accountId }: { accountId: string }): void {
    this.#inFlight += 1;
    this.#withWork.add(accountId);
  }
}
