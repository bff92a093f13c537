import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Accounts } from '../accounts.ts';
import { hashApiKey, makeApiKey } from '../records.ts';
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
  it('is nowhere in the database, in whole or in its random part', async () => {
    const { secret } = await accountWithKey();
    await accounts.close();
    const bytes = readFileSync(file).toString('latin1');
    expect(bytes).toContain('Acme');
    expect(bytes).not.toContain(secret.slice(9));
  });
});

describe('a database that cannot be used', () => {
  it('is temporarily unavailable when it is closed or cannot be opened, and otherwise says what is wrong', async () => {
    await accountWithKey();
    const other = new DatabaseSync(file);
    other.exec('DROP TABLE members; DROP TABLE api_keys; DROP TABLE invitations');
    await expect(
      accounts.listKeys({ accountId: (await accounts.listAccounts()).accounts[0]?.id ?? '' }),
    ).rejects.toThrow('no such table');
    other.close();
    await accounts.close();
    await expect(accounts.listAccounts()).rejects.toMatchObject({
      failure: { kind: 'transient', code: 'accounts_unavailable' },
    });
    const notes = join(dir, 'notes.txt');
    writeFileSync(notes, 'These are my notes, and no database at all. '.repeat(100));
    expect(() => openAccounts({ file: notes })).toThrow('file is not a database');
    expect(() => openAccounts({ file: dir })).toThrow('Accounts are temporarily unavailable.');
  });
});

describe('a database of the version before scopes', () => {
  it('opens, and its keys go on: they may write, do not expire, and nobody knows who created them', async () => {
    const old = join(dir, 'old.sqlite');
    const db = new DatabaseSync(old);
    db.exec(`
      CREATE TABLE accounts (id TEXT PRIMARY KEY, name TEXT NOT NULL, created_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
      CREATE TABLE api_keys (
        hash BLOB PRIMARY KEY, id TEXT NOT NULL UNIQUE, account_id TEXT NOT NULL REFERENCES accounts (id), name TEXT NOT NULL,
        prefix TEXT NOT NULL, created_at INTEGER NOT NULL, last_used_at INTEGER, revoked_at INTEGER
      ) STRICT, WITHOUT ROWID;
      INSERT INTO accounts VALUES ('acc_old', 'Acme', 1);
      PRAGMA user_version = 2`);
    const secret = makeApiKey();
    const hash = Buffer.from(hashApiKey(secret), 'hex');
    db.prepare(`INSERT INTO api_keys VALUES (?, 'key_old', 'acc_old', 'first', 'aca_x', 1, NULL, NULL)`).run(hash);
    db.close();
    const opened = openAccounts({ file: old });
    const client = await opened.authenticate({ apiKey: secret });
    expect(client?.key).toMatchObject({ id: 'key_old', scope: 'write', expiresAt: null, createdBy: null });
    await opened.close();
  });
});

describe('the time a key was last used', () => {
  const lastUsed = async (accountId: string) => (await accounts.listKeys({ accountId })).keys[0]?.lastUsedAt;

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
    expect(() => openAccounts({ file: dir })).toThrow('Accounts are temporarily unavailable.');
  });

  it('made by a newer version is not touched', async () => {
    await accounts.close();
    const db = new DatabaseSync(file);
    db.exec('PRAGMA user_version = 99');
    db.close();
    expect(() => openAccounts({ file })).toThrow('version 99');
  });
});
