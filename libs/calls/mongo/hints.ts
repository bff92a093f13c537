import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs, type Logger } from '@call-analytics/service-kit';
import type { Database } from './database.ts';

/** The waits after failures: short at first, because the driver finds back by itself what is only a blink. */
const RETRY = { firstMs: 50, capMs: 2_000 };

/** After a change the next one is asked for so many ms later: under load each question then brings several, for a wait that nobody notices. */
const GATHERED_MS = 10;

/** New calls, and writes that announce themselves: not the renewal of a lease, nor what is only bookkeeping. */
const ANNOUNCED = [
  {
    $match: { $or: [{ operationType: 'insert' }, { 'updateDescription.updatedFields.announces': { $exists: true } }] },
  },
  // The call itself is not needed, and an event must have its id.
  { $project: { _id: 1 } },
];

/**
 * Hears through a change stream of what any process has written, a millisecond or two after it was acknowledged. While there is no stream, hints are missed; so each
 * beginning of one is a hint too.
 */
export class Hints {
  readonly #calls: () => Promise<Database['calls']>;
  readonly #log: Logger | null;
  readonly #listeners = new Set<() => void>();
  #stop: AbortController | null = null;
  #listening: Promise<void> = Promise.resolve();

  /** @param calls when the database is open */
  constructor(calls: () => Promise<Database['calls']>, log: Logger | null) {
    this.#calls = calls;
    this.#log = log;
  }

  watch(listener: () => void): () => void {
    this.#listeners.add(listener);
    if (this.#stop === null) {
      const stop = new AbortController();
      this.#stop = stop;
      this.#listening = this.#listening.then(() => this.#listen(stop.signal));
    }
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#end();
    };
  }

  async close(): Promise<void> {
    this.#listeners.clear();
    this.#end();
    await this.#listening;
  }

  #end(): void {
    this.#stop?.abort();
    this.#stop = null;
  }

  /** Never rejects. */
  async #listen(stop: AbortSignal): Promise<void> {
    for (let failures = 0; !stop.aborted; ) {
      try {
        await this.#hear(stop, () => {
          if (failures > 0) this.#log?.info({}, 'hears of changes again');
          failures = 0;
        });
      } catch (error) {
        if (stop.aborted) return;
        failures += 1;
        if (failures === 1) this.#log?.warn({ err: error }, 'does not hear of changes; trying again');
        await sleep(backoffMs(failures, RETRY), undefined, { signal: stop }).catch(() => {});
      }
    }
  }

  async #hear(stop: AbortSignal, begun: () => void): Promise<void> {
    const calls = await this.#calls();
    const stream = calls.watch(ANNOUNCED);
    const close = () => void stream.close().catch(() => {});
    stop.addEventListener('abort', close);
    try {
      // The server's first answer, which comes whether something changes or not.
      stream.once('resumeTokenChanged', () => {
        begun();
        this.#hint();
      });
      while (!stop.aborted) {
        if ((await stream.tryNext()) === null) continue;
        this.#hint();
        if (stream.bufferedCount() === 0) await sleep(GATHERED_MS, undefined, { signal: stop });
      }
    } finally {
      stop.removeEventListener('abort', close);
      close();
    }
  }

  #hint(): void {
    for (const listener of this.#listeners) listener();
  }
}
