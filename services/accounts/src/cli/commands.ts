import { WorkError } from '@call-analytics/service-kit';
import type { Account, Accounts, ApiKey } from '../accounts.ts';

export interface Options {
  name: string;
  account: string;
  key: string;
}

export interface Command {
  needs: readonly (keyof Options)[];
  run(accounts: Accounts, options: Options): Promise<{ json: unknown; text: string }>;
}

const ONCE = 'The key is shown this once: keep it now. It cannot be shown again, only replaced.';

const REMEMBERED = 'A gateway on its own remembers good keys for a while: AUTH_CACHE_TTL, 30s unless set.';

export const COMMANDS: Readonly<Record<string, Command>> = {
  create: {
    needs: ['name'],
    async run(accounts, { name }) {
      const { account } = await accounts.createAccount({ name });
      const { key, secret } = await accounts.createKey({ accountId: account.id, name: 'default' });
      return {
        json: { account, key: { ...shown(key), secret } },
        text: `account  ${account.id}\nkey id   ${key.id}\nAPI key  ${secret}\n\n${ONCE}`,
      };
    },
  },
  list: {
    needs: [],
    async run(accounts) {
      const { accounts: all } = await accounts.listAccounts();
      return {
        json: { accounts: all },
        text: all.length === 0 ? 'No account yet. "npm run accounts -- create --name NAME" makes one.' : table(all.map(accountRow)),
      };
    },
  },
  'keys list': {
    needs: ['account'],
    async run(accounts, { account: accountId }) {
      const { keys } = await accounts.listKeys({ accountId });
      return {
        json: { keys: keys.map(shown) },
        text: keys.length === 0 ? 'No key yet. "npm run accounts -- keys create" makes one.' : table(keys.map(keyRow)),
      };
    },
  },
  'keys create': {
    needs: ['account', 'name'],
    async run(accounts, { account: accountId, name }) {
      const { key, secret } = await accounts.createKey({ accountId, name });
      return { json: { key: { ...shown(key), secret } }, text: `key id   ${key.id}\nAPI key  ${secret}\n\n${ONCE}` };
    },
  },
  'keys revoke': {
    needs: ['account', 'key'],
    async run(accounts, { account: accountId, key: keyId }) {
      const { revoked } = await accounts.revokeKey({ accountId, keyId });
      if (revoked) return { json: { revoked: keyId }, text: `${keyId} is revoked: it opens nothing from now on. ${REMEMBERED}` };
      throw new WorkError({
        kind: 'rejected',
        code: 'no_such_key',
        message: `Account ${accountId} has no key ${keyId} that could be revoked. "npm run accounts -- keys list --account ${accountId}" shows its keys.`,
      });
    },
  },
};

/** What may be shown of a key, in this order, even when a key comes to hold more one day. */
function shown({ id, name, prefix, createdAt, lastUsedAt, revokedAt }: ApiKey) {
  return { id, name, prefix, createdAt, lastUsedAt, revokedAt };
}

function accountRow({ id, name, createdAt }: Account): Record<string, string> {
  return { id, name, created: createdAt.toISOString() };
}

function keyRow({ id, name, prefix, createdAt, lastUsedAt, revokedAt }: ApiKey): Record<string, string> {
  return {
    id,
    name,
    key: `${prefix}…`,
    created: createdAt.toISOString(),
    'last used': lastUsedAt?.toISOString() ?? 'never',
    revoked: revokedAt?.toISOString() ?? '',
  };
}

function table(rows: readonly Record<string, string>[]): string {
  const columns = Object.keys(rows[0] ?? {});
  const cells = [columns, ...rows.map((row) => columns.map((column) => row[column] ?? ''))];
  const widths = columns.map((_, i) => Math.max(...cells.map((line) => (line[i] ?? '').length)));
  return cells
    .map((line) =>
      line
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
