import { randomUUID } from 'node:crypto';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { gzip, gzipSync } from 'node:zlib';
import type { Problem } from '@call-analytics/contracts';
import { currentTraceId, inSpan, type Logger, type Metrics } from '@call-analytics/service-kit';
import type { Request, Response } from 'express';
import { ClientGone, type HttpProblem, PROBLEMS, problemOf } from './problem.ts';

/** One request with its response, for the log and the metrics. */
interface Exchange {
  readonly requestId: string;
  /** Milliseconds, on the clock of `performance.now()`. */
  readonly began: number;
  accountId: string | undefined;
  traceId: string | undefined;
  /** Of the response body. */
  bytes: number;
  /** Set when the logged status is not the one of the response. */
  status: number | undefined;
  /** A response that lasts as long as the client likes; its time is not measured. */
  isStream: boolean;
}

/** As in nginx: the client closed the connection before the response was complete. */
const CLIENT_CLOSED = 499;
const WELL_FORMED_ID = /^[A-Za-z0-9._-]{1,128}$/;
const EXCHANGE = Symbol('exchange');

type WithExchange = ServerResponse & { [EXCHANGE]?: Exchange };
type Routed = IncomingMessage & { route?: { path: string } };

/**
 * @returns a function that begins the record of one request. When the response is closed, it is logged and its time
 * measured.
 */
export function recordExchanges(log: Logger, metrics: Metrics): (req: IncomingMessage, res: ServerResponse) => void {
  // No field of this line is secret. Without the formatter that redacts secrets, the line costs less than half.
  const lines = log.child({}, { formatters: { log: (fields: object) => fields as Record<string, unknown> } });
  const timers = new Map<string, { observe(seconds: number): void }>();
  const timerOf = (method: string, route: string, status: number) => {
    const name = `${method} ${route} ${status}`;
    let timer = timers.get(name);
    if (timer === undefined) {
      timer = metrics.httpSeconds.labels({ method, route, status: String(status) });
      timers.set(name, timer);
    }
    return timer;
  };

  return (req, res) => {
    const given = req.headers['x-request-id'];
    const exchange: Exchange = {
      requestId: typeof given === 'string' && WELL_FORMED_ID.test(given) ? given : randomUUID(),
      began: performance.now(),
      accountId: undefined,
      traceId: undefined,
      bytes: 0,
      status: undefined,
      isStream: false,
    };
    (res as WithExchange)[EXCHANGE] = exchange;
    res.once('close', () => {
      const method = req.method ?? 'none';
      const route = (req as Routed).route?.path ?? 'none';
      const status = exchange.status ?? (res.writableFinished ? res.statusCode : CLIENT_CLOSED);
      const ms = performance.now() - exchange.began;
      if (!exchange.isStream) timerOf(method, route, status).observe(ms / 1000);
      const { requestId, accountId, traceId, bytes } = exchange;
      const level = route === '/healthz' || route === '/readyz' ? 'debug' : 'info';
      lines[level](
        { method, route, status, ms: Math.round(ms * 100) / 100, bytes, requestId, accountId, traceId },
        'request',
      );
    });
  };
}

/** @throws Error for a response that `recordExchanges` did not see, which is a bug */
export function exchangeOf(res: ServerResponse): Exchange {
  const exchange = (res as WithExchange)[EXCHANGE];
  if (exchange === undefined) throw new Error('a request that was not recorded');
  return exchange;
}

/**
 * A handler in a span of the client's trace, which the header `traceparent` names; without it the trace is a new one.
 * https://opentelemetry.io/docs/specs/semconv/http/http-spans/
 */
export function traced<Params>(route: string, handle: (req: Request<Params>, res: Response) => Promise<void>) {
  return async (req: Request<Params>, res: Response): Promise<void> => {
    const options = {
      traceparent: (req.headers.traceparent as string | undefined) ?? null,
      kind: 'server' as const,
      attributes: { 'http.request.method': req.method, 'http.route': route },
    };
    const thrown = await inSpan(`${req.method} ${route}`, options, async (span) => {
      exchangeOf(res).traceId = currentTraceId();
      try {
        await handle(req, res);
        span.set({ 'http.response.status_code': res.statusCode });
        return null;
      } catch (error) {
        if (error instanceof ClientGone) return { error };
        const { status, code } = problemOf(error);
        span.set({ 'http.response.status_code': status });
        // An error of the client is no failure of this server.
        if (status >= 500) span.failed(code);
        return { error };
      }
    });
    if (thrown !== null) throw thrown.error;
  };
}

/**
 * How much of a refused body is still read, and for how long. Clients that read only after writing then get the
 * response and no connection reset.
 */
const LINGER_BYTES = 16 * 2 ** 20;
const LINGER_MS = 30_000;
const LINGER_IDLE_MS = 2_000;
/** A smaller body fits in one packet without compression. */
const COMPRESS_FROM_CHARACTERS = 1_024;
const VARY = { Vary: 'Accept-Encoding' };
const GZIPPED = { ...VARY, 'Content-Encoding': 'gzip' };

