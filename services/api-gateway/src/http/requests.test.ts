import { join } from 'node:path';
import { openAccounts } from '@call-analytics/accounts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { audioFile, form } from '../testing/forms.fixture.ts';
import { type RunningGateway, runGateway } from '../testing/gateway.fixture.ts';
import { RawClient } from '../testing/socket.fixture.ts';

let gateway: RunningGateway;
let callId: string;

beforeAll(async () => {
  gateway = await runGateway();
  callId = ((await gateway.upload(form([['file', audioFile('excerpt.mp3')]]))).body as { id: string }).id;
});
afterAll(() => gateway.stop());

describe('a request without a valid key', () => {
  const ENDPOINTS: [string, string][] = [
    ['GET', '/api/v1/me'],
    ['GET', '/api/v1/calls'],
    ['POST', '/api/v1/calls'],
    ['GET', '/api/v1/calls/call_x'],
    ['GET', '/api/v1/calls/%ZZ'],
  ];

  it('gets the same 401 for every reason, at every endpoint', async () => {
    const { account } = await gateway.accounts.createAccount({ name: 'Other' });
    const revoked = await gateway.accounts.createKey({ accountId: account.id, name: 'revoked' });
    await gateway.accounts.revokeKey({ accountId: account.id, keyId: revoked.key.id });
    const { secret } = gateway.client;
    const wrong = [
      undefined,
      '',
      'Bearer',
      'Bearer ',
      `Basic ${secret}`,
      secret,
      `Bearer xca_${secret.slice(4)}`,
      `Bearer ${secret.slice(0, -1)}`,
      `Bearer ${secret}x`,
      'Bearer aca_not-a-key',
      `Bearer ${await foreignKey()}`,
      `Bearer ${revoked.secret}`,
    ];
    const bodies = new Set<string>();
    for (const [method, path] of ENDPOINTS) {
      for (const authorization of wrong) {
        const answer = await gateway.ask(path, {
          method,
          headers: authorization === undefined ? {} : { authorization },
        });
        expect(answer.status).toBe(401);
        expect(answer.headers.get('www-authenticate')).toBe('Bearer');
        bodies.add(JSON.stringify({ ...(answer.body as object), requestId: '' }));
      }
    }
    expect([...bodies]).toHaveLength(1);
  });

  it('may name the scheme in small letters and use spaces freely, if the key is right', async () => {
    const { secret } = gateway.client;
    for (const authorization of [`bearer ${secret}`, `BEARER ${secret}`, `Bearer   ${secret}`]) {
      expect((await gateway.ask('/api/v1/me', { headers: { authorization } })).status).toBe(200);
    }
  });

  it('is refused from the moment its key is revoked', async () => {
    const client = await gateway.newClient('Soon gone');
    const ask = () => gateway.ask('/api/v1/me', { headers: client.headers });
    const { key } = (await ask()).body as { key: { id: string } };
    await gateway.accounts.revokeKey({ accountId: client.accountId, keyId: key.id });
    expect((await ask()).status).toBe(401);
  });

  /** Well formed, and of another installation. */
  async function foreignKey(): Promise<string> {
    const elsewhere = openAccounts({ file: join(gateway.dir, 'elsewhere.sqlite') });
    const { account } = await elsewhere.createAccount({ name: 'Elsewhere' });
    const { secret } = await elsewhere.createKey({ accountId: account.id, name: 'foreign' });
    await elsewhere.close();
    return secret;
  }
});

describe('GET /me', () => {
  it('shows the account and the key, and never the secret', async () => {
    // A key of its own: the time of a last use is written a moment after it.
    const { secret, headers } = await gateway.newClient('Acme');
    const answer = await gateway.ask('/api/v1/me', { headers });
    const { account, key } = (await gateway.accounts.authenticate({ apiKey: secret })) ?? {};
    expect(answer.body).toEqual({
      id: account?.id,
      name: 'Acme',
      createdAt: account?.createdAt.toISOString(),
      key: {
        id: key?.id,
        name: 'test',
        prefix: secret.slice(0, 9),
        scope: 'write',
        createdAt: key?.createdAt.toISOString(),
        expiresAt: null,
        lastUsedAt: null,
      },
    });
    expect(JSON.stringify(answer.body)).not.toContain(secret.slice(9));
  });
});

describe('a parameter that a request does not take', () => {
  it.each([
    ['GET', '/api/v1/calls/call_none'],
    ['DELETE', '/api/v1/calls/call_none'],
    ['POST', '/api/v1/calls/call_none/restore'],
    ['GET', '/api/v1/calls/call_none/scorecard'],
    ['POST', '/api/v1/calls'],
    ['GET', '/api/v1/scorecard'],
    ['GET', '/api/v1/me'],
  ])('is refused everywhere: %s %s', async (method, path) => {
    for (const query of ['?verbose=1', '?limit=5', '?toString=']) {
      const answer = await gateway.ask(path + query, { method, headers: gateway.client.headers });
      expect(answer).toMatchObject({
        status: 400,
        body: {
          code: 'invalid_parameter',
          detail: expect.stringMatching(/^Unknown parameter "\w+"\. This request takes none\.$/),
        },
      });
    }
    expect((await gateway.ask(`${path}?`, { method, headers: gateway.client.headers })).body).not.toMatchObject({
      code: 'invalid_parameter',
    });
    expect((await gateway.ask(`${path}?verbose=1`, { method })).status).toBe(401);
  });
});

