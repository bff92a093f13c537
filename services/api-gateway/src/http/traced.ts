import type { ServerResponse } from 'node:http';
import { currentTraceId, inSpan } from '@call-analytics/service-kit';
import type { Request } from 'express';
import { ClientGone } from '../upload-call/body.ts';
import { exchangeOf } from './exchange.ts';
import { problemOf } from './problem.ts';

type Answer<Params> = (req: Request<Params>, res: ServerResponse) => Promise<void>;

/**
 * A handler whose work is a span in the trace of the client, when it sent a `traceparent`, and else in a trace of its own.
 * https://opentelemetry.io/docs/specs/semconv/http/http-spans/
 */
export function traced<Params>(route: string, handle: Answer<Params>): Answer<Params> {
  const options = (req: Request<Params>) => ({
    traceparent: (req.headers.traceparent as string | undefined) ?? null,
    kind: 'server' as const,
    attributes: { 'http.request.method': req.method, 'http.route': route },
  });
  return async (req, res) => {
    const refusal = await inSpan(`${req.method} ${route}`, options(req), async (span) => {
      exchangeOf(res).traceId = currentTraceId();
      try {
        await handle(req, res);
        span.set({ 'http.response.status_code': res.statusCode });
        return null;
      } catch (error) {
        if (error instanceof ClientGone) return { error };
        const { status, code } = problemOf(error);
        span.set({ 'http.response.status_code': status });
        // What the client did wrong is no failure of this server.
        if (status >= 500) span.failed(code);
        return { error };
      }
    });
    if (refusal !== null) throw refusal.error;
  };
}
