import type { Accounts } from '../accounts.ts';
import { accountMessage, keyMessage, newKeyFrom } from './messages.ts';
import type { Method, Methods } from './protocol.ts';

export type Handlers = { [M in Method]: (request: Methods[M]['request']) => Promise<Methods[M]['response']> };

/** Each method of accounts.proto, done by the accounts. */
export function handlersOf(accounts: Accounts): Handlers {
  return {
    async Authenticate({ apiKey }) {
      const client = await accounts.authenticate({ apiKey });
      if (client === null) return { refused: {} };
      return { client: { account: accountMessage(client.account), key: keyMessage(client.key) } };
    },
    async CreateAccount({ name }) {
      return { account: accountMessage((await accounts.createAccount({ name })).account) };
    },
    async ListAccounts() {
      return { accounts: (await accounts.listAccounts()).accounts.map(accountMessage) };
    },
    async CreateKey(request) {
      const { key, secret } = await accounts.createKey(newKeyFrom(request));
      return { key: keyMessage(key), secret };
    },
    async ListKeys({ accountId }) {
      return { keys: (await accounts.listKeys({ accountId })).keys.map(keyMessage) };
    },
    async RevokeKey({ accountId, keyId }) {
      return accounts.revokeKey({ accountId, keyId });
    },
  };
}
