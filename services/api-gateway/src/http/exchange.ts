import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger, Metrics } from '@call-analytics/service-kit';

/** One request with its answer, as the log and the metrics see it. */
export interface Exchange {
  readonly requestId: string;
  /** Milliseconds, on the clock of `performance.now()`. */
  readonly began: number;
  accountId: string | undefined;
  /** Of the trace that the request belongs to. */
  traceId: string | undefined;
  /** Bytes of the answer's body. */
  bytes: number;
  /** The status when it is not the one sent, or nothing was sent. */
  status: number | undefined;
  /** An answer that goes on for as long as the client likes: its time says nothing. */
  isStream: boolean;
}

/** nginx's word for "the client closed the connection before there was an answer". */
const CLIENT_CLOSED = 499;
const WELL_FORMED_ID = /^[A-Za-z0-9._-]{1,128}$/;
const EXCHANGE = Symbol('exchange');

type WithExchange = ServerResponse & { [EXCHANGE]?: Exchange };
type Routed = IncomingMessage & { route?: { path: string } };

/** @returns a function that begins the record of one request; its line is logged and its time counted when the answer is sent or the client gone */
export function recordExchanges(log: Logger, metrics: Metrics): (req: IncomingMessage, res: ServerResponse) => void {
  // The fields of the line are these few and none is a secret: looking for some to hide would cost more than the rest of the line.
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

/** @throws Error for an answer whose request was not recorded, which cannot happen behind the server of this gateway */
export function exchangeOf(res: ServerResponse): Exchange {
  const exchange = (res as WithExchange)[EXCHANGE];
  if (exchange === undefined) throw new Error('a request that was not recorded');
  return exchange;
}
