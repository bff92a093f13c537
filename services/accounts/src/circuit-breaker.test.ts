import { circuitBreaker, makeLogger, makeMetrics, WorkError, withCircuitBreaker } from '@call-analytics/service-kit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sqliteUsers } from '../contract/users/sqlite.fixture.ts';
import type { Users } from './accounts.ts';
import { isOutage, UNAVAILABLE } from './refusals.ts';

const log = makeLogger('test', 'silent');
const password = 'correct horse battery staple';
const origin = { ip: '203.0.113.7', userAgent: 'a test' };

describe('users behind a circuit breaker', () => {
  let store: Awaited<ReturnType<typeof sqliteUsers>>;
  let opened: Awaited<ReturnType<typeof store.open>>;
  beforeEach(async () => {
    store = await sqliteUsers();
    opened = await store.open({ settings: { SIGN_UP: 'open', PUBLIC_URL: 'http://127.0.0.1' }, log });
  });
  afterEach(async () => {
    await opened.close();
    await store.remove();
  });

  const behindBreaker = (users: Users) => {
    const options = { unavailable: UNAVAILABLE, deadlineMs: 5_000, countsAsFailure: isOutage };
    const breaker = circuitBreaker('users', { ...options, log, metrics: makeMetrics() });
    return withCircuitBreaker(users, breaker, { close: 'direct' });
  };

  it('go on for everybody else when one has made too many attempts', async () => {
    const users = behindBreaker(opened.users);
    const { token } = await users.signUp({ name: 'Ada', email: 'ada@example.com', password, origin });
    const guess = () => users.signIn({ email: 'eve@example.com', password: 'a guess', origin });
    for (let i = 0; i < 10; i += 1)
      await expect(guess()).rejects.toMatchObject({ failure: { code: 'wrong_credentials' } });
    for (let i = 0; i < 10; i += 1) await expect(guess()).rejects.toMatchObject({ failure: { kind: 'rate-limited' } });
    expect(await users.session({ token })).not.toBeNull();
    expect((await users.signIn({ email: 'ada@example.com', password, origin })).session.user.email).toBe(
      'ada@example.com',
    );
  });

  it('are not asked any more while they do not answer', async () => {
    let asked = 0;
    const away: Users['session'] = async () => {
      asked += 1;
      throw new WorkError({ kind: 'transient', ...UNAVAILABLE });
    };
    const users = behindBreaker({ ...opened.users, session: away });
    for (let i = 0; i < 50; i += 1) {
      await expect(users.session({ token: 'x' })).rejects.toMatchObject({
        failure: { kind: 'transient', code: 'accounts_unavailable' },
      });
    }
    expect(asked).toBeLessThan(50);
  });
});
