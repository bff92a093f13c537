import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Readable } from 'node:stream';
import { openAccounts, openUsers } from '@call-analytics/accounts';
import { COLLECTIONS, openMongoAccounts, openMongoUsers } from '@call-analytics/accounts/mongo';
import { folderAudioStore } from '@call-analytics/audio-store';
import { type Call, type CallStore, Calls, dayOf, openSqliteCallStore } from '@call-analytics/calls';
import { openMongoCallStore } from '@call-analytics/calls/mongo';
import { makeLogger } from '@call-analytics/service-kit';
import { describeWithServers } from '@call-analytics/test/servers/index.ts';
import { type IsolatedServers, isolate } from '@call-analytics/test/servers/isolated.fixture.ts';
import { afterAll, beforeEach, expect, it } from '@jest/globals';
import mongoose from 'mongoose';
import { backup, restoreServers } from './backup.ts';

const ORIGIN = { ip: '203.0.113.7', userAgent: 'a test', local: true };
const ADA = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery staple', origin: ORIGIN };
const USERS = {
  settings: { SIGN_UP: 'closed', PUBLIC_URL: 'https://calls.example.com' },
  log: makeLogger('test', 'silent'),
} as const;

describeWithServers('a standalone backup that is restored to the servers', (servers) => {
  const removal = new AsyncDisposableStack();
  let dir: string;
  let isolated: IsolatedServers;
  beforeEach(async () => {
    const made = await mkdtemp(join(tmpdir(), 'move-'));
    removal.defer(() => rm(made, { recursive: true }));
    dir = made;
    isolated = await isolate(servers, removal);
  });
  afterAll(() => removal.disposeAsync());

  const file = (name: string) => join(dir, 'data', name);
  const url = () => isolated.settings.MONGODB_URL;
  const move = async () => {
    await backup(join(dir, 'data'), join(dir, 'copy'));
    await restoreServers(join(dir, 'copy'), { ...isolated.settings, ACCOUNTS_MONGODB_URL: url() });
  };
  const connected = async () => {
    const connection = await mongoose.createConnection(url()).asPromise();
    removal.defer(() => connection.close());
    return connection;
  };
  const emptyOne = async () => {
    await openAccounts({ file: file('accounts.sqlite') }).close();
    await openSqliteCallStore({ file: file('calls.sqlite') }).close();
  };

  it('has every account, key, member, session, link and count of attempts', async () => {
    await emptyOne();
    const before = {
      users: openUsers({ file: file('accounts.sqlite'), ...USERS }),
      accounts: openAccounts({ file: file('accounts.sqlite') }),
    };
    const ada = await before.users.signUp(ADA);
    const accountId = ada.session.account.id;
    const actor = { userId: ada.session.user.id, accountId };
    const own = { accountId, scope: 'read', createdBy: actor.userId } as const;
    const expiring = await before.accounts.createKey({
      ...own,
      name: 'read',
      expiresAt: new Date(Date.now() + 60_000),
    });
    const plain = await before.accounts.createKey({ accountId, name: 'plain' });
    const revoked = await before.accounts.createKey({ accountId, name: 'revoked' });
    await before.accounts.revokeKey({ accountId, keyId: revoked.key.id });
    await before.accounts.authenticate({ apiKey: plain.secret });
    const invitation = await before.users.invite({ actor, role: 'member' });
    const [signIn, reset] = [await before.users.makeSignInLink(ADA), await before.users.makeResetLink(ADA)];
    const wrong = { ...ADA, password: 'not the password at all' };
    for (let n = 0; n < 9; n += 1)
      await expect(before.users.signIn(wrong)).rejects.toMatchObject({ failure: { code: 'wrong_credentials' } });
    await Promise.all([before.users.close(), before.accounts.close()]);
    const inSqlite = openAccounts({ file: file('accounts.sqlite') });
    const keys = await inSqlite.listKeys({ accountId });
    expect(keys.keys.map(({ lastUsedAt }) => lastUsedAt !== null)).toEqual([false, true, false]);
    await inSqlite.close();
    await move();

    const after = {
      users: await openMongoUsers({ url: url(), ...USERS }),
      accounts: await openMongoAccounts({ url: url() }),
    };
    expect(await after.accounts.listKeys({ accountId })).toEqual(keys);
    for (const { secret, key } of [expiring, plain])
      expect(await after.accounts.authenticate({ apiKey: secret })).toMatchObject({ key: { id: key.id } });
    expect(await after.accounts.authenticate({ apiKey: revoked.secret })).toBeNull();
    expect(await after.users.session({ token: ada.token })).toEqual(ada.session);
    expect(await after.users.installation()).toMatchObject({ signUp: 'closed' });
    const bob = { ...ADA, name: 'Bob', email: 'bob@example.com', invitation: invitation.token };
    expect((await after.users.signUp(bob)).session.account.id).toBe(accountId);
    // Nine attempts came along: one more is allowed, and none after it.
    await expect(after.users.signIn(wrong)).rejects.toMatchObject({ failure: { code: 'wrong_credentials' } });
    await expect(after.users.signIn(wrong)).rejects.toMatchObject({ failure: { code: 'too_many_attempts' } });
    // The browser is known, so the attempts from elsewhere do not count here.
    const origin = { ...ORIGIN, device: ada.device };
    expect((await after.users.signIn({ ...ADA, origin })).session.account.id).toBe(accountId);
    expect((await after.users.signInByLink({ token: signIn.token, origin })).session.user.email).toBe(ADA.email);
    await after.users.resetPassword({ token: reset.token, newPassword: 'another good password' });
    await Promise.all([after.users.close(), after.accounts.close()]);

    const { db } = await connected();
    const shapeOf = (document: object | null | undefined) =>
      Object.entries(document ?? {})
        .map(([name, value]) => `${name}: ${value?.constructor.name}`)
        .sort();
    // What came along has the same fields and types as what MongoDB's adapter has written.
    for (const [name, field] of [
      ['users', 'email'],
      ['credentials', 'userId'],
      ['sessions', 'token'],
    ] as const) {
      const documents = await db?.collection(name).find().sort({ createdAt: 1 }).toArray();
      expect(documents?.length).toBeGreaterThanOrEqual(1);
      const [first, last] = [documents?.at(0), documents?.at(-1)];
      expect([name, ...shapeOf(first)]).toEqual([name, ...shapeOf(last)]);
      expect(first).toHaveProperty(field);
    }
    expect(COLLECTIONS).toHaveLength(11);
  });

  it('has every call as it was, with its segments and the events that wait, and counts them', async () => {
    await openAccounts({ file: file('accounts.sqlite') }).close();
    const store = openSqliteCallStore({ file: file('calls.sqlite') });
    const calls = new Calls(store);
    const audioStore = folderAudioStore({ dir: file('audio') });
    const accounts = openAccounts({ file: file('accounts.sqlite') });
    const [accountId, gone] = [
      (await accounts.createAccount({ name: 'Acme' })).account.id,
      (await accounts.createAccount({ name: 'Gone' })).account.id,
    ];
    await accounts.close();
    const upload = async (owner = accountId, idempotency: { key: string; fingerprint: string } | null = null) => {
      const key = randomUUID();
      const { bytes } = await audioStore.put(key, Readable.from([Buffer.from(`the recording ${key}`)]));
      const audio = { key, bytes, format: 'mp3', seconds: 60.5 } as const;
      const about = { accountId: owner, fileName: 'call.mp3', reportType: 'medium' } as const;
      return (await calls.accept({ ...about, audio, language: 'en', vocabulary: ['Sitilli'] }, idempotency)).call;
    };
    const claimed = async ({ id }: Call) => {
      const claim = await calls.claim(id, 'transcription', 'the test');
      if ('refused' in claim) throw new Error(claim.refused);
      return claim.lease;
    };
    const idempotency = { key: 'one', fingerprint: 'of the request' };
    const [queued, inWork, failed, removed, orphan] = [
      await upload(accountId, idempotency),
      await upload(),
      await upload(),
      await upload(),
      await upload(gone),
    ];
    const segment = { key: 'one', channel: null, startMs: 0, endMs: 30_500, utterances: [], language: 'en' };
    const lease = await claimed(inWork);
    await calls.spending.record(lease, { name: 'openai', model: 'gpt-transcribe' }, 0.25);
    expect(await calls.saveSegment(lease, segment)).toBe(true);
    const why = { kind: 'rejected', code: 'unreadable', message: 'It cannot be read.' } as const;
    await calls.failAttempt(await claimed(failed), why);
    await audioStore.delete(failed.audio.key);
    await calls.audioDeleted(failed.id);
    await calls.remove(accountId, removed.id);
    await calls.removeAccount(gone);
    const ids = [queued, inWork, failed, removed, orphan].map(({ id }) => id);
    const stateOf = async (of: CallStore) => ({
      records: await Promise.all(ids.map((id) => of.get(id))),
      segments: await Promise.all(ids.map((id) => of.segments(id))),
      list: await of.list(accountId, { limit: 10, offset: 0 }),
      failed: await of.list(accountId, { limit: 10, offset: 0, status: 'failed' }),
      events: (await of.outbox(100)).map(({ id }) => id).sort(),
      removedAccounts: await of.removedAccounts(10),
      vocabularies: await Promise.all(ids.map((id) => of.vocabulary(id))),
      settings: await of.settings(accountId, 'vocabulary'),
      costs: await Promise.all(ids.map((id) => of.costs(id))),
      spending: await of.spending(dayOf(new Date())),
    });
    await calls.saveSettings(accountId, 'vocabulary', 0, ['Sitilli']);
    const before = await stateOf(store);
    expect(before.spending).toMatchObject([{ accountId, dollars: 0.25 }]);
    expect(before.events.length).toBeGreaterThanOrEqual(5);
    await store.close();
    await move();

    const moved = openMongoCallStore({ url: url() });
    removal.defer(() => moved.close());
    expect(await stateOf(moved)).toEqual(before);
    expect(await isolated.recordings()).toBe(3);
    const again = await new Calls(moved).accept({ ...queued, audio: queued.audio }, idempotency);
    expect(again).toMatchObject({ kind: 'existing', call: { id: queued.id } });
  });

  it('is refused when another release made it, before anything is written', async () => {
    await emptyOne();
    const db = new DatabaseSync(file('accounts.sqlite'));
    db.exec('PRAGMA user_version = 1');
    db.close();
    await expect(move()).rejects.toThrow('this release moves version');
    const { db: mongo } = await connected();
    expect(await mongo?.listCollections().toArray()).toEqual([]);
  });

  it('leaves out nothing that a later release stores: each table is moved, made anew, or of one installation', async () => {
    await emptyOne();
    const tables = (name: string) => {
      const db = new DatabaseSync(file(name), { readOnly: true });
      const found = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
      db.close();
      return found.map((row) => String(row.name));
    };
    expect(tables('accounts.sqlite')).toEqual([...COLLECTIONS].sort());
    const moved = [
      'account_settings',
      'analyses',
      'calls',
      'costs',
      'outbox',
      'removed_accounts',
      'segments',
      'spending',
      'transcripts',
      'vocabularies',
    ];
    const made = ['call_counts', 'calls_to_index', 'leaders', 'remarks', 'workers'];
    // The servers have their own.
    const left = ['drains'];
    const isOwn = (name: string) => !/^(sqlite_|call_words)/.test(name);
    expect(tables('calls.sqlite').filter(isOwn)).toEqual([...moved, ...made, ...left].sort());
  });
});
