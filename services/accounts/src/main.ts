import { closes, runService } from '@call-analytics/service-kit';
import { readTlsFiles } from './grpc/protocol.ts';
import { accountsServer } from './grpc/server.ts';
import { connectAccountsStore } from './mongo/accounts.ts';
import { connectUsersStore } from './mongo/users.ts';
import { accountsServiceSettings } from './settings.ts';
import { setupAnnouncement } from './users/signing-up.ts';

await runService({
  name: 'accounts',
  settings: accountsServiceSettings,
  parts: async ({ settings, ...about }) => {
    const { ACCOUNTS_GRPC_HOST: host, ACCOUNTS_GRPC_PORT: port, ACCOUNTS_SECRET: secret } = settings;
    const previousSecret = settings.ACCOUNTS_SECRET_PREVIOUS;
    const tls = readTlsFiles(settings);
    const accounts = await connectAccountsStore(settings, about);
    const users = await connectUsersStore(settings, about);
    // Whether the store answers is asked by the server, for its own health too.
    const stores = [
      closes('accounts store', { close: () => accounts.close() }),
      closes('users store', { close: () => users.close() }),
    ];
    return [
      ...stores,
      setupAnnouncement(users, settings.PUBLIC_URL, about.log),
      accountsServer({ ...about, accounts, users, revocations: accounts, host, port, secret, previousSecret, tls }),
    ];
  },
});
