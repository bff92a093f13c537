import { connect } from 'node:net';
import { makeMessage } from '@call-analytics/contracts';
import { inProcessMessaging, type Messaging } from '@call-analytics/messaging';
import { makeLogger, makeMetrics, WorkError } from '@call-analytics/service-kit';
import { until } from '@call-analytics/test/until.fixture.ts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Browser, PASSWORD, signedUp } from '../testing/browser.fixture.ts';
import { type RunningGateway, runGateway } from '../testing/gateway.fixture.ts';

let messaging: Messaging;
let gateway: RunningGateway;
let anna: Browser;
let annasAccount: string;
/** Whether the time of all sessions is over. */
let isOver: boolean;

beforeEach(async () => {
  messaging = inProcessMessaging({ log: makeLogger('test', 'silent'), metrics: makeMetrics() });
  isOver = false;
  gateway = await runGateway({
    messaging,
    settings: { SIGN_UP: 'open' },
    liveTimes: { keepAliveMs: 50, checkMs: 50 },
    users: (real) => ({ ...real, session: async (request) => (isOver ? null : real.session(request)) }),
  });
  const { browser, account } = await signedUp(gateway, 'anna@acme.example');
  [anna, annasAccount] = [browser, account.id];
});
afterEach(async () => {
  await gateway.stop();
  await messaging.close();
});

/** A page that listens. */
class Page {
  text = '';
  ended = false;
  readonly answer: Response;
  readonly #closing: AbortController;

  private constructor(answer: Response, closing: AbortController) {
    this.answer = answer;
    this.#closing = closing;
    void this.#read().catch(() => {
      this.ended = true;
    });
  }

  static async open(browser: Browser): Promise<Page> {
    const closing = new AbortController();
    return new Page(
      await fetch(`${gateway.url}/app/events`, { headers: browser.headers, signal: closing.signal }),
      closing,
    );
  }

  /** Ids of the calls heard of. */
  get changes(): string[] {
    return [...this.text.matchAll(/^event: change\ndata: (.*)\n\n/gm)].map(
      ([, data]) => (JSON.parse(String(data)) as { callId: string }).callId,
    );
  }

  async until(holds: (page: Page) => boolean): Promise<void> {
    await until(
      () => holds(this) || this.ended,
      (over) => over,
    );
    if (!holds(this)) throw new Error(`ended after ${JSON.stringify(this.text)}`);
  }

  close(): void {
    this.#closing.abort();
  }

  async #read(): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of this.answer.body ?? []) this.text += decoder.decode(chunk, { stream: true });
    this.ended = true;
  }
}

let messages = 0;
function happens(accountId: string, callId: string): Promise<void> {
  messages += 1;
  return messaging.publish(makeMessage('call.completed', { callId, accountId }, `m${messages}`, '/test', new Date()));
}

