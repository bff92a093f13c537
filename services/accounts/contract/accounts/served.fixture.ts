import type { Accounts } from '@call-analytics/accounts';
import { accountsServer, remoteAccounts } from '@call-analytics/accounts/grpc';
import { makeLogger } from '@call-analytics/service-kit';
import type { OpenedAccounts } from '../accounts.fixture.ts';

const SECRET = 'the secret of the services';

/** Accounts behind a gRPC server, asked through the client. @param remove what the store left */
export async function served(openStore: () => Promise<Accounts>, remove: () => Promise<void>): Promise<OpenedAccounts> {
  const serve = async () => {
    const store = await openStore();
    const server = accountsServer({
      accounts: store,
      port: 0,
      host: '127.0.0.1',
      secret: SECRET,
      log: makeLogger('test', 'silent'),
    });
    await server.start();
    const accounts = remoteAccounts({ url: server.address(), secret: SECRET, deadlineMs: 30_000 });
    const close = async () => {
      await accounts.close();
      await server.stop(AbortSignal.timeout(5_000));
      await store.close();
    };
    return { accounts, close };
  };
  let now = await serve();
  return {
    accounts: now.accounts,
    async reopen() {
      await now.close();
      now = await serve();
      return now.accounts;
    },
    async close() {
      await now.close();
      await remove();
    },
  };
}
