import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeLogger, makeMetrics } from '@call-analytics/service-kit';
import { type WebServer, webPages, webServer } from '@call-analytics/web/server';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pagesNotBuilt, remotePages } from './index.ts';
import { type RunningGateway, runGateway } from './testing/gateway.fixture.ts';
import { RawClient } from './testing/socket.fixture.ts';

const SCRIPT = 'export const answer = 42;\n'.repeat(100);
const about = () => ({ log: makeLogger('test', 'silent'), metrics: makeMetrics() });

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'pages-'));
  await mkdir(join(dir, 'assets'));
  await writeFile(join(dir, 'docs.html'), '<!doctype html><html><head><title>Docs</title></head></html>');
  for (const name of ['index.html', 'auth.html'])
    await writeFile(join(dir, name), '<!doctype html><html><head><title>Pages</title></head></html>');
  await writeFile(join(dir, 'assets/index-Bx3f.js'), SCRIPT);
});
afterAll(() => rm(dir, { recursive: true }));

/** The same for pages of this process and of another. */
function pagesBesideTheApi(of: () => RunningGateway): void {
  it('shows them at / and wherever no API is', async () => {
    const statuses = { '/': 200, '/calls/call_x': 200, '/settings?tab=keys': 200, '/apples': 404 };
    for (const [path, status] of Object.entries(statuses)) {
      const answer = await fetch(of().url + path);
      expect({ path, status: answer.status, type: answer.headers.get('content-type') }).toEqual({
        path,
        status,
        type: 'text/html; charset=utf-8',
      });
      expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/);
      expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
      expect(await answer.text()).toContain('<title>Pages</title>');
    }
    const script = await fetch(`${of().url}/assets/index-Bx3f.js`);
    expect(script.headers.get('cache-control')).toMatch(/immutable/);
    expect(await script.text()).toBe(SCRIPT);
  });

  it.each([
    '/api',
    '/api/v1',
    '/api/v2/calls',
    '/api/v1/nothing',
    '/app',
    '/app/',
    '/app/nothing',
    '/app?x',
    '//api/v1/calls',
    '/API/v1/calls',
    '/none.js',
    '/assets/none.js',
  ])('leaves what no API and no page has to the 404 of the API: %s', async (path) => {
    expect(await of().ask(path)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  it('shows the documentation at /docs', async () => {
    const answer = await fetch(`${of().url}/docs`);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('<title>Docs</title>');
    expect(await of().ask('/docs', { method: 'POST' })).toMatchObject({
      status: 405,
      body: { code: 'method_not_allowed' },
    });
  });

  it('leaves the health of the API and everything that is no GET as they are', async () => {
    expect((await of().ask('/healthz')).body).toEqual({ status: 'ok' });
    expect(await of().ask('/', { method: 'POST' })).toMatchObject({
      status: 405,
      body: { code: 'method_not_allowed' },
    });
    expect(await of().ask('/calls', { method: 'POST' })).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  it('answers HEAD and what the browser has already', async () => {
    const first = await fetch(`${of().url}/assets/index-Bx3f.js`, { method: 'HEAD' });
    expect(first.headers.get('content-length')).toBe(String(SCRIPT.length));
    const headers = { 'if-none-match': first.headers.get('etag') ?? '' };
    expect((await fetch(`${of().url}/assets/index-Bx3f.js`, { headers })).status).toBe(304);
  });
}

describe('a gateway with pages in its own process', () => {
  let gateway: RunningGateway;
  beforeAll(async () => {
    gateway = await runGateway({ pages: (await webPages({ dir })) ?? pagesNotBuilt });
  });
  afterAll(() => gateway.stop());
  pagesBesideTheApi(() => gateway);
});

describe('a gateway whose pages were not built', () => {
  it('says so and how to, and serves the API', async () => {
    const gateway = await runGateway({ pages: pagesNotBuilt });
    const answer = await fetch(`${gateway.url}/calls`);
    expect({ status: answer.status, text: await answer.text() }).toEqual({
      status: 503,
      text: expect.stringContaining('npm run pages'),
    });
    expect((await gateway.get('/api/v1/me')).status).toBe(200);
    await gateway.stop();
  });
});

describe('a gateway whose pages are in a service of their own', () => {
  let web: WebServer;
  let gateway: RunningGateway;
  beforeAll(async () => {
    web = webServer({ dir, port: 0, host: '127.0.0.1' });
    await web.start();
    gateway = await runGateway({ pages: remotePages({ url: web.url(), ...about() }) });
  });
  afterAll(async () => {
    await gateway.stop();
    await web.stop(AbortSignal.abort());
  });
  pagesBesideTheApi(() => gateway);

  it.each(['//evil.example/x.js', '/\\evil.example/x.js', '/@evil.example/x.js', '/http://evil.example/x.js'])(
    'asks nobody but that service, whatever an address looks like: %s',
    async (path) => {
      const client = await RawClient.connect(gateway.port);
      client.send(`GET ${path} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n`);
      await client.closed();
      expect(client.answer.status).toBe(404);
    },
  );
});

describe('a gateway whose web service', () => {
  let web: Server;
  let asked: { cookie: unknown; authorization: unknown }[];
  let answerWith: (res: import('node:http').ServerResponse) => void;
  let gateway: RunningGateway;
  beforeAll(async () => {
    web = createServer((req, res) => {
      asked.push({ cookie: req.headers.cookie, authorization: req.headers.authorization });
      answerWith(res);
    });
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
    asked = [];
    gateway = await runGateway({
      pages: remotePages({ url: `http://127.0.0.1:${(web.address() as AddressInfo).port}`, ...about() }),
    });
  });
  afterAll(async () => {
    await gateway.stop();
    web.closeAllConnections();
    web.close();
  });

  it('is not told who asks', async () => {
    answerWith = (res) =>
      res.writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'theirs=1', server: 'web' }).end('page');
    const answer = await fetch(gateway.url, {
      headers: { cookie: 'call_analytics_session=secret', authorization: 'Bearer aca_secret' },
    });
    expect(await answer.text()).toBe('page');
    expect(asked).toEqual([{ cookie: undefined, authorization: undefined }]);
    expect(answer.headers.get('set-cookie')).toBeNull();
    expect(answer.headers.get('server')).toBeNull();
  });

  it('breaks off in the middle of a file, does not pretend that this was all', async () => {
    answerWith = (res) => {
      res.writeHead(200, { 'content-type': 'text/javascript', 'content-length': '1000' });
      res.write('half');
      setImmediate(() => res.destroy());
    };
    await expect(fetch(`${gateway.url}/assets/x.js`).then((answer) => answer.text())).rejects.toThrow();
  });

  it('is away shows a page that says so, at once after a few times, and serves the API as ever', async () => {
    answerWith = (res) => res.destroy();
    for (let i = 0; i < 8; i += 1) {
      const answer = await fetch(`${gateway.url}/calls`);
      expect({ status: answer.status, text: await answer.text() }).toEqual({
        status: 503,
        text: expect.stringContaining('temporarily unavailable'),
      });
      expect(answer.headers.get('retry-after')).toBe('10');
    }
    const before = asked.length;
    await fetch(`${gateway.url}/calls`);
    expect(asked.length).toBe(before);
    expect((await gateway.get('/api/v1/me')).status).toBe(200);
    expect((await gateway.ask('/readyz')).status).toBe(200);
  });
});
