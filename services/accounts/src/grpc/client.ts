import type { WorkError } from '@call-analytics/service-kit';
import { service as healthProtocol } from 'grpc-health-check';
import type { Accounts, NewKey } from '../accounts.ts';
import { isWellFormedApiKey } from '../api-key.ts';
import { accountFrom, keyFrom, newKeyMessage } from './messages.ts';
import { accountsProtocol, type Method, type Methods, SERVICE_NAME } from './protocol.ts';
import { NOT_LET_IN } from './refusals.ts';
import { type RemoteAccountsOptions, Wire } from './wire.ts';

/**
 * The accounts of another process. Connects with the first call, and again whenever that is needed; while there is no connection calls fail at once.
 * @throws SettingsError when `url` is no address
 */
export function remoteAccounts(options: RemoteAccountsOptions): Accounts {
  return new RemoteAccounts(options);
}

class RemoteAccounts implements Accounts {
  readonly #wire: Wire;

  constructor(options: RemoteAccountsOptions) {
    this.#wire = new Wire(options);
  }

  async authenticate({ apiKey }: { apiKey: string }) {
    if (!isWellFormedApiKey(apiKey)) return null;
    return this.#call('Authenticate', { apiKey }, ({ client, refused }) => {
      if (client) return { account: accountFrom(client.account), key: keyFrom(client.key) };
      if (refused) return null;
      throw new Error('The accounts service neither opened nor refused.');
    });
  }

  createAccount({ name }: { name: string }) {
    return this.#call('CreateAccount', { name }, ({ account }) => ({ account: accountFrom(account) }));
  }

  listAccounts() {
    return this.#call('ListAccounts', {}, ({ accounts }) => ({ accounts: accounts.map(accountFrom) }));
  }

  createKey(request: NewKey) {
    return this.#call('CreateKey', newKeyMessage(request), ({ key, secret }) => ({ key: keyFrom(key), secret }));
  }

  listKeys({ accountId }: { accountId: string }) {
    return this.#call('ListKeys', { accountId }, ({ keys }) => ({ keys: keys.map(keyFrom) }));
  }

  revokeKey({ accountId, keyId }: { accountId: string; keyId: string }) {
    return this.#call('RevokeKey', { accountId, keyId }, ({ revoked }) => ({ revoked }));
  }

  async ready() {
    try {
      const health = (await this.#wire.ask(healthProtocol.Check, { service: SERVICE_NAME })) as { status: string };
      if (health.status !== 'SERVING') return 'the accounts service is not ready';
      // The health service lets everyone in. An empty key is refused without a look at the store, and only to those who are let in.
      await this.#wire.ask(accountsProtocol.Authenticate, { apiKey: '' });
      return null;
    } catch (error) {
      const { cause } = error as WorkError;
      return (cause as Error | undefined)?.message === NOT_LET_IN ? NOT_LET_IN : 'the accounts service does not answer';
    }
  }

  async close() {
    this.#wire.close();
  }

  #call<M extends Method, T>(
    method: M,
    request: Methods[M]['request'],
    read: (response: Methods[M]['response']) => T,
  ): Promise<T> {
    return this.#wire.call(accountsProtocol[method], request, (response) => read(response as Methods[M]['response']));
  }
}
