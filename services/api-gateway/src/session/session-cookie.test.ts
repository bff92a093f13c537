import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Browser, PASSWORD, signedUp } from '../testing/browser.fixture.ts';
import { audioFile, form } from '../testing/forms.fixture.ts';
import { type RunningGateway, runGateway } from '../testing/gateway.fixture.ts';
import { RawClient } from '../testing/socket.fixture.ts';

let gateway: RunningGateway;
let anna: Browser;
let annasAccount: string;

beforeAll(async () => {
  gateway = await runGateway({ settings: { SIGN_UP: 'open' } });
  const { browser, account } = await signedUp(gateway, 'anna@acme.example', { accountName: 'Acme' });
  anna = browser;
  annasAccount = account.id;
});
afterAll(() => gateway.stop());

describe('the cookie as a credential for /api/v1', () => {
  it('shows the account, without a key', async () => {
    expect(await anna.get('/api/v1/me')).toMatchObject({
      status: 200,
      body: { id: annasAccount, name: 'Acme', key: null },
    });
  });

  it('uploads and reads the calls of its own account, and no other', async () => {
    const { browser: berta } = await signedUp(gateway, 'berta@other.example', { accountName: 'Other' });
    const upload = (who: Browser) =>
      gateway.ask('/api/v1/calls', {
        method: 'POST',
        body: form([['file', audioFile('excerpt.mp3')]]),
        headers: who.headers,
      });
    const annas = (await upload(anna)).body as { id: string };
    const bertas = (await upload(berta)).body as { id: string };
    const idsOf = async (who: Browser) =>
      ((await who.get('/api/v1/calls')).body as { calls: { id: string }[] }).calls.map(({ id }) => id);
    expect(await idsOf(anna)).toEqual([annas.id]);
    expect(await idsOf(berta)).toEqual([bertas.id]);
    expect((await anna.get(`/api/v1/calls/${annas.id}`)).status).toBe(200);
    expect(await berta.get(`/api/v1/calls/${annas.id}`)).toMatchObject({
      status: 404,
      body: { code: 'call_not_found' },
    });
  });

  it('does not count beside an Authorization header, good or bad', async () => {
    const both = { ...anna.headers, ...gateway.client.headers };
    expect((await gateway.ask('/api/v1/me', { headers: both })).body).toMatchObject({ id: gateway.client.accountId });
    for (const authorization of ['Bearer aca_wrong', 'Basic YTpi', '']) {
      const answer = await gateway.ask('/api/v1/me', { headers: { ...anna.headers, authorization } });
      expect(answer).toMatchObject({ status: 401, body: { code: 'invalid_api_key' } });
    }
  });

  it('and a key is no credential for /app, alone or beside a cookie', async () => {
    for (const headers of [gateway.client.headers, { ...anna.headers, ...gateway.client.headers }]) {
      expect(await gateway.ask('/app/session', { headers })).toMatchObject({
        status: 401,
        body: { code: 'not_signed_in' },
      });
    }
  });

  it.each(['', 'nonsense', '%', 'x'.repeat(5_000), '%00'])(
    'is answered like no cookie when it is none of ours: %j',
    async (value) => {
      const headers = { cookie: `call_analytics_session=${value}; other=1` };
      expect(await gateway.ask('/api/v1/me', { headers })).toMatchObject({
        status: 401,
        body: { code: 'invalid_api_key' },
      });
      expect(await gateway.ask('/app/session', { headers })).toMatchObject({
        status: 401,
        body: { code: 'not_signed_in' },
      });
    },
  );
});