describe('GET /calls', () => {
  it.each([
    ['limit=0', '"limit" is "0"; it must be a whole number from 1 to 100'],
    ['limit=101', '"limit" is "101"; it must be a whole number from 1 to 100'],
    ['limit=1.5', '"limit" is "1.5"; it must be a whole number from 1 to 100'],
    ['limit=x', '"limit" is "x"; it must be a whole number from 1 to 100'],
    ['limit=', '"limit" is ""; it must be a whole number from 1 to 100'],
    ['limit=%201', '"limit" is " 1"; it must be'],
    ['limit=1e1', '"limit" is "1e1"; it must be'],
    ['limit=0x10', '"limit" is "0x10"; it must be'],
    ['limit=5&limit=5', 'The parameter "limit" is repeated'],
    ['limit[]=5', 'Unknown parameter "limit\\[\\]"'],
    ['offset=-1', '"offset" is "-1"; it must be a whole number from 0 to 9007199254740991'],
    ['offset=9007199254740992', '"offset" is "9007199254740992"; it must be a whole number from 0'],
    ['offset=99999999999999999999999999', '"offset" is .* it must be a whole number from 0'],
    ['status=done', '"status" is "done"; it must be one of queued, transcribing, analyzing, completed, failed'],
    ['status=Queued', '"status" is "Queued"; it must be one of'],
    ['page=2', 'Unknown parameter "page".*limit, offset, status'],
    ['toString=1', 'Unknown parameter "toString"'],
    [`limit=${'9'.repeat(500)}`, '"limit" is "9{60}…"'],
  ])('says what is wrong with ?%s', async (query, detail) => {
    const answer = await gateway.get(`/api/v1/calls?${query}`);
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'invalid_parameter', detail: expect.stringMatching(detail) },
    });
  });

  it('gives pages, newest first, with the total of all that match', async () => {
    const client = await gateway.newClient('Pages');
    const ids: string[] = [];
    for (let i = 0; i < 5; i += 1) {
      const answer = await gateway.upload(form([['file', audioFile('excerpt.mp3')]]), client.headers);
      ids.unshift((answer.body as { id: string }).id);
    }
    await gateway.calls.claim(ids[0] ?? '', 'transcription', 'test');
    const list = async (query: string) =>
      (await gateway.ask(`/api/v1/calls${query}`, { headers: client.headers })).body as { calls: { id: string }[] };
    const idsOf = ({ calls }: { calls: { id: string }[] }) => calls.map(({ id }) => id);

    const all = await list('');
    expect(all).toMatchObject({ total: 5, limit: 50, offset: 0 });
    expect(idsOf(all)).toEqual(ids);
    expect(await list('?')).toEqual(all);
    const page = await list('?limit=2&offset=1');
    expect(page).toMatchObject({ total: 5, limit: 2, offset: 1 });
    expect(idsOf(page)).toEqual(ids.slice(1, 3));
    const queued = await list('?status=queued&limit=100');
    expect(queued).toMatchObject({ total: 4, limit: 100, offset: 0 });
    expect(idsOf(queued)).toEqual(ids.slice(1));
    expect(await list('?offset=9007199254740991')).toMatchObject({ calls: [], total: 5 });
    expect(Object.keys(all.calls[0] ?? {})).toEqual([
      'id',
      'fileName',
      'status',
      'reportType',
      'language',
      'product',
      'saleStatus',
      'score',
      'createdAt',
      'updatedAt',
    ]);
  });
});

describe('GET /calls/:id', () => {
  it('answers the same for a call of another account, a malformed id and one that never was', async () => {
    const stranger = await gateway.newClient('Stranger');
    const ids = [
      callId,
      'call_01a1fbe4b96d7399ad439cbdbbf9e52a',
      'nonsense',
      '%00',
      '%ZZ',
      '%E0%A4',
      '..%2f..%2fetc',
      'x'.repeat(5_000),
      "' OR 1=1 --",
    ];
    const answers = new Set<string>();
    for (const id of ids) {
      const { status, body, headers } = await gateway.ask(`/api/v1/calls/${id}`, { headers: stranger.headers });
      const names = [...headers.keys()].filter((name) => name !== 'x-request-id' && name !== 'date');
      answers.add(
        JSON.stringify([status, { ...(body as object), requestId: '' }, names, headers.get('content-length')]),
      );
    }
    expect([...answers]).toEqual([expect.stringContaining('call_not_found')]);
    expect((await gateway.get(`/api/v1/calls/${callId}`)).status).toBe(200);
  });
});

