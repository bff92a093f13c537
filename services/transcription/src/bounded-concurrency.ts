/** Runs a few tasks in parallel. After a failure it starts no more; those that run finish: they are paid for. */
export class BoundedConcurrency {
  readonly #limit: number;
  readonly #running = new Set<Promise<void>>();
  #failure: { error: unknown } | null = null;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Waits for a free place, then starts the task. @throws the first failure so far, without starting the task */
  async start(task: () => Promise<void>): Promise<void> {
    while (this.#running.size >= this.#limit && this.#failure === null) await Promise.race(this.#running);
    this.#throwFailure();
    const run = task().catch((error: unknown) => {
      this.#failure ??= { error };
    });
    this.#running.add(run);
    void run.then(() => this.#running.delete(run));
  }

  /** Waits for all started tasks. @throws the first failure */
  async finish(): Promise<void> {
    await this.settle();
    this.#throwFailure();
  }

  /** Waits for all started tasks and ignores failures. */
  async settle(): Promise<void> {
    await Promise.all(this.#running);
  }

  #throwFailure(): void {
    if (this.#failure !== null) throw this.#failure.error;
  }
}
