import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs, failureOf, type Logger } from '@call-analytics/service-kit';
import type { Connection } from 'mongoose';
import { connect } from './connection.ts';
import { asStoreError, storeUnavailable } from './failures.ts';
import { prepare } from './prepare.ts';

const RETRY = { firstMs: 200, capMs: 2_000 };

/** Connects and prepares the database in the background, again and again until that has succeeded once: a process may start before its store. */
export class Opening {
  readonly #open: () => Promise<Connection>;
  readonly #log: Logger | null;
  readonly #stop = new AbortController();
  readonly #ended: Promise<void>;
  #attempt: Promise<Connection>;

  constructor(url: string, log: Logger | null) {
    this.#log = log;
    this.#open = () => open(url);
    this.#attempt = this.#open();
    this.#ended = this.#untilOpen();
  }

  /**
   * @returns the connection, which from then on finds back to the servers by itself
   * @throws what kept the latest attempt from opening it: WorkError `transient` `store_unavailable`, or Error when it is not a database that can be used
   */
  async connection(): Promise<Connection> {
    if (this.#stop.signal.aborted) throw storeUnavailable();
    return this.#attempt;
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#ended;
    await this.#attempt.then(
      (connection) => connection.destroy(),
      () => {},
    );
  }

  async #untilOpen(): Promise<void> {
    const { signal } = this.#stop;
    for (let failures = 0, told = ''; !signal.aborted; ) {
      try {
        await this.#attempt;
        if (failures > 0) this.#log?.info({}, 'the call database is open');
        return;
      } catch (error) {
        failures += 1;
        if (told !== String(error))
          this.#log?.[failureOf(error).kind === 'bug' ? 'error' : 'warn'](
            { err: error },
            'the call database cannot be opened; trying again',
          );
        told = String(error);
        await sleep(backoffMs(failures, RETRY), undefined, { signal }).catch(() => {});
        if (!signal.aborted) this.#attempt = this.#open();
      }
    }
  }
}

async function open(url: string): Promise<Connection> {
  const connection = await connect(url);
  try {
    await prepare(connection);
    return connection;
  } catch (error) {
    await connection.destroy(true);
    throw asStoreError(error);
  }
}