describe('every answer', () => {
  it('carries the request id of the client if it is well formed, and a new one otherwise, in the header and in errors', async () => {
    const ask = (id?: string) => gateway.ask('/api/v1/me', { headers: id === undefined ? {} : { 'x-request-id': id } });
    for (const id of ['a', 'A-b_c.9', 'x'.repeat(128)]) {
      const answer = await ask(id);
      expect(answer.headers.get('x-request-id')).toBe(id);
      expect(answer.body).toMatchObject({ requestId: id });
    }
    const made = new Set<string | null>();
    for (const id of [undefined, '', 'a b', 'x'.repeat(129), 'a/b', '"><script>']) {
      const answer = await ask(id);
      expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
      expect(answer.body).toMatchObject({ requestId: answer.headers.get('x-request-id') });
      made.add(answer.headers.get('x-request-id'));
    }
    expect(made.size).toBe(6);
    const good = await gateway.ask('/api/v1/me', { headers: { ...gateway.client.headers, 'x-request-id': 'mine' } });
    expect(good.headers.get('x-request-id')).toBe('mine');
    expect(gateway.log).toContainEqual(
      expect.objectContaining({ requestId: 'mine', status: 200, route: '/api/v1/me' }),
    );
  });

  it('says nothing of what serves it, allows no sniffing, and is not kept by caches', async () => {
    const { headers } = await gateway.get('/api/v1/me');
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('etag')).toBeNull();
    expect(headers.get('access-control-allow-origin')).toBeNull();
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('has no body after HEAD, and the headers of GET', async () => {
    for (const path of ['/api/v1/me', '/api/v1/calls', `/api/v1/calls/${callId}`, '/healthz', '/api/v1/openapi.json']) {
      const get = await gateway.get(path);
      const head = await gateway.ask(path, { method: 'HEAD', headers: gateway.client.headers });
      expect(head).toMatchObject({ status: 200, body: '' });
      expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'));
    }
  });

  it.each([
    ['/', 404],
    ['/api', 404],
    ['/api/v1', 404],
    ['/api/v1/call', 404],
    ['/api/v1/calls/a/b', 404],
    ['/api/v2/calls', 404],
    ['/%', 404],
    ['/%ZZ', 404],
    ['/%C0%AF', 404],
    ['/../../etc/passwd', 404],
    ['/API/V1/me', 404],
    ['//evil.example/', 404],
  ])('is JSON for an address where nothing is: %s', async (path, status) => {
    const client = await RawClient.connect(gateway.port);
    client.send(`POST ${path} HTTP/1.1\r\nHost: test\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    await client.closed();
    const { answer } = client;
    expect({ path, status: answer.status, type: answer.headers['content-type'] }).toEqual({
      path,
      status: path === '/' ? 405 : status,
      type: 'application/problem+json',
    });
    expect(JSON.parse(answer.body)).toMatchObject({ code: path === '/' ? 'method_not_allowed' : 'not_found' });
  });

  it.each([
    ['/api/v1/me', 'GET, HEAD', ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']],
    ['/api/v1/calls', 'GET, HEAD, POST', ['PUT', 'PATCH', 'DELETE', 'OPTIONS']],
    ['/api/v1/calls/call_x', 'GET, HEAD, DELETE', ['POST', 'PUT', 'PATCH', 'OPTIONS']],
    ['/healthz', 'GET, HEAD', ['POST', 'DELETE']],
    ['/readyz', 'GET, HEAD', ['POST', 'DELETE']],
    ['/docs', 'GET, HEAD', ['POST', 'DELETE']],
    ['/api/v1/openapi.json', 'GET, HEAD', ['POST', 'DELETE']],
  ])('at %s to another method is 405 and says Allow: %s', async (path, allow, methods) => {
    for (const method of methods) {
      const answer = await gateway.ask(path, { method, headers: gateway.client.headers });
      expect(answer).toMatchObject({
        status: 405,
        body: { code: 'method_not_allowed', detail: expect.stringContaining(method) },
      });
      expect(answer.headers.get('allow')).toBe(allow);
    }
  });
});

describe('the addresses beside the API', () => {
  it.each(['/', '/docs'])('lead from %s to the OpenAPI document where there are no pages', async (path) => {
    const answer = await gateway.ask(path);
    expect(answer.status).toBe(302);
    expect(answer.headers.get('location')).toBe('/api/v1/openapi.json');
  });

  it('tell that the process lives and that it is ready', async () => {
    expect((await gateway.ask('/healthz')).body).toEqual({ status: 'ok' });
    expect((await gateway.ask('/readyz')).body).toEqual({ status: 'ready' });
  });

  it('do not show the metrics, which count each request', async () => {
    expect(await gateway.ask('/metrics')).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await gateway.metrics()).toMatch(
      /http_request_duration_seconds_count\{method="GET",route="\/api\/v1\/me",status="401"\} [1-9]/,
    );
  });

  it('say what is not ready', async () => {
    const unready = await runGateway({ readiness: async () => ['the dispatcher stands still'] });
    expect(await unready.ask('/readyz')).toMatchObject({
      status: 503,
      body: { status: 'not ready', reasons: ['the dispatcher stands still'] },
    });
    await unready.accounts.close();
    const { reasons } = (await unready.ask('/readyz')).body as { reasons: string[] };
    expect(reasons).toHaveLength(2);
    await unready.stop();
  });
});
