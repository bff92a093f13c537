import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { circuitBreaker, makeLogger, makeMetrics } from '@call-analytics/service-kit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Accounts } from './accounts.ts';
import { type CachedAccountsOptions, cachedAccounts } from './cached-accounts.ts';
import { makeApiKey } from './records.ts';
import { accountsUnavailable, UNAVAILABLE } from './refusals.ts';
import { openAccounts } from './sqlite/accounts.ts';

const TTL_MS = 30_000;
const AWAY = { failure: { kind: 'transient', code: 'accounts_unavailable' } };

let dir: string;
/** The accounts themselves, behind the cache's back. */
let accounts: Accounts;
let now: number;
/** How many times the accounts were asked for a key; what they do before and after they look. */
let asked: number;
let before: () => Promise<void>;
let after: () => Promise<void>;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'accounts-'));
  accounts = openAccounts({ file: join(dir, 'accounts.sqlite') });
  now = 0;
  asked = 0;
  before = after = async () => {};
});

afterEach(async () => {
  await accounts.close();
  rmSync(dir, { recursive: true });
});

function cached(options: Partial<CachedAccountsOptions> = {}): Accounts {
  const authenticate: Accounts['authenticate'] = async (request) => {
    asked += 1;
    await before();
    const client = await accounts.authenticate(request);
    await after();
    return client;
  };
  const watched = new Proxy(accounts, {
    get: (target, name) => (name === 'authenticate' ? authenticate : Reflect.get(target, name).bind(target)),
  });
  const breaker = circuitBreaker('accounts', {
    unavailable: UNAVAILABLE,
    deadlineMs: 5_000,
    log: makeLogger('test', 'silent'),
    metrics: makeMetrics(),
  });
  return cachedAccounts(watched, { ttlMs: TTL_MS, breaker, elapsed: () => now, ...options });
}

async function newKey() {
  const { account } = await accounts.createAccount({ name: 'Acme' });
  const { key, secret: apiKey } = await accounts.createKey({ accountId: account.id, name: 'first' });
  const revoke = () => accounts.revokeKey({ accountId: account.id, keyId: key.id });
  return { account, keyId: key.id, apiKey, revoke };
}

