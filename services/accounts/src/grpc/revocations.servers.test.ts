import { makeLogger, makeMetrics } from '@call-analytics/service-kit';
import { type Relay, relayTo } from '@call-analytics/test/contract/relay.fixture.ts';
import { describeWithServers } from '@call-analytics/test/servers/index.ts';
import { until } from '@call-analytics/test/until.fixture.ts';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { CachedAccounts } from '../cached-accounts.ts';
import { openMongoAccounts } from '../mongo/accounts.ts';
import { connectAccounts } from './client.ts';
import { accountsServer } from './server.ts';

describeWithServers('two gateways, each at an accounts service of its own', (servers) => {
  const closing: (() => Promise<unknown>)[] = [];
  /** Between the second accounts service and MongoDB. */
  let relay: Relay;
  let first: CachedAccounts;
  let second: CachedAccounts;

  /** @returns a gateway's accounts, and how often their service read a key */
  const gatewayAt = async (url: string) => {
    const log = makeLogger('test', 'silent');
    const store = await openMongoAccounts({ url });
    let reads = 0;
    const { authenticate } = store;
    store.authenticate = (request) => {
      reads += 1;
      return authenticate.call(store, request);
    };
    const server = accountsServer({ accounts: store, revocations: store, host: '127.0.0.1', port: 0, log });
    await server.start();
    const settings = { ACCOUNTS_URL: server.address(), ACCOUNTS_DEADLINE: 30_000, AUTH_CACHE_TTL: 3_600_000 };
    const accounts = connectAccounts(settings, { log, metrics: makeMetrics() });
    closing.push(
      () => accounts.close(),
      () => server.stop(AbortSignal.timeout(5_000)),
      () => store.close(),
    );
    return { accounts, reads: () => reads };
  };
  let readsOfSecond: () => number;

  beforeEach(async () => {
    const database = await servers.database();
    const { hostname, port } = new URL(database.url);
    relay = await relayTo({ host: hostname, port: Number(port) });
    first = (await gatewayAt(database.url)).accounts;
    const { accounts, reads } = await gatewayAt(database.url.replace(`${hostname}:${port}`, relay.address));
    [second, readsOfSecond] = [accounts, reads];
    closing.push(
      () => relay.close(),
      () => database.remove(),
    );
  });
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  const keyThatTheSecondCaches = async () => {
    const { account } = await first.createAccount({ name: 'Acme' });
    const { key, secret: apiKey } = await first.createKey({ accountId: account.id, name: 'x' });
    await until(
      async () => {
        await second.authenticate({ apiKey });
        const before = readsOfSecond();
        await second.authenticate({ apiKey });
        return readsOfSecond() === before;
      },
      (isCached) => isCached,
      30_000,
    );
    return { apiKey, revoke: () => first.revokeKey({ accountId: account.id, keyId: key.id }) };
  };
  const isRefusedBySecond = (apiKey: string) =>
    until(
      () => second.authenticate({ apiKey }),
      (client) => client === null,
      30_000,
    );

  it('a key that one revokes is refused by the other, whose cache would keep it for an hour', async () => {
    const { apiKey, revoke } = await keyThatTheSecondCaches();
    expect(await revoke()).toEqual({ revoked: true });
    await isRefusedBySecond(apiKey);
  });

  it.each([
    ['reset', () => relay.cut()],
    ['swallowed', () => relay.hold()],
  ])('a revocation that MongoDB could not tell, its connections %s, is seen when it can again', async (_, fail) => {
    const { apiKey, revoke } = await keyThatTheSecondCaches();
    fail();
    await revoke();
    relay.mend();
    await isRefusedBySecond(apiKey);
  });
});
