/** Calls `tick` again and again, never two at once: soon after each `wake`, and when the wait that the last tick asked for is over. */
export class Ticker {
  readonly #tick: () => Promise<number>;
  readonly #untilNext: () => Promise<number>;
  #timer: NodeJS.Timeout | null = null;
  #soon: NodeJS.Immediate | null = null;
  #running: Promise<void> | null = null;
  #woken = false;
  #stopped = false;

  /**
   * @param tick never throws; gives how long to wait for the next one at most, in ms
   * @param untilNext asked only when there is time to wait: how long, in ms
   */
  constructor(tick: () => Promise<number>, untilNext: () => Promise<number>) {
    this.#tick = tick;
    this.#untilNext = untilNext;
  }

  /** There may be something to do. Many of these in one turn of the event loop make one tick, at the end of the turn: what woke it comes first. */
  wake(): void {
    this.#woken = true;
    if (this.#stopped || this.#running !== null) return;
    this.#soon ??= setImmediate(() => {
      this.#soon = null;
      this.#running = this.#run();
    });
  }

  /** No tick begins any more. @returns when the one that runs has ended */
  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    if (this.#soon !== null) clearImmediate(this.#soon);
    await this.#running;
  }

  async #run(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#woken = false;
    const atMostMs = await this.#tick();
    const waitMs = this.#woken || this.#stopped ? 0 : Math.min(atMostMs, await this.#untilNext());
    this.#running = null;
    if (this.#stopped) return;
    if (this.#woken) this.wake();
    else this.#timer = setTimeout(() => this.wake(), waitMs);
  }
}
