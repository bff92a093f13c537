import { openMongoAccounts } from '@call-analytics/accounts/mongo';
import { describeWithServers } from '@call-analytics/test/servers/index.ts';
import { afterAll, beforeAll } from '@jest/globals';
import { served } from './accounts/served.fixture.ts';
import { reopening } from './accounts.fixture.ts';
import { accountsContract } from './accounts.suite.ts';

describeWithServers('accounts in a real MongoDB', (servers) => {
  let database: Awaited<ReturnType<typeof servers.database>>;
  beforeAll(async () => {
    database = await servers.database();
  });
  afterAll(() => database.remove());

  accountsContract('MongoDB', (clock) =>
    reopening(
      async () => {
        const accounts = await openMongoAccounts({ url: database.url, clock });
        return { accounts, close: () => accounts.close() };
      },
      () => database.empty(),
    ),
  );

  accountsContract('gRPC, with MongoDB behind it', async (clock) => {
    const { url, empty } = database;
    return served(() => openMongoAccounts({ url, clock }), empty);
  });
});
