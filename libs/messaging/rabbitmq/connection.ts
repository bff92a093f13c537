import { EventEmitter, once } from 'node:events';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs, type Logger, WorkError, withTimeout } from '@call-analytics/service-kit';
import { type Channel, type ChannelModel, type ConfirmChannel, connect } from 'amqplib';

// amqplib has no timeouts: for a handshake, a response, a confirm or the end of a connection. Milliseconds.
const CONNECT_WITHIN_MS = 10_000;
export const RESPONSE_WITHIN_MS = 10_000;
export const CONFIRM_WITHIN_MS = 10_000;
export const CLOSE_WITHIN_MS = 5_000;
/** A peer that is silent for two of these is gone. https://www.rabbitmq.com/docs/heartbeats */
const HEARTBEAT_S = 10;
const BACKOFF = { firstMs: 100, capMs: 5_000 };
/** The end of what lived this long, in milliseconds, has nothing to do with earlier failures. */
const STABLE_MS = 10_000;

/** Any error of the broker or the way to it, as callers of this adapter get it. */
export function unavailableBecause(error: unknown): WorkError {
  return error instanceof WorkError ? error : unavailable(reasonOf(error), error);
}

export function unavailable(why: string, cause?: unknown): WorkError {
  return new WorkError(
    { kind: 'transient', code: 'broker_unavailable', message: `The broker is not available: ${why}.` },
    cause === undefined ? {} : { cause },
  );
}

/** For a host with several addresses, Node joins the errors and leaves the message empty. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || (error as { code?: string }).code || error.name;
}

/** @param what for the error: "no answer to <what>" */
export function withDeadline<T>(ms: number, what: string, promise: Promise<T>): Promise<T> {
  return withTimeout(promise, ms, `no answer to ${what} within ${ms / 1_000} s`);
}

/** A connection while it is up. */
export interface LiveConnection {
  model: ChannelModel;
  /** Of the server, such as `4.1.4`. */
  version: string;
  /** Resolves with the reason when it has ended. */
  ended: Promise<string>;
  /** Ends the connection at once, without the broker's consent: for one that does not respond. */
  discard(reason: string): void;
}

interface ConnectionOptions {
  url: string;
  /** As operators see it in the broker's list of connections. */
  name: string;
  log: Logger;
  /** Gets the reason when the broker lacks memory or disk and accepts no messages; null when it accepts them again. */
  onBlocked?: (reason: string | null) => void;
}

/**
 * A connection that reconnects until it is closed. The recovery of amqplib ends for good when a socket is reset while
 * channels are set up, and it does not cover channels that end alone (see `RecoveringChannel`).
 */
export class RecoveringConnection {
  /** Settles when the first attempt to connect has ended, well or not. */
  readonly attempted: Promise<void>;
  readonly #options: ConnectionOptions;
  readonly #log: Logger;
  readonly #stop = new AbortController();
  readonly #loop: Promise<void>;
  #live: LiveConnection | null = null;
  #why = 'not connected yet';
  readonly #changes = new EventEmitter().setMaxListeners(0);

  constructor(options: ConnectionOptions) {
    this.#options = { ...options, url: withHeartbeat(options.url) };
    this.#log = options.log.child({ connection: options.name });
    const attempted = Promise.withResolvers<void>();
    this.attempted = attempted.promise;
    this.#loop = this.#reconnect(attempted.resolve);
  }

  get live(): LiveConnection | null {
    return this.#live;
  }

  /** @returns null when there is a connection, otherwise why not */
  get why(): string | null {
    return this.#live === null ? this.#why : null;
  }

