import { createHash } from 'node:crypto';
import { Agent, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { circuitBreaker, type Logger, type Metrics, WorkError } from '@call-analytics/service-kit';
import type { NextFunction } from 'express';
import { exchangeOf } from './http/exchange.ts';

/**
 * Serves a GET or HEAD of a page or a file of the web application.
 * @returns false, without a response, when the address does not exist
 */
export type Pages = (req: IncomingMessage, res: ServerResponse) => boolean | Promise<boolean>;

/** Never a page, even if no API has the address: a client with a wrong base URL gets an error, not a page with 200. */
const API_PATH = /^\/+(api|app)(\/|\?|$)/i;

/** Serves the pages at all addresses that no API has. */
export function servePages(pages: Pages) {
  return async (req: IncomingMessage, res: ServerResponse, next: NextFunction): Promise<void> => {
    const exchange = exchangeOf(res);
    res.setHeader('X-Request-Id', exchange.requestId);
    res.once('finish', () => {
      exchange.bytes = req.method === 'HEAD' ? 0 : Number(res.getHeader('content-length') ?? 0);
    });
    if (API_PATH.test(req.url ?? '/') || !(await pages(req, res))) next();
  };
}

const UNAVAILABLE = { code: 'web_unavailable', message: 'The pages cannot be reached now.' } as const;
/** From the request to the response headers, in ms. The web service has the files in memory. */
const DEADLINE_MS = 5_000;
/** Between two chunks of a file, in ms. */
const IDLE_MS = 10_000;
const REQUEST_HEADERS = ['accept-encoding', 'if-none-match'];
const RESPONSE_HEADERS = [
  'cache-control',
  'content-encoding',
  'content-length',
  'content-security-policy',
  'content-type',
  'etag',
  'referrer-policy',
  'vary',
  'x-content-type-options',
  'x-frame-options',
];

/**
 * The pages of the web service, behind a circuit breaker. Cookies and other headers of the client are not forwarded.
 * @param url e.g. `http://web:8081`
 */
export function remotePages({ url, log, metrics }: { url: string; log: Logger; metrics: Metrics }): Pages {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: 32, timeout: IDLE_MS });
  const breaker = circuitBreaker('web', { unavailable: UNAVAILABLE, deadlineMs: DEADLINE_MS, log, metrics });

  const ask = (req: IncomingMessage, signal: AbortSignal) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const headers = Object.fromEntries(
        REQUEST_HEADERS.map((name) => [name, req.headers[name] ?? '']).filter(([, value]) => value !== ''),
      );
      const asked = request({ hostname, port, path: pathOf(req), agent, method: req.method ?? 'GET', headers });
      const fail = (cause: unknown) => reject(new WorkError({ kind: 'transient', ...UNAVAILABLE }, { cause }));
      // The deadline ends with the headers: the body takes as long as the client needs.
      const giveUp = () => asked.destroy(signal.reason);
      signal.addEventListener('abort', giveUp, { once: true });
      asked.setTimeout(IDLE_MS, () => asked.destroy(new Error(`no data for ${IDLE_MS} ms`)));
      asked.on('error', fail);
      asked.on('response', (answer) => {
        signal.removeEventListener('abort', giveUp);
        if ((answer.statusCode ?? 500) < 500) return resolve(answer);
        answer.resume();
        fail(new Error(`status ${answer.statusCode}`));
      });
      asked.end();
    });

  return async (req, res) => {
    let answer: IncomingMessage;
    try {
      answer = await breaker.run((signal) => ask(req, signal));
    } catch (error) {
      log.debug({ err: error }, 'the web service is not available');
      return pagesUnavailable(req, res);
    }
    // With 404 comes either the page for unknown addresses, or nothing of use: then the API answers.
    const unknownPage = answer.statusCode === 404 && /^text\/html/.test(answer.headers['content-type'] ?? '');
    if (answer.statusCode !== 200 && answer.statusCode !== 304 && !unknownPage) {
      answer.resume();
      return false;
    }
    forward(answer, res);
    return true;
  };
}

function forward(answer: IncomingMessage, res: ServerResponse): void {
  const headers = RESPONSE_HEADERS.map((name) => [name, answer.headers[name]]).filter(
    ([, value]) => value !== undefined,
  );
  res.writeHead(answer.statusCode ?? 200, Object.fromEntries(headers));
  answer.once('error', () => res.destroy());
  res.once('close', () => answer.destroy());
  answer.pipe(res);
}

/** Not parsed as a URL, so that no path can lead to another host. */
function pathOf({ url = '/' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '/';
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const STYLE =
  'body{font:1rem/1.5 system-ui,sans-serif;max-width:36rem;margin:20vh auto;padding:0 1rem;color-scheme:light dark}';
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');
const POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; frame-ancestors 'none'`;

/**
 * Responds to each page with the reason why there are none.
 * @param what what happened and what to do, as sentences; `…` marks code
 */
function noPages(title: string, what: string): Pages {
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>${prose(title)}</title><style>${STYLE}</style></head>
<body><h1>${prose(title)}</h1><p>${prose(what)}</p>
<p>The API works: <a href="/api/v1/openapi.json">OpenAPI document</a>.</p></body></html>
`;
  return (req: IncomingMessage, res: ServerResponse) => {
    res.writeHead(503, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Length': Buffer.byteLength(html),
      'Content-Security-Policy': POLICY,
      'Cache-Control': 'no-store',
      'Retry-After': '10',
      'X-Content-Type-Options': 'nosniff',
    });
    res.end(req.method === 'HEAD' ? undefined : html);
    return true;
  };
}

const pagesUnavailable = noPages('The pages are temporarily unavailable', 'Please try again in a few seconds.');

export const pagesNotBuilt: Pages = noPages(
  'The pages are not built',
  'Build them with `npm run pages`, then start the service again.',
);

/** Text as HTML; `…` marks code. */
function prose(text: string): string {
  const escaped = text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char);
  return escaped.replace(/`([^`]+)`/g, '<code>$1</code>');
}
