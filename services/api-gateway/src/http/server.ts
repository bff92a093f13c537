import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import {
  type Answer,
  type BoundedConnections,
  type ConnectionBounds,
  listening,
  serveBounded,
} from '@call-analytics/service-kit';
import type { Express } from 'express';
import { problemBody } from './exchange.ts';
import { HttpProblem } from './problem.ts';

/** How long a connection stays open after the answer to what is not HTTP. */
const REFUSED_MS = 2_000;

/**
 * An HTTP server for uploads: the headers of a request have a timeout, and the upload checks the rate of a body itself.
 * Requests that are not valid HTTP get a problem document too.
 */
export class HttpServer {
  readonly #server: Server;
  readonly #connections: BoundedConnections;
  #whenIdle: () => void = () => {};

  /**
   * @param app which `answer` passes requests to
   * @param answer gets each request, also one with an Expect header: it calls `writeContinue` before it reads the body
   * @param bounds of a connection
   */
  constructor(app: Express, answer: Answer, bounds: ConnectionBounds) {
    this.#server = createServer({
      ...messagesOf(app),
      requestTimeout: 0,
      headersTimeout: 60_000,
      // Longer than the 5 s between polls, and than the 60 s of load balancers, which could else send a request just as
      // this side closes the connection.
      keepAliveTimeout: 75_000,
      // Refused by `refusalOf`, with a problem document.
      requireHostHeader: false,
    });
    this.#connections = serveBounded(this.#server, answer, { ...bounds, onIdle: () => this.#whenIdle() });
    this.#server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => this.#refuse(error, socket));
  }

  /** @throws SettingsError saying what to do when the address cannot be used */
  async listen(port: number, host: string): Promise<void> {
    await listening(this.#server, { host, port, settings: { host: 'HOST', port: 'PORT' } });
  }

  get listening(): boolean {
    return this.#server.listening;
  }

  /** E.g. `http://127.0.0.1:8080`; the loopback address when it listens on all addresses. */
  get url(): string {
    const { address, port } = this.#server.address() as AddressInfo;
    if (address === '0.0.0.0' || address === '::') return `http://127.0.0.1:${port}`;
    return address.includes(':') ? `http://[${address}]:${port}` : `http://${address}:${port}`;
  }

  /** Serves on, and closes each connection with its next answer. */
  drain(): void {
    this.#connections.drain();
  }

  /** Accepts no new connections, finishes the requests in flight, and closes all connections at the deadline. */
  async stop(deadline: AbortSignal): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    // `close` alone would wait for connections that never sent a request.
    const cut = () => this.#server.closeAllConnections();
    this.#whenIdle = cut;
    if (this.#connections.inFlight === 0 || deadline.aborted) cut();
    deadline.addEventListener('abort', cut, { once: true });
    await closed;
    deadline.removeEventListener('abort', cut);
  }

  /** A request that Node cannot parse has no response object, so the response is written to the socket. */
  #refuse(error: NodeJS.ErrnoException, socket: Duplex): void {
    const current = this.#connections.lastAnswer(socket);
    const answering = current?.headersSent === true && !current.writableFinished;
    if (answering || !socket.writable || error.code === 'ECONNRESET') socket.destroy();
    else {
      socket.end(rawAnswer(problemOfBrokenRequest(error)));
      // Until then the client can read the answer; one that never closes its side would keep the connection.
      setTimeout(() => socket.destroy(), REFUSED_MS).unref();
    }
  }
}

/**
 * Express sets the prototypes of each request and response to those of its app, which V8 then serves slowly. Messages
 * that are made with these prototypes stay as they are.
 */
function messagesOf(app: Express) {
  class AppRequest extends IncomingMessage {}
  class AppResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {}
  app.request = Object.setPrototypeOf(AppRequest.prototype, app.request);
  app.response = Object.setPrototypeOf(AppResponse.prototype, app.response);
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}

/** @returns the error of a request that Node accepts but RFC 9110 does not; otherwise null */
export function refusalOf({ headers, rawHeaders, httpVersion }: IncomingMessage): HttpProblem | null {
  // RFC 9112, 3.2: a proxy in front may have read the other one.
  const hosts = rawHeaders.filter((name, i) => i % 2 === 0 && name.length === 4 && /^host$/i.test(name)).length;
  if (hosts !== 1 && httpVersion === '1.1')
    return new HttpProblem('malformed_request', 'The request must have one Host header.');
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue')
    return new HttpProblem('expectation_failed', 'Remove the Expect header or send "Expect: 100-continue".');
  return null;
}

function problemOfBrokenRequest({ code }: NodeJS.ErrnoException): HttpProblem {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new HttpProblem(
      'headers_too_large',
      'The header fields exceed the limit of 16 KiB. Send fewer or shorter ones.',
    );
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new HttpProblem(
      'request_timeout',
      'The header fields did not arrive within 60 seconds. Send the request again.',
    );
  const detail = 'The request is not valid HTTP/1.1. Check the request line, the header fields and the chunks.';
  return new HttpProblem('malformed_request', detail);
}

function rawAnswer(problem: HttpProblem): string {
  const requestId = randomUUID();
  const body = JSON.stringify(problemBody(problem, requestId));
  return [
    `HTTP/1.1 ${problem.status} ${problemBody(problem, requestId).title}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
