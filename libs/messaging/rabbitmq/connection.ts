import { EventEmitter, once } from 'node:events';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs, type Logger } from '@call-analytics/service-kit';
import { type ChannelModel, connect } from 'amqplib';
import { reasonOf } from './failures.ts';
import { CLOSE_WITHIN_MS, CONNECT_WITHIN_MS, within } from './within.ts';

/** A peer that is silent for two of these is gone. https://www.rabbitmq.com/docs/heartbeats */
const HEARTBEAT_S = 10;
const BACKOFF = { firstMs: 100, capMs: 5_000 };
/** What lived this long, in milliseconds, was well: its end has nothing to do with the one before. */
export const STEADY_MS = 10_000;

/** A connection while it lasts. */
export interface Live {
  model: ChannelModel;
  /** Resolves with the reason when it has ended, in whichever way. */
  ended: Promise<string>;
  /** Ends it at once, without asking the broker: for a connection that does not answer. */
  discard(reason: string): void;
}

/**
 * A connection that is made again whenever it is lost, until it is closed. amqplib can do that too, but a socket that is reset while it sets up its channels ends
 * that for good, and it knows nothing of channels that end alone (see `LastingChannel`).
 */
export class LastingConnection {
  /** Settled when the first try to connect has ended, well or not. */
  readonly tried: Promise<void>;
  readonly #url: string;
  readonly #name: string;
  readonly #log: Logger;
  readonly #onBlocked: (reason: string | null) => void;
  readonly #stop = new AbortController();
  readonly #loop: Promise<void>;
  #live: Live | null = null;
  #why = 'not connected yet';
  readonly #news = new EventEmitter().setMaxListeners(0);

  /**
   * @param name what operators see in the list of connections
   * @param onBlocked told the reason when the broker stops taking messages for want of memory or disk, null when it takes them again
   */
  constructor({
    url,
    name,
    log,
    onBlocked = () => {},
  }: {
    url: string;
    name: string;
    log: Logger;
    onBlocked?: (reason: string | null) => void;
  }) {
    this.#url = withHeartbeat(url);
    this.#name = name;
    this.#log = log.child({ connection: name });
    this.#onBlocked = onBlocked;
    const tried = Promise.withResolvers<void>();
    this.tried = tried.promise;
    this.#loop = this.#keep(tried.resolve);
  }

  get live(): Live | null {
    return this.#live;
  }

  /** @returns null when there is a connection, otherwise why not */
  get why(): string | null {
    return this.#live === null ? this.#why : null;
  }

  /** Resolves with the connection as soon as there is one; with null when `stop` aborts first. */
  async whenLive(stop: AbortSignal): Promise<Live | null> {
    while (this.#live === null) {
      if (stop.aborted || this.#stop.signal.aborted) return null;
      await once(this.#news, 'news', { signal: stop }).catch(() => {});
    }
    return stop.aborted ? null : this.#live;
  }

  /** Takes at most the time that a broker has to say goodbye. */
  async close(): Promise<void> {
    this.#stop.abort();
    this.#news.emit('news');
    await this.#loop;
  }

  async #keep(tried: () => void): Promise<void> {
    let failures = 0;
    while (!this.#stop.signal.aborted) {
      try {
        this.#live = await this.#connect();
        const began = performance.now();
        this.#log.info('connected to the broker');
        this.#news.emit('news');
        tried();
        await this.#untilEnded(this.#live);
        if (performance.now() - began > STEADY_MS) failures = 0;
      } catch (error) {
        this.#why = reasonOf(error);
        this.#log[failures === 0 ? 'warn' : 'debug']({ reason: this.#why }, 'cannot connect to the broker');
      }
      tried();
      failures += 1;
      await sleep(backoffMs(failures, BACKOFF), undefined, { signal: this.#stop.signal }).catch(() => {});
    }
  }

  async #untilEnded(live: Live): Promise<void> {
    const told = new AbortController();
    const stopped = once(this.#stop.signal, 'abort', { signal: told.signal }).then(
      () => null,
      () => null,
    );
    const reason = this.#stop.signal.aborted ? null : await Promise.race([live.ended, stopped]);
    told.abort();
    this.#live = null;
    if (reason === null) {
      this.#why = 'closed';
      await within(CLOSE_WITHIN_MS, 'closing the connection', live.model.close()).catch(() => {});
    } else {
      this.#why = reason;
      this.#log.warn({ reason }, 'lost the connection to the broker');
    }
    live.discard('closed');
  }

  async #connect(): Promise<Live> {
    const connecting = connect(this.#url, {
      noDelay: true,
      keepAlive: true,
      // Destroys the socket when all is silent; a little later than the limit below, which says what happened.
      timeout: CONNECT_WITHIN_MS + 1_000,
      clientProperties: { connection_name: this.#name },
    }).then((model) => this.#watched(model));
    try {
      // The library's own limit is for silence alone: a peer that says a little now and then holds it up for ever.
      return await within(CONNECT_WITHIN_MS, 'the handshake', connecting);
    } catch (error) {
      void connecting.then(
        (live) => live.discard('too late'),
        () => {},
      );
      throw error;
    }
  }

  #watched(model: ChannelModel): Live {
    const ended = Promise.withResolvers<string>();
    let reason = 'closed by the broker';
    model.on('error', (error) => {
      reason = reasonOf(error);
    });
    model.on('close', (error) => {
      ended.resolve(error === undefined ? reason : reasonOf(error));
      // The library ends its side and waits for the peer's end, which may never come.
      setTimeout(() => socketOf(model).destroy(), CLOSE_WITHIN_MS).unref();
    });
    model.on('blocked', (why) => this.#onBlocked(why));
    model.on('unblocked', () => this.#onBlocked(null));
    return {
      model,
      ended: ended.promise,
      discard: (why) => {
        // Told as an error of the socket, so that the library closes its channels and calls back everything that waits.
        socketOf(model).destroy(new Error(why));
        ended.resolve(why);
      },
    };
  }
}

/** The one thing taken from inside the library, which has no way to give a connection up without the peer's consent. */
function socketOf(model: ChannelModel): Duplex {
  return (model.connection as unknown as { stream: Duplex }).stream;
}

function withHeartbeat(url: string): string {
  const address = new URL(url);
  if (!address.searchParams.has('heartbeat')) address.searchParams.set('heartbeat', String(HEARTBEAT_S));
  return address.href;
}
