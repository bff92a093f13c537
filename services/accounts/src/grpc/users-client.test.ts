import { makeLogger } from '@call-analytics/service-kit';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { expect, it } from '@jest/globals';
import { sqliteUsers } from '../../contract/users/sqlite.fixture.ts';
import type { Users } from '../accounts.ts';
import { remoteUsers } from './client.ts';
import { usersProtocol } from './protocol.ts';
import { afterwards, SECRET, serve, UNAVAILABLE } from './serve.fixture.ts';

const TOKEN = 'x'.repeat(43);
const origin = { ip: '203.0.113.7', userAgent: 'a test' };
const password = 'correct horse battery staple';

/** Users with a server in front. @param around put in their place, built around the real ones */
async function servedUsers(around: (users: Users) => Users = (users) => users) {
  const store = await sqliteUsers();
  const opened = await store.open({
    settings: { SIGN_UP: 'open', PUBLIC_URL: 'http://127.0.0.1' },
    log: makeLogger('test', 'silent'),
  });
  afterwards(() => store.remove());
  afterwards(() => opened.close());
  return { users: opened.users, ...(await serve({ users: around(opened.users) })) };
}

function client(url: string, options: object = { secret: SECRET }): Users {
  const users = remoteUsers({ url, ...options });
  afterwards(() => users.close());
  return users;
}

it('users that answer with nothing, as another version might, have signed nobody out', async () => {
  const server = new Server();
  const nothing = (_call: unknown, answer: (error: null, value: object) => void) => answer(null, {});
  const methods = Object.keys(usersProtocol).map((method) => [method, nothing]);
  server.addService(usersProtocol, Object.fromEntries(methods));
  const port = await new Promise<number>((resolve) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (_, bound) => resolve(bound));
  });
  afterwards(async () => server.forceShutdown());
  const users = client(`127.0.0.1:${port}`, {});
  await expect(users.session({ token: TOKEN })).rejects.toMatchObject(UNAVAILABLE);
  await expect(users.findInvitation({ token: TOKEN })).rejects.toMatchObject(UNAVAILABLE);
  await expect(users.installation()).rejects.toMatchObject(UNAVAILABLE);
  await expect(users.signIn({ email: 'ada@example.com', password, origin })).rejects.toMatchObject(UNAVAILABLE);
});

it('users of an accounts service from before there were any are unavailable', async () => {
  const { server } = await serve();
  await expect(client(server.address()).session({ token: TOKEN })).rejects.toMatchObject(UNAVAILABLE);
});

it('users are asked by those alone who show the shared secret', async () => {
  const { server, log } = await servedUsers();
  for (const options of [{}, { secret: 'another-secret-than-that' }]) {
    await expect(client(server.address(), options).installation()).rejects.toMatchObject(UNAVAILABLE);
  }
  expect((await client(server.address()).installation()).signUp).toBe('open');
  expect(log.filter(({ msg }) => msg === 'a caller without the shared secret')).toHaveLength(2);
});

it('a limit on attempts is told with its time, and a text that is too large is refused on this side', async () => {
  const { server } = await servedUsers();
  const users = client(server.address());
  const signIn = (guess: string) => users.signIn({ email: 'ada@example.com', password: guess, origin });
  for (let i = 0; i < 10; i += 1)
    await expect(signIn('a guess')).rejects.toMatchObject({ failure: { code: 'wrong_credentials' } });
  await expect(signIn('a guess')).rejects.toMatchObject({
    failure: { kind: 'rate-limited', code: 'too_many_attempts', until: expect.any(Date) },
  });
  await expect(signIn('x'.repeat(70_000))).rejects.toMatchObject({
    failure: { kind: 'rejected', code: 'request_too_large' },
  });
});

it('what goes wrong inside is logged without the password and the token of the request, and not told', async () => {
  const broken = async () => {
    throw new Error('a bug of ours');
  };
  const { server, log } = await servedUsers((users) => ({ ...users, signIn: broken, session: broken }));
  const users = client(server.address());
  const bug = { failure: { kind: 'bug', message: 'Something went wrong in the accounts service.' } };
  await expect(users.signIn({ email: 'ada@example.com', password, origin })).rejects.toMatchObject(bug);
  await expect(users.session({ token: TOKEN })).rejects.toMatchObject(bug);
  expect(JSON.stringify(log)).toContain('a bug of ours');
  expect(JSON.stringify(log)).not.toMatch(new RegExp(`${password}|${TOKEN}`));
});
