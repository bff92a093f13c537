import { makeLogger } from '@call-analytics/service-kit';
import { type Relay, relayTo } from '@call-analytics/test/contract/relay.fixture.ts';
import { describeWithServers } from '@call-analytics/test/servers/index.ts';
import { until } from '@call-analytics/test/until.fixture.ts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import type { Users } from '../accounts.ts';
import { openMongoUsers } from './users.ts';

const origin = { ip: '203.0.113.7', userAgent: 'a test', local: true };
const password = 'correct horse battery staple';
const ada = { name: 'Ada', email: 'ada@example.com', password, origin };
const UNAVAILABLE = { failure: { kind: 'transient', code: 'accounts_unavailable' } };

describeWithServers('users in MongoDB', (servers) => {
  let database: Awaited<ReturnType<typeof servers.database>>;
  let client: MongoClient;
  let relay: Relay;
  let now: Date;
  let users: Users;
  const open = (url = database.url) =>
    openMongoUsers({
      url,
      settings: { SIGN_UP: 'closed', PUBLIC_URL: 'https://calls.example.com' },
      log: makeLogger('test', 'silent'),
      clock: { now: () => now },
    });
  beforeEach(async () => {
    now = new Date();
    database = await servers.database();
    client = await MongoClient.connect(database.url);
    const { hostname, port } = new URL(database.url);
    relay = await relayTo({ host: hostname, port: Number(port) });
    users = await open(database.url.replace(`${hostname}:${port}`, relay.address));
  });
  afterEach(async () => {
    await users.close();
    await relay.close();
    await client.close();
    await database.remove();
  });

  it('keep no password and no token, but hashes', async () => {
    const { session, token } = await users.signUp(ada);
    const actor = { userId: session.user.id, accountId: session.account.id };
    const secrets = [password, token, (await users.invite({ actor, role: 'member' })).token];
    for (const make of [users.makeSignInLink, users.makeResetLink])
      secrets.push((await make({ email: ada.email })).token);
    const all: unknown[] = [];
    for (const { collectionName } of await client.db().collections())
      all.push(...(await client.db().collection(collectionName).find().toArray()));
    const stored = JSON.stringify(all);
    expect(stored).toContain(ada.email);
    for (const secret of secrets) expect(stored).not.toContain(secret);
  });

  it('are asked for a session once, by an index', async () => {
    const { token } = await users.signUp(ada);
    for (let i = 0; i < 5; i += 1) await users.signIn(ada);
    await client.db().command({ profile: 2 });
    await users.session({ token });
    await client.db().command({ profile: 0 });
    const asked = await client.db().collection('system.profile').find({ op: 'command' }).toArray();
    const ofTheUsers = asked.filter(({ ns }) => ns.endsWith('.sessions'));
    expect(ofTheUsers).toHaveLength(1);
    // Its user, the member and the account are found by their ids on the way.
    expect(ofTheUsers[0]).toMatchObject({ docsExamined: 1, planSummary: expect.stringMatching(/^(IXSCAN|EXPRESS)/) });
  });

  it('are the same for every process: one first user, one user of an invitation, one end of a session', async () => {
    const other = await open();
    try {
      const code = (error: { failure: { code: string } }) => error.failure.code;
      const first = await Promise.all([
        users.signUp(ada).then(() => 'done', code),
        other.signUp({ ...ada, email: 'bob@example.com' }).then(() => 'done', code),
      ]);
      expect(first.sort()).toEqual(['done', 'sign_up_closed']);
      const [owner] = (await other.listUsers()).users;
      if (owner === undefined) throw new Error('nobody is in');
      const { token: invitation } = await users.invite({
        actor: { userId: owner.id, accountId: owner.account.id },
        role: 'member',
      });
      const invited = [users, other].map((process, i) =>
        process.signUp({ ...ada, email: `new${i}@example.com`, invitation }),
      );
      const joined = await Promise.allSettled(invited);
      expect(joined.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      const { token } = await users.signIn({ ...ada, email: owner.email });
      expect(await other.session({ token })).not.toBeNull();
      await other.signOut({ token });
      expect(await users.session({ token })).toBeNull();
    } finally {
      await other.close();
    }
  });

  it('may be opened by many processes at once when there is nothing yet', async () => {
    await client.db().dropDatabase();
    const opened = await Promise.all(Array.from({ length: 6 }, () => open()));
    for (const each of opened) expect((await each.installation()).signUp).toBe('first');
    await Promise.all(opened.map((each) => each.close()));
    expect(Object.keys(await client.db().collection('users').indexInformation()).sort()).toEqual(['_id_', 'email']);
  });

  it('that a sign-up left behind are nobody, and a minute later the same email may sign up', async () => {
    await users.signUp(ada);
    for (const name of ['members', 'accounts']) await client.db().collection(name).deleteMany({});
    await expect(users.signIn(ada)).rejects.toMatchObject({ failure: { code: 'wrong_credentials' } });
    await expect(users.signUp(ada)).rejects.toMatchObject({ failure: { code: 'email_taken' } });
    now = new Date(now.getTime() + 60_001);
    expect((await users.signUp(ada)).session.role).toBe('owner');
    expect(await client.db().collection('users').countDocuments()).toBe(1);
  });

  describe('whose server', () => {
    it('resets every connection are unavailable, say of nobody that they are not signed in, and come back by themselves', async () => {
      const { session, token } = await users.signUp(ada);
      relay.cut();
      await expect(users.session({ token })).rejects.toMatchObject(UNAVAILABLE);
      await expect(users.signIn(ada)).rejects.toMatchObject(UNAVAILABLE);
      await expect(users.signOut({ token })).rejects.toMatchObject(UNAVAILABLE);
      const actor = { userId: session.user.id, accountId: session.account.id };
      await expect(users.invite({ actor, role: 'member' })).rejects.toMatchObject(UNAVAILABLE);
      relay.mend();
      const isBack = () => users.session({ token }).catch(() => null);
      await until(isBack, (found) => found !== null);
      expect(await users.session({ token })).toEqual(session);
    });

    it('is not there cannot be opened, and say so', async () => {
      relay.cut();
      await expect(open(`mongodb://${relay.address}/x?directConnection=true`)).rejects.toMatchObject(UNAVAILABLE);
    });
  });
});
