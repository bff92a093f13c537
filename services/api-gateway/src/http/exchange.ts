import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { currentTraceId, inSpan, type Logger, type Metrics } from '@call-analytics/service-kit';
import type { Request, Response } from 'express';
import { ClientGone, problemOf } from './problem.ts';

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
