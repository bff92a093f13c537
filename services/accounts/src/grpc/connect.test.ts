import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeLogger, makeMetrics } from '@call-analytics/service-kit';
import { type Relay, relayTo } from '@call-analytics/test/contract/relay.fixture.ts';
import { until } from '@call-analytics/test/until.fixture.ts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Accounts, Users } from '../accounts.ts';
import type { CachedAccounts } from '../cached-accounts.ts';
import { openAccounts } from '../sqlite/accounts.ts';
import { openUsers } from '../sqlite/users.ts';
import { connectAccounts, connectUsers } from './client.ts';
import { type AccountsServer, accountsServer } from './server.ts';

const origin = { ip: '127.0.0.1', userAgent: 'a test' };
const password = 'correct horse battery staple';
const log = makeLogger('test', 'silent');

const portOf = (of: AccountsServer) => Number(of.address().split(':').at(-1));

let dir: string;
let server: AccountsServer;
let behind: { accounts: Accounts; users: Users };
let accounts: CachedAccounts;
let users: Users;
/** Of another gateway, whose connection can be cut. */
let others: CachedAccounts;
let relay: Relay;

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
  relay = await relayTo({ host: '127.0.0.1', port: portOf(server) });
  others = connectAccounts({ ...client, ACCOUNTS_URL: relay.address }, about);
});

afterEach(async () => {
  await users.close();
  await accounts.close();
  await others.close();
  await relay.close();
  await server.stop(AbortSignal.timeout(5_000));
  await behind.users.close();
  await behind.accounts.close();
  rmSync(dir, { recursive: true });
});

const owner = () => users.signUp({ name: 'Ada', email: 'ada@example.com', password, origin });

describe('keys that a process remembers', () => {
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
    await users.deleteAccount({ actor });
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

describe('keys that another gateway has cached', () => {
  let count: number;
  beforeEach(() => {
    count = 0;
    const { authenticate } = behind.accounts;
    behind.accounts.authenticate = (request) => {
      count += 1;
      return authenticate.call(behind.accounts, request);
    };
  });

  /** @returns a key that the other gateway no longer asks for */
  const cachedKey = async (accountId: string, createdBy?: string) => {
    const { key, secret: apiKey } = await accounts.createKey({ accountId, name: 'x', ...(createdBy && { createdBy }) });
    const isCached = async () => {
      expect(await others.authenticate({ apiKey })).not.toBeNull();
      const before = count;
      await others.authenticate({ apiKey });
      return count === before;
    };
    await until(isCached, (cached) => cached);
    return { apiKey, keyId: key.id };
  };
  const isRefused = (apiKey: string) =>
    until(
      () => others.authenticate({ apiKey }),
      (client) => client === null,
      // A circuit breaker that opened lets a request through after ten seconds.
      30_000,
    );
  const newAccount = async () => (await accounts.createAccount({ name: 'Acme' })).account.id;

  it('are refused as soon as one gateway has revoked them', async () => {
    const accountId = await newAccount();
    const { apiKey, keyId } = await cachedKey(accountId);
    await accounts.revokeKey({ accountId, keyId });
    await isRefused(apiKey);
  });

  it('are refused as soon as their member is removed, their password reset or their account deleted', async () => {
    const { session } = await owner();
    const [userId, accountId] = [session.user.id, session.account.id];
    const actor = { userId, accountId };
    const { token: invitation } = await users.invite({ actor, role: 'member' });
    const member = await users.signUp({ name: 'Bob', email: 'bob@example.com', password, invitation, origin });
    const ofMember = await cachedKey(accountId, member.session.user.id);
    await users.removeMember({ actor, userId: member.session.user.id });
    await isRefused(ofMember.apiKey);

    const beforeReset = await cachedKey(accountId, userId);
    const { token } = await users.makeResetLink({ email: 'ada@example.com' });
    await users.resetPassword({ token, newPassword: password });
    await isRefused(beforeReset.apiKey);

    const last = await cachedKey(accountId);
    await users.deleteAccount({ actor });
    await isRefused(last.apiKey);
  });

  it('work while the accounts cannot be reached, and are refused when these can be asked again', async () => {
    const accountId = await newAccount();
    const { apiKey, keyId } = await cachedKey(accountId);
    relay.cut();
    await accounts.revokeKey({ accountId, keyId });
    expect(await others.authenticate({ apiKey })).not.toBeNull();
    relay.mend();
    await isRefused(apiKey);
  });

  it('are checked each time while the accounts service cannot tell of revocations', async () => {
    const accountId = await newAccount();
    const { apiKey } = await cachedKey(accountId);
    const port = portOf(server);
    await server.stop(AbortSignal.timeout(5_000));
    const none = { watchRevocations: () => ({ stop: () => {} }) };
    server = accountsServer({ ...behind, host: '127.0.0.1', port, revocations: none, log });
    await server.start();
    await until(
      () => others.ready(),
      (reason) => reason === null,
    );
    await until(
      () => others.authenticate({ apiKey }).then(() => count),
      (asked) => asked > 3,
    );
    const { keys } = await behind.accounts.listKeys({ accountId });
    await behind.accounts.revokeKey({ accountId, keyId: keys[0]?.id ?? '' });
    expect(await others.authenticate({ apiKey })).toBeNull();
  });
});
