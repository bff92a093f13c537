import { type LINK_PAGES, oneTimeLink } from '@call-analytics/contracts';
import { WorkError } from '@call-analytics/service-kit';
import type { Account, Accounts, ApiKey } from '../accounts.ts';
import type { MemberOfAccount } from '../users/directory.ts';
import type { Users } from '../users.ts';

export interface Options {
  name: string;
  account: string;
  key: string;
  email: string;
}

/** What a command works on. */
export interface Opened {
  accounts: Accounts;
  users(): Promise<Users>;
  /** Where people reach the installation. */
  publicUrl: string;
}

export interface Command {
  needs: readonly Exclude<keyof Options, 'email'>[];
  /** What stands behind the command's words, without a name. */
  takes?: 'account' | 'email';
  run(opened: Opened, options: Options): Promise<{ json: unknown; text: string }>;
}

const ONCE = 'The key is shown this once: keep it now. It cannot be shown again, only replaced.';

const REMEMBERED = 'A gateway on its own remembers good keys for a while: AUTH_CACHE_TTL, 30s unless set.';

const COMMANDS: Readonly<Record<string, Command>> = {
  create: {
    needs: ['name'],
    async run({ accounts }, { name }) {
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
    async run({ accounts }) {
      const { accounts: all } = await accounts.listAccounts();
      return {
        json: { accounts: all },
        text: all.length === 0 ? 'No account yet. "npm run accounts -- create --name NAME" makes one.' : table(all.map(accountRow)),
      };
    },
  },
  'keys list': {
    needs: ['account'],
    async run({ accounts }, { account: accountId }) {
      const { keys } = await accounts.listKeys({ accountId });
      return {
        json: { keys: keys.map(shown) },
        text: keys.length === 0 ? 'No key yet. "npm run accounts -- keys create" makes one.' : table(keys.map(keyRow)),
      };
    },
  },
  'keys create': {
    needs: ['account', 'name'],
    async run({ accounts }, { account: accountId, name }) {
      const { key, secret } = await accounts.createKey({ accountId, name });
      return { json: { key: { ...shown(key), secret } }, text: `key id   ${key.id}\nAPI key  ${secret}\n\n${ONCE}` };
    },
  },
  'keys revoke': {
    needs: ['account', 'key'],
    async run({ accounts }, { account: accountId, key: keyId }) {
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

const LINK_COMMANDS: Readonly<Record<string, Command>> = {
  claim: {
    needs: [],
    takes: 'account',
    async run({ users, publicUrl }, { account: accountId }) {
      const { token, expiresAt } = await (await users()).claim({ accountId });
      return link(
        publicUrl,
        'invitation',
        token,
        expiresAt,
        `Whoever opens it first makes themselves a user and an owner of ${accountId}.`,
      );
    },
  },
  'sign-in-link': {
    needs: [],
    takes: 'email',
    async run({ users, publicUrl }, { email }) {
      const { token, expiresAt } = await (await users()).makeSignInLink({ email });
      return link(publicUrl, 'signIn', token, expiresAt, `Whoever opens it is signed in as ${email}.`);
    },
  },
  'reset-password': {
    needs: [],
    takes: 'email',
    async run({ users, publicUrl }, { email }) {
      const { token, expiresAt } = await (await users()).makeResetLink({ email });
      return link(publicUrl, 'passwordReset', token, expiresAt, `Whoever opens it chooses a new password for ${email}.`);
    },
  },
  'users list': {
    needs: [],
    async run({ users }) {
      const { users: all } = await (await users()).listUsers();
      return {
        json: { users: all },
        text: all.length === 0 ? 'No user yet. The first who signs up in the web application owns a new account.' : table(all.map(userRow)),
      };
    },
  },
};

export const ALL_COMMANDS: Readonly<Record<string, Command>> = { ...COMMANDS, ...LINK_COMMANDS };

function link(publicUrl: string, page: keyof typeof LINK_PAGES, token: string, expiresAt: Date, what: string) {
  const url = oneTimeLink(publicUrl, page, token);
  return { json: { url, expiresAt }, text: `${url}\n\n${what} It works once, until ${expiresAt.toISOString()}.` };
}

function userRow({ email, name, role, account, joinedAt }: MemberOfAccount): Record<string, string> {
  return { email, name, role, account: account.id, 'account name': account.name, joined: joinedAt.toISOString() };
}

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
