import type { Accounts } from '@call-analytics/accounts';
import { openMongoAccounts } from '@call-analytics/accounts/mongo';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { type Relay, relayTo } from '../contract/relay.fixture.ts';
import { describeWithServers } from '../servers/index.ts';
import { until } from '../until.fixture.ts';
import { type RemoteScene, remoteScene } from './remote-accounts.fixture.ts';

describeWithServers('while the database of the accounts service is away', (servers) => {
  let database: Awaited<ReturnType<typeof servers.database>>;
  let relay: Relay;
  let accounts: Accounts;
  let scene: RemoteScene;
  beforeEach(async () => {
    database = await servers.database();
    const { hostname, port } = new URL(database.url);
    relay = await relayTo({ host: hostname, port: Number(port) });
    accounts = await openMongoAccounts({ url: database.url.replace(`${hostname}:${port}`, relay.address) });
    scene = await remoteScene({ served: () => accounts, deadlineMs: 1_000 });
  });
  afterEach(async () => {
    await scene.close();
    await accounts.close();
    await relay.close();
    await database.remove();
  });

  const newKey = async (name: string) => {
    const { account } = await accounts.createAccount({ name });
    return (await accounts.createKey({ accountId: account.id, name })).secret;
  };
  const withKey = (apiKey: string) =>
    scene.gateway.ask('/api/v1/me', { headers: { authorization: `Bearer ${apiKey}` } });

  it.each([
    ['reset', () => relay.cut()],
    ['swallowed', () => relay.hold()],
  ])('and its connections are %s, known keys go on reading and others are 503, until it is back', async (_, fail) => {
    const [known, other] = [await newKey('known'), await newKey('other')];
    expect((await withKey(known)).status).toBe(200);
    fail();
    for (let i = 0; i < 3; i += 1) {
      expect((await withKey(known)).status).toBe(200);
      const answer = await withKey(other);
      expect(answer).toMatchObject({ status: 503, body: { code: 'temporarily_unavailable' } });
      expect(answer.headers.get('retry-after')).toBe('5');
    }
    relay.mend();
    await until(
      () => withKey(other),
      ({ status }) => status === 200,
    );
  });
});
