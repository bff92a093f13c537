import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeLogger } from '@call-analytics/service-kit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { getMigrations } from 'better-auth/db/migration';
import type { Users } from '../accounts.ts';
import { authOptions } from '../users/identities.ts';
import { openDatabase } from './database.ts';
import { READ_SESSION } from './directory.ts';
import { openUsers } from './users.ts';

const log = makeLogger('test', 'silent');
const settings = { SIGN_UP: 'closed', PUBLIC_URL: 'https://calls.example.com' } as const;
const origin = { ip: '203.0.113.7', userAgent: 'a test', local: true };
const password = 'correct horse battery staple';
const ada = { name: 'Ada', email: 'ada@example.com', password, origin };

let dir: string;
let file: string;
let now: Date;
let users: Users;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'users-'));
  file = join(dir, 'accounts.sqlite');
  now = new Date('2026-05-01T10:00:00Z');
  users = openUsers({ file, settings, log, clock: { now: () => now } });
});
afterEach(async () => {
  await users.close();
  rmSync(dir, { recursive: true });
});

describe('the tables of users', () => {
  it('are those that better-auth expects, but for one that it is never asked for', async () => {
    const db = new DatabaseSync(file);
    const { toBeCreated, toBeAdded } = await getMigrations(authOptions(db));
    expect(toBeCreated.map(({ table }) => table)).toEqual(['verification']);
    expect(toBeAdded).toEqual([]);
    db.close();
  });

  it('hold no password and no token, but hashes', async () => {
    const { session, token } = await users.signUp(ada);
    const actor = { userId: session.user.id, accountId: session.account.id };
    const secrets = [password, token, (await users.invite({ actor, role: 'member' })).token];
    for (const make of [users.makeSignInLink, users.makeResetLink])
      secrets.push((await make({ email: ada.email })).token);
    await users.close();
    const bytes = readFileSync(file).toString('latin1');
    expect(bytes).toContain(ada.email);
    for (const secret of secrets) expect(bytes).not.toContain(secret);
  });

  it('come to a database of accounts from before there were users, and leave its accounts and keys', async () => {
    await users.close();
    rmSync(file);
    const old = new DatabaseSync(file);
    old.exec(`CREATE TABLE accounts (id TEXT PRIMARY KEY, name TEXT NOT NULL, created_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
      CREATE TABLE api_keys (hash BLOB PRIMARY KEY, id TEXT NOT NULL UNIQUE, account_id TEXT NOT NULL REFERENCES accounts (id), name TEXT NOT NULL, prefix TEXT NOT NULL,
        created_at INTEGER NOT NULL, last_used_at INTEGER, revoked_at INTEGER) STRICT, WITHOUT ROWID;
      CREATE INDEX api_keys_by_account ON api_keys (account_id, created_at);
      INSERT INTO accounts VALUES ('acc_old', 'Old', 1);
      PRAGMA user_version = 1;`);
    old.close();
    users = openUsers({ file, settings, log });
    const { token } = await users.claim({ accountId: 'acc_old' });
    expect((await users.signUp({ ...ada, invitation: token })).session).toMatchObject({
      role: 'owner',
      account: { name: 'Old' },
    });
  });

  it('are asked for a session by indexes alone', async () => {
    const db = openDatabase(file);
    const plan = db.prepare(`EXPLAIN QUERY PLAN ${READ_SESSION}`).all('x');
    expect(plan).toHaveLength(4);
    for (const { detail } of plan) expect(detail).toMatch(/^SEARCH .* USING (COVERING )?(INDEX|PRIMARY KEY)/);
    db.close();
  });

  it('keep no session and no attempt whose time is over', async () => {
    await users.signUp(ada);
    now = new Date(now.getTime() + 15 * 86_400_000);
    await users.signIn({ ...ada });
    const db = new DatabaseSync(file);
    expect(db.prepare('SELECT count(*) AS n FROM sessions').get()).toEqual({ n: 1 });
    expect(db.prepare('SELECT min(expires_at) > ? AS all_go_on FROM attempts').get(now.getTime())).toEqual({
      all_go_on: 1,
    });
    db.close();
  });
});