describe("a request from another site's page", () => {
  const FOREIGN: [string, Record<string, string>][] = [
    ['another origin', { origin: 'https://evil.example' }],
    ['no Origin', {}],
    ['the null Origin of a sandboxed page', { origin: 'null' }],
    ['another port', { origin: 'http://127.0.0.1:1' }],
    ['another host of the same site', { origin: 'http://x.127.0.0.1' }],
    ['no origin at all', { origin: 'http://' }],
    ['a browser that says cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['a browser that says same-site', { 'sec-fetch-site': 'same-site' }],
    ['another origin, whatever else it says', { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' }],
  ];
  const withCookie = (headers: Record<string, string>) => ({ cookie: anna.cookie ?? '', ...headers });

  it.each(FOREIGN)('changes nothing: %s', async (_, headers) => {
    const upload = await gateway.ask('/api/v1/calls', {
      method: 'POST',
      body: form([['file', audioFile('excerpt.mp3')]]),
      headers: withCookie(headers),
    });
    expect(upload).toMatchObject({ status: 403, body: { code: 'cross_site_request' } });
    const json = { ...withCookie(headers), 'content-type': 'application/json' };
    const key = await gateway.ask('/app/keys', { method: 'POST', body: '{"name":"theirs"}', headers: json });
    expect(key).toMatchObject({ status: 403, body: { code: 'cross_site_request' } });
    expect((await anna.get('/app/keys')).body).toEqual({ keys: [] });
  });

  it('cannot sign anybody in or out either', async () => {
    const headers = { origin: 'https://evil.example', 'content-type': 'application/json' };
    const body = JSON.stringify({ email: 'anna@acme.example', password: PASSWORD });
    const signIn = await gateway.ask('/app/session', { method: 'POST', headers, body });
    expect(signIn).toMatchObject({ status: 403, body: { code: 'cross_site_request' } });
    expect(signIn.headers.get('set-cookie')).toBeNull();
    await gateway.ask('/app/session', { method: 'DELETE', headers: withCookie({ origin: 'https://evil.example' }) });
    expect((await anna.get('/app/session')).status).toBe(200);
  });

  it('with a form post is refused as such', async () => {
    const headers = withCookie({ origin: 'https://evil.example', 'content-type': 'application/x-www-form-urlencoded' });
    const answer = await gateway.ask('/app/keys', { method: 'POST', headers, body: 'name=theirs' });
    expect(answer).toMatchObject({ status: 403, body: { code: 'cross_site_request' } });
  });

  it('may read nothing by GET or HEAD that it could see: both are answered as ever, without a word to other origins', async () => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await gateway.ask('/api/v1/me', {
        method,
        headers: withCookie({ origin: 'https://evil.example' }),
      });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  it('is told apart from our own, which come by either name of this machine or say same-origin', async () => {
    const make = (headers: Record<string, string>) =>
      gateway.ask('/app/profile', {
        method: 'PATCH',
        body: '{"name":"Anna"}',
        headers: { ...withCookie(headers), 'content-type': 'application/json' },
      });
    expect((await make({ origin: gateway.url })).status).toBe(200);
    expect((await make({ 'sec-fetch-site': 'same-origin' })).status).toBe(200);
  });

  it('is not taken for our own because a name of theirs leads to this machine', async () => {
    const signUp = async (port: string, name: string) => {
      const client = await RawClient.connect(Number(port));
      const head = [
        'POST /app/users HTTP/1.1',
        `Host: ${name}:${port}`,
        `Origin: http://${name}:${port}`,
        'Content-Type: application/json',
        'Content-Length: 2',
        'Connection: close',
      ];
      client.send(`${head.join('\r\n')}\r\n\r\n{}`);
      await client.closed();
      return client.answer.status;
    };
    const { port } = new URL(gateway.url);
    expect([await signUp(port, 'evil.example'), await signUp(port, 'localhost')]).toEqual([403, 400]);
    const open = await runGateway({ settings: { HOST: '0.0.0.0', PUBLIC_URL: 'http://calls.intern' } });
    expect(await signUp(new URL(open.url).port, 'calls.intern')).toBe(403);
    await open.stop();
  });

  it('is judged by PUBLIC_URL where that is set', async () => {
    const behind = await runGateway({ settings: { PUBLIC_URL: 'https://calls.example.com' } });
    const patch = (origin: string, host?: string) =>
      behind.ask('/app/session', { method: 'DELETE', headers: { origin, ...(host === undefined ? {} : { host }) } });
    expect((await patch('https://calls.example.com')).status).toBe(204);
    expect((await patch(behind.url)).status).toBe(204);
    for (const origin of ['http://calls.example.com', 'https://calls.example.com:8443', 'https://evil.example'])
      expect((await patch(origin)).status).toBe(403);
    await behind.stop();
  });

  it('does not need a cookie check where a key is sent: programs are not browsers', async () => {
    const answer = await gateway.ask('/api/v1/calls', {
      method: 'POST',
      body: form([['file', audioFile('excerpt.mp3')]]),
      headers: { ...gateway.client.headers, origin: 'https://evil.example' },
    });
    expect(answer.status).toBe(202);
  });
});
