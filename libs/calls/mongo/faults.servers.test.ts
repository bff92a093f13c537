import { createServer } from 'node:net';
import { makeLogger } from '@call-analytics/service-kit';
import { inVersion, type Relay, relayTo } from '@call-analytics/test/contract/relay.fixture.ts';
import { describeWithServers, IMAGES } from '@call-analytics/test/servers/index.ts';
import { until } from '@call-analytics/test/until.fixture.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { GenericContainer, type StartedTestContainer, Wait } from 'testcontainers';
import { Fixture } from '../contract/call-store.fixture.ts';
import type { CallStore } from '../index.ts';
import { openMongoCallStore } from './store.ts';

const UNAVAILABLE = { failure: { kind: 'transient', code: 'store_unavailable' } };
const isReady = (store: CallStore) =>
  until(
    () => store.ready(),
    (answer) => answer === null,
  );

describeWithServers('a call store whose MongoDB is not well', (servers) => {
  let database: Awaited<ReturnType<typeof servers.database>>;
  let relay: Relay;
  let url: string;
  const lines: string[] = [];
  const log = makeLogger('test', 'debug', { write: (line) => lines.push(line) });
  const opened: CallStore[] = [];
  const open = (address = url) => {
    const store = openMongoCallStore({ url: address, log });
    opened.push(store);
    return store;
  };
  beforeEach(async () => {
    database = await servers.database();
    const { hostname, port } = new URL(database.url);
    relay = await relayTo({ host: hostname, port: Number(port) });
    url = database.url.replace(`${hostname}:${port}`, relay.address);
    lines.length = 0;
  });
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close();
    await relay.close();
    await database.remove();
  });

  describe.each([
    ['refuses connections', (relay: Relay) => relay.cut()],
    ['does not answer', (relay: Relay) => relay.hold()],
  ])('because it %s', (_, disturb) => {
    it('says so to every request, and works again when it is back', async () => {
      const store = open();
      const fixture = new Fixture(store);
      const call = await fixture.accept();
      disturb(relay);
      await Promise.all([
        expect(fixture.accept()).rejects.toMatchObject(UNAVAILABLE),
        expect(store.get(call.id)).rejects.toMatchObject(UNAVAILABLE),
        expect(store.list('account_1', { limit: 1, offset: 0 })).rejects.toMatchObject(UNAVAILABLE),
        expect(store.queues(new Date())).rejects.toMatchObject(UNAVAILABLE),
        expect(fixture.claim(call.id)).rejects.toMatchObject(UNAVAILABLE),
        expect(store.lead('role', 'one', new Date(), new Date())).rejects.toMatchObject(UNAVAILABLE),
      ]);
      expect(await store.ready()).toBe('the call database does not answer');
      relay.mend();
      await isReady(store);
      expect(await store.get(call.id)).toMatchObject({ id: call.id });
      // What was refused may have got through all the same, and may do so late.
      const { id } = await fixture.accept();
      const { calls } = await store.list('account_1', { limit: 10, offset: 0 });
      expect(calls.map((listed) => listed.id)).toContain(id);
    });

    it('hears of changes again when it is back, and that some may have been missed', async () => {
      const store = open();
      let hints = 0;
      const stop = store.watch(() => {
        hints += 1;
      });
      const heard = (more: number) =>
        until(
          () => hints,
          (count) => count >= more,
        );
      await heard(1);
      disturb(relay);
      await until(
        () => lines.filter((line) => line.includes('change stream failed')).length,
        (said) => said === 1,
      );
      const before = hints;
      const beside = openMongoCallStore({ url: database.url });
      opened.push(beside);
      await new Fixture(beside).accept();
      relay.mend();
      await heard(before + 1);
      const after = hints;
      await new Fixture(beside).accept();
      await heard(after + 1);
      expect(lines.filter((line) => line.includes('change stream failed'))).toHaveLength(1);
      stop();
    });

    it('may come after the process that needs it', async () => {
      disturb(relay);
      const store = open();
      let hints = 0;
      const stop = store.watch(() => {
        hints += 1;
      });
      await expect(store.get('call')).rejects.toMatchObject(UNAVAILABLE);
      expect(await store.ready()).toBe('the call database does not answer');
      relay.mend();
      await isReady(store);
      await new Fixture(store).accept();
      await until(
        () => hints,
        (count) => count > 0,
      );
      stop();
    });
  });

  it('refuses one that is too old, and says which version is needed', async () => {
    const { hostname, port } = new URL(database.url);
    await relay.close();
    relay = await relayTo({ host: hostname, port: Number(port) }, inVersion(5));
    const store = open(database.url.replace(`${hostname}:${port}`, relay.address));
    await expect(store.get('call')).rejects.toThrow(/^MongoDB 5\.\d+\.\d+ is too old\. Use 6\.0 or later\.$/);
    expect(await store.ready()).toMatch(/^MongoDB 5\.\d+\.\d+ is too old\. Use 6\.0 or later\.$/);
    await until(
      () => lines.join(''),
      (log) => log.includes('is too old. Use 6.0 or later.'),
    );
  });
});

