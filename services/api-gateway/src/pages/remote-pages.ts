import { Agent, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { circuitBreaker, type Logger, type Metrics, WorkError } from '@call-analytics/service-kit';
import { noPages } from './no-pages.ts';
import type { Pages } from './pages.ts';

const UNAVAILABLE = { code: 'web_unavailable', message: 'The pages cannot be reached now.' } as const;
/** From the question to the headers of the answer, in ms. The files are in the memory of the other side. */
const DEADLINE_MS = 5_000;
/** Between two pieces of a file. */
const IDLE_MS = 10_000;
const ASKED = ['accept-encoding', 'if-none-match'];
const ANSWERED = [
  ...['cache-control', 'content-encoding', 'content-length', 'content-security-policy', 'content-type', 'etag'],
  ...['referrer-policy', 'vary', 'x-content-type-options', 'x-frame-options'],
];

const away = noPages('The pages are away for a moment', 'Please try again in a few seconds.');

/**
 * The pages of the web service, behind a circuit breaker: while it is away, a page says so at once. Neither cookies nor anything else of the caller goes there.
 * @param url e.g. `http://web:8081`
 */
export function remotePages({ url, log, metrics }: { url: string; log: Logger; metrics: Metrics }): Pages {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: 32, timeout: IDLE_MS });
  const breaker = circuitBreaker('web', { unavailable: UNAVAILABLE, deadlineMs: DEADLINE_MS, log, metrics });

  const ask = (req: IncomingMessage, signal: AbortSignal) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const headers = Object.fromEntries(
        ASKED.map((name) => [name, req.headers[name] ?? '']).filter(([, value]) => value !== ''),
      );
      const asked = request({ hostname, port, path: pathOf(req), agent, method: req.method ?? 'GET', headers });
      const fail = (cause: unknown) => reject(new WorkError({ kind: 'transient', ...UNAVAILABLE }, { cause }));
      // Only as long as there is no answer: the body takes the time that the client's line needs.
      const giveUp = () => asked.destroy(signal.reason);
      signal.addEventListener('abort', giveUp, { once: true });
      asked.setTimeout(IDLE_MS, () => asked.destroy(new Error(`nothing came for ${IDLE_MS} ms`)));
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
      log.debug({ err: error }, 'no page to be had');
      return away(req, res);
    }
    if (answer.statusCode !== 200 && answer.statusCode !== 304) {
      answer.resume();
      return false;
    }
    passOn(answer, res);
    return true;
  };
}

function passOn(answer: IncomingMessage, res: ServerResponse): void {
  const headers = ANSWERED.map((name) => [name, answer.headers[name]]).filter(([, value]) => value !== undefined);
  res.writeHead(answer.statusCode ?? 200, Object.fromEntries(headers));
  answer.once('error', () => res.destroy());
  res.once('close', () => answer.destroy());
  answer.pipe(res);
}

/** Never parsed as an address: whatever it looks like, nothing but the web service is asked. */
function pathOf({ url = '/' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '/';
}
