import { until } from '@call-analytics/test/until.fixture.ts';
import { ChannelCredentials, Client, type ServiceError, status } from '@grpc/grpc-js';
import { describe, expect, it } from '@jest/globals';
import { service as healthProtocol } from 'grpc-health-check';
import type { Accounts } from '../accounts.ts';
import { makeApiKey } from '../records.ts';
import { SERVICE_NAME } from './protocol.ts';
import { afterwards, keyIn, over, portOf, SECRET, type Served, serve, UNAVAILABLE } from './serve.fixture.ts';
import { type AccountsServer, type AccountsServerOptions, accountsServer } from './server.ts';

interface HealthCheck {
  path: string;
  requestSerialize(request: { service: string }): Buffer;
  responseDeserialize(answer: Buffer): { status: string };
}
const Check = healthProtocol.Check as unknown as HealthCheck;

/** Asks as a tool would that knows nothing of this package. */
function asking({ server }: Served) {
  const client = new Client(server.address(), ChannelCredentials.createInsecure());
  afterwards(async () => client.close());
  const call = (path: string, request: Buffer): Promise<Buffer | ServiceError> =>
    new Promise((resolve) => {
      const bytes = (value: Buffer) => value;
      client.makeUnaryRequest(path, bytes, bytes, request, (error, answer) =>
        resolve(error ?? answer ?? Buffer.alloc(0)),
      );
    });
  const health = async (service: string) => {
    const answer = await call(Check.path, Check.requestSerialize({ service }));
    return Buffer.isBuffer(answer) ? Check.responseDeserialize(answer).status : answer.code;
  };
  return { call, health };
}

describe('a service that calls the accounts', () => {
  it.each([
    ['another secret', 'the-secret-of-the-servicex'],
    ['a longer secret', `${SECRET}x`],
    ['no secret', undefined],
  ])('with %s is not let in, and hears nothing of whether a key is good', async (_, secret) => {
    const { store, remote } = await serve();
    const { account, key, secret: apiKey } = await keyIn(store);
    const stranger = remote({ secret });
    const notLetIn = { ...UNAVAILABLE, cause: { message: expect.stringContaining('ACCOUNTS_SECRET') } };
    await expect(stranger.authenticate({ apiKey })).rejects.toMatchObject(notLetIn);
    await expect(stranger.authenticate({ apiKey: makeApiKey() })).rejects.toMatchObject(notLetIn);
    await expect(stranger.createAccount({ name: 'Mine' })).rejects.toMatchObject(notLetIn);
    await expect(stranger.listAccounts()).rejects.toMatchObject(notLetIn);
    await expect(stranger.createKey({ accountId: account.id, name: 'mine' })).rejects.toMatchObject(notLetIn);
    await expect(stranger.listKeys({ accountId: account.id })).rejects.toMatchObject(notLetIn);
    await expect(stranger.revokeKey({ accountId: account.id, keyId: key.id })).rejects.toMatchObject(notLetIn);
    expect(await stranger.ready()).toContain('ACCOUNTS_SECRET');
    expect(await store.listAccounts()).toEqual({ accounts: [account] });
    expect(await store.listKeys({ accountId: account.id })).toEqual({ keys: [key] });
  });

  it('is let in with the old and the new secret while it is replaced, and with the old one no longer afterwards', async () => {
    const old = 'the-old-secret-of-services';
    const { server, store, logger, remote } = await serve({ secret: old });
    const { account, secret: apiKey } = await keyIn(store);
    const port = portOf(server.address());
    const [early, late] = [remote({ secret: old }), remote({ secret: SECRET })];
    const restarted = async (
      running: AccountsServer,
      secrets: Pick<AccountsServerOptions, 'secret' | 'previousSecret'>,
    ) => {
      await running.stop(AbortSignal.timeout(5_000));
      const again = accountsServer({ accounts: store, port, host: '127.0.0.1', log: logger, ...secrets });
      afterwards(() => again.stop(AbortSignal.timeout(5_000)));
      await again.start();
      return again;
    };
    const isLetIn = async (client: Accounts) =>
      until(
        () => client.ready(),
        (why) => why === null,
      ).then(async () => (await client.authenticate({ apiKey }))?.account.id === account.id);
    const both = await restarted(server, { secret: SECRET, previousSecret: old });
    expect(await isLetIn(early)).toBe(true);
    expect(await isLetIn(late)).toBe(true);
    await restarted(both, { secret: SECRET });
    expect(await isLetIn(late)).toBe(true);
    await until(
      () => early.ready(),
      (why) => why?.includes('ACCOUNTS_SECRET') === true,
    );
    await expect(early.authenticate({ apiKey })).rejects.toMatchObject(UNAVAILABLE);
  });

  it('is asked for no secret where there is none', async () => {
    const { store, remote } = await serve({ secret: undefined });
    const { account, secret: apiKey } = await keyIn(store);
    expect((await remote({ secret: undefined }).authenticate({ apiKey }))?.account).toEqual(account);
  });

  it('may ask for a few ids and a name: what is larger is not taken in', async () => {
    const served = await serve({ secret: undefined });
    const answer = await asking(served).call(`/${SERVICE_NAME}/CreateAccount`, Buffer.alloc(65 * 1024));
    expect(answer).toMatchObject({ code: status.RESOURCE_EXHAUSTED });
    expect(await served.remote().ready()).toBeNull();
  });

  it('is told nothing of what there is to call', async () => {
    const { call } = asking(await serve());
    expect(await call('/grpc.reflection.v1.ServerReflection/ServerReflectionInfo', Buffer.alloc(0))).toMatchObject({
      code: status.UNIMPLEMENTED,
    });
  });

  it('learns of a bug that it was one and nothing else; the log has the rest', async () => {
    const bug = () => Promise.reject(new TypeError('x is not a function at /srv/app/secret.ts'));
    const { remote, log } = await serve({}, (store) => over(store, { listAccounts: bug }));
    const error: Error = await remote()
      .listAccounts()
      .then(() => new Error('it was answered'))
      .catch((thrown) => thrown);
    expect(error).toMatchObject({ failure: { kind: 'bug', code: 'internal_error' } });
    expect(`${error.message} ${error.cause}`).not.toMatch(/function|srv|secret\.ts/);
    expect(log).toContainEqual(
      expect.objectContaining({
        level: 'error',
        method: 'ListAccounts',
        err: expect.objectContaining({ type: 'TypeError' }),
      }),
    );
  });

  it('leaves no key and no secret in the log, whatever happens', async () => {
    const { store, remote, log } = await serve({ checkEveryMs: 1 });
    const accounts = remote();
    const { account, key, secret: apiKey } = await keyIn(accounts);
    const stranger = makeApiKey();
    const tryAll = async () => {
      await Promise.allSettled([
        accounts.authenticate({ apiKey }),
        accounts.authenticate({ apiKey: stranger }),
        accounts.listAccounts(),
      ]);
      await Promise.allSettled([remote({ secret: 'another-secret-entirely' }).authenticate({ apiKey })]);
    };
    await tryAll();
    await accounts.revokeKey({ accountId: account.id, keyId: key.id });
    await store.close();
    await tryAll();
    const written = JSON.stringify(log);
    expect(written).toContain('Authenticate');
    for (const hidden of [apiKey.slice(9), stranger.slice(9), SECRET, 'another-secret-entirely'])
      expect(written).not.toContain(hidden);
  });
});

