import { describeWithServers } from '@call-analytics/test/servers/index.ts';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import type { CallStore } from '../calls.ts';
import { Fixture } from '../contract/call-store.fixture.ts';
import { openMongoCallStore } from './store.ts';

describeWithServers('processes that share one call database', (servers) => {
  let database: Awaited<ReturnType<typeof servers.database>>;
  let stores: CallStore[];
  let fixtures: Fixture[];
  beforeEach(async () => {
    database = await servers.database();
    stores = Array.from({ length: 4 }, () => openMongoCallStore({ url: database.url }));
    fixtures = stores.map((store) => new Fixture(store));
  });
  afterEach(async () => {
    for (const store of stores) await store.close();
    await database.remove();
  });
  const [first, ...others] = [0, 1, 2, 3].map((n) => () => fixtures[n] as Fixture) as [
    () => Fixture,
    ...(() => Fixture)[],
  ];

  it('that start together make the indexes once', async () => {
    expect(await Promise.all(stores.map((store) => store.ready()))).toEqual([null, null, null, null]);
    const client = await MongoClient.connect(database.url);
    const indexes = await client.db().collection('calls').indexes();
    await client.close();
    expect(new Set(indexes.map(({ name }) => name)).size).toBe(indexes.length);
    expect(indexes.length).toBeGreaterThan(5);
  });

  it('claim each call once', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 50; n += 1) ids.push((await first().accept()).id);
    const got = await Promise.all(
      fixtures.map(async (fixture) => {
        const mine: string[] = [];
        for (const id of ids) if ('lease' in (await fixture.calls.claim(id, 'transcription', 'racer'))) mine.push(id);
        return mine;
      }),
    );
    expect(got.flat().sort()).toEqual([...ids].sort());
    for (const id of ids) expect(await first().read(id)).toMatchObject({ attempt: 1, version: 2 });
  });

  it('make one call of one idempotency key, and show it as soon as one of them has told of it', async () => {
    for (let n = 0; n < 20; n += 1) {
      const audio = { key: `key ${n}`, bytes: 1, format: 'mp3', seconds: 1 } as const;
      const upload = { accountId: 'a', fileName: 'a.mp3', reportType: 'medium', audio } as const;
      const results = await Promise.all(
        fixtures.map(({ calls }) => calls.accept(upload, { key: `key ${n}`, fingerprint: 'same' })),
      );
      expect(results.map(({ kind }) => kind).sort()).toEqual(['created', 'existing', 'existing', 'existing']);
      const ids = new Set(results.map(({ call }) => call.id));
      expect(ids.size).toBe(1);
      for (const store of stores) expect(await store.detail('a', [...ids].join())).not.toBeNull();
    }
  });

  it('hear of what each of them has written', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let hints = 0;
    const heard = Promise.withResolvers<void>();
    const stop = first().store.watch(() => {
      hints += 1;
      if (hints === 1) heard.resolve();
      if (hints > others.length) resolve();
    });
    await heard.promise;
    for (const other of others) await other().accept();
    await promise;
    stop();
  });
});
