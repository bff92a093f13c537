import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { makeLogger } from '@call-analytics/service-kit';
import { ranAlone, ranHere } from '@call-analytics/test/terminal.fixture.ts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Accounts, Users } from '../accounts.ts';
import { type AccountsServer, accountsServer } from '../grpc/server.ts';
import { openAccounts } from '../sqlite/accounts.ts';
import { openUsers } from '../sqlite/users.ts';
import { runCli } from './cli.ts';

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));
let dataDir: string;
const ACCOUNTS_SECRET = 'the-secret-of-the-services';
let service: Accounts;
let users: Users;
let server: AccountsServer;
/** Of the command. */
let env: Record<string, string>;

beforeEach(async () => {
  dataDir = join(mkdtempSync(join(tmpdir(), 'accounts-cli-')), 'data');
  service = openAccounts({ file: join(dataDir, 'accounts.sqlite') });
  const log = makeLogger('test', 'silent');
  const settings = { SIGN_UP: 'closed', PUBLIC_URL: 'http://127.0.0.1:8080' } as const;
  users = openUsers({ file: join(dataDir, 'accounts.sqlite'), settings, log });
  server = accountsServer({ accounts: service, users, host: '127.0.0.1', port: 0, secret: ACCOUNTS_SECRET, log });
  await server.start();
  env = { DATA_DIR: dataDir };
});

afterEach(async () => {
  await server.stop(AbortSignal.timeout(5_000));
  await users.close();
  await service.close();
  rmSync(join(dataDir, '..'), { recursive: true, force: true });
});

/** A turn of the event loop passes, as between two processes. */
const accounts = async (args: readonly string[]) => {
  const ran = await ranHere((terminal) => runCli(args, env, terminal));
  await setImmediate();
  return ran;
};

const keyIn = (out: string) => /aca_\w+/.exec(out)?.[0] ?? '';
const tokenIn = (out: string) => /token=([\w-]{43})/.exec(out)?.[1] ?? '';
const origin = { ip: '127.0.0.1', userAgent: 'a test' };
const idIn = (out: string) => /acc_\w+/.exec(out)?.[0] ?? '';

