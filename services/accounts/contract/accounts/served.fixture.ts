import type { Accounts } from '@call-analytics/accounts';
import { accountsServer, remoteAccounts } from '@call-analytics/accounts/grpc';
import { makeLogger } from '@call-analytics/service-kit';
import { type OpenedAccounts, reopening } from '../accounts.fixture.ts';

const SECRET = 'the secret of the services';

/** Accounts behind a gRPC server, asked through the client. @param remove what the store left */
export function served(openStore: () => Promise<Accounts>, remove: () => Promise<void>): Promise<OpenedAccounts> {
  const log = makeLogger('test', 'silent');
  return reopening(async () => {
    const store = await openStore();
    const server = accountsServer({ accounts: store, port: 0, host: '127.0.0.1', secret: SECRET, log });
    await server.start();
    const accounts = remoteAccounts({ url: server.address(), secret: SECRET, deadlineMs: 30_000 });
    const close = async () => {
      await accounts.close();
      await server.stop(AbortSignal.timeout(5_000));
      await store.close();
    };
    return { accounts, close };
  }, remove);
}
