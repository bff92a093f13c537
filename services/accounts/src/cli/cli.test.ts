import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Accounts } from '../accounts.ts';
import { openAccounts } from '../sqlite/accounts.ts';

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));
let dataDir: string;
let service: Accounts;

beforeEach(() => {
  dataDir = join(mkdtempSync(join(tmpdir(), 'accounts-cli-')), 'data');
  service = openAccounts({ file: join(dataDir, 'accounts.sqlite') });
});

afterEach(async () => {
  await service.close();
  rmSync(join(dataDir, '..'), { recursive: true, force: true });
});

function accounts(args: readonly string[], DATA_DIR = dataDir): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [MAIN, ...args], { env: { DATA_DIR } }, (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code), out, err });
    });
  });
}

const keyIn = (out: string) => /aca_\w+/.exec(out)?.[0] ?? '';
const idIn = (out: string) => /acc_\w+/.exec(out)?.[0] ?? '';

describe('the accounts command, beside a running service', () => {
  it('makes an account with a key that the service takes at once, and says that the key is shown only now', async () => {
    const made = await accounts(['create', '--name', 'Acme']);
    expect(made).toMatchObject({ code: 0, err: '' });
    expect(made.out).toContain('shown this once');
    expect((await service.authenticate({ apiKey: keyIn(made.out) }))?.account).toMatchObject({ id: idIn(made.out), name: 'Acme' });
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

  it('lists the accounts, or says how to make the first one', async () => {
    expect((await accounts(['list'])).out).toContain('create --name');
    await accounts(['create', '--name', 'Acme']);
    expect((await accounts(['list'])).out).toContain('Acme');
  });
});

describe('the accounts command, when it cannot be done', () => {
  it.each([
    [[], 'Say what to do'],
    [['destroy'], 'no command "destroy"'],
    [['create'], 'needs --name'],
    [['create', '--name'], '--name'],
    [['create', '--name', ''], 'needs --name'],
    [['list', '--account', 'x'], 'takes no --account'],
    [['keys', 'create', '--account', 'x'], 'needs --name'],
    [['create', '--color', 'red'], '--color'],
  ])('does not understand %j, shows how it is used and exits with 2', async (args, why) => {
    const { code, out, err } = await accounts(args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(why);
    expect(err).toContain('npm run accounts -- keys revoke');
  });

  it('names an account that is not there and says where to look, and exits with 1', async () => {
    const { code, err } = await accounts(['keys', 'list', '--account', 'acc_none']);
    expect(code).toBe(1);
    expect(err).toContain('There is no account acc_none');
    expect(err).toContain('accounts -- list');
  });

  it('says what to do when the folder cannot be used, without a stack', async () => {
    const file = join(dataDir, 'a-file');
    writeFileSync(file, '');
    const { code, err } = await accounts(['list'], file);
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