describe('the request for a mail to reset a password', () => {
  it('is answered before anything is done for the user that is not done for others', async () => {
    await users.close();
    users = openUsers({ file, settings, log, sendMail: async () => {} });
    await users.signUp(ada);
    const db = new DatabaseSync(file);
    const links = () => db.prepare('SELECT count(*) AS n FROM user_links').get();
    await users.requestPasswordReset({ email: ada.email, origin });
    await new Promise((resolve) => setImmediate(resolve));
    expect(links()).toEqual({ n: 0 });
    await users.close();
    expect(links()).toEqual({ n: 1 });
    db.close();
  });
});

describe('a sign-up that ended in the middle', () => {
  /** As a process leaves it that was killed between making the user and making them a member. */
  const leftBehind = async () => {
    await users.signUp(ada);
    const db = new DatabaseSync(file);
    db.exec('DELETE FROM members; DELETE FROM accounts');
    db.close();
  };

  it('lets nobody in, and a minute later the same email may sign up', async () => {
    await leftBehind();
    await expect(users.signIn(ada)).rejects.toMatchObject({ failure: { code: 'wrong_credentials' } });
    await expect(users.makeResetLink(ada)).rejects.toMatchObject({ failure: { code: 'no_such_user' } });
    await expect(users.signUp(ada)).rejects.toMatchObject({ failure: { code: 'email_taken' } });
    expect((await users.installation()).signUp).toBe('first');
    now = new Date(now.getTime() + 60_001);
    expect((await users.signUp({ ...ada, password: 'a quite different password' })).session.role).toBe('owner');
    await expect(users.signIn(ada)).rejects.toMatchObject({ failure: { code: 'wrong_credentials' } });
  });
});

describe('two processes', () => {
  const url = JSON.stringify(new URL('./users.ts', import.meta.url).href);
  const kit = JSON.stringify(import.meta.resolve('@call-analytics/service-kit'));
  /** @returns what the script printed */
  const inProcess = async (script: string): Promise<string> => {
    const code = `import { openUsers } from ${url}; import { makeLogger } from ${kit};
      const users = openUsers({ file: process.argv[1], settings: ${JSON.stringify(settings)}, log: makeLogger('test', 'silent') });
      const say = (code) => console.log(code);
      const person = (name) => ({ name, email: name + '@example.com', password: '${password}', origin: ${JSON.stringify(origin)} });
      ${script}; await users.close();`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', code, file]);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    await once(child, 'close');
    return output.trim();
  };
  const attempt = (what: string) =>
    `await ${what}.then(() => say('done'), (error) => say(error.failure?.code ?? String(error)))`;

  it('make one first user when both are asked at once', async () => {
    const outcomes = await Promise.all(['a', 'b'].map((name) => inProcess(attempt(`users.signUp(person('${name}'))`))));
    expect(outcomes.sort()).toEqual(['done', 'sign_up_closed']);
  });

  it('let one person in by one invitation', async () => {
    const { session } = await users.signUp(ada);
    // The other processes have the time of day.
    now = new Date();
    const { token } = await users.invite({
      actor: { userId: session.user.id, accountId: session.account.id },
      role: 'member',
    });
    const outcomes = await Promise.all(
      ['a', 'b'].map((name) => inProcess(attempt(`users.signUp({ ...person('${name}'), invitation: '${token}' })`))),
    );
    expect(outcomes.sort()).toEqual(['done', 'invitation_not_valid']);
  });

  it('count attempts together', async () => {
    await users.signUp(ada);
    const guess = attempt(`users.signIn({ ...person('ada'), password: 'a guess' })`);
    const outcomes = await Promise.all([inProcess(`${guess};`.repeat(6)), inProcess(`${guess};`.repeat(6))]);
    const all = outcomes.flatMap((output) => output.split('\n'));
    expect(all.filter((code) => code === 'wrong_credentials')).toHaveLength(10);
    expect(all.filter((code) => code === 'too_many_attempts')).toHaveLength(2);
  });

  it('know at once who was signed out in the other', async () => {
    now = new Date();
    const { token } = await users.signUp(ada);
    expect(await users.session({ token })).not.toBeNull();
    expect(await inProcess(attempt(`users.signOut({ token: '${token}' })`))).toBe('done');
    expect(await users.session({ token })).toBeNull();
  });
});
