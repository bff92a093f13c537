import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs, type Logger } from '@call-analytics/service-kit';
import type { Database } from './database.ts';

/** The delays after failures: short at first, because the driver recovers from short interruptions by itself. */
const RETRY = { firstMs: 50, capMs: 2_000 };

/** The pause after a change, in ms: under load each request then returns several changes. */
const GATHER_MS = 10;

/** New calls, and writes that set `announces`: not a renewed lease, nor bookkeeping. */
const ANNOUNCED_CHANGES = [
  {
    $match: { $or: [{ operationType: 'insert' }, { 'updateDescription.updatedFields.announces': { $exists: true } }] },
  },
  // The document is not needed; a change event must keep its id.
  { $project: { _id: 1 } },
];

/**
 * Listens through a change stream to the writes of all processes, a millisecond or two after they were acknowledged.
 * Changes are missed while there is no stream, so the start of a stream also calls the listeners.
 */
export class ChangeStream {
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
        await this.#read(stop, () => {
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

  async #read(stop: AbortSignal, begun: () => void): Promise<void> {
    const calls = await this.#calls();
    const stream = calls.watch(ANNOUNCED_CHANGES);
    const close = () => void stream.close().catch(() => {});
    stop.addEventListener('abort', close);
    try {
      // The server's first answer, which comes also without a change.
      stream.once('resumeTokenChanged', () => {
        begun();
        this.#notify();
      });
      while (!stop.aborted) {
        if ((await stream.tryNext()) === null) continue;
        this.#notify();
        if (stream.bufferedCount() === 0) await sleep(GATHER_MS, undefined, { signal: stop });
      }
    } finally {
      stop.removeEventListener('abort', close);
      close();
    }
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}