describe.each([
  ['beside a running service', () => ({ DATA_DIR: dataDir })],
  [
    'against the accounts service',
    () => ({ DATA_DIR: join(dataDir, 'nothing'), ACCOUNTS_URL: server.address(), ACCOUNTS_SECRET }),
  ],
])('the accounts command, %s', (_, settings) => {
  beforeEach(() => {
    env = settings();
  });

  it('makes an account with a key that the service takes at once, and says that the key is shown only now', async () => {
    const made = await accounts(['create', '--name', 'Acme']);
    expect(made).toMatchObject({ code: 0, err: '' });
    expect(made.out).toContain('shown only once');
    expect((await service.authenticate({ apiKey: keyIn(made.out) }))?.account).toMatchObject({
      id: idIn(made.out),
      name: 'Acme',
    });
  });

  it('is a program, which writes and exits as it is told', async () => {
    const made = await ranAlone(MAIN, ['create', '--name', 'Acme'], env);
    expect(made).toMatchObject({ code: 0, err: '' });
    expect((await service.authenticate({ apiKey: keyIn(made.out) }))?.account.name).toBe('Acme');
    expect(await ranAlone(MAIN, ['destroy'], env)).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('Unknown command "destroy"'),
    });
  });

  it('makes, lists and revokes further keys, and the service follows at once', async () => {
    const { out } = await accounts(['create', '--name', 'Acme']);
    const account = idIn(out);
    const second = await accounts(['keys', 'create', '--account', account, '--name', 'laptop']);
    expect((await service.authenticate({ apiKey: keyIn(second.out) }))?.key.name).toBe('laptop');

    const listed = await accounts(['keys', 'list', '--account', account]);
    expect(listed.out.trim().split('\n')).toHaveLength(3);
    expect(listed.out).not.toContain(keyIn(second.out));

    const keyId = /key_\w+/.exec(second.out)?.[0] ?? '';
    expect((await accounts(['keys', 'revoke', '--account', account, '--key', keyId])).code).toBe(0);
    expect(await service.authenticate({ apiKey: keyIn(second.out) })).toBeNull();
    expect(await service.authenticate({ apiKey: keyIn(out) })).not.toBeNull();

    const again = await accounts(['keys', 'revoke', '--account', account, '--key', keyId]);
    expect(again.code).toBe(1);
    expect(again.err).toContain('keys list');
  });

  it('creates keys that may only read and that expire, and names a scope or expiry that is wrong', async () => {
    const account = idIn((await accounts(['create', '--name', 'Acme'])).out);
    const create = (...more: string[]) =>
      accounts(['keys', 'create', '--account', account, '--name', 'reports', ...more]);
    const made = await create('--scope', 'read', '--expires', '90d', '--json');
    const { key } = JSON.parse(made.out);
    expect(key).toMatchObject({ scope: 'read', createdBy: 'operator' });
    expect(Date.parse(key.expiresAt) - Date.parse(key.createdAt)).toBeLessThanOrEqual(90 * 86_400_000);
    const day = JSON.parse((await create('--expires', '2999-01-31', '--json')).out);
    expect(day.key).toMatchObject({ scope: 'write', expiresAt: '2999-01-31T00:00:00.000Z' });
    const listed = (await accounts(['keys', 'list', '--account', account])).out;
    expect(listed).toMatch(/read .*operator .*2999-01-31T00:00:00.000Z/s);
    for (const [option, value, why] of [
      ['--scope', 'all', 'one of: read, write'],
      ['--expires', 'soon', 'such as 90d'],
      ['--expires', '2001-01-01', 'in the future'],
    ] as const) {
      expect(await create(option, value)).toMatchObject({ code: 1, out: '', err: expect.stringContaining(why) });
    }
  });

  it('answers in JSON when asked to', async () => {
    const made = JSON.parse((await accounts(['create', '--name', 'Acme', '--json'])).out);
    expect(Object.keys(made)).toEqual(['account', 'key']);
    expect(JSON.parse((await accounts(['list', '--json'])).out)).toEqual({ accounts: [made.account] });
    const { secret, ...key } = made.key;
    const { keys } = JSON.parse((await accounts(['keys', 'list', '--account', made.account.id, '--json'])).out);
    expect(keys).toEqual([key]);
    expect(JSON.stringify(keys)).not.toContain(secret);
    expect(await service.authenticate({ apiKey: secret })).not.toBeNull();
  });

  it('makes links that the service takes at once: to claim an account, to sign in, to choose another password', async () => {
    env = { ...env, PUBLIC_URL: 'https://calls.example.com' };
    const account = idIn((await accounts(['create', '--name', 'Acme'])).out);
    const claim = await accounts(['claim', account]);
    expect(claim).toMatchObject({ code: 0, err: '' });
    expect(claim.out).toMatch(/^https:\/\/calls\.example\.com\/invitation#token=[\w-]{43}\n/);
    expect(claim.out).toContain('works once');
    const person = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery staple', origin };
    expect((await users.signUp({ ...person, invitation: tokenIn(claim.out) })).session).toMatchObject({
      role: 'owner',
      account: { id: account },
    });

    const signIn = JSON.parse((await accounts(['sign-in-link', 'Ada@example.com', '--json'])).out);
    expect(signIn.url).toContain('https://calls.example.com/link#token=');
    expect((await users.signInByLink({ token: tokenIn(signIn.url), origin })).session.user.email).toBe(
      'ada@example.com',
    );

    const reset = await accounts(['reset-password', 'ada@example.com']);
    expect(reset.out).toContain('https://calls.example.com/password-reset#token=');
    await users.resetPassword({ token: tokenIn(reset.out), newPassword: 'a quite different password' });

    const listed = await accounts(['users', 'list']);
    expect(listed.out).toContain('ada@example.com  Ada   owner');
    expect(listed.out.trim().split('\n')).toHaveLength(2);
  });

  it('makes a setup link for the first user, until there is an account', async () => {
    const link = await accounts(['setup-link']);
    expect(link.out).toMatch(/^http:\/\/127\.0\.0\.1:8080\/sign-up#token=[\w-]{43}\n/);
    const person = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery staple', origin };
    expect((await users.signUp({ ...person, link: tokenIn(link.out) })).session.role).toBe('owner');
    const late = await accounts(['setup-link']);
    expect(late).toMatchObject({ code: 1, out: '', err: expect.stringContaining('accounts -- claim') });
  });

  it('makes links to this machine unless told, and none for whom or what is not there', async () => {
    const account = idIn((await accounts(['create', '--name', 'Acme'])).out);
    expect((await accounts(['claim', account])).out).toContain('http://127.0.0.1:8080/invitation#token=');
    expect((await accounts(['users', 'list'])).out).toContain('No users');
    const noAccount = await accounts(['claim', 'acc_none']);
    expect(noAccount).toMatchObject({ code: 1, out: '' });
    expect(noAccount.err).toContain('accounts -- list');
    for (const command of ['sign-in-link', 'reset-password']) {
      const noUser = await accounts([command, 'nobody@example.com']);
      expect(noUser).toMatchObject({ code: 1, out: '' });
      expect(noUser.err).toContain('accounts -- users list');
    }
  });

  it('lists the accounts, or says how to make the first one', async () => {
    expect((await accounts(['list'])).out).toContain('create --name');
    await accounts(['create', '--name', 'Acme']);
    expect((await accounts(['list'])).out).toContain('Acme');
  });
});

