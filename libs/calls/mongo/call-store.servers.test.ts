import { describeWithServers } from '@call-analytics/test/servers/index.ts';
import { afterAll, beforeAll } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { callStoreContract } from '../contract/call-store.suite.ts';
import { openMongoCallStore } from './store.ts';

describeWithServers('in MongoDB', (servers) => {
  let database: Awaited<ReturnType<typeof servers.database>>;
  let client: MongoClient;
  beforeAll(async () => {
    database = await servers.database();
    client = await MongoClient.connect(database.url);
  });
  afterAll(async () => {
    await client.close();
    await database.remove();
  });

  callStoreContract('MongoDB', async () => {
    const store = await openMongoCallStore({ url: database.url });
    return {
      store,
      close: async () => {
        await store.close();
        // Emptied and not dropped: making the indexes anew would take longer than the test.
        for (const { collectionName } of await client.db().collections())
          await client.db().collection(collectionName).deleteMany({});
      },
    };
  });
});
