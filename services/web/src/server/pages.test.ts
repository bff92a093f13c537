import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type WebServer, webPages, webServer } from './pages.ts';

const SCRIPT = `console.log(${JSON.stringify('x'.repeat(2_000))});`;
const STYLE = 'body { margin: 0 }';

const MANIFEST = {
  'index.html': { file: 'assets/index-Bx3f.js', imports: ['_react.js'] },
  '_react.js': { file: 'assets/react-1.js' },
  'src/app/calls/calls-page.tsx': {
    file: 'assets/calls-2.js',
    imports: ['_react.js', '_list.js'],
    css: ['assets/calls-3.css'],
  },
  '_list.js': { file: 'assets/list-4.js' },
};

let dir: string;
let server: WebServer;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'pages-'));
  await mkdir(join(dir, 'assets'));
  await mkdir(join(dir, '.vite'));
  const files: [string, string | Buffer][] = [
    ['index.html', '<!doctype html><html><head><title>Pages</title></head><body></body></html>'],
    ['docs.html', '<!doctype html><html><head><title>Docs</title></head><body></body></html>'],
    ['auth.html', '<!doctype html><html><head><title>Sign in</title></head><body></body></html>'],
    ['favicon.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['assets/index-Bx3f.js', SCRIPT],
    ['assets/index-Bx3f.js.br', brotliCompressSync(SCRIPT)],
    ['assets/index-Bx3f.js.gz', gzipSync(SCRIPT)],
    ['assets/index-Cy4g.css', STYLE],
    ['.vite/manifest.json', JSON.stringify(MANIFEST)],
    ['notes.exe', 'no page'],
  ];
  for (const [name, content] of files) await writeFile(join(dir, name), content);
  await writeFile(join(dir, '../outside.js'), 'secret');
  server = webServer({ dir, port: 0, host: '127.0.0.1' });
  await server.start();
});
afterAll(async () => {
  await server.stop(AbortSignal.abort());
  await rm(join(dir, '../outside.js'), { force: true });
  await rm(dir, { recursive: true });
});

const ask = (path: string, init: RequestInit = {}) => fetch(server.url() + path, init);

/** As it is on the wire: nothing is unpacked, and the path is sent as it stands. */
function raw(
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; headers: IncomingMessage['headers']; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.url());
    httpGet({ hostname, port, path, headers }, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk) => chunks.push(chunk));
      res.on('end', () => resolve({ status: res.statusCode ?? 0, headers: res.headers, body: Buffer.concat(chunks) }));
    }).on('error', reject);
  });
}

describe('a page', () => {
  it.each(['/', '/calls', '/calls/call_0197', '/settings/keys', '/index.html', '/calls?status=failed'])(
    'is index.html: %s',
    async (path) => {
      const answer = await ask(path);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(await answer.text()).toContain('<title>Pages</title>');
    },
  );

  it.each(['/nowhere', '/calls/call_0197/nowhere', '/metrics', '/callsx', '/settings/keys/nowhere'])(
    'that nobody knows is index.html, which says so, with status 404: %s',
    async (path) => {
      const answer = await ask(path);
      expect(answer.status).toBe(404);
      expect(await answer.text()).toContain('<title>Pages</title>');
    },
  );

  it('of each route of the application is known', async () => {
    const router = await readFile(new URL('../app/router.tsx', import.meta.url), 'utf8');
    const routes = [...router.matchAll(/getParentRoute: \(\) => (\w+),\s+path: '([^']+)'/g)];
    expect(routes.length).toBeGreaterThan(8);
    for (const [, parent, path = ''] of routes) {
      const address = `${parent === 'settings' ? '/settings' : ''}${path.replace('$id', 'call_0197')}`;
      expect([address, (await ask(address)).status]).toEqual([address, 200]);
    }
  });

  it.each(['/sign-in', '/sign-up?x=1', '/forgot/', '/password-reset', '/invitation', '/link', '/auth.html'])(
    'is auth.html: %s',
    async (path) => expect(await (await ask(path)).text()).toContain('<title>Sign in</title>'),
  );

  it('names the files of the page that its document does not name, and only those', async () => {
    const hrefs = async (path: string) =>
      [...(await (await ask(path)).text()).matchAll(/href="([^"]+)"/g)].map(([, href]) => href);
    expect(await hrefs('/calls?status=failed')).toEqual([
      '/assets/calls-2.js',
      '/assets/list-4.js',
      '/assets/calls-3.css',
    ]);
    expect(await hrefs('/settings/keys')).toEqual([]);
    expect(await hrefs('/sign-in')).toEqual([]);
  });

  it('allows itself files of its own origin and nothing else: no script and no style inside a page but what names its nonce', async () => {
    const { headers } = await ask('/');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy.replace(/nonce-[^']+/, 'nonce-X').split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self' 'nonce-X'",
      "img-src 'self' data:",
      "font-src 'self'",
      "connect-src 'self'",
      "manifest-src 'self'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ]);
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it.each(['/docs', '/docs/', '/docs/start', '/docs.html'])('is the documentation: %s', async (path) => {
    const answer = await ask(path);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('<title>Docs</title>');
    // The renderer's style attributes cannot carry a nonce; scripts are files of this origin, as everywhere.
    expect(answer.headers.get('content-security-policy')).toMatch(
      /script-src 'self'; style-src 'self' 'unsafe-inline';/,
    );
    expect(answer.headers.get('x-frame-options')).toBe('DENY');
  });

  it('has a nonce that is new each time, the same in the page and in its headers, and is kept by no cache', async () => {
    const nonces = new Set<string>();
    for (let i = 0; i < 3; i += 1) {
      const answer = await ask('/');
      const inPolicy = /'nonce-([^']{20,})'/.exec(answer.headers.get('content-security-policy') ?? '')?.[1];
      const inPage = /<meta property="csp-nonce" nonce="([^"]+)">/.exec(await answer.text())?.[1];
      expect(inPage).toBe(inPolicy);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('etag')).toBeNull();
      nonces.add(inPage ?? '');
    }
    expect(nonces.size).toBe(3);
  });
});

