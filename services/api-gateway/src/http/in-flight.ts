/** Counts what is in flight for each key, such as the uploads of an account, in this process. */
export class InFlight {
  readonly #limit: number;
  readonly #counts = new Map<string, number>();

  /** @param limit how many may be in flight for one key */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** @returns a function to call once when it is over; null when the limit is reached */
  begin(key: string): (() => void) | null {
    const count = this.#counts.get(key) ?? 0;
    if (count >= this.#limit) return null;
    this.#counts.set(key, count + 1);
    return () => this.#end(key);
  }

  #end(key: string): void {
    const left = (this.#counts.get(key) ?? 1) - 1;
    if (left === 0) this.#counts.delete(key);
    else this.#counts.set(key, left);
  }
}
