import { type Relay, relayTo } from '@call-analytics/test/contract/relay.fixture.ts';
import { describeWithServers } from '@call-analytics/test/servers/index.ts';
import { until } from '@call-analytics/test/until.fixture.ts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import type { Accounts } from '../accounts.ts';
import { makeApiKey } from '../records.ts';
import { openMongoAccounts } from './accounts.ts';

describeWithServers('accounts in MongoDB', (servers) => {
  let database: Awaited<ReturnType<typeof servers.database>>;
  let client: MongoClient;
  let relay: Relay;
  let accounts: Accounts;
  beforeEach(async () => {
    database = await servers.database();
    client = await MongoClient.connect(database.url);
    const { hostname, port } = new URL(database.url);
    relay = await relayTo({ host: hostname, port: Number(port) });
    accounts = await openMongoAccounts({ url: database.url.replace(`${hostname}:${port}`, relay.address) });
  });
  afterEach(async () => {
    await accounts.close();
    await relay.close();
    await client.close();
    await database.remove();
  });

  const accountWithKey = async () => {
    const { account } = await accounts.createAccount({ name: 'Acme' });
    return { account, ...(await accounts.createKey({ accountId: account.id, name: 'first' })) };
  };
  const UNAVAILABLE = { failure: { kind: 'transient', code: 'accounts_unavailable' } };

  it('keep of a key its hash alone', async () => {
    const { secret } = await accountWithKey();
    const stored = JSON.stringify(await client.db().collection('api_keys').find().toArray());
    expect(stored).toContain(secret.slice(0, 9));
    expect(stored).not.toContain(secret.slice(9, 36));
  });

  it('cannot hold two keys of one hash', async () => {
    const { key } = await accountWithKey();
    const keys = client.db().collection<{ _id: string }>('api_keys');
    const stored = await keys.findOne({ _id: key.id });
    await expect(keys.insertOne({ ...stored, _id: 'key_other' })).rejects.toMatchObject({ code: 11000 });
  });

  it('answer every question from an index, without looking at other keys and without sorting', async () => {
    const { account, secret } = await accountWithKey();
    for (let i = 0; i < 20; i += 1) await accountWithKey();
    const db = client.db();
    await db.command({ profile: 2 });
    await accounts.authenticate({ apiKey: secret });
    await accounts.listKeys({ accountId: account.id });
    await accounts.listAccounts();
    await db.command({ profile: 0 });
    const asked = await db
      .collection('system.profile')
      .find({ op: 'query' }, { sort: { ts: 1 } })
      .toArray();
    expect(asked.map(({ ns, docsExamined }) => [ns.slice(database.name.length + 1), docsExamined])).toEqual([
      ['api_keys', 1],
      ['accounts', 1],
      ['accounts', 1],
      ['api_keys', 1],
      ['accounts', 21],
    ]);
    for (const { planSummary, hasSortStage } of asked) {
      expect(planSummary).toMatch(/^(IXSCAN|IDHACK|EXPRESS)/);
      expect(hasSortStage).toBeUndefined();
    }
  });

  it('are the same for every process: a key made or revoked through one counts for the other at once', async () => {
    const other = await openMongoAccounts({ url: database.url });
    try {
      const { account, key, secret } = await accountWithKey();
      expect((await other.authenticate({ apiKey: secret }))?.account).toEqual(account);
      expect(await other.revokeKey({ accountId: account.id, keyId: key.id })).toEqual({ revoked: true });
      expect(await accounts.authenticate({ apiKey: secret })).toBeNull();
    } finally {
      await other.close();
    }
  });

  it('write the last use of a key at most once a minute in all processes together', async () => {
    const { account, secret: apiKey } = await accountWithKey();
    const first = new Date('2026-05-01T10:00:00Z');
    const users = [0, 59_000, 60_000].map((later) =>
      openMongoAccounts({ url: database.url, clock: { now: () => new Date(first.getTime() + later) } }),
    );
    const lastUsed = async () => (await accounts.listKeys({ accountId: account.id })).keys[0]?.lastUsedAt;
    const written: unknown[] = [];
    // All of them have seen a key that was never used before the first of them writes, which closing does.
    for (const user of await Promise.all(users)) await user.authenticate({ apiKey });
    for (const user of users) {
      await (await user).close();
      written.push(await lastUsed());
    }
    expect(written).toEqual([first, first, new Date(first.getTime() + 60_000)]);
  });

  it('may be opened by many processes at once when there is nothing yet', async () => {
    await client.db().dropDatabase();
    const opened = await Promise.all(Array.from({ length: 8 }, () => openMongoAccounts({ url: database.url })));
    for (const each of opened) expect(await each.ready()).toBeNull();
    await Promise.all(opened.map((each) => each.close()));
    expect(Object.keys(await client.db().collection('api_keys').indexInformation()).sort()).toEqual([
      '_id_',
      'hash',
      'of_account_oldest_first',
      'of_creator',
    ]);
  });

  describe('whose server', () => {
    it('resets every connection are unavailable, not wrong about a key, and come back by themselves', async () => {
      const { account, secret } = await accountWithKey();
      relay.cut();
      await expect(accounts.authenticate({ apiKey: secret })).rejects.toMatchObject(UNAVAILABLE);
      await expect(accounts.authenticate({ apiKey: makeApiKey() })).rejects.toMatchObject(UNAVAILABLE);
      await expect(accounts.revokeKey({ accountId: account.id, keyId: 'key' })).rejects.toMatchObject(UNAVAILABLE);
      expect(await accounts.ready()).toContain('does not answer');
      relay.mend();
      await until(
        () => accounts.ready(),
        (why) => why === null,
      );
      expect((await accounts.authenticate({ apiKey: secret }))?.account).toEqual(account);
    });

    it('does not answer any more are unavailable after a while, and come back by themselves', async () => {
      const { account, secret } = await accountWithKey();
      relay.hold();
      await expect(accounts.authenticate({ apiKey: secret })).rejects.toMatchObject(UNAVAILABLE);
      relay.mend();
      await until(
        () => accounts.ready(),
        (why) => why === null,
      );
      expect((await accounts.authenticate({ apiKey: secret }))?.account).toEqual(account);
    });

    it('is not there cannot be opened, and say so', async () => {
      relay.cut();
      await expect(
        openMongoAccounts({ url: `mongodb://${relay.address}/x?directConnection=true` }),
      ).rejects.toMatchObject(UNAVAILABLE);
    });

    it('does not let them in are unavailable, with the reason for the operator', async () => {
      const opening = openMongoAccounts({ url: database.url.replace('mongodb://', 'mongodb://nobody:wrong@') });
      await expect(opening).rejects.toMatchObject({
        ...UNAVAILABLE,
        cause: { message: expect.stringContaining('Authentication failed') },
      });
    });
  });
});
