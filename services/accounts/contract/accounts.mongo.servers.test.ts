import { openMongoAccounts } from '@call-analytics/accounts/mongo';
import { describeWithServers } from '@call-analytics/test/servers/index.ts';
import { served } from './accounts/served.fixture.ts';
import { accountsContract } from './accounts.suite.ts';

describeWithServers('accounts in a real MongoDB', (servers) => {
  accountsContract('MongoDB', async (clock) => {
    const { url, remove } = await servers.database();
    let accounts = await openMongoAccounts({ url, clock });
    return {
      accounts,
      async reopen() {
        await accounts.close();
        accounts = await openMongoAccounts({ url, clock });
        return accounts;
      },
      async close() {
        await accounts.close();
        await remove();
      },
    };
  });

  accountsContract('gRPC, with MongoDB behind it', async (clock) => {
    const { url, remove } = await servers.database();
    return served(() => openMongoAccounts({ url, clock }), remove);
  });
});
