import { openMongoAccounts, openMongoUsers } from '@call-analytics/accounts/mongo';
import { describeWithServers } from '@call-analytics/test/servers/index.ts';
import { type UsersStore, usersContract } from './users.suite.ts';

describeWithServers('users in a real MongoDB', (servers) => {
  const mongoUsers = async (): Promise<UsersStore> => {
    const { url, remove } = await servers.database();
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
      remove,
    };
  };

  // Over gRPC with SQLite behind it the same is asked in users.grpc.test.ts: the wire does not know what is behind.
  usersContract('MongoDB', mongoUsers);
});
