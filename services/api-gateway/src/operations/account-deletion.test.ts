import type { Users } from '@call-analytics/accounts';
import { WorkError } from '@call-analytics/service-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Browser, PASSWORD, signedUp } from '../testing/browser.fixture.ts';
import { audioFile, form } from '../testing/forms.fixture.ts';
import { type RunningGateway, runGateway } from '../testing/gateway.fixture.ts';

let gateway: RunningGateway;
/** Dies between the marker and the account, as often as it is told to. */
let deaths = 0;
let signIns = 0;
const dying = (real: Users): Users => ({
  ...real,
  signIn(request) {
    signIns += 1;
    return real.signIn(request);
  },
  async deleteAccount(request) {
    if (deaths === 0) return real.deleteAccount(request);
    deaths -= 1;
    throw new WorkError({ kind: 'transient', code: 'accounts_unavailable', message: 'away' });
  },
});

beforeAll(async () => {
  gateway = await runGateway({ settings: { SIGN_UP: 'open' }, users: dying });
});
afterAll(() => gateway.stop());

async function accountWithACall(email: string) {
  const { browser, account } = await signedUp(gateway, email, { accountName: 'Acme & Sons' });
  const headers = browser.headers;
  const upload = await gateway.ask('/api/v1/calls', {
    method: 'POST',
    body: form([['file', audioFile('excerpt.mp3')]]),
    headers,
  });
  const { secret } = (await browser.ask('POST', '/app/keys', { body: { name: 'key' } })).body as { secret: string };
  return { browser, account, callId: (upload.body as { id: string }).id, key: { authorization: `Bearer ${secret}` } };
}
const remove = (browser: Browser, more: Record<string, string> = {}) =>
  browser.ask('DELETE', '/app/account', { body: { accountName: 'Acme & Sons', password: PASSWORD, ...more } });

describe('deleting an account', () => {
  it('needs its name and the password, and without them nothing happens to it', async () => {
    const { browser, callId } = await accountWithACall('careful@acme.example');
    expect(await remove(browser, { accountName: 'acme & sons' })).toMatchObject({
      status: 422,
      body: { code: 'account_name_differs' },
    });
    expect(await remove(browser, { password: 'wrong horse battery' })).toMatchObject({
      status: 403,
      body: { code: 'wrong_password', detail: 'Wrong password.' },
    });
    expect((await browser.get(`/api/v1/calls/${callId}`)).status).toBe(200);
  });

  it('asks for the password without signing in, which could end a session of the owner', async () => {
    const { browser } = await accountWithACall('elsewhere@acme.example');
    signIns = 0;
    deaths = 1;
    expect((await remove(browser)).status).toBe(503);
    expect((await remove(browser)).status).toBe(204);
    expect(signIns).toBe(0);
  });

  it('takes its users, sessions and keys with it at once, and its calls out of sight', async () => {
    const { browser, account, callId, key } = await accountWithACall('done@acme.example');
    const cookie = browser.cookie ?? '';
    expect((await remove(browser)).status).toBe(204);
    expect(browser.cookie).toBeNull();
    expect((await gateway.ask('/app/session', { headers: { cookie } })).status).toBe(401);
    expect((await gateway.ask('/api/v1/me', { headers: key })).status).toBe(401);
    expect(await gateway.store.detail(account.id, callId)).toBeNull();
    expect((await gateway.store.list(account.id, { limit: 10, offset: 0 })).total).toBe(0);
  });

  it('takes no more calls from the moment that it has begun, and keeps nothing of what is sent', async () => {
    const { browser, key } = await accountWithACall('late@acme.example');
    deaths = 1;
    await remove(browser);
    const kept = await gateway.recordings();
    for (const headers of [browser.headers, key]) {
      const late = await gateway.ask('/api/v1/calls', {
        method: 'POST',
        body: form([['file', audioFile('excerpt.mp3')]]),
        headers,
      });
      expect(late).toMatchObject({ status: 401, body: { code: 'invalid_api_key' } });
    }
    expect(await gateway.recordings()).toEqual(kept);
    expect((await remove(browser)).status).toBe(204);
  });

  it('may be done again when it broke off in the middle', async () => {
    const { browser, account, callId } = await accountWithACall('twice@acme.example');
    deaths = 1;
    expect(await remove(browser)).toMatchObject({ status: 503, body: { code: 'temporarily_unavailable' } });
    expect((await browser.get('/app/session')).status).toBe(200);
    expect((await remove(browser)).status).toBe(204);
    expect(await gateway.store.detail(account.id, callId)).toBeNull();
    expect((await browser.get('/app/session')).status).toBe(401);
  });
});
