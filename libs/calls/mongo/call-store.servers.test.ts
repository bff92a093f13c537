import { describeWithServers } from '@call-analytics/test/servers/index.ts';
import { afterAll, beforeAll } from '@jest/globals';
import { callStoreContract } from '../contract/call-store.suite.ts';
import { openMongoCallStore } from './store.ts';

describeWithServers('in MongoDB', (servers) => {
  let database: Awaited<ReturnType<typeof servers.database>>;
  beforeAll(async () => {
    database = await servers.database();
  });
  afterAll(() => database.remove());

  callStoreContract('MongoDB', async () => {
    const store = await openMongoCallStore({ url: database.url });
    return {
      store,
      close: async () => {
        await store.close();
        await database.empty();
      },
    };
  });
});