describeWithServers('a call store on a MongoDB of its own', () => {
  let container: StartedTestContainer;
  let url: string;
  const start = async (...command: string[]) => {
    // A port that stays the same when the container starts again.
    const port = await freePort();
    container = await new GenericContainer(IMAGES.mongodb)
      .withCommand(['mongod', '--bind_ip_all', ...command])
      .withExposedPorts({ container: 27_017, host: port })
      .withWaitStrategy(Wait.forLogMessage('Waiting for connections'))
      .start();
    url = `mongodb://127.0.0.1:${port}/calls?directConnection=true`;
  };
  const admin = async (command: Record<string, unknown>) => {
    const client = await MongoClient.connect(url);
    try {
      return await client.db('admin').command(command);
    } finally {
      await client.close();
    }
  };

  describe('of one member', () => {
    let store: CallStore;
    let fixture: Fixture;
    beforeAll(async () => {
      await start('--replSet', 'rs0');
      await admin({ replSetInitiate: { _id: 'rs0', members: [{ _id: 0, host: '127.0.0.1:27017' }] } });
      store = openMongoCallStore({ url });
      fixture = new Fixture(store);
      await isReady(store);
    });
    afterAll(async () => {
      await store.close();
      await container.stop({ timeout: 0 });
    });

    /**
     * Accepts calls until it is told to stop; whatever is refused is refused as unavailable.
     * @returns the calls that it was told of
     */
    const burst = (stopped: () => boolean) => {
      const accepted: string[] = [];
      const work = async () => {
        while (!stopped()) {
          try {
            accepted.push((await fixture.accept('burst')).id);
          } catch (error) {
            expect(error).toMatchObject(UNAVAILABLE);
          }
        }
      };
      return { accepted, done: Promise.all([work(), work(), work(), work()]) };
    };
    const survives = async (trouble: () => Promise<void>) => {
      let over = false;
      let hints = 0;
      const stop = store.watch(() => {
        hints += 1;
      });
      const { accepted, done } = burst(() => over);
      const some = (more: number) =>
        until(
          () => accepted.length,
          (count) => count >= more,
        );
      await some(50);
      await trouble();
      await isReady(store);
      await some(accepted.length + 50);
      over = true;
      await done;
      const { calls, total } = await store.list('burst', { limit: 100_000, offset: 0 });
      const kept = new Set(calls.map(({ id }) => id));
      expect(accepted.filter((id) => !kept.has(id))).toEqual([]);
      expect(total).toBe(calls.length);
      const events = (await store.outbox(100_000)).map(({ message }) => message.data.callId);
      expect(calls.filter(({ id }) => !events.includes(id))).toEqual([]);
      const before = hints;
      await fixture.accept();
      await until(
        () => hints,
        (count) => count > before,
      );
      stop();
    };

    it('has each call that it told of, with its event, after the primary was killed', () =>
      survives(async () => {
        await container.restart({ timeout: 0 });
      }));

    it('goes on after the primary stepped down and was elected again', () =>
      survives(async () => {
        // It closes the connection on which it is told to.
        await admin({ replSetStepDown: 1, secondaryCatchUpPeriodSecs: 0, force: true }).catch(() => {});
      }));
  });

  describe('that is no replica set', () => {
    beforeAll(() => start());
    afterAll(() => container.stop({ timeout: 0 }));

    it('refuses with words that say what to do', async () => {
      const store = openMongoCallStore({ url });
      await expect(store.get('call')).rejects.toThrow(/not a member of a replica set.*--replSet/);
      expect(await store.ready()).toMatch(/not a member of a replica set/);
      await store.close();
    });
  });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
