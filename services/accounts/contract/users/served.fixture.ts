import { accountsServer, remoteAccounts, remoteUsers } from '@call-analytics/accounts/grpc';
import type { UsersStore } from '../users.fixture.ts';

const SECRET = 'the secret of the services';

/** Users behind a gRPC server, asked through the client. */
export function served(store: UsersStore): UsersStore {
  return {
    async open(options) {
      const behind = await store.open(options);
      const server = accountsServer({ ...behind, port: 0, host: '127.0.0.1', secret: SECRET, log: options.log });
      await server.start();
      // Hashing takes long on a busy machine, and the contract is not about that.
      const remote = { url: server.address(), secret: SECRET, deadlineMs: 30_000 };
      const users = remoteUsers(remote);
      const accounts = remoteAccounts(remote);
      return {
        users,
        accounts,
        async close() {
          await users.close();
          await accounts.close();
          await server.stop(AbortSignal.timeout(5_000));
          await behind.close();
        },
      };
    },
    remove: () => store.remove(),
  };
}