describe('the accounts command, against the accounts service', () => {
  it('makes nothing in the folder that it would use without it', async () => {
    env = { DATA_DIR: join(dataDir, 'other'), ACCOUNTS_URL: server.address(), ACCOUNTS_SECRET };
    expect((await accounts(['create', '--name', 'Acme'])).code).toBe(0);
    expect(existsSync(join(dataDir, 'other'))).toBe(false);
    expect((await service.listAccounts()).accounts).toHaveLength(1);
  });

  it.each([
    ['is not there', { ACCOUNTS_URL: '127.0.0.1:1', ACCOUNTS_SECRET }, ['127.0.0.1:1 (ACCOUNTS_URL)', 'ECONNREFUSED']],
    [
      'has another secret',
      { ACCOUNTS_SECRET: 'some-other-secret' },
      ['ACCOUNTS_SECRET must be the same on both sides'],
    ],
    [
      'has no such address',
      { ACCOUNTS_URL: 'http://accounts', ACCOUNTS_SECRET },
      ['ACCOUNTS_URL is "http://accounts"', 'grpc://accounts:50051'],
    ],
    [
      'has a certificate that is not here',
      { ACCOUNTS_TLS_CA: '/none/ca.pem' },
      ['ACCOUNTS_TLS_CA names the file /none/ca.pem, which is not there'],
    ],
  ])('that %s says what to do, without a stack and without the secret', async (_, settings, said) => {
    env = { DATA_DIR: dataDir, ACCOUNTS_URL: server.address(), ...settings };
    const { code, out, err } = await accounts(['create', '--name', 'Acme']);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    for (const words of said) expect(err).toContain(words);
    expect(err).not.toMatch(/ {4}at |some-other-secret|the-secret-of/);
    expect((await service.listAccounts()).accounts).toEqual([]);
  });
});

describe('the accounts command, when it cannot be done', () => {
  it.each([
    [[], 'A command is missing'],
    [['destroy'], 'Unknown command "destroy"'],
    [['create'], 'needs --name'],
    [['create', '--name'], '--name'],
    [['create', '--name', ''], 'needs --name'],
    [['list', '--account', 'x'], 'does not accept --account'],
    [['create', '--name', 'x', '--scope', 'read'], 'does not accept --scope'],
    [['keys', 'create', '--account', 'x'], 'needs --name'],
    [['create', '--color', 'red'], '--color'],
    [['claim'], 'needs an account ID'],
    [['claim', '--account', 'x'], 'does not accept --account'],
    [['reset-password'], 'needs an email address'],
    [['sign-in-link', 'a@example.com', 'b@example.com'], 'Unknown command'],
    [['users'], 'Unknown command'],
  ])('does not understand %j, shows how it is used and exits with 2', async (args, why) => {
    const { code, out, err } = await accounts(args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(why);
    expect(err).toContain('npm run accounts -- keys revoke');
  });

  it('names an account that is not there and says where to look, and exits with 1', async () => {
    const { code, err } = await accounts(['keys', 'list', '--account', 'acc_none']);
    expect(code).toBe(1);
    expect(err).toContain('Account acc_none does not exist');
    expect(err).toContain('accounts -- list');
  });

  it('says what to do when the folder cannot be used, without a stack', async () => {
    const file = join(dataDir, 'a-file');
    writeFileSync(file, '');
    env = { DATA_DIR: file };
    const { code, err } = await accounts(['list']);
    expect(code).toBe(1);
    expect(err).toContain('DATA_DIR');
    expect(err).not.toContain('    at ');
  });

  it.each([['--help'], ['help'], ['keys', '--help']])('explains itself: %s', async (...args) => {
    const { code, out } = await accounts(args);
    expect(code).toBe(0);
    expect(out).toContain('npm run accounts -- create --name NAME');
  });
});
