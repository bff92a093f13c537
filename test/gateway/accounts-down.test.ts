import { makeApiKey } from '@call-analytics/accounts';
import type { Answer } from '@call-analytics/api-gateway/testing/documented.fixture.ts';
import { audioFile, form } from '@call-analytics/api-gateway/testing/forms.fixture.ts';
import { afterEach, describe, expect, it } from '@jest/globals';
import { until } from '../until.fixture.ts';
import { type RemoteScene, type RemoteSceneOptions, remoteScene } from './remote-accounts.fixture.ts';

let scene: RemoteScene;
const begin = async (options?: RemoteSceneOptions) => {
  scene = await remoteScene(options);
  return scene.gateway;
};
afterEach(() => scene.close());

const withKey = (apiKey: string) => scene.gateway.ask('/api/v1/me', { headers: { authorization: `Bearer ${apiKey}` } });
const isGood = ({ status }: Answer) => status === 200;

function expectUnavailable(answer: Answer): void {
  expect(answer).toMatchObject({ status: 503, body: { status: 503, code: 'temporarily_unavailable' } });
  expect(answer.headers.get('content-type')).toBe('application/problem+json');
  // Until the circuit lets a request through again, at most 5 s.
  expect(answer.headers.get('retry-after')).toMatch(/^[1-5]$/);
}

describe('while the accounts service is away', () => {
  it('keys that were used a moment ago go on reading and uploading; others are 503 with Retry-After, never 401; then all is well again', async () => {
    const gateway = await begin();
    const other = await gateway.newClient('Other');
    expect((await gateway.get('/api/v1/me')).status).toBe(200);
    await scene.stopAccounts();

    for (let i = 0; i < 10; i += 1) {
      expect((await gateway.get('/api/v1/calls')).status).toBe(200);
      expectUnavailable(await withKey(other.secret));
      expectUnavailable(await withKey(makeApiKey()));
    }
    expect((await gateway.upload(form([['file', audioFile('excerpt.mp3')]]))).status).toBe(202);

    await scene.startAccounts();
    expect((await until(() => withKey(other.secret), isGood)).body).toMatchObject({ id: other.accountId });
    expect((await withKey(makeApiKey())).status).toBe(401);
  });

  it('what is no key at all is 401 as ever', async () => {
    const gateway = await begin();
    await scene.stopAccounts();
    expect((await withKey('aca_wrong')).status).toBe(401);
    expect((await gateway.ask('/api/v1/me')).status).toBe(401);
  });

  it('the gateway stays in service once it has served, so that those whose keys it knows still find it', async () => {
    const gateway = await begin();
    expect((await gateway.ask('/readyz')).status).toBe(200);
    await scene.stopAccounts();
    expect((await gateway.ask('/readyz')).status).toBe(200);
  });

  it('a gateway that starts is not ready until it comes', async () => {
    const gateway = await begin();
    await scene.stopAccounts();
    expect(await gateway.ask('/readyz')).toMatchObject({
      status: 503,
      body: { reasons: ['the accounts service does not answer'] },
    });
    await scene.startAccounts();
    await until(() => gateway.ask('/readyz'), isGood);
  });
});

describe('an accounts service that takes too long', () => {
  it('is 503 at the deadline, is soon not asked any more, and is asked again when it is itself', async () => {
    let asked = 0;
    let slow = true;
    const never = new Promise<null>(() => {});
    const gateway = await begin({
      deadlineMs: 100,
      served: (real) =>
        new Proxy(real, {
          get: (target, name) => {
            if (name !== 'authenticate') return Reflect.get(target, name).bind(target);
            return (request: { apiKey: string }) => {
              asked += 1;
              return slow ? never : target.authenticate(request);
            };
          },
        }),
    });
    while (scene.breaker.state !== 'open') expectUnavailable(await withKey(makeApiKey()));
    expect(asked).toBeGreaterThanOrEqual(5);
    const before = asked;
    const answers = await Promise.all(Array.from({ length: 20 }, () => withKey(makeApiKey())));
    for (const answer of answers) expectUnavailable(answer);
    expect(asked - before).toBeLessThan(10);
    slow = false;
    await until(() => gateway.get('/api/v1/me'), isGood);
    expect(scene.breaker.state).toBe('closed');
  });
});

describe('a key that was revoked', () => {
  it('is refused when the time is over for which it is remembered', async () => {
    const gateway = await begin({ ttlMs: 500 });
    const { accountId, secret } = gateway.client;
    expect((await withKey(secret)).status).toBe(200);
    const { keys } = await gateway.accounts.listKeys({ accountId });
    await gateway.accounts.revokeKey({ accountId, keyId: keys[0]?.id ?? '' });
    await until(
      () => withKey(secret),
      ({ status }) => status === 401,
    );
  });

  it('is refused with the next request where nothing is remembered', async () => {
    const gateway = await begin({ ttlMs: 0 });
    const { accountId, secret } = gateway.client;
    expect((await withKey(secret)).status).toBe(200);
    const { keys } = await gateway.accounts.listKeys({ accountId });
    await gateway.accounts.revokeKey({ accountId, keyId: keys[0]?.id ?? '' });
    expect((await withKey(secret)).status).toBe(401);
  });
});

describe('a gateway that has another secret than the accounts service', () => {
  it('answers 503, never 401, and says why it is not ready', async () => {
    const gateway = await begin({ secret: 'some-other-secret' });
    expectUnavailable(await gateway.get('/api/v1/me'));
    const { body } = await gateway.ask('/readyz');
    expect(JSON.stringify(body)).toContain('ACCOUNTS_SECRET must be the same on both sides');
  });
});
