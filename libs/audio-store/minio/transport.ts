import * as http from 'node:http';
import * as https from 'node:https';
import type { ClientOptions } from 'minio';

/**
 * How long a connection is kept for the next request, in milliseconds. Shorter than any store keeps one, so that no request goes out on a connection which is being
 * closed at that moment.
 */
const KEEP_CONNECTION_MS = 4_000;
/** For these minio throws without reading the answer, which would hold its connection for good. `retryHttpCodes` in minio's request.ts */
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

export function keptConnections(useSSL: boolean): http.Agent {
  const options = { keepAlive: true, timeout: KEEP_CONNECTION_MS };
  return useSSL ? new https.Agent(options) : new http.Agent(options);
}

/** Gives minio, which waits for ever, requests that end: by the signal, or when the store is silent for too long. */
export function impatient(useSSL: boolean, patience: Patience, signal: AbortSignal | undefined): NonNullable<ClientOptions['transport']> {
  const start = (options: https.RequestOptions, onResponse: (response: http.IncomingMessage) => void) => {
    const limits = { timeout: patience.idleTimeoutMs, ...(signal === undefined ? {} : { signal }) };
    const request = (useSSL ? https : http).request({ ...options, ...limits }, (response) => {
      if (NOT_READ.has(response.statusCode ?? 0)) response.resume();
      onResponse(response);
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
