import { openMongoAccounts, openMongoUsers } from '@call-analytics/accounts/mongo';
import { describeWithServers } from '@call-analytics/test/servers/index.ts';
import { afterAll, beforeAll } from '@jest/globals';
import type { UsersStore } from './users.fixture.ts';
import { usersContract } from './users.suite.ts';

describeWithServers('users in a real MongoDB', (servers) => {
  let database: Awaited<ReturnType<typeof servers.database>>;
  beforeAll(async () => {
    database = await servers.database();
  });
  afterAll(() => database.remove());

  const mongoUsers = async (): Promise<UsersStore> => {
    const { url } = database;
    return {
      async open(options) {
        const users = await openMongoUsers({ url, ...options });
        const accounts = await openMongoAccounts({ url, ...(options.clock && { clock: options.clock }) });
        return {
          users,
          accounts,
          async close() {
            await users.close();
            await accounts.close();
          },
        };
      },
      remove: () => database.empty(),
    };
  };

  // Over gRPC with SQLite behind it the same is asked in users.grpc.test.ts: the wire does not know what is behind.
  usersContract('MongoDB', mongoUsers);
});
