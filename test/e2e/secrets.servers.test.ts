import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { remoteAccounts } from '@call-analytics/accounts/grpc';
import { startStandIn } from '@call-analytics/stand-in';
import { FILES } from '@call-analytics/stand-in/recordings';
import { afterAll, expect, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { describeWithServers } from '../servers/index.ts';
import { isolate } from '../servers/isolated.fixture.ts';
import { S3Users } from '../servers/s3-users.fixture.ts';
import { until } from '../until.fixture.ts';
import { Client } from './client.fixture.ts';
import { Cluster, freePort, type Member, SERVICES, type ServiceName } from './cluster.fixture.ts';

const CALL = join(FILES, 'excerpt.mp3');

describeWithServers('secrets that are replaced under requests', (servers) => {
  const removal = new AsyncDisposableStack();
  afterAll(() => removal.disposeAsync());

  /** A user of MongoDB, RabbitMQ and S3 each, and the settings of a service that uses them. */
  const users = async (isolated: Awaited<ReturnType<typeof isolate>>) => {
    const [name, password] = [`user${randomBytes(4).toString('hex')}`, randomBytes(12).toString('hex')];
    const { settings, virtualHost } = isolated;
    const mongo = new URL(settings.MONGODB_URL);
    const admin = await MongoClient.connect(settings.MONGODB_URL);
    const roles = [{ role: 'readWrite', db: mongo.pathname.slice(1) }];
    await admin.db('admin').command({ createUser: name, pwd: password, roles });
    await servers.management('PUT', `users/${name}`, { password, tags: '' });
    const all = { configure: '.*', write: '.*', read: '.*' };
    await servers.management('PUT', `permissions/${virtualHost}/${name}`, all);
    const s3 = new S3Users(servers.addresses.s3);
    await s3.add(name, password);
    Object.assign(mongo, { username: name, password });
    mongo.searchParams.set('authSource', 'admin');
    const rabbitmq = Object.assign(new URL(settings.RABBITMQ_URL), { username: name, password });
    return {
      settings: {
        MONGODB_URL: mongo.href,
        RABBITMQ_URL: rabbitmq.href,
        S3_ACCESS_KEY: name,
        S3_SECRET_KEY: password,
        ACCOUNTS_SECRET: password,
      },
      async remove() {
        await admin.db('admin').command({ dropUser: name });
        await admin.close();
        await servers.management('DELETE', `users/${name}`);
        await s3.remove(name);
      },
    };
  };

  /** A load balancer: new connections go to the copy that was named last. */
  const balancer = async () => {
    let port = 0;
    const server = createServer((inner) => {
      pipeline(inner, connect(port, '127.0.0.1'), inner, () => {});
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    removal.defer(() => void server.close());
    const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    return { address, to: (next: string) => (port = Number(next)) };
  };

  it('cost no request and no call: accounts takes both secrets meanwhile, the servers have two users', async () => {
    const standIn = await startStandIn({ speech: 'known-text' });
    removal.defer(() => standIn.close());
    const isolated = await isolate(servers, removal);
    const [before, after] = [await users(isolated), await users(isolated)];
    const [accounts, gateway] = [await balancer(), await balancer()];
    const cluster = await Cluster.make(isolated.settings, {
      OPENAI_BASE_URL: standIn.url,
      OPENAI_API_KEY: standIn.key,
      ANALYSIS_ENGINE: 'rules',
      ACCOUNTS_URL: accounts.address,
      AUTH_CACHE_TTL: '0s',
    });
    removal.defer(() => cluster.remove());
    const running = new Map<ServiceName, Member>();
    /** Starts a copy with these settings, directs requests to it, and stops the previous copy. */
    const roll = async (service: ServiceName, settings: Record<string, string>) => {
      const ports = { ACCOUNTS_GRPC_PORT: String(await freePort()), PORT: String(await freePort()) };
      // The client keeps its connection: the gateway must have time to close it with an answer.
      const delayed: Record<string, string> = service === 'api-gateway' ? { SHUTDOWN_DELAY: '1s' } : {};
      const member = await cluster.prepare(service, { ...settings, ...ports, ...delayed });
      if (service === 'accounts' && !running.has(service)) accounts.to(ports.ACCOUNTS_GRPC_PORT);
      await member.start();
      if (service === 'accounts') accounts.to(ports.ACCOUNTS_GRPC_PORT);
      if (service === 'api-gateway') gateway.to(ports.PORT);
      expect((await running.get(service)?.kill('SIGTERM')) ?? 0).toBe(0);
      running.set(service, member);
    };
    for (const service of SERVICES) await roll(service, before.settings);

    const url = accounts.address;
    const operator = remoteAccounts({ url, secret: before.settings.ACCOUNTS_SECRET });
    const { account } = await operator.createAccount({ name: 'Acme' });
    const { secret: key } = await operator.createKey({ accountId: account.id, name: 'test' });
    await operator.close();
    const client = new Client(() => `http://${gateway.address}`, key);
    const stop = new AbortController();
    const ids: string[] = [];
    const answers = new Map<string, number>();
    const count = (answer: string) => answers.set(answer, (answers.get(answer) ?? 0) + 1);
    const requests = (async () => {
      for (let n = 0; !stop.signal.aborted; n += 1) {
        const read = await client.fetch('/calls?limit=1').catch((error) => ({ status: String(error) }));
        count(`list ${read.status}`);
        if (n % 10 === 0) {
          const uploaded = await client.upload(CALL).catch((error) => ({ status: String(error), json: () => ({}) }));
          count(`upload ${uploaded.status}`);
          const { id } = (await uploaded.json()) as { id?: string };
          if (id !== undefined) ids.push(id);
        }
        await delay(100);
      }
    })();

    const previous = { ACCOUNTS_SECRET_PREVIOUS: before.settings.ACCOUNTS_SECRET };
    await roll('accounts', { ...after.settings, ...previous });
    for (const service of SERVICES.slice(1)) await roll(service, after.settings);
    await roll('accounts', after.settings);
    await before.remove();
    const uploads = ids.length;
    await until(() => ids.length >= uploads + 2, 'uploads go on without the old secrets');
    stop.abort();
    await requests;

    expect([...answers.keys()].sort()).toEqual(['list 200', 'upload 202']);
    for (const id of ids) expect((await client.finished(id)).status).toBe('completed');
    expect((await client.calls()).total).toBe(ids.length);
    const old = remoteAccounts({ url, secret: before.settings.ACCOUNTS_SECRET });
    await expect(old.listAccounts()).rejects.toThrow();
    await old.close();
    await after.remove();
  }, 300_000);
});
