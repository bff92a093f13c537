import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Accounts } from '../accounts.ts';
import { isWellFormedApiKey, makeApiKey } from '../api-key.ts';
import { openAccounts } from './accounts.ts';

let dir: string;
let file: string;
let accounts: Accounts;
let now: Date;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'accounts-'));
  file = join(dir, 'new-folder', 'accounts.sqlite');
  now = new Date('2026-05-01T10:00:00Z');
  accounts = openAccounts({ file, clock: { now: () => now } });
});

afterEach(async () => {
  await accounts.close();
  rmSync(dir, { recursive: true, force: true });
});

async function accountWithKey(name = 'Acme') {
  const { account } = await accounts.createAccount({ name });
  const { key, secret } = await accounts.createKey({ accountId: account.id, name: 'first' });
  return { account, key, secret };
}

describe('an API key', () => {
  it('opens the account it was made for, and no other', async () => {
    const acme = await accountWithKey('Acme');
    const other = await accountWithKey('Other');
    expect(await accounts.authenticate({ apiKey: acme.secret })).toEqual({ account: acme.account, key: acme.key });
    expect((await accounts.authenticate({ apiKey: other.secret }))?.account.id).toBe(other.account.id);
  });

  it('starts with aca_, carries at least 160 random bits and a checksum', () => {
    const keys = new Set(Array.from({ length: 500 }, makeApiKey));
    expect(keys.size).toBe(500);
    for (const key of keys) expect(key).toMatch(/^aca_[0-9A-Za-z]{38}$/);
    expect(Math.log2(62) * 32).toBeGreaterThan(160);
  });

  it('uses every character of its alphabet about equally often', () => {
    const counts = new Map<string, number>();
    const keys = Array.from({ length: 3_000 }, makeApiKey);
    for (const char of keys.map((key) => key.slice(4, 36)).join('')) counts.set(char, (counts.get(char) ?? 0) + 1);
    const expected = (3_000 * 32) / 62;
    expect(counts.size).toBe(62);
    // Without throwing high bytes away the first eight characters would come 25 % more often.
    for (const count of counts.values()) expect(Math.abs(count / expected - 1)).toBeLessThan(0.16);
  });

  it('that was mistyped anywhere is refused without a look into the database', async () => {
    const { secret } = await accountWithKey();
    await accounts.close();
    for (let i = 0; i < secret.length; i += 1) {
      const typo = secret.slice(0, i) + (secret[i] === 'x' ? 'y' : 'x') + secret.slice(i + 1);
      expect(isWellFormedApiKey(typo)).toBe(false);
      expect(await accounts.authenticate({ apiKey: typo })).toBeNull();
    }
    await expect(accounts.authenticate({ apiKey: secret })).rejects.toMatchObject({ failure: { code: 'accounts_unavailable' } });
  });

  it.each(['', 'aca_', 'aca_short', 'Bearer aca_x', `aca_${'x'.repeat(38)}`, `aca_${'x'.repeat(100)}`, '\u0000', 'aca_ключ'])(
    'is not the text %j',
    async (apiKey) => {
      expect(await accounts.authenticate({ apiKey })).toBeNull();
    },
  );

  it('that is well formed but unknown opens nothing', async () => {
    expect(await accounts.authenticate({ apiKey: makeApiKey() })).toBeNull();
  });

  it('is nowhere in the database, in whole or in its random part', async () => {
    const { secret } = await accountWithKey();
    await accounts.close();
    const bytes = readFileSync(file).toString('latin1');
    expect(bytes).toContain('Acme');
    expect(bytes).not.toContain(secret.slice(9));
  });

  it('is one of several of its account, each with its own name, listed oldest first without the secret', async () => {
    const { account, key } = await accountWithKey();
    now = new Date('2026-05-01T10:00:05Z');
    const second = await accounts.createKey({ accountId: account.id, name: 'second' });
    const { keys } = await accounts.listKeys({ accountId: account.id });
    expect(keys).toEqual([key, second.key]);
    expect(second.secret.startsWith(second.key.prefix)).toBe(true);
    expect(JSON.stringify(keys)).not.toContain(second.secret.slice(9));
  });

  it('that is revoked opens nothing from then on, while the others still do', async () => {
    const { account, key, secret } = await accountWithKey();
    const second = await accounts.createKey({ accountId: account.id, name: 'second' });
    expect(await accounts.authenticate({ apiKey: secret })).not.toBeNull();
    expect(await accounts.revokeKey({ accountId: account.id, keyId: key.id })).toEqual({ revoked: true });
    expect(await accounts.authenticate({ apiKey: secret })).toBeNull();
    expect(await accounts.authenticate({ apiKey: second.secret })).not.toBeNull();
    expect(await accounts.revokeKey({ accountId: account.id, keyId: key.id })).toEqual({ revoked: false });
    expect((await accounts.listKeys({ accountId: account.id })).keys[0]?.revokedAt).toEqual(now);
  });

  it('cannot be revoked through another account', async () => {
    const acme = await accountWithKey('Acme');
    const other = await accountWithKey('Other');
    expect(await accounts.revokeKey({ accountId: other.account.id, keyId: acme.key.id })).toEqual({ revoked: false });
    expect(await accounts.authenticate({ apiKey: acme.secret })).not.toBeNull();
  });

  it('cannot be made for an account that is not there', async () => {
    await expect(accounts.createKey({ accountId: 'acc_none', name: 'x' })).rejects.toMatchObject({
      failure: { kind: 'rejected', code: 'no_such_account' },
    });
  });
});

