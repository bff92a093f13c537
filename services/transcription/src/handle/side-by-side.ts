/**
 * Runs tasks side by side, a few at a time. After a failure nothing new starts; what runs goes on to its end, because it is paid for.
 */
export class SideBySide {
  readonly #most: number;
  readonly #running = new Set<Promise<void>>();
  #failure: { error: unknown } | null = null;

  constructor(most: number) {
    this.#most = most;
  }

  /** Waits for a free place and starts the task. @throws the first failure of any task so far, without starting this one */
  async start(task: () => Promise<void>): Promise<void> {
    while (this.#running.size >= this.#most && this.#failure === null) await Promise.race(this.#running);
    this.#throwFailure();
    const run = task().catch((error: unknown) => {
      this.#failure ??= { error };
    });
    this.#running.add(run);
    void run.then(() => this.#running.delete(run));
  }

  /** Waits for all that were started. @throws the first failure */
  async finish(): Promise<void> {
    await Promise.all(this.#running);
    this.#throwFailure();
  }

  /** Waits for all that were started, whatever comes of them. */
  async settle(): Promise<void> {
    await Promise.all(this.#running);
  }

  #throwFailure(): void {
    if (this.#failure !== null) throw this.#failure.error;
  }
}
