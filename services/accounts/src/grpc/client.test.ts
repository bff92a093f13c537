import { relayTo } from '@call-analytics/test/contract/relay.fixture.ts';
import { until } from '@call-analytics/test/until.fixture.ts';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { describe, expect, it } from '@jest/globals';
import { makeApiKey } from '../records.ts';
import { parseAddress } from '../settings.ts';
import { remoteAccounts } from './client.ts';
import { accountsProtocol } from './protocol.ts';
import { afterwards, keyIn, over, portOf, SECRET, serve, UNAVAILABLE } from './serve.fixture.ts';
import { accountsServer } from './server.ts';

/** The accounts with a wire between them and the client. */
async function far(deadlineMs: number) {
  const served = await serve();
  const relay = await relayTo({ host: '127.0.0.1', port: portOf(served.server.address()) });
  afterwards(() => relay.close());
  return {
    ...served,
    ...(await keyIn(served.store)),
    relay,
    accounts: served.remote({ url: relay.address, deadlineMs }),
  };
}

describe('accounts of another process', () => {
  it('that is not there are unavailable, and are there for the same client when it comes', async () => {
    const { server, store, logger } = await serve();
    const { account, secret: apiKey } = await keyIn(store);
    const port = portOf(server.address());
    await server.stop(AbortSignal.timeout(5_000));
    const accounts = remoteAccounts({ url: `grpc://127.0.0.1:${port}`, secret: SECRET });
    afterwards(() => accounts.close());
    await expect(accounts.authenticate({ apiKey })).rejects.toMatchObject(UNAVAILABLE);
    expect(await accounts.ready()).toBe('the accounts service does not answer');

    const again = accountsServer({ accounts: store, port, host: '127.0.0.1', secret: SECRET, log: logger });
    afterwards(() => again.stop(AbortSignal.timeout(5_000)));
    await again.start();
    await until(
      () => accounts.ready(),
      (why) => why === null,
    );
    expect((await accounts.authenticate({ apiKey }))?.account).toEqual(account);
  });

  it('that restarts are used again without a word', async () => {
    const { relay, accounts, secret: apiKey, account } = await far(2_000);
    expect((await accounts.authenticate({ apiKey }))?.account).toEqual(account);
    relay.cut();
    await expect(accounts.authenticate({ apiKey })).rejects.toMatchObject(UNAVAILABLE);
    relay.mend();
    await until(
      () => accounts.ready(),
      (why) => why === null,
    );
    expect((await accounts.authenticate({ apiKey }))?.account).toEqual(account);
  });

  it('behind a network that swallows everything are unavailable at the deadline, and are used again after it', async () => {
    const { relay, accounts, secret: apiKey, account } = await far(200);
    await until(
      () => accounts.ready(),
      (why) => why === null,
    );
    relay.hold();
    await expect(accounts.authenticate({ apiKey })).rejects.toMatchObject({
      ...UNAVAILABLE,
      cause: { message: expect.stringContaining('DEADLINE_EXCEEDED') },
    });
    relay.mend();
    await until(
      () => accounts.ready(),
      (why) => why === null,
    );
    expect((await accounts.authenticate({ apiKey }))?.account).toEqual(account);
  });

  it('that take too long are unavailable at the deadline', async () => {
    const { promise, resolve } = Promise.withResolvers<null>();
    const { remote } = await serve({}, (store) => over(store, { authenticate: () => promise }));
    await expect(remote({ deadlineMs: 50 }).authenticate({ apiKey: makeApiKey() })).rejects.toMatchObject(UNAVAILABLE);
    resolve(null);
  });

  it('that cannot reach their own store are unavailable', async () => {
    const { store, remote } = await serve();
    const { secret: apiKey } = await keyIn(store);
    await store.close();
    await expect(remote().authenticate({ apiKey })).rejects.toMatchObject(UNAVAILABLE);
  });

  it('that answer with nothing, as another version might, have not refused a key', async () => {
    const server = new Server();
    server.addService(accountsProtocol, {
      Authenticate: (_call: unknown, answer: (error: null, value: object) => void) => answer(null, {}),
    });
    const port = await new Promise<number>((resolve) => {
      server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (_, bound) => resolve(bound));
    });
    afterwards(async () => server.forceShutdown());
    const accounts = remoteAccounts({ url: `127.0.0.1:${port}` });
    afterwards(() => accounts.close());
    await expect(accounts.authenticate({ apiKey: makeApiKey() })).rejects.toMatchObject(UNAVAILABLE);
  });

  it('are not looked for through the proxy that the environment names', async () => {
    process.env.http_proxy = 'http://127.0.0.1:1';
    try {
      const { remote } = await serve();
      expect(await remote().ready()).toBeNull();
    } finally {
      delete process.env.http_proxy;
    }
  });
});

describe('the address of the accounts', () => {
  it.each([
    ['accounts:50051', 'dns:///accounts:50051', false],
    ['grpc://accounts:1234/', 'dns:///accounts:1234', false],
    ['accounts', 'dns:///accounts:50051', false],
    ['grpcs://accounts.example.com', 'dns:///accounts.example.com:50051', true],
    ['127.0.0.1:50051', 'dns:///127.0.0.1:50051', false],
    ['[::1]:50051', 'dns:///[::1]:50051', false],
  ])('may be %s', (url, target, isTls) => {
    expect(parseAddress(url)).toEqual({ target, isTls });
  });

  it.each([
    '',
    'http://accounts:50051',
    'accounts:port',
    'grpc://accounts:99999',
    'grpc://user:password@accounts',
    'grpc://accounts/path',
  ])('is not %j', (url) => {
    expect(parseAddress(url)).toBeNull();
    expect(() => remoteAccounts({ url })).toThrow(/ACCOUNTS_URL must be .*grpc:\/\/accounts:50051/);
  });
});
