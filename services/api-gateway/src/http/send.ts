import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Problem } from '@call-analytics/contracts';
import { exchangeOf } from './exchange.ts';
import { type HttpProblem, PROBLEMS } from './problem.ts';

/** What is still read of a refused request's body, so that clients that read only after writing get the answer and not a reset connection. */
const LINGER_BYTES = 16 * 2 ** 20;
const LINGER_MS = 1_000;

export function sendJson(res: ServerResponse, status: number, value: unknown, headers: OutgoingHttpHeaders = {}): void {
  send(res, status, 'application/json', JSON.stringify(value), headers);
}

/** Answers with an error, or cuts the connection when an answer has begun already. */
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

/** Sends a whole answer. */
export function send(res: ServerResponse, status: number, contentType: string, body: string, headers: OutgoingHttpHeaders = {}): void {
  const exchange = exchangeOf(res);
  exchange.bytes = Buffer.byteLength(body);
  const closing = bodyIsComing(res.req);
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

/** Says that it is done, and no more. @param status 202 or 204 */
export function sendNothing(res: ServerResponse, status = 204): void {
  res.writeHead(status, {
    'X-Request-Id': exchangeOf(res).requestId,
    'Cache-Control': 'no-store',
    // A body that nobody asked for stays unread.
    ...(bodyIsComing(res.req) ? { Connection: 'close' } : {}),
  });
  res.end();
}

function bodyIsComing(req: IncomingMessage): boolean {
  if (req.complete) return false;
  return (req.headers['content-length'] ?? '0') !== '0' || req.headers['transfer-encoding'] !== undefined;
}

/**
 * The answer is written, and the client can read it, while some of its body is still under way. Closing at once would make the client's system throw the
 * answer away with the connection, so the end waits a moment, and reads a little. It never reads on to the end of a large body.
 */
function closeAfter(res: ServerResponse, body: string): void {
  const { req } = res;
  let left = LINGER_BYTES;
  const end = () => {
    clearTimeout(timer);
    req.off('data', discard).off('end', end).off('close', end);
    res.end();
  };
  const discard = (chunk: Buffer) => {
    left -= chunk.length;
    if (left <= 0) req.pause();
  };
  const timer = setTimeout(end, LINGER_MS);
  res.write(body);
  req.on('data', discard).once('end', end).once('close', end).resume();
}