describe('the health of the service', () => {
  it('follows its store, for the gateway and for whoever watches; the process stays alive meanwhile', async () => {
    const served = await serve({ checkEveryMs: 1 });
    const { health } = asking(served);
    const remote = served.remote();
    expect([await health(''), await health(SERVICE_NAME), await remote.ready(), served.server.ready?.()]).toEqual([
      'SERVING',
      'SERVING',
      null,
      null,
    ]);
    await served.store.close();
    await until(
      () => health(SERVICE_NAME),
      (answer) => answer === 'NOT_SERVING',
    );
    expect(await health('')).toBe('SERVING');
    expect(await remote.ready()).toBe('the accounts service is not ready');
    expect(served.server.ready?.()).toContain('does not answer');
  });

  it('is unknown for what is not served', async () => {
    expect(await asking(await serve()).health('something.else')).toBe(status.NOT_FOUND);
  });
});

describe('a server that stops', () => {
  const held = async () => {
    const [reached, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const served = await serve({}, (store) =>
      over(store, {
        async listAccounts() {
          reached.resolve();
          await opened.promise;
          return store.listAccounts();
        },
      }),
    );
    const listing = served.remote({ deadlineMs: 60_000 }).listAccounts();
    listing.catch(() => {});
    await reached.promise;
    return { ...served, listing, open: opened.resolve };
  };

  it('finishes the calls in flight and takes no more', async () => {
    const { server, listing, open, remote } = await held();
    const stopped = server.stop(AbortSignal.timeout(60_000));
    expect(await remote().ready()).toBe('the accounts service does not answer');
    open();
    expect(await listing).toEqual({ accounts: [] });
    await stopped;
    expect(server.ready?.()).toBe('not listening');
  });

  it('cuts at the deadline what is still in flight', async () => {
    const { server, listing, open } = await held();
    await server.stop(AbortSignal.abort());
    await expect(listing).rejects.toMatchObject({ ...UNAVAILABLE, cause: { message: 'CANCELLED: Call cancelled' } });
    open();
  });

  it('says what to do when its address is taken', async () => {
    const { server } = await serve();
    const port = Number(server.address().split(':').at(-1));
    await expect(serve({ port })).rejects.toMatchObject({
      name: 'SettingsError',
      message: `Cannot listen on 127.0.0.1, port ${port}: it is in use. Stop the program that listens there, or set another ACCOUNTS_GRPC_PORT.`,
    });
  });
});
