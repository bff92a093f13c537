import { WorkError } from '@call-analytics/service-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Browser, PASSWORD, signedUp } from '../testing/browser.fixture.ts';
import { type RunningGateway, runGateway } from '../testing/gateway.fixture.ts';

let gateway: RunningGateway;
let anna: Browser;

beforeAll(async () => {
  gateway = await runGateway({ settings: { SIGN_UP: 'open' } });
  anna = (await signedUp(gateway, 'anna@acme.example', { accountName: 'Acme' })).browser;
});
afterAll(() => gateway.stop());

describe('signing up, in and out', () => {
  it('gives a cookie that no script can read and no other site can use, for as long as the session lasts', async () => {
    const { body } = await anna.get('/app/session');
    expect(anna.setCookie).toMatch(/^call_analytics_session=[^;]+; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/);
    const expires = /Expires=([^;]+)/.exec(anna.setCookie)?.[1] ?? '';
    const { expiresAt } = body as { expiresAt: string };
    expect(new Date(expires).getTime()).toBe(Math.floor(Date.parse(expiresAt) / 1000) * 1000);
    expect(body).toMatchObject({
      user: { name: 'Anna', email: 'anna@acme.example' },
      account: { name: 'Acme' },
      role: 'owner',
    });
  });

  it('takes the cookie over TLS alone where people come by https', async () => {
    const behindTls = await runGateway({ settings: { PUBLIC_URL: 'https://calls.example.com', SIGN_UP: 'open' } });
    const browser = new Browser(behindTls);
    const origin = 'https://calls.example.com';
    const body = { name: 'Tls', email: 'tls@acme.example', password: PASSWORD };
    expect((await browser.ask('POST', '/app/users', { body, headers: { origin } })).status).toBe(201);
    expect(browser.setCookie).toMatch(
      /^__Host-call_analytics_session=[^;]+; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect((await browser.get('/app/session')).status).toBe(200);
    const unprotected = { cookie: browser.cookie?.replace('__Host-', '') ?? '' };
    expect((await behindTls.ask('/app/session', { headers: unprotected })).status).toBe(401);
    await behindTls.stop();
  });

  it('ends the session for good: the cookie is worth nothing afterwards', async () => {
    const { browser } = await signedUp(gateway, 'out@acme.example');
    const cookie = browser.cookie ?? '';
    expect(await browser.ask('DELETE', '/app/session')).toMatchObject({ status: 204, body: '' });
    expect(browser.setCookie).toMatch(/^call_analytics_session=; .*Max-Age=0/);
    expect(await gateway.ask('/app/session', { headers: { cookie } })).toMatchObject({
      status: 401,
      body: { code: 'not_signed_in' },
    });
    expect((await browser.ask('DELETE', '/app/session')).status).toBe(204);
  });

  it('ends the session that the browser had before', async () => {
    const { browser } = await signedUp(gateway, 'again@acme.example');
    const cookie = browser.cookie ?? '';
    expect(
      (await browser.ask('POST', '/app/session', { body: { email: 'again@acme.example', password: PASSWORD } })).status,
    ).toBe(200);
    expect(browser.cookie).not.toBe(cookie);
    expect((await gateway.ask('/app/session', { headers: { cookie } })).status).toBe(401);
  });

  it('goes on when the session before cannot be ended, and the log says so', async () => {
    const away = await runGateway({
      settings: { SIGN_UP: 'open' },
      users: (real) => ({
        ...real,
        signOut: async () => {
          throw new WorkError({ kind: 'transient', code: 'accounts_unavailable', message: 'away' });
        },
      }),
    });
    const { browser } = await signedUp(away, 'away@acme.example');
    const body = { email: 'away@acme.example', password: PASSWORD };
    expect((await browser.ask('POST', '/app/session', { body })).status).toBe(200);
    expect(away.log).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        msg: 'the session that a browser had before could not be ended; it expires by itself',
      }),
    );
    await away.stop();
  });

  it('answers a wrong password and an unknown email alike', async () => {
    const answers = await Promise.all(
      ['anna@acme.example', 'nobody@acme.example'].map((email) =>
        new Browser(gateway).ask('POST', '/app/session', { body: { email, password: 'wrong horse battery' } }),
      ),
    );
    const [one, other] = answers.map(({ status, body }) => ({ status, body: { ...(body as object), requestId: '' } }));
    expect(one).toEqual(other);
    expect(one).toMatchObject({ status: 403, body: { code: 'wrong_credentials' } });
  });

  it('says how long to wait after too many attempts', async () => {
    const few = await runGateway();
    const attempt = () =>
      new Browser(few).ask('POST', '/app/session', {
        body: { email: 'x@acme.example', password: 'wrong horse battery' },
      });
    for (let i = 0; i < 10; i += 1) expect((await attempt()).status).toBe(403);
    const refused = await attempt();
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60);
    await few.stop();
  });

  it('counts attempts by where they come from, behind as many proxies as there are', async () => {
    const behind = await runGateway({ settings: { TRUSTED_PROXIES: '1' } });
    const attempt = (i: number, forwarded: string) =>
      new Browser(behind).ask('POST', '/app/password-resets', {
        body: { email: `x${i}@acme.example` },
        headers: { 'x-forwarded-for': forwarded },
      });
    const answers = await Promise.all(Array.from({ length: 21 }, (_, i) => attempt(i, `10.0.0.${i}, 203.0.113.7`)));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(1);
    expect((await attempt(21, '203.0.113.7, 203.0.113.8')).status).toBe(202);
    await behind.stop();
  });

  it('says before anybody signs in what the installation allows', async () => {
    const fresh = await runGateway({ fresh: true, settings: { MAX_UPLOAD_BYTES: '5MB' } });
    const installation = async () => (await new Browser(fresh).get('/app/installation')).body;
    expect(await installation()).toMatchObject({
      signUp: 'first',
      passwordReset: 'operator',
      maxUploadBytes: 5_000_000,
      languages: expect.arrayContaining(['en', 'de', 'yue']),
    });
    await signedUp(fresh, 'first@acme.example');
    expect(await installation()).toMatchObject({ signUp: 'closed' });
    const late = new Browser(fresh);
    const body = { name: 'Late', email: 'late@acme.example', password: PASSWORD };
    expect(await late.ask('POST', '/app/users', { body })).toMatchObject({
      status: 403,
      body: { code: 'sign_up_closed' },
    });
    expect(late.cookie).toBeNull();
    await fresh.stop();
  });

  it('keeps a browser known in which somebody signed in: wrong passwords from elsewhere do not lock them out of it', async () => {
    const { browser } = await signedUp(gateway, 'known@acme.example');
    expect(browser.device).toMatch(/^call_analytics_device=\w+\.[\w-]+\.[\w-]+$/);
    const signIn = (who: Browser, password: string) =>
      who.ask('POST', '/app/session', { body: { email: 'known@acme.example', password } });
    for (let i = 0; i < 10; i += 1) expect((await signIn(new Browser(gateway), `wrong horse ${i}`)).status).toBe(403);
    expect((await signIn(new Browser(gateway), PASSWORD)).status).toBe(429);
    await browser.ask('DELETE', '/app/session');
    expect(browser.cookie).toBeNull();
    expect((await signIn(browser, PASSWORD)).status).toBe(200);
  });

  it('works once by a link', async () => {
    const { browser: _, user } = await signedUp(gateway, 'link@acme.example');
    const { token } = await gateway.users.makeSignInLink({ email: 'link@acme.example' });
    const browser = new Browser(gateway);
    expect(await browser.ask('POST', '/app/session/link', { body: { token } })).toMatchObject({
      status: 200,
      body: { user: { id: user.id } },
    });
    expect((await browser.get('/app/session')).status).toBe(200);
    const again = await new Browser(gateway).ask('POST', '/app/session/link', { body: { token } });
    expect(again).toMatchObject({ status: 404, body: { code: 'link_not_valid' } });
  });

  it('is refused in words for what is wrong with the body, and never repeats a password', async () => {
    const ask = (body: unknown) => new Browser(gateway).ask('POST', '/app/users', { body });
    const good = { name: 'Bea', email: 'bea@acme.example', password: PASSWORD };
    const cases: [unknown, number, string, RegExp][] = [
      [{ ...good, email: undefined }, 400, 'invalid_body', /"email" is missing; it must be text/],
      [{ ...good, password: 7 }, 400, 'invalid_body', /"password" must be text/],
      [{ ...good, role: 'owner' }, 400, 'invalid_body', /Unknown field "role". See "\/docs"/],
      [{ ...good, name: 'x'.repeat(201) }, 400, 'invalid_body', /"name" must have at most 200 characters/],
      [[], 400, 'invalid_body', /must be a JSON object/],
      [{ ...good, email: 'no email' }, 422, 'invalid_email', /./],
      [{ ...good, password: 'short' }, 422, 'weak_password', /./],
      [{ ...good, name: 'a\nb' }, 422, 'invalid_name', /./],
      [{ ...good, email: 'Anna@acme.example ' }, 409, 'email_taken', /./],
      [{ ...good, invitation: 'unknown' }, 404, 'invitation_not_valid', /./],
    ];
    for (const [body, status, code, detail] of cases) {
      const answer = await ask(body);
      expect(answer).toMatchObject({ status, body: { code, detail: expect.stringMatching(detail) } });
      expect(JSON.stringify(answer.body)).not.toContain(PASSWORD);
    }
    expect(JSON.stringify(gateway.log)).not.toContain(PASSWORD);
  });

  it.each([
    ['text/plain', 415, 'unsupported_media_type'],
    ['application/x-www-form-urlencoded', 415, 'unsupported_media_type'],
    ['', 415, 'unsupported_media_type'],
    ['application/json; charset=utf-8', 400, 'invalid_body'],
  ])('takes JSON alone: %s', async (type, status, code) => {
    const answer = await gateway.ask('/app/session', {
      method: 'POST',
      headers: { origin: gateway.url, 'content-type': type },
      body: '{"a',
    });
    expect(answer).toMatchObject({ status, body: { code } });
  });

  it('takes no compressed body, and no parameter that it does not know', async () => {
    const headers = { origin: gateway.url, 'content-type': 'application/json' };
    const init = { method: 'POST', body: '{}' };
    const packed = await gateway.ask('/app/session', { ...init, headers: { ...headers, 'content-encoding': 'gzip' } });
    expect(packed).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } });
    const asked = await gateway.ask('/app/session?next=x', { ...init, headers });
    expect(asked).toMatchObject({ status: 400, body: { code: 'invalid_parameter' } });
  });

  it('reads no more than 16 kB, whatever is said of the length', async () => {
    const body = JSON.stringify({ email: 'x', password: 'x'.repeat(20_000) });
    const headers = { origin: gateway.url, 'content-type': 'application/json' };
    const told = await gateway.ask('/app/session', { method: 'POST', headers, body });
    expect(told).toMatchObject({ status: 413, body: { code: 'body_too_large' } });
    const chunks = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(body));
        controller.close();
      },
    });
    const untold = await gateway.ask('/app/session', {
      method: 'POST',
      headers,
      body: chunks,
      duplex: 'half',
    } as RequestInit);
    expect(untold).toMatchObject({ status: 413, body: { code: 'body_too_large' } });
  });
});
