import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Logger, makeLogger } from '@call-analytics/service-kit';
import { afterEach } from '@jest/globals';
import type { Accounts } from '../accounts.ts';
import { openAccounts } from '../sqlite/accounts.ts';
import { type RemoteAccountsOptions, remoteAccounts } from './client.ts';
import { type AccountsServer, type AccountsServerOptions, accountsServer } from './server.ts';

export const SECRET = 'the-secret-of-the-services';
export const UNAVAILABLE = { failure: { kind: 'transient', code: 'accounts_unavailable' } };

/** @param address as a server gives it */
export const portOf = (address: string) => Number(address.split(':').at(-1));

/** Accounts with a server in front, for the tests of this folder: everything is closed after each. */
export interface Served {
  store: Accounts;
  server: AccountsServer;
  logger: Logger;
  /** Of everything, at every level. */
  log: Record<string, unknown>[];
  remote(options?: Partial<RemoteAccountsOptions>): Accounts;
}

const closing: (() => Promise<unknown>)[] = [];
export function afterwards(close: () => Promise<unknown>): void {
  closing.push(close);
}
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** @param around put in the store's place, built around the real one */
export async function serve(
  options: Partial<AccountsServerOptions> = {},
  around: (store: Accounts) => Accounts = (store) => store,
): Promise<Served> {
  const dir = mkdtempSync(join(tmpdir(), 'accounts-'));
  afterwards(async () => rmSync(dir, { recursive: true }));
  const store = openAccounts({ file: join(dir, 'accounts.sqlite') });
  afterwards(() => store.close());
  const lines: Record<string, unknown>[] = [];
  const logger = makeLogger('accounts', 'trace', { write: (line) => lines.push(JSON.parse(line)) });
  const server = accountsServer({
    accounts: around(store),
    port: 0,
    host: '127.0.0.1',
    secret: SECRET,
    log: logger,
    ...options,
  });
  afterwards(() => server.stop(AbortSignal.timeout(5_000)));
  await server.start();
  const remote = (how: Partial<RemoteAccountsOptions> = {}) => {
    const accounts = remoteAccounts({ url: server.address(), secret: SECRET, ...how });
    afterwards(() => accounts.close());
    return accounts;
  };
  return { store, server, logger, log: lines, remote };
}

export async function keyIn(store: Accounts) {
  const { account } = await store.createAccount({ name: 'Acme' });
  return { account, ...(await store.createKey({ accountId: account.id, name: 'first' })) };
}

/** A store with one method in another's place. */
export function over(store: Accounts, methods: Partial<Accounts>): Accounts {
  return new Proxy(store, {
    get: (target, name) => methods[name as keyof Accounts] ?? Reflect.get(target, name).bind(target),
  });
}
