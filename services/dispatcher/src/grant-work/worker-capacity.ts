import type { CallStore } from '@call-analytics/calls';
import type { Stage } from '@call-analytics/contracts';

/** Workers come and go far more rarely than work is granted. */
const FRESH_MS = 1_000;

/** How many calls the workers of each stage work on at a time, read from the store at most once a second. */
export class WorkerCapacity {
  readonly #store: Pick<CallStore, 'capacity'>;
  #known: Record<Stage, number> = { transcription: 0, analysis: 0 };
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(store: Pick<CallStore, 'capacity'>) {
    this.#store = store;
  }

  /** @throws WorkError when the store fails */
  async at(now: Date): Promise<Record<Stage, number>> {
    const moment = performance.now();
    if (moment - this.#readAt < FRESH_MS) return this.#known;
    this.#known = await this.#store.capacity(now);
    this.#readAt = moment;
    return this.#known;
  }
}
