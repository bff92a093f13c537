import { KEY_SCOPES, type KeyScope, type LINK_PAGES, oneTimeLink } from '@call-analytics/contracts';
import { WorkError } from '@call-analytics/service-kit';
import type { Account, Accounts, ApiKey, Users } from '../accounts.ts';
import type { MemberOfAccount } from '../users/stores.ts';

export interface Options {
  name: string;
  account: string;
  key: string;
  email: string;
  scope: string;
  expires: string;
}

/** The stores that a command reads and changes. */
export interface Opened {
  accounts: Accounts;
  users(): Promise<Users>;
  /** Where people reach the installation. */
  publicUrl: string;
}

export interface Command {
  needs: readonly Exclude<keyof Options, 'email'>[];
  /** Options that may be left out; they are empty then. */
  may?: readonly Exclude<keyof Options, 'email'>[];
  /** The argument that follows the command's name. */
  takes?: 'account' | 'email';
  run(opened: Opened, options: Options): Promise<{ json: unknown; text: string }>;
}

const ONCE = 'Copy the key now. It is shown only once and cannot be recovered.';

const REFUSED =
  'It is refused from now on. A gateway that cannot reach the accounts may accept it for AUTH_CACHE_TTL (30s).';

const DAY_MS = 86_400_000;

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
        text:
          all.length === 0
            ? 'No accounts. Create one: npm run accounts -- create --name NAME'
            : table(all.map(accountRow)),
      };
    },
  },
  'keys list': {
    needs: ['account'],
    async run({ accounts }, { account: accountId }) {
      const { keys } = await accounts.listKeys({ accountId });
      return {
        json: { keys: keys.map(shown) },
        text:
          keys.length === 0
            ? 'No keys. Create one: npm run accounts -- keys create --account ID --name NAME'
            : table(keys.map(keyRow)),
      };
    },
  },
  'keys create': {
    needs: ['account', 'name'],
    may: ['scope', 'expires'],
    async run({ accounts }, { account: accountId, name, scope, expires }) {
      const request = { accountId, name, scope: scopeOf(scope), expiresAt: expiryOf(expires, new Date()) };
      const { key, secret } = await accounts.createKey(request);
      return { json: { key: { ...shown(key), secret } }, text: `key id   ${key.id}\nAPI key  ${secret}\n\n${ONCE}` };
    },
  },
  'keys revoke': {
    needs: ['account', 'key'],
    async run({ accounts }, { account: accountId, key: keyId }) {
      const { revoked } = await accounts.revokeKey({ accountId, keyId });
      if (revoked) return { json: { revoked: keyId }, text: `Key ${keyId} is revoked. ${REFUSED}` };
      throw new WorkError({
        kind: 'rejected',
        code: 'no_such_key',
        message:
          `Account ${accountId} has no active key ${keyId}. ` +
          `List its keys: npm run accounts -- keys list --account ${accountId}`,
      });
    },
  },
};

const LINK_COMMANDS: Readonly<Record<string, Command>> = {
  'setup-link': {
    needs: [],
    async run({ users, publicUrl }) {
      const made = await (await users()).makeSetupLink();
      return link(publicUrl, 'signUp', made, 'It creates the first account of this installation and its owner.');
    },
  },
  claim: {
    needs: [],
    takes: 'account',
    async run({ users, publicUrl }, { account: accountId }) {
      const made = await (await users()).claim({ accountId });
      return link(
        publicUrl,
        'invitation',
        made,
        `The first person who opens it creates a user and becomes an owner of account ${accountId}.`,
      );
    },
  },
  'sign-in-link': {
    needs: [],
    takes: 'email',
    async run({ users, publicUrl }, { email }) {
      const made = await (await users()).makeSignInLink({ email });
      return link(publicUrl, 'signIn', made, `It signs in as ${email}.`);
    },
  },
  'reset-password': {
    needs: [],
    takes: 'email',
    async run({ users, publicUrl }, { email }) {
      const made = await (await users()).makeResetLink({ email });
      return link(
        publicUrl,
        'passwordReset',
        made,
        `It sets a new password for ${email}, ends all sessions of this user and revokes the API keys they created.`,
      );
    },
  },
  'users list': {
    needs: [],
    async run({ users }) {
      const { users: all } = await (await users()).listUsers();
      return { json: { users: all }, text: all.length === 0 ? 'No users.' : table(all.map(userRow)) };
    },
  },
};

export const ALL_COMMANDS: Readonly<Record<string, Command>> = { ...COMMANDS, ...LINK_COMMANDS };

type Link = Awaited<ReturnType<Users['claim']>>;

function link(publicUrl: string, page: keyof typeof LINK_PAGES, { token, expiresAt }: Link, what: string) {
  const url = oneTimeLink(publicUrl, page, token);
  return { json: { url, expiresAt }, text: `${url}\n\n${what} The link works once, until ${expiresAt.toISOString()}.` };
}

function userRow({ email, name, role, account, joinedAt }: MemberOfAccount): Record<string, string> {
  return { email, name, role, account: account.id, 'account name': account.name, joined: joinedAt.toISOString() };
}

/** The public fields of a key, in this order. A field that is added to keys later is not printed by accident. */
function shown({ id, name, prefix, scope, createdBy, createdAt, expiresAt, lastUsedAt, revokedAt }: ApiKey) {
  return { id, name, prefix, scope, createdBy, createdAt, expiresAt, lastUsedAt, revokedAt };
}

/** @throws WorkError `rejected` `invalid_scope` */
function scopeOf(scope: string): KeyScope {
  const known = KEY_SCOPES.find((each) => each === (scope || 'write'));
  if (known !== undefined) return known;
  const message = `--scope is "${scope}"; it must be one of: ${KEY_SCOPES.join(', ')}.`;
  throw new WorkError({ kind: 'rejected', code: 'invalid_scope', message });
}

/**
 * @param expires days from now such as `90d`, a date such as `2027-01-31`, or empty.
 * @throws WorkError `rejected` `invalid_expiry`
 */
function expiryOf(expires: string, now: Date): Date | null {
  if (expires === '') return null;
  const [, days] = /^(\d{1,4})d$/.exec(expires) ?? [];
  const at = days === undefined ? new Date(expires) : new Date(now.getTime() + Number(days) * DAY_MS);
  if (!Number.isNaN(at.getTime()) && (days !== undefined || /^\d{4}-\d\d-\d\d/.test(expires))) return at;
  const message = `--expires is "${expires}"; it must be a number of days such as 90d, or a date such as 2027-01-31.`;
  throw new WorkError({ kind: 'rejected', code: 'invalid_expiry', message });
}

function accountRow({ id, name, createdAt }: Account): Record<string, string> {
  return { id, name, created: createdAt.toISOString() };
}

function keyRow(key: ApiKey): Record<string, string> {
  return {
    id: key.id,
    name: key.name,
    key: `${key.prefix}…`,
    scope: key.scope,
    'created by': key.createdBy ?? 'unknown',
    created: key.createdAt.toISOString(),
    expires: key.expiresAt?.toISOString() ?? 'never',
    'last used': key.lastUsedAt?.toISOString() ?? 'never',
    revoked: key.revokedAt?.toISOString() ?? '',
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
