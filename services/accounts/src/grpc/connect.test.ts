import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeLogger, makeMetrics } from '@call-analytics/service-kit';
import { until } from '@call-analytics/test/contract/until.ts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Accounts } from '../accounts.ts';
import type { CachedAccounts } from '../cached/cached-accounts.ts';
import { openAccounts } from '../sqlite/accounts.ts';
import { openUsers } from '../sqlite/users.ts';
import type { Users } from '../users.ts';
import { connectAccounts, connectUsers } from './connect.ts';
import { type AccountsServer, accountsServer } from './server.ts';

const origin = { ip: '127.0.0.1', userAgent: 'a test' };
const password = 'correct horse battery staple';
const log = makeLogger('test', 'silent');

let dir: string;
let server: AccountsServer;
let behind: { accounts: Accounts; users: Users };
let accounts: CachedAccounts;
let users: Users;

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'accounts-'));
  const file = join(dir, 'accounts.sqlite');
  const settings = { SIGN_UP: 'open', PUBLIC_URL: 'http://127.0.0.1:8080' } as const;
  behind = { accounts: openAccounts({ file }), users: openUsers({ file, settings, log }) };
  server = accountsServer({ ...behind, host: '127.0.0.1', port: 0, log });
  await server.start();
  const client = { ACCOUNTS_URL: server.address(), ACCOUNTS_DEADLINE: 30_000, AUTH_CACHE_TTL: 3_600_000 };
  const about = { log, metrics: makeMetrics() };
  accounts = connectAccounts(client, about);
  users = connectUsers(client, about, accounts);
});

afterEach(async () => {
  await users.close();
  await accounts.close();
  await server.stop(AbortSignal.timeout(5_000));
  await behind.users.close();
  await behind.accounts.close();
  rmSync(dir, { recursive: true });
});

describe('keys that a process remembers', () => {
  const owner = () => users.signUp({ name: 'Ada', email: 'ada@example.com', password, origin });
  const keyOf = async ({ session: { user, account } }: Awaited<ReturnType<typeof owner>>) => {
    const { secret: apiKey } = await accounts.createKey({ accountId: account.id, name: 'x', createdBy: user.id });
    expect(await accounts.authenticate({ apiKey })).not.toBeNull();
    return apiKey;
  };

  it('are forgotten when this process removes their member', async () => {
    const { session } = await owner();
    const actor = { userId: session.user.id, accountId: session.account.id };
    const { token: invitation } = await users.invite({ actor, role: 'member' });
    const member = await users.signUp({ name: 'Bob', email: 'bob@example.com', password, invitation, origin });
    const apiKey = await keyOf(member);
    await users.removeMember({ actor, userId: member.session.user.id });
    expect(await accounts.authenticate({ apiKey })).toBeNull();
  });

  it('are forgotten when this process resets a password or deletes an account', async () => {
    const signedIn = await owner();
    const [first, actor] = [
      await keyOf(signedIn),
      { userId: signedIn.session.user.id, accountId: signedIn.session.account.id },
    ];
    const { token } = await users.makeResetLink({ email: 'ada@example.com' });
    await users.resetPassword({ token, newPassword: password });
    expect(await accounts.authenticate({ apiKey: first })).toBeNull();
    const second = await keyOf(signedIn);
    await users.deleteAccount({ actor, password, origin });
    expect(await accounts.authenticate({ apiKey: second })).toBeNull();
  });

  it('are refused from their expiry on', async () => {
    const { session } = await owner();
    const expiresAt = new Date(Date.now() + 1_500);
    const { secret: apiKey } = await accounts.createKey({ accountId: session.account.id, name: 'x', expiresAt });
    expect(await accounts.authenticate({ apiKey })).not.toBeNull();
    await until(
      () => accounts.authenticate({ apiKey }),
      (client) => client === null,
    );
    expect(Date.now()).toBeGreaterThanOrEqual(expiresAt.getTime());
  });
});
