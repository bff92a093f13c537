import * as http from 'node:http';
import * as https from 'node:https';
import { text } from 'node:stream/consumers';
import type { ClientOptions } from 'minio';
import { hasCode } from '../folder/failures.ts';

/**
 * How long a connection is kept for the next request, in milliseconds. Shorter than any store keeps one, so that no request goes out on a connection which is being
 * closed at that moment.
 */
const KEEP_CONNECTION_MS = 4_000;
/** For these minio throws without a look at the answer, whose connection is then never free again. `retryHttpCodes` in minio's request.ts */
const NOT_READ = new Set([408, 429, 499, 500, 502, 503, 504, 520]);

export interface Patience {
  /** To connect, with TLS. Milliseconds. */
  connectTimeoutMs: number;
  /**
   * For the next byte, in either direction. Milliseconds. What waits in the buffers of the network counts as sent: at the default of 30 s a connection that is slower
   * than about 150 kB/s may not bring a whole part (5 MiB) through.
   */
  idleTimeoutMs: number;
}

/** The store accepted the connection, or not even that, and then said nothing. */
export class Silent extends Error {
  override name = 'Silent';
}

/** An answer that minio would not read. */
export class Refused extends Error {
  override name = 'Refused';
  /** S3's, or the status. */
  readonly code: string;

  constructor(status: number, body: string) {
    super(/<Message>([^<]*)</.exec(body)?.[1] ?? '');
    this.code = /<Code>(\w+)</.exec(body)?.[1] ?? String(status);
  }
}

const stale = new WeakSet<object>();

/** Whether the connection, kept from an earlier request, was closed or dead when this one took it: it says nothing about the store. */
export function wasStale(error: unknown): boolean {
  return typeof error === 'object' && error !== null && stale.has(error);
}

export function keptConnections(useSSL: boolean): http.Agent {
  const options = { keepAlive: true, timeout: KEEP_CONNECTION_MS };
  return useSSL ? new https.Agent(options) : new http.Agent(options);
}

/** Gives minio, which waits for ever, requests that end: by the signal, or when the store is silent for too long. */
export function impatient(
  useSSL: boolean,
  patience: Patience,
  signal: AbortSignal | undefined,
): NonNullable<ClientOptions['transport']> {
  const start = (options: https.RequestOptions, onResponse: (response: http.IncomingMessage) => void) => {
    const limits = { timeout: patience.idleTimeoutMs, ...(signal === undefined ? {} : { signal }) };
    const request = (useSSL ? https : http).request({ ...options, ...limits }, (response) => {
      const { statusCode = 0 } = response;
      if (!NOT_READ.has(statusCode)) return onResponse(response);
      // Not `destroy`: that says nothing any more once the answer is read.
      text(response).then(
        (body) => request.emit('error', new Refused(statusCode, body)),
        (error) => request.emit('error', error),
      );
    });
    request.once('error', (error) => {
      if (request.reusedSocket && hasCode(error, 'ECONNRESET', 'EPIPE')) stale.add(error);
    });
    request.once('timeout', () => request.destroy(new Silent(`said nothing for ${patience.idleTimeoutMs} ms`)));
    request.once('socket', (socket) => {
      if (!socket.connecting) return;
      const late = () => request.destroy(new Silent(`took no connection for ${patience.connectTimeoutMs} ms`));
      const timer = setTimeout(late, patience.connectTimeoutMs);
      const stop = () => clearTimeout(timer);
      socket.once(useSSL ? 'secureConnect' : 'connect', stop).once('close', stop);
    });
    return request;
  };
  return { request: start as typeof http.request };
}