  /** Resolves with the connection as soon as there is one; with null when `stop` aborts first. */
  async whenLive(stop: AbortSignal): Promise<LiveConnection | null> {
    while (this.#live === null) {
      if (stop.aborted || this.#stop.signal.aborted) return null;
      await once(this.#changes, 'change', { signal: stop }).catch(() => {});
    }
    return stop.aborted ? null : this.#live;
  }

  /** Takes no longer than the time that a broker has to close the connection. */
  async close(): Promise<void> {
    this.#stop.abort();
    this.#changes.emit('change');
    await this.#loop;
  }

  async #reconnect(attempted: () => void): Promise<void> {
    let failures = 0;
    while (!this.#stop.signal.aborted) {
      try {
        this.#live = await this.#connect();
        const began = performance.now();
        this.#log.info('connected to the broker');
        this.#changes.emit('change');
        attempted();
        await this.#untilEnded(this.#live);
        if (performance.now() - began > STABLE_MS) failures = 0;
      } catch (error) {
        this.#why = reasonOf(error);
        this.#log[failures === 0 ? 'warn' : 'debug']({ reason: this.#why }, 'cannot connect to the broker');
      }
      attempted();
      failures += 1;
      await sleep(backoffMs(failures, BACKOFF), undefined, { signal: this.#stop.signal }).catch(() => {});
    }
  }

  async #untilEnded(live: LiveConnection): Promise<void> {
    const ended = new AbortController();
    const stopped = once(this.#stop.signal, 'abort', { signal: ended.signal }).then(
      () => null,
      () => null,
    );
    const reason = this.#stop.signal.aborted ? null : await Promise.race([live.ended, stopped]);
    ended.abort();
    this.#live = null;
    if (reason === null) {
      this.#why = 'closed';
      await withDeadline(CLOSE_WITHIN_MS, 'closing the connection', live.model.close()).catch(() => {});
    } else {
      this.#why = reason;
      this.#log.warn({ reason }, 'lost the connection to the broker');
    }
    live.discard('closed');
  }

  async #connect(): Promise<LiveConnection> {
    const connecting = connect(this.#options.url, {
      noDelay: true,
      keepAlive: true,
      // Destroys a silent socket, a little later than the limit below, which says what happened.
      timeout: CONNECT_WITHIN_MS + 1_000,
      clientProperties: { connection_name: this.#options.name },
    }).then((model) => this.#watched(model));
    try {
      // The limit of the library is for silence only: a peer that sends a little from time to time delays it forever.
      return await withDeadline(CONNECT_WITHIN_MS, 'the handshake', connecting);
    } catch (error) {
      void connecting.then(
        (live) => live.discard('too late'),
        () => {},
      );
      throw error;
    }
  }

  #watched(model: ChannelModel): LiveConnection {
    const ended = Promise.withResolvers<string>();
    let reason = 'closed by the broker';
    model.on('error', (error) => {
      reason = reasonOf(error);
    });
    model.on('close', (error) => {
      ended.resolve(error === undefined ? reason : reasonOf(error));
      // The library closes its side and waits for the peer, which may never close.
      setTimeout(() => socketOf(model).destroy(), CLOSE_WITHIN_MS).unref();
    });
    model.on('blocked', (why) => this.#options.onBlocked?.(why));
    model.on('unblocked', () => this.#options.onBlocked?.(null));
    return {
      model,
      version: String(model.connection.serverProperties.version),
      ended: ended.promise,
      discard: (why) => {
        // As an error of the socket, so that the library closes its channels and ends everything that waits.
        socketOf(model).destroy(new Error(why));
        ended.resolve(why);
      },
    };
  }
}

/** An internal of the library, which has no way to end a connection without the peer's consent. */
function socketOf(model: ChannelModel): Duplex {
  return (model.connection as unknown as { stream: Duplex }).stream;
}

function withHeartbeat(url: string): string {
  const address = new URL(url);
  if (!address.searchParams.has('heartbeat')) address.searchParams.set('heartbeat', String(HEARTBEAT_S));
  return address.href;
}

interface ChannelUse {
  /** For logs. */
  name: string;
  /** Sets a new channel up. @param fail ends this channel, so that another replaces it */
  up(channel: ConfirmChannel, fail: (reason: string) => void): Promise<void>;
  /** The channel is gone, or its setup failed: nothing that belonged to it is valid any more. */
  down(reason: string): void;
}

/**
 * A channel that is opened again whenever it ends: with its connection, or alone, because the broker closed it (an
 * unknown tag, an acknowledgement that took too long) or its user failed it (a consumer that the broker canceled).
 */
export class RecoveringChannel {
  /** Settles when the first attempt to set up the channel or its connection has ended, after ten seconds at most. */
  readonly attempted: Promise<void>;
  readonly #connection: RecoveringConnection;
  readonly #use: ChannelUse;
  readonly #log: Logger;
  readonly #stop = new AbortController();
  readonly #loop: Promise<void>;
  readonly #attempted = Promise.withResolvers<void>();

  constructor(connection: RecoveringConnection, use: ChannelUse, log: Logger) {
    this.#connection = connection;
    this.#use = use;
    this.#log = log.child({ channel: use.name });
    this.attempted = withDeadline(CONNECT_WITHIN_MS, use.name, this.#attempted.promise).catch(() => {});
    void connection.attempted.then(() => connection.live === null && this.#attempted.resolve());
    this.#loop = this.#reopen();
  }

  /** Closes the channel: what was sent on it is settled first, unacknowledged messages go back to their queue. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#loop;
  }

  async #reopen(): Promise<void> {
    const stop = this.#stop.signal;
    let failures = 0;
    for (;;) {
      const live = await this.#connection.whenLive(stop);
      if (live === null) return this.#attempted.resolve();
      const began = performance.now();
      const reason = await this.#oneChannel(live);
      this.#use.down(reason);
      this.#attempted.resolve();
      if (stop.aborted) return;
      failures = performance.now() - began > STABLE_MS ? 1 : failures + 1;
      this.#log[failures === 1 ? 'warn' : 'debug']({ reason }, 'a channel to the broker ended');
      await sleep(backoffMs(failures, BACKOFF), undefined, { signal: stop }).catch(() => {});
    }
  }

  /** @returns why it ended */
  async #oneChannel(live: LiveConnection): Promise<string> {
    let channel: ConfirmChannel;
    try {
      channel = await withDeadline(RESPONSE_WITHIN_MS, 'opening a channel', live.model.createConfirmChannel());
    } catch (error) {
      // The connection may have ended before anyone listened. It is useless in any case.
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
      const up = this.#use.up(channel, ended.resolve).then(this.#attempted.resolve);
      await withDeadline(RESPONSE_WITHIN_MS, 'setting up a channel', Promise.race([up, ended.promise]));
      return await ended.promise;
    } catch (error) {
      return reasonOf(error);
    } finally {
      this.#stop.signal.removeEventListener('abort', onStop);
      await closeQuietly(channel, live);
    }
  }
}

/** Never throws. Discards a connection on which a channel cannot be closed. */
export async function closeQuietly(channel: Channel, live: LiveConnection): Promise<void> {
  try {
    const closed = channel.close();
    await withDeadline(CLOSE_WITHIN_MS, 'closing a channel', Promise.race([closed, live.ended]));
  } catch (error) {
    // An error of this name means that the channel was closed already.
    if (!(error instanceof Error && error.name === 'IllegalOperationError')) live.discard(reasonOf(error));
  }
}