describe('GET /app/events', () => {
  it('tells a page of the changes of its own account, and of no other', async () => {
    const { browser: berta, account } = await signedUp(gateway, 'berta@other.example');
    const [annas, bertas] = [await Page.open(anna), await Page.open(berta)];
    await happens(account.id, 'call_bertas');
    await happens(annasAccount, 'call_annas');
    await Promise.all([
      annas.until(({ changes }) => changes.length > 0),
      bertas.until(({ changes }) => changes.length > 0),
    ]);
    expect({ annas: annas.changes, bertas: bertas.changes }).toEqual({
      annas: ['call_annas'],
      bertas: ['call_bertas'],
    });
  });

  it('tells of ids and of nothing that was said, in a form that no proxy keeps, gathers or packs', async () => {
    const page = await Page.open(anna);
    expect(Object.fromEntries(page.answer.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    expect(page.answer.headers.get('content-encoding')).toBeNull();
    await happens(annasAccount, 'call_1');
    await page.until(({ changes }) => changes.length > 0);
    expect(page.text).toMatch(/^retry: 2000\n\n(: keep-alive\n\n)*event: change\ndata: {"callId":"call_1"}\n\n/);
  });

  it('tells once of a call that changes many times in a moment', async () => {
    const page = await Page.open(anna);
    for (let i = 0; i < 50; i += 1) await happens(annasAccount, `call_${i % 2}`);
    await page.until(({ changes }) => changes.length >= 2);
    // What is still held back comes before this.
    await happens(annasAccount, 'call_last');
    await page.until(({ changes }) => changes.includes('call_last'));
    expect(page.changes.length).toBeLessThan(10);
    expect(new Set(page.changes)).toEqual(new Set(['call_0', 'call_1', 'call_last']));
  });

  it('shows now and then that it is there', async () => {
    const page = await Page.open(anna);
    await page.until(({ text }) => text.split(': keep-alive\n\n').length > 3);
  });

  describe('ends when its session does', () => {
    const endsAfter = async (browser: Browser, what: () => Promise<unknown>) => {
      const page = await Page.open(browser);
      await page.until(({ text }) => text.includes(': keep-alive'));
      const { headers } = browser;
      expect(page.ended).toBe(false);
      await what();
      await page.until(({ ended }) => ended);
      expect((await fetch(`${gateway.url}/app/events`, { headers })).status).toBe(401);
    };

    it('because its user signs out', () => endsAfter(anna, () => anna.ask('DELETE', '/app/session')));

    it('because its user is removed', async () => {
      const { body } = await anna.ask('POST', '/app/invitations', { body: { role: 'member' } });
      const invitation = (body as { url: string }).url.split('token=')[1];
      const { browser, user } = await signedUp(gateway, 'max@acme.example', { invitation });
      await endsAfter(browser, () => anna.ask('DELETE', `/app/members/${user.id}`));
    });

    it('because it is over', () =>
      endsAfter(anna, async () => {
        isOver = true;
      }));
  });

  it('goes on while it is not known whether the session does', async () => {
    let away = false;
    const other = await runGateway({
      messaging,
      settings: { SIGN_UP: 'open' },
      liveTimes: { keepAliveMs: 20, checkMs: 20 },
      users: (real) => ({
        ...real,
        session: async (request) => {
          if (away) throw new WorkError({ kind: 'transient', code: 'accounts_unavailable', message: 'away' });
          return real.session(request);
        },
      }),
    });
    const { browser } = await signedUp(other, 'carl@acme.example');
    const answer = await fetch(`${other.url}/app/events`, { headers: browser.headers });
    away = true;
    const reader = answer.body?.getReader();
    for (let i = 0; i < 5; i += 1) expect(await reader?.read()).toMatchObject({ done: false });
    await reader?.cancel();
    await other.stop();
  });

  it('lets ten pages of a session listen, and says so to the next; there is room when one is closed', async () => {
    const pages = await Promise.all(Array.from({ length: 10 }, () => Page.open(anna)));
    expect(pages.map(({ answer }) => answer.status)).toEqual(Array(10).fill(200));
    expect(await anna.get('/app/events')).toMatchObject({ status: 429, body: { code: 'too_many_streams' } });
    pages[0]?.close();
    const { answer } = await until(
      () => Page.open(anna),
      ({ answer: { status } }) => status !== 429,
    );
    expect(answer.status).toBe(200);
  });

  it.each([
    ['user', 2, { session: 2, user: 3, account: 100 }],
    ['account', 3, { session: 2, user: 3, account: 4 }],
  ] as const)('has a limit for each %s too, over all its sessions', async (whose, sessions, limits) => {
    const limited = await runGateway({ messaging, settings: { SIGN_UP: 'open' }, liveTimes: { limits } });
    const { browser } = await signedUp(limited, 'carl@acme.example');
    const browsers = [browser];
    while (browsers.length < sessions) browsers.push(await another(limited, browser, whose));
    const closing = new AbortController();
    const open = (from: Browser) =>
      fetch(`${limited.url}/app/events`, { headers: from.headers, signal: closing.signal });
    const statuses: number[] = [];
    for (const from of browsers.flatMap((each) => [each, each])) statuses.push((await open(from)).status);
    const most = limits[whose];
    expect(statuses).toEqual([...Array(most).fill(200), ...Array(sessions * 2 - most).fill(429)]);
    const refused = await browsers.at(-1)?.get('/app/events');
    expect(refused?.body).toMatchObject({
      code: 'too_many_streams',
      detail: expect.stringContaining(`This ${whose} has ${most}`),
    });
    closing.abort();
    await limited.stop();
  });

  /** A browser with a session of its own: of the same user, or of another of the account. */
  async function another(of: RunningGateway, owner: Browser, whose: 'user' | 'account'): Promise<Browser> {
    const browser = new Browser(of);
    if (whose === 'user')
      await browser.ask('POST', '/app/session', { body: { email: 'carl@acme.example', password: PASSWORD } });
    else {
      const { url } = (await owner.ask('POST', '/app/invitations', { body: { role: 'member' } })).body as {
        url: string;
      };
      invited += 1;
      await browser.signUp(`member${invited}@acme.example`, {
        invitation: new URLSearchParams(new URL(url).hash.slice(1)).get('token'),
      });
    }
    return browser;
  }
  let invited = 0;

  it('cuts off a page that does not read, and keeps nothing for it', async () => {
    const socket = connect(gateway.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.pause();
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    socket.write(`GET /app/events HTTP/1.1\r\nHost: 127.0.0.1:${gateway.port}\r\nCookie: ${anna.cookie}\r\n\r\n`);
    // What the system itself keeps for the connection has to be full first.
    const line = async () => {
      for (let k = 0; k < 500; k += 1) await happens(annasAccount, `call_${'x'.repeat(2_000)}_${k}`);
      return gateway.log.find(({ route, msg }) => route === '/app/events' && msg === 'request');
    };
    expect(await until(line, (found) => found !== undefined, 30_000, 50)).toMatchObject({ status: 200 });
    socket.destroy();
    await closed;
  });

  it('has an end at once when the gateway stops', async () => {
    const page = await Page.open(anna);
    const began = performance.now();
    await gateway.gateway.stop(AbortSignal.timeout(10_000));
    await page.until(({ ended }) => ended);
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  it('is 503 while nothing can be heard, so that pages poll, and ends when that begins', async () => {
    const page = await Page.open(anna);
    await messaging.close();
    await page.until(({ ended }) => ended);
    expect(await anna.get('/app/events')).toMatchObject({ status: 503, body: { code: 'temporarily_unavailable' } });
  });

  it('is no stream after HEAD', async () => {
    const answer = await fetch(`${gateway.url}/app/events`, { method: 'HEAD', headers: anna.headers });
    expect({ status: answer.status, type: answer.headers.get('content-type') }).toEqual({
      status: 200,
      type: 'text/event-stream',
    });
  });
});