describe('a name', () => {
  it.each([
    ['empty', ''],
    ['blank', '   '],
    ['longer than 200 characters', 'x'.repeat(201)],
    ['of two lines', 'a\nb'],
    ['with a NUL in it', 'a\u0000b'],
  ])('is not %s', async (_, name) => {
    await expect(accounts.createAccount({ name })).rejects.toMatchObject({ failure: { kind: 'rejected', code: 'invalid_name' } });
  });

  it('is kept in any language', async () => {
    await accounts.createAccount({ name: ' Рога и копыта 🦌 ' });
    expect((await accounts.listAccounts()).accounts.map(({ name }) => name)).toEqual(['Рога и копыта 🦌']);
  });
});

describe('the time a key was last used', () => {
  const lastUsed = async (accountId: string) => (await accounts.listKeys({ accountId })).keys[0]?.lastUsedAt;

  it('is written at most once a minute, and after the request that used it', async () => {
    const { account, secret } = await accountWithKey();
    const first = now;
    await accounts.authenticate({ apiKey: secret });
    expect(await lastUsed(account.id)).toBeNull();
    await reopen();
    expect(await lastUsed(account.id)).toEqual(first);

    now = new Date(first.getTime() + 59_000);
    await accounts.authenticate({ apiKey: secret });
    await reopen();
    expect(await lastUsed(account.id)).toEqual(first);

    now = new Date(first.getTime() + 60_000);
    await accounts.authenticate({ apiKey: secret });
    await reopen();
    expect(await lastUsed(account.id)).toEqual(now);
  });

  it('waits while another process is writing, without making the request wait', async () => {
    const { account, secret } = await accountWithKey();
    const writer = new DatabaseSync(file);
    writer.exec('BEGIN IMMEDIATE');
    expect(await accounts.authenticate({ apiKey: secret })).not.toBeNull();
    await reopen();
    expect(await lastUsed(account.id)).toBeNull();
    expect(await accounts.authenticate({ apiKey: secret })).not.toBeNull();
    writer.exec('ROLLBACK');
    writer.close();
    await reopen();
    expect(await lastUsed(account.id)).toEqual(now);
  });

  it('comes right again when the clock was set back', async () => {
    const { account, secret } = await accountWithKey();
    now = new Date('2027-01-01T00:00:00Z');
    await accounts.authenticate({ apiKey: secret });
    await reopen();
    now = new Date('2026-05-01T10:00:00Z');
    await accounts.authenticate({ apiKey: secret });
    await reopen();
    expect(await lastUsed(account.id)).toEqual(now);
  });

  /** Closing writes what is waiting to be written. */
  async function reopen() {
    await accounts.close();
    accounts = openAccounts({ file, clock: { now: () => now } });
  }
});

describe('two processes', () => {
  const url = JSON.stringify(new URL('./accounts.ts', import.meta.url).href);
  /** @param go what the process waits for once it has loaded its code */
  const inProcess = async (script: string, go: (ready: Promise<unknown>) => Promise<unknown> = (ready) => ready) => {
    const code = `import { openAccounts } from ${url}; import { once } from 'node:events';
      console.log('ready'); await once(process.stdin, 'data'); process.stdin.destroy();
      const accounts = openAccounts({ file: process.argv[1] }); ${script}; await accounts.close();`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', code, file]);
    let output = '';
    let errors = '';
    const ready = once(child.stdout, 'data');
    child.stderr.on('data', (chunk) => {
      errors += chunk;
    });
    const closed = once(child, 'close');
    await go(ready);
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.stdin.write('go');
    const [status] = await closed;
    if (status !== 0) throw new Error(`ended with ${status}: ${errors}`);
    return output;
  };

  it('see each other: a key made or revoked by one counts for the other at once', async () => {
    const { account, key, secret } = await accountWithKey();
    expect(await accounts.authenticate({ apiKey: secret })).not.toBeNull();
    const made = await inProcess(`
      await accounts.revokeKey({ accountId: '${account.id}', keyId: '${key.id}' });
      console.log((await accounts.createKey({ accountId: '${account.id}', name: 'other' })).secret)`);
    expect(await accounts.authenticate({ apiKey: secret })).toBeNull();
    expect((await accounts.authenticate({ apiKey: made.trim() }))?.account).toEqual(account);
  });

  it('may make the database at the same moment', async () => {
    await accounts.close();
    rmSync(join(dir, 'new-folder'), { recursive: true });
    const ready: Promise<unknown>[] = [];
    const names = ['one', 'two', 'three', 'four'];
    const together = (isReady: Promise<unknown>) => {
      ready.push(isReady);
      return isReady.then(() => Promise.all(ready));
    };
    await Promise.all(names.map((name) => inProcess(`await accounts.createAccount({ name: '${name}' })`, together)));
    accounts = openAccounts({ file });
    expect((await accounts.listAccounts()).accounts.map(({ name }) => name).sort()).toEqual(names.sort());
  });
});

describe('the accounts database', () => {
  it('says that it cannot be reached when it cannot be opened', () => {
    expect(() => openAccounts({ file: dir })).toThrow('The accounts cannot be reached now.');
  });

  it('made by a newer version is not touched', async () => {
    await accounts.close();
    const db = new DatabaseSync(file);
    db.exec('PRAGMA user_version = 99');
    db.close();
    expect(() => openAccounts({ file })).toThrow('version 99');
  });

  it('answers whether it is ready', async () => {
    expect(await accounts.ready()).toBeNull();
    await accounts.close();
    expect(await accounts.ready()).toContain('does not answer');
  });
});