export function sendJson(res: ServerResponse, status: number, value: unknown, headers: OutgoingHttpHeaders = {}): void {
  send(res, status, 'application/json', JSON.stringify(value), headers);
}

/** Responds with an error, or closes the connection when a response has already begun. */
export function sendProblem(res: ServerResponse, problem: HttpProblem): void {
  if (res.headersSent) {
    res.destroy();
    return;
  }
  const body = JSON.stringify(problemBody(problem, exchangeOf(res).requestId));
  send(res, problem.status, 'application/problem+json', body, problem.headers);
}

export function problemBody({ code, message: detail }: HttpProblem, requestId: string): Problem {
  const { status, title } = PROBLEMS[code];
  return { type: `/docs#${code}`, title, status, code, detail, requestId };
}

/** A document that is serialized and compressed once. */
interface Constant {
  contentType: string;
  identity: Buffer;
  gzip(): Buffer;
}

export function constant(contentType: string, text: string): Constant {
  const identity = Buffer.from(text);
  let packed: Buffer | null = null;
  return { contentType, identity, gzip: () => (packed ??= gzipSync(identity, { level: 9 })) };
}

export function sendConstant(res: ServerResponse, { contentType, identity, gzip: packed }: Constant): void {
  if (acceptsGzip(res)) write(res, 200, contentType, packed(), GZIPPED);
  else write(res, 200, contentType, identity, VARY);
}

/** Sends a response. It is compressed when it answers a GET, is large enough and the client accepts gzip. */
export function send(
  res: ServerResponse,
  status: number,
  contentType: string,
  body: string,
  headers: OutgoingHttpHeaders = {},
): void {
  // Only reads: secrets (new keys, links) are in responses to other methods, so compression does not leak them
  // (https://breachattack.com).
  if (status !== 200 || !isRead(res.req) || body.length < COMPRESS_FROM_CHARACTERS)
    write(res, status, contentType, body, headers);
  else if (!acceptsGzip(res)) write(res, status, contentType, body, { ...headers, ...VARY });
  else
    gzip(body, (error, packed) => {
      if (res.destroyed) return;
      if (error === null) write(res, status, contentType, packed, { ...headers, ...GZIPPED });
      else write(res, status, contentType, body, { ...headers, ...VARY });
    });
}

function isRead({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD';
}

function acceptsGzip(res: ServerResponse): boolean {
  return res.req.headers['accept-encoding'] !== undefined && (res.req as Request).acceptsEncodings('gzip') === 'gzip';
}

function write(
  res: ServerResponse,
  status: number,
  contentType: string,
  content: string | Buffer,
  headers: OutgoingHttpHeaders,
): void {
  const exchange = exchangeOf(res);
  const body = typeof content === 'string' ? Buffer.from(content) : content;
  exchange.bytes = body.length;
  const closing = hasUnreadBody(res.req);
  res.writeHead(status, {
    'Content-Type': contentType,
    'Content-Length': exchange.bytes,
    'X-Request-Id': exchange.requestId,
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
    ...(closing ? { Connection: 'close' } : {}),
    ...headers,
  });
  if (closing) closeAfter(res, body);
  else res.end(body);
}

/** Responds without a body. @param status 202 or 204 */
export function sendNothing(res: ServerResponse, status = 204): void {
  res.writeHead(status, {
    'X-Request-Id': exchangeOf(res).requestId,
    'Cache-Control': 'no-store',
    // An unexpected body stays unread.
    ...(hasUnreadBody(res.req) ? { Connection: 'close' } : {}),
  });
  res.end();
}

function hasUnreadBody(req: IncomingMessage): boolean {
  if (req.complete || req.destroyed) return false;
  return (req.headers['content-length'] ?? '0') !== '0' || req.headers['transfer-encoding'] !== undefined;
}

/**
 * Ends a response while the body of its request still arrives. If the connection were closed at once, the client's
 * system could discard the response, so this reads a limited part of the body first.
 */
function closeAfter(res: ServerResponse, body: Buffer): void {
  const { req } = res;
  const until = performance.now() + LINGER_MS;
  let left = LINGER_BYTES;
  let arrived = false;
  const end = () => {
    clearTimeout(idle);
    req.off('data', discard).off('end', end).off('close', end);
    res.end();
  };
  const discard = (chunk: Buffer) => {
    arrived = true;
    left -= chunk.length;
    if (left <= 0) req.pause();
  };
  // What arrived while this process was busy is read before the client counts as idle.
  const idle = setTimeout(() => setImmediate(endIfIdle), LINGER_IDLE_MS);
  const endIfIdle = () => {
    if (res.writableEnded) return;
    if (!arrived || left <= 0 || performance.now() > until) return end();
    arrived = false;
    idle.refresh();
  };
  res.write(body);
  req.on('data', discard).once('end', end).once('close', end).resume();
}
