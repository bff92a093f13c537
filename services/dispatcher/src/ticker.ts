/**
 * Between the beginnings of two ticks, in ms, or twice the time that the first of them took, so that a store and a machine that are busy are left alone for half of the time:
 * under load, what changes meanwhile is looked at once. Too short for a person, long for a store.
 */
const APART_MS = { least: 5, most: 50 };
/** Under load the next wake comes within this time, and how long to wait without one need not be asked. */
const QUIET_MS = 10;

/** Calls `tick` again and again, never two at once: soon after each `wake`, and when the wait that the last tick asked for is over. */
export class Ticker {
  readonly #tick: () => Promise<number>;
  readonly #untilNext: () => Promise<number>;
  readonly #everyMs: number;
  #timer: NodeJS.Timeout | null = null;
  /** Calls the tick off that is about to begin. */
  #callOff: (() => void) | null = null;
  /** The next tick begins at the earliest then, on the clock of `performance.now()`, which nobody sets. */
  #notBefore = Number.NEGATIVE_INFINITY;
  #running: Promise<void> | null = null;
  #woken = false;
  #stopped = false;

  /**
   * @param tick never throws; gives how long to wait for the next one at most, in ms
   * @param untilNext never throws; gives when the next one has something to do, in ms. Asked only when there is time to wait
   * @param everyMs how long to wait for the next one at most, always
   */
  constructor(tick: () => Promise<number>, untilNext: () => Promise<number>, everyMs: number) {
    this.#tick = tick;
    this.#untilNext = untilNext;
    this.#everyMs = everyMs;
  }

  /** There may be something to do. Many of these in a moment make one tick; at rest it comes at the end of this turn of the event loop: what woke it comes first. */
  wake(): void {
    this.#woken = true;
    if (this.#stopped || this.#running !== null || this.#callOff !== null) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    const begin = () => {
      this.#callOff = null;
      this.#running = this.#run();
    };
    const waitMs = this.#notBefore - performance.now();
    if (waitMs > 0) {
      const timer = setTimeout(begin, waitMs);
      this.#callOff = () => clearTimeout(timer);
    } else {
      const immediate = setImmediate(begin);
      this.#callOff = () => clearImmediate(immediate);
    }
  }

  /** No tick begins any more. @returns when the one that runs has ended */
  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#callOff?.();
    await this.#running;
  }

  async #run(): Promise<void> {
    this.#woken = false;
    const beganAt = performance.now();
    const atMostMs = Math.min(this.#everyMs, await this.#tick());
    const tookMs = performance.now() - beganAt;
    this.#notBefore = beganAt + Math.min(APART_MS.most, Math.max(APART_MS.least, 2 * tookMs));
    const quietMs = Math.min(atMostMs, QUIET_MS);
    this.#next(quietMs, () => {
      this.#running = this.#rest(atMostMs - quietMs);
    });
  }

  async #rest(atMostMs: number): Promise<void> {
    const waitMs = Math.min(atMostMs, await this.#untilNext());
    this.#next(waitMs, () => this.wake());
  }

  #next(waitMs: number, then: () => void): void {
    this.#running = null;
    if (this.#stopped) return;
    if (this.#woken) this.wake();
    else this.#timer = setTimeout(then, waitMs);
  }
}
