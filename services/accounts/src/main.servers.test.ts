import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { inVersion, relayTo } from '@call-analytics/test/contract/relay.fixture.ts';
import { describeWithServers } from '@call-analytics/test/servers/index.ts';
import { COMPILE_CACHE, ranAlone } from '@call-analytics/test/terminal.fixture.ts';
import { until } from '@call-analytics/test/until.fixture.ts';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { remoteAccounts, remoteUsers } from './grpc/client.ts';

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url));
const ACCOUNTS_SECRET = 'the-secret-of-the-services';

describeWithServers('the process of the accounts service', (servers) => {
  let database: Awaited<ReturnType<typeof servers.database>>;
  let child: ChildProcess;
  let output: string;
  beforeEach(async () => {
    database = await servers.database();
  });
  afterEach(async () => {
    if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'close');
    await database.remove();
  });

  const start = (settings: Record<string, string>) => {
    output = '';
    const env = { MONGODB_URL: database.url, ACCOUNTS_SECRET, ACCOUNTS_GRPC_PORT: '0', OPS_PORT: '0', ...settings };
    child = spawn(process.execPath, ['--import', COMPILE_CACHE, here('./main.ts')], { env });
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
  };
  const command = async (env: Record<string, string>, ...args: string[]) =>
    JSON.parse((await ranAlone(here('./cli/main.ts'), [...args, '--json'], env)).out);
  /** A field of the last line of the log that has it. */
  const logged = (field: string) =>
    until(
      () => [...output.matchAll(new RegExp(`"${field}":"([^"]+)"`, 'g'))].at(-1)?.[1] ?? '',
      (value) => value !== '',
      60_000,
    );

  it('serves keys that the command makes, tells operators that it is ready, and ends cleanly', async () => {
    start({});
    const address = await logged('address');
    expect(await (await fetch(`${await logged('ops')}/readyz`)).json()).toEqual({ status: 'ready' });
    const env = { ACCOUNTS_URL: address, ACCOUNTS_SECRET };
    const { account, key } = await command(env, 'create', '--name', 'Acme');
    const accounts = remoteAccounts({ url: address, secret: ACCOUNTS_SECRET });
    expect((await accounts.authenticate({ apiKey: key.secret }))?.account.id).toBe(account.id);
    await accounts.close();
    child.kill('SIGTERM');
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(output).not.toContain(key.secret.slice(9));
    expect(output).not.toContain(ACCOUNTS_SECRET);
  });

  it('lets the first person in by a claim link that the command prints, and keeps passwords and tokens out of its log', async () => {
    start({ LOG_LEVEL: 'trace' });
    const address = await logged('address');
    await logged('ops');
    const env = { ACCOUNTS_URL: address, ACCOUNTS_SECRET, PUBLIC_URL: 'https://calls.example.com' };
    const { account } = await command(env, 'create', '--name', 'Acme');
    const { url } = await command(env, 'claim', account.id);
    expect(url).toMatch(/^https:\/\/calls\.example\.com\/invitation#token=/);
    const invitation = url.split('token=')[1];
    const users = remoteUsers({ url: address, secret: ACCOUNTS_SECRET });
    const [password, origin] = ['correct horse battery staple', { ip: '127.0.0.1', userAgent: 'a test' }];
    const { session, token } = await users.signUp({
      name: 'Ada',
      email: 'ada@example.com',
      password,
      invitation,
      origin,
    });
    expect(session).toMatchObject({ role: 'owner', account: { id: account.id } });
    await expect(
      users.signIn({ email: 'ada@example.com', password: 'a wrong password', origin }),
    ).rejects.toMatchObject({
      failure: { kind: 'rejected', code: 'wrong_credentials' },
    });
    expect((await command(env, 'users', 'list')).users).toMatchObject([{ email: 'ada@example.com', role: 'owner' }]);
    expect(await users.session({ token })).toEqual(session);
    await users.close();
    child.kill('SIGTERM');
    expect(await once(child, 'close')).toEqual([0, null]);
    for (const secret of [password, 'a wrong password', token, invitation]) expect(output).not.toContain(secret);
  });

  it('that starts before its database is alive, says what it waits for, and goes on when it is there', async () => {
    const { hostname, port } = new URL(database.url);
    const relay = await relayTo({ host: hostname, port: Number(port) });
    relay.cut();
    start({ MONGODB_URL: database.url.replace(`${hostname}:${port}`, relay.address) });
    await logged('code');
    expect(output).toContain('accounts_unavailable');
    expect(child.exitCode).toBeNull();
    relay.mend();
    expect(await (await fetch(`${await logged('ops')}/readyz`)).json()).toEqual({ status: 'ready' });
    child.kill('SIGTERM');
    expect(await once(child, 'close')).toEqual([0, null]);
    await relay.close();
  });

  it('does not start with a MongoDB that is too old, and says which version is needed', async () => {
    const { hostname, port } = new URL(database.url);
    const relay = await relayTo({ host: hostname, port: Number(port) }, inVersion(5));
    try {
      start({ MONGODB_URL: database.url.replace(`${hostname}:${port}`, relay.address) });
      const closed = once(child, 'close');
      await until(
        () => output,
        (text) => /^MongoDB 5\.\d+\.\d+ is too old\. Use 6\.0 or later\.$/m.test(text),
      );
      expect(await closed).toEqual([1, null]);
      expect(output).not.toContain('    at ');
    } finally {
      await relay.close();
    }
  });

  it.each([
    [{ ACCOUNTS_GRPC_HOST: '0.0.0.0', ACCOUNTS_SECRET: '' }, 'ACCOUNTS_SECRET is not set'],
    [{ ACCOUNTS_TLS_CERT: '/none/cert.pem' }, 'ACCOUNTS_TLS_CERT names the file /none/cert.pem, which is not there'],
    [{ MONGODB_URL: 'mongodb://localhost' }, 'MONGODB_URL'],
    [{ SMTP_URL: 'smtp://mail.example.com' }, 'MAIL_FROM is not set'],
  ])('does not start with %j, and says why in one line', async (settings, why) => {
    start(settings);
    expect(await once(child, 'close')).toEqual([1, null]);
    expect(output).toContain(why);
    expect(output).not.toContain('    at ');
  });
});
