import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs, type Logger } from '@call-analytics/service-kit';
import type { Channel, ConfirmChannel } from 'amqplib';
import { type LastingConnection, type Live, STEADY_MS } from './connection.ts';
import { reasonOf } from './failures.ts';
import { ANSWER_WITHIN_MS, CLOSE_WITHIN_MS, CONNECT_WITHIN_MS, within } from './within.ts';

const BACKOFF = { firstMs: 100, capMs: 5_000 };

export interface ChannelUse {
  /** For logs. */
  name: string;
  /**
   * Makes a new channel ready for use.
   * @param fail ends this channel, so that another takes its place
   */
  up(channel: ConfirmChannel, fail: (reason: string) => void): Promise<void>;
  /** The channel is gone, or did not get ready: whatever belonged to it counts for nothing any more. */
  down(reason: string): void;
}

/**
 * A channel that is made again whenever it ends: with its connection, or alone, because the broker closed it (an unknown tag, an acknowledgement that took too
 * long) or because its user says that it is of no use any more (a consumer that the broker cancelled).
 */
export class LastingChannel {
  /** Settled when the first try to have the channel ready has ended, well or not, or that of the connection it needs; and after ten seconds in any case. */
  readonly tried: Promise<void>;
  readonly #connection: LastingConnection;
  readonly #use: ChannelUse;
  readonly #log: Logger;
  readonly #stop = new AbortController();
  readonly #loop: Promise<void>;
  readonly #tried = Promise.withResolvers<void>();

  constructor(connection: LastingConnection, use: ChannelUse, log: Logger) {
    this.#connection = connection;
    this.#use = use;
    this.#log = log.child({ channel: use.name });
    this.tried = within(CONNECT_WITHIN_MS, use.name, this.#tried.promise).catch(() => {});
    void connection.tried.then(() => connection.live === null && this.#tried.resolve());
    this.#loop = this.#keep();
  }

  /** Closes the channel: what was sent on it is settled first, what is not acknowledged goes back to its queue. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#loop;
  }

  async #keep(): Promise<void> {
    const stop = this.#stop.signal;
    let failures = 0;
    for (;;) {
      const live = await this.#connection.whenLive(stop);
      if (live === null) return this.#tried.resolve();
      const began = performance.now();
      const reason = await this.#oneChannel(live);
      this.#use.down(reason);
      this.#tried.resolve();
      if (stop.aborted) return;
      failures = performance.now() - began > STEADY_MS ? 1 : failures + 1;
      this.#log[failures === 1 ? 'warn' : 'debug']({ reason }, 'a channel to the broker ended');
      await sleep(backoffMs(failures, BACKOFF), undefined, { signal: stop }).catch(() => {});
    }
  }

  /** @returns why it ended */
  async #oneChannel(live: Live): Promise<string> {
    let channel: ConfirmChannel;
    try {
      channel = await within(ANSWER_WITHIN_MS, 'opening a channel', live.model.createConfirmChannel());
    } catch (error) {
      // The connection may have ended before anyone listened; it is of no use in any case.
      live.discard(`cannot open a channel: ${reasonOf(error)}`);
      return reasonOf(error);
    }
    const ended = Promise.withResolvers<string>();
    let why = 'the channel was closed';
    channel.on('error', (error) => {
      why = reasonOf(error);
    });
    channel.on('close', () => ended.resolve(why));
    void live.ended.then(ended.resolve);
    const onStop = () => ended.resolve('closed');
    if (this.#stop.signal.aborted) onStop();
    this.#stop.signal.addEventListener('abort', onStop);
    try {
      const up = this.#use.up(channel, ended.resolve).then(this.#tried.resolve);
      await within(ANSWER_WITHIN_MS, 'setting up a channel', Promise.race([up, ended.promise]));
      return await ended.promise;
    } catch (error) {
      return reasonOf(error);
    } finally {
      this.#stop.signal.removeEventListener('abort', onStop);
      await closeQuietly(channel, live);
    }
  }
}

/** Never throws. A connection on which a channel cannot even be closed is given up. */
export async function closeQuietly(channel: Channel, live: Live): Promise<void> {
  try {
    const closed = channel.close();
    await within(CLOSE_WITHIN_MS, 'closing a channel', Promise.race([closed, live.ended]));
  } catch (error) {
    // Closing a channel that is closed is an error of this name: all is well.
    if (!(error instanceof Error && error.name === 'IllegalOperationError')) live.discard(reasonOf(error));
  }
}