/** `reached` when the first has come to it; all wait until it is opened. */
function gate() {
  const [reached, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const wait = () => {
    reached.resolve();
    return opened.promise;
  };
  return { wait, reached: reached.promise, open: opened.resolve };
}

describe('a key that was good', () => {
  it('is not asked for again until half its time is over', async () => {
    const { account, apiKey } = await newKey();
    const cache = cached();
    await cache.authenticate({ apiKey });
    now = TTL_MS / 2 - 1;
    expect((await cache.authenticate({ apiKey }))?.account).toEqual(account);
    expect(asked).toBe(1);
  });

  it('is asked for once in its second half, and no request waits for that answer', async () => {
    const { account, apiKey } = await newKey();
    const cache = cached();
    await cache.authenticate({ apiKey });
    const { wait, open } = gate();
    after = wait;
    now = TTL_MS - 1;
    for (let i = 0; i < 3; i += 1) expect((await cache.authenticate({ apiKey }))?.account).toEqual(account);
    expect(asked).toBe(2);
    open();
    now = TTL_MS;
    expect((await cache.authenticate({ apiKey }))?.account).toEqual(account);
    expect(asked).toBe(2);
  });

  it('goes on working in its second half while the accounts do not answer', async () => {
    const { account, apiKey } = await newKey();
    const cache = cached();
    await cache.authenticate({ apiKey });
    before = () => Promise.reject(accountsUnavailable(new Error('away')));
    now = TTL_MS - 1;
    for (let i = 0; i < 20; i += 1) expect((await cache.authenticate({ apiKey }))?.account).toEqual(account);
    expect(asked).toBeGreaterThan(1);
  });

  it('works for its time after it was revoked, and no longer', async () => {
    const { account, apiKey, revoke } = await newKey();
    const cache = cached();
    expect((await cache.authenticate({ apiKey }))?.account).toEqual(account);
    await revoke();
    now = TTL_MS / 2 - 1;
    expect((await cache.authenticate({ apiKey }))?.account).toEqual(account);
    now = TTL_MS;
    expect(await cache.authenticate({ apiKey })).toBeNull();
    expect(await cache.authenticate({ apiKey })).toBeNull();
    expect(asked).toBe(3);
  });

  it('counts from the question and not from the answer: it may be revoked between the two', async () => {
    const { apiKey, revoke } = await newKey();
    const cache = cached();
    const { wait, reached, open } = gate();
    after = wait;
    const slowly = cache.authenticate({ apiKey });
    await reached;
    now = TTL_MS - 1;
    open();
    expect(await slowly).not.toBeNull();
    await revoke();
    now = TTL_MS;
    expect(await cache.authenticate({ apiKey })).toBeNull();
  });

  it('is asked for every time where nothing is to be remembered', async () => {
    const { apiKey, revoke } = await newKey();
    const cache = cached({ ttlMs: 0 });
    await Promise.all([cache.authenticate({ apiKey }), cache.authenticate({ apiKey })]);
    expect(asked).toBe(2);
    await revoke();
    expect(await cache.authenticate({ apiKey })).toBeNull();
  });

  it('is over at once when it is revoked here, also for those who are being told just now that it is good', async () => {
    const { account, apiKey, keyId } = await newKey();
    const cache = cached();
    const { wait, reached, open } = gate();
    after = wait;
    const looking = cache.authenticate({ apiKey });
    await reached;
    await cache.revokeKey({ accountId: account.id, keyId });
    open();
    await looking;
    expect(await cache.authenticate({ apiKey })).toBeNull();
  });

  it('is forgotten when there are too many, the oldest first', async () => {
    const keys = [await newKey(), await newKey(), await newKey()];
    const cache = cached({ maxKnown: 2 });
    for (const { apiKey } of keys) await cache.authenticate({ apiKey });
    expect(asked).toBe(3);
    for (const { apiKey } of keys.slice(1)) await cache.authenticate({ apiKey });
    expect(asked).toBe(3);
    await cache.authenticate({ apiKey: keys[0]?.apiKey ?? '' });
    expect(asked).toBe(4);
  });

  it('is not pushed out by any number of keys that open nothing', async () => {
    const { apiKey } = await newKey();
    const cache = cached({ maxKnown: 2 });
    await cache.authenticate({ apiKey });
    await Promise.all(Array.from({ length: 50 }, () => cache.authenticate({ apiKey: makeApiKey() })));
    expect(asked).toBe(51);
    await cache.authenticate({ apiKey });
    expect(asked).toBe(51);
  });
});

describe('a key that is not known yet', () => {
  it('is one question, however many requests come with it at once', async () => {
    const { account, apiKey } = await newKey();
    const cache = cached();
    const clients = await Promise.all(Array.from({ length: 50 }, () => cache.authenticate({ apiKey })));
    expect(new Set(clients.map((client) => client?.account.id))).toEqual(new Set([account.id]));
    expect(asked).toBe(1);
  });

  it('is one question that fails for all who wait for it, and another for who comes after', async () => {
    const { account, apiKey } = await newKey();
    const cache = cached();
    before = () => Promise.reject(accountsUnavailable(new Error('away')));
    const answers = await Promise.allSettled(Array.from({ length: 10 }, () => cache.authenticate({ apiKey })));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill('rejected'));
    expect(asked).toBe(1);
    before = async () => {};
    expect((await cache.authenticate({ apiKey }))?.account).toEqual(account);
  });

  it('does not wait for a question that is older than what may be remembered', async () => {
    const { apiKey, revoke } = await newKey();
    const cache = cached();
    const { wait, reached, open } = gate();
    after = wait;
    const old = cache.authenticate({ apiKey });
    await reached;
    await revoke();
    now = TTL_MS;
    after = async () => {};
    expect(await cache.authenticate({ apiKey })).toBeNull();
    open();
    expect(await old).not.toBeNull();
    expect(await cache.authenticate({ apiKey })).toBeNull();
  });
});

describe('while the accounts do not answer', () => {
  it('keys that are remembered go on working until their time is over; of others it is not said that they are bad', async () => {
    const [known, other] = [await newKey(), await newKey()];
    const cache = cached();
    await cache.authenticate({ apiKey: known.apiKey });
    before = () => Promise.reject(accountsUnavailable(new Error('away')));
    for (let i = 0; i < 20; i += 1) {
      await expect(cache.authenticate({ apiKey: other.apiKey })).rejects.toMatchObject(AWAY);
      await expect(cache.authenticate({ apiKey: makeApiKey() })).rejects.toMatchObject(AWAY);
      expect((await cache.authenticate({ apiKey: known.apiKey }))?.account).toEqual(known.account);
    }
    now = TTL_MS;
    await expect(cache.authenticate({ apiKey: known.apiKey })).rejects.toMatchObject(AWAY);
  });

  it('they are soon left alone, and what is no key at all is still refused', async () => {
    const cache = cached();
    before = () => Promise.reject(accountsUnavailable(new Error('away')));
    for (let i = 0; i < 50; i += 1)
      await expect(cache.authenticate({ apiKey: makeApiKey() })).rejects.toMatchObject(AWAY);
    expect(asked).toBeLessThan(10);
    expect(await cache.authenticate({ apiKey: 'aca_wrong' })).toBeNull();
  });

  it('a process that starts is not ready, and one that has served stays so', async () => {
    const cache = cached();
    const starting = cached();
    expect(await cache.ready()).toBeNull();
    await accounts.close();
    expect(await starting.ready()).toContain('does not answer');
    expect(await cache.ready()).toBeNull();
  });
});