describe('a file of the pages', () => {
  it('is kept for ever when its name changes with its content, and asked for again when not', async () => {
    expect((await ask('/assets/index-Bx3f.js')).headers.get('cache-control')).toBe(
      'public, max-age=31536000, immutable',
    );
    expect((await ask('/favicon.svg')).headers.get('cache-control')).toBe('no-cache');
  });

  it.each([
    ['br, gzip', 'br'],
    ['gzip, deflate', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0.000, gzip;q=0', undefined],
    ['identity', undefined],
    ['', undefined],
  ])('is sent as packed as the browser takes it: %j gets %s', async (accepted, coding) => {
    const { headers, body } = await raw('/assets/index-Bx3f.js', { 'accept-encoding': accepted });
    expect(headers['content-encoding']).toBe(coding);
    expect(headers.vary).toBe('Accept-Encoding');
    expect(headers['content-length']).toBe(String(body.length));
    if (coding === undefined) expect(body.toString()).toBe(SCRIPT);
    if (coding === 'br') expect(brotliDecompressSync(body).toString()).toBe(SCRIPT);
  });

  it('is not sent again to who has it, as packed as they have it', async () => {
    const first = await raw('/favicon.svg');
    const tag = String(first.headers.etag);
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      expect(await raw('/favicon.svg', { 'if-none-match': known })).toMatchObject({
        status: 304,
        body: Buffer.alloc(0),
      });
    }
    expect((await raw('/favicon.svg', { 'if-none-match': '"other"' })).status).toBe(200);
    const packed = String((await raw('/assets/index-Bx3f.js', { 'accept-encoding': 'br' })).headers.etag);
    expect((await raw('/assets/index-Bx3f.js', { 'if-none-match': packed })).status).toBe(200);
  });

  it('has no body after HEAD, and the headers of GET', async () => {
    for (const path of ['/', '/assets/index-Cy4g.css']) {
      const head = await ask(path, { method: 'HEAD' });
      expect({ status: head.status, body: await head.text() }).toEqual({ status: 200, body: '' });
      if (path !== '/') expect(head.headers.get('content-length')).toBe(String(STYLE.length));
    }
  });

  it.each([
    '/assets/none.js',
    '/robots.txt',
    '/.vite/manifest.json',
    '/notes.exe',
    '/assets/index-Bx3f.js.br',
    '/../outside.js',
    '/assets/../../outside.js',
    '/%2e%2e/outside.js',
    '/..%2foutside.js',
    '/assets/..%5c..%5coutside.js',
    '/%00.js',
    '/%ZZ.js',
    '/%ZZ',
  ])('is one of those that were built, and nothing else: %s', async (path) => {
    const answer = await raw(path);
    expect({ path, status: answer.status, body: answer.body.toString() }).toEqual({ path, status: 404, body: '' });
  });

  it('is read and not written', async () => {
    expect((await ask('/', { method: 'POST', body: 'x' })).status).toBe(405);
  });
});

describe('a server without pages', () => {
  it('says how to build them, and does not start', async () => {
    const empty = await mkdtemp(join(tmpdir(), 'no-pages-'));
    expect(await webPages({ dir: empty })).toBeNull();
    expect(await webPages({ dir: join(empty, 'nowhere') })).toBeNull();
    await expect(webServer({ dir: empty, port: 0, host: '127.0.0.1' }).start()).rejects.toThrow(/build\.main\.ts/);
    await rm(empty, { recursive: true });
  });
});
