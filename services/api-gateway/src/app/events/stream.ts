import type { ServerResponse } from 'node:http';
import type { LiveChange } from '@call-analytics/contracts';
import { exchangeOf } from '../../http/exchange.ts';

/** How long changes are gathered before they are sent: a call that passes through states quickly is told of once. */
const GATHER_MS = 100;
/** After how long a browser asks again when the stream is cut. */
const RETRY_MS = 2_000;

/** One page that listens. https://html.spec.whatwg.org/multipage/server-sent-events.html */
export class Stream {
  readonly #res: ServerResponse;
  readonly #changed = new Set<string>();
  #gathering: NodeJS.Timeout | undefined;

  constructor(res: ServerResponse) {
    this.#res = res;
    const exchange = exchangeOf(res);
    exchange.isStream = true;
    // However it ends.
    exchange.status = 200;
    res.writeHead(200, {
      'Content-Type': 'text/event-stream',
      // No proxy may keep, compress or gather it (the last one is nginx's own).
      'Cache-Control': 'no-store, no-transform',
      'X-Accel-Buffering': 'no',
      'X-Content-Type-Options': 'nosniff',
      'X-Request-Id': exchange.requestId,
    });
    res.once('close', () => clearTimeout(this.#gathering));
    // Beside the headers, so that they are sent at once.
    this.#write(`retry: ${RETRY_MS}\n\n`);
  }

  tell(callId: string): void {
    this.#changed.add(callId);
    this.#gathering ??= setTimeout(() => this.#send(), GATHER_MS);
  }

  /** Keeps proxies from taking the connection for a dead one, and notices when it is. */
  stayAwake(): void {
    this.#write(': still here\n\n');
  }

  /** The page asks again, and is told by the answer why. */
  end(): void {
    this.#res.end();
  }

  #send(): void {
    this.#gathering = undefined;
    const events = [...this.#changed].map(
      (callId) => `event: change\ndata: ${JSON.stringify({ callId } satisfies LiveChange)}\n\n`,
    );
    this.#changed.clear();
    this.#write(events.join(''));
  }

  /** Nothing is kept for a page that does not read: it is cut off, and looks at everything when it comes again. */
  #write(text: string): void {
    const res = this.#res;
    if (res.writableEnded || res.destroyed) return;
    if (res.writableNeedDrain) {
      res.destroy();
      return;
    }
    exchangeOf(res).bytes += Buffer.byteLength(text);
    res.write(text);
  }
}
