import type { Users } from '@call-analytics/accounts';
import { type LiveChange, MESSAGE_TYPES } from '@call-analytics/contracts';
import type { Messaging, Subscription } from '@call-analytics/messaging';
import { type Logger, type Part, WorkError } from '@call-analytics/service-kit';
import type { Response } from 'express';
import { exchangeOf } from '../http/exchange.ts';
import { HttpProblem } from '../http/problem.ts';
import type { CurrentSession } from './sessions.ts';

/**
 * The number of open streams. Browsers open at most six per host over HTTP/1.1; more are programs or forgotten pages.
 */
export interface StreamLimits {
  session: number;
  user: number;
  account: number;
}
const LIMITS: StreamLimits = { session: 10, user: 30, account: 300 };

interface LiveChangesOptions {
  users: Users;
  /** Without it there are no streams, and pages poll. */
  messaging: Pick<Messaging, 'subscribe'> | undefined;
  log: Logger;
  /** Milliseconds between the comments that keep a stream open. */
  keepAliveMs?: number;
  /** Milliseconds between checks whether the sessions go on. */
  checkMs?: number;
  limits?: StreamLimits;
}

interface Listener {
  caller: CurrentSession;
  stream: EventStream;
}

/** Sends the changes of an account's calls to its open pages. */
export class LiveChanges implements Part {
  readonly name = 'live changes';
  readonly #options: LiveChangesOptions;
  readonly #listeners = new Set<Listener>();
  readonly #timers: NodeJS.Timeout[] = [];
  #subscription: Subscription | null = null;
  #isChecking = false;

  constructor(options: LiveChangesOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const { messaging, keepAliveMs = 15_000, checkMs = 30_000 } = this.#options;
    this.#subscription =
      (await messaging?.subscribe(MESSAGE_TYPES, ({ data }) => this.#send(data.accountId, data.callId))) ?? null;
    this.#timers.push(
      setInterval(() => this.#keepAlive(), keepAliveMs),
      setInterval(() => void this.#endStreamsOfEndedSessions(), checkMs),
    );
  }

  /** Ends all streams, because a server that stops waits for its responses. */
  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    this.#endAll();
    await this.#subscription?.close();
    this.#subscription = null;
  }

  /** @throws HttpProblem `too_many_streams`; WorkError `transient` without messaging, so that pages poll */
  open(caller: CurrentSession, res: Response): void {
    if (this.#subscription?.ready() !== null)
      throw new WorkError({
        kind: 'transient',
        code: 'events_unavailable',
        message: 'Events are temporarily unavailable.',
      });
    this.#checkLimits(caller);
    const listener = { caller, stream: new EventStream(res) };
    this.#listeners.add(listener);
    res.once('close', () => this.#listeners.delete(listener));
  }

  #checkLimits({ token, actor }: CurrentSession): void {
    const open: StreamLimits = { session: 0, user: 0, account: 0 };
    for (const { caller } of this.#listeners) {
      if (caller.token === token) open.session += 1;
      if (caller.actor.userId === actor.userId) open.user += 1;
      if (caller.actor.accountId === actor.accountId) open.account += 1;
    }
    const { limits = LIMITS } = this.#options;
    const reached = (['session', 'user', 'account'] as const).find((scope) => open[scope] >= limits[scope]);
    if (reached === undefined) return;
    const detail = `This ${reached} has ${limits[reached]} event streams open, which is the limit. Close some pages.`;
    throw new HttpProblem('too_many_streams', detail, { 'Retry-After': '30' });
  }

  #send(accountId: string, callId: string): void {
    for (const { caller, stream } of this.#listeners) if (caller.actor.accountId === accountId) stream.send(callId);
  }

  #keepAlive(): void {
    // Without messaging the pages must poll.
    if (this.#subscription?.ready() !== null) this.#endAll();
    for (const { stream } of this.#listeners) stream.keepAlive();
  }

  /** One after another, so that many pages make no burst of requests to accounts. Rounds do not overlap. */
  async #endStreamsOfEndedSessions(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    for (const { caller, stream } of [...this.#listeners]) if (await this.#hasEnded(caller)) stream.end();
    this.#isChecking = false;
  }

  /** While accounts is unavailable, streams stay open. */
  async #hasEnded({ token, actor }: CurrentSession): Promise<boolean> {
    try {
      const session = await this.#options.users.session({ token });
      return session?.account.id !== actor.accountId;
    } catch (error) {
      this.#options.log.debug({ err: error }, 'could not check a session; its stream stays open');
      return false;
    }
  }

  #endAll(): void {
    for (const { stream } of this.#listeners) stream.end();
  }
}

/** Changes are collected for this time, so that a call that passes quickly through its states makes one event. */
const COLLECT_MS = 100;
/** After this time a browser reconnects. */
const RETRY_MS = 2_000;

/** Server-sent events to one page: https://html.spec.whatwg.org/multipage/server-sent-events.html */
class EventStream {
  readonly #res: Response;
  readonly #changed = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(res: Response) {
    this.#res = res;
    const exchange = exchangeOf(res);
    exchange.isStream = true;
    // For the log: a stream that the client closes is no failed request.
    exchange.status = 200;
    res.writeHead(200, {
      'Content-Type': 'text/event-stream',
      // Proxies must not store, compress or buffer it; the last header is for nginx.
      'Cache-Control': 'no-store, no-transform',
      'X-Accel-Buffering': 'no',
      'X-Content-Type-Options': 'nosniff',
      'X-Request-Id': exchange.requestId,
    });
    res.once('close', () => clearTimeout(this.#timer));
    // Also sends the headers at once.
    this.#write(`retry: ${RETRY_MS}\n\n`);
  }

  send(callId: string): void {
    this.#changed.add(callId);
    this.#timer ??= setTimeout(() => this.#flush(), COLLECT_MS);
  }

  /** Keeps proxies from closing an idle connection, and detects a closed one. */
  keepAlive(): void {
    this.#write(': keep-alive\n\n');
  }

  /** The page connects again, and the response says why there is no stream. */
  end(): void {
    this.#res.end();
  }

  #flush(): void {
    this.#timer = undefined;
    const events = [...this.#changed].map(
      (callId) => `event: change\ndata: ${JSON.stringify({ callId } satisfies LiveChange)}\n\n`,
    );
    this.#changed.clear();
    this.#write(events.join(''));
  }

  /**
   * Nothing is buffered for a page that does not read: its connection is closed, and it reads the list when it is back.
   */
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
