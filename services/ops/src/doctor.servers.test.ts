import { openMongoCallStore } from '@call-analytics/calls/mongo';
import { rabbitmqMessaging } from '@call-analytics/messaging/rabbitmq';
import { makeLogger, makeMetrics } from '@call-analytics/service-kit';
import { inVersion, relayTo } from '@call-analytics/test/contract/relay.fixture.ts';
import { describeWithServers } from '@call-analytics/test/servers/index.ts';
import { type IsolatedServers, isolate } from '@call-analytics/test/servers/isolated.fixture.ts';
import { ranHere } from '@call-analytics/test/terminal.fixture.ts';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import mongoose from 'mongoose';
import { runCli } from './cli.ts';

describeWithServers('the check of a distributed installation', (servers) => {
  const removal = new AsyncDisposableStack();
  let isolated: IsolatedServers;
  beforeAll(async () => {
    isolated = await isolate(servers, removal);
    const store = openMongoCallStore({ url: isolated.settings.MONGODB_URL });
    expect(await store.ready()).toBeNull();
    await store.close();
    await declareQueues(isolated.settings.RABBITMQ_URL);
  });
  afterAll(() => removal.disposeAsync());

  const declareQueues = async (url: string) => {
    const messaging = await rabbitmqMessaging({ url, log: makeLogger('test', 'silent'), metrics: makeMetrics() });
    expect(messaging.ready()).toBeNull();
    await messaging.close();
  };
  const doctor = (env: Record<string, string> = {}) =>
    ranHere((terminal) => runCli(['doctor'], { ...isolated.settings, ...env }, terminal));

  it('finds nothing wrong with servers that work', async () => {
    const { code, out } = await doctor();
    expect(out).toMatch(/^ok +call database +MongoDB \d+\.\d+\.\d+, indexes complete, clocks agree$/m);
    expect(out).toMatch(/^ok +broker +RabbitMQ \d+\.\d+\.\d+, 3 queues, no dead letters$/m);
    expect(out).toMatch(/^not checked +broker +AMQP does not show policies\. /m);
    expect(out).toMatch(/^ok +audio store +bucket /m);
    expect(out).toMatch(/^ok +work +in work: transcription 0 of 0, analysis 0 of 0$/m);
    expect(out).toMatch(/^not checked +voice model +Its file is where the transcription service runs, which logs /m);
    expect(code).toBe(0);
  });

  it('says which server is too old, and which version is needed', async () => {
    const older = async (address: string, major: number) => {
      const url = new URL(address);
      const relay = await relayTo({ host: url.hostname, port: Number(url.port) }, inVersion(major));
      removal.defer(() => relay.close());
      return address.replace(url.host, relay.address);
    };
    const { MONGODB_URL, RABBITMQ_URL } = isolated.settings;
    const env = { MONGODB_URL: await older(MONGODB_URL, 5), RABBITMQ_URL: await older(RABBITMQ_URL, 3) };
    const { code, out } = await doctor(env);
    expect(out).toMatch(/^wrong +call database +MongoDB 5\.\d+\.\d+ is too old\. Use 6\.0 or later\.$/m);
    expect(out).toMatch(/^wrong +broker +RabbitMQ 3\.\d+\.\d+ is too old\. Use 4\.0 or later\.$/m);
    expect(code).toBe(1);
  });

  it('names queues that are missing, and creates none', async () => {
    const { settings, queues } = await isolate(servers, removal);
    const { code, out } = await doctor({ RABBITMQ_URL: settings.RABBITMQ_URL });
    const missing = 'calls.transcription, calls.analysis, calls.cleanup, calls.dead-letters';
    expect(out).toMatch(new RegExp(`^wrong +broker +Queues are missing: ${missing}\\. Start a service`, 'm'));
    expect(code).toBe(1);
    expect(await queues()).toEqual([]);
  });

  it('names a queue that has other arguments than the services declare', async () => {
    const { settings, virtualHost } = await isolate(servers, removal);
    const { RABBITMQ_URL } = settings;
    await declareQueues(RABBITMQ_URL);
    const queue = `queues/${virtualHost}/calls.cleanup`;
    await servers.management('DELETE', queue);
    await servers.management('PUT', queue, { durable: true, arguments: { 'x-queue-type': 'classic' } });
    const { code, out } = await doctor({ RABBITMQ_URL });
    const [line] = out.split('\n').filter((each) => /^wrong +broker /.test(each));
    expect(line).toMatch(/The services cannot use the queue calls\.cleanup: inequivalent arg 'x-queue-type'/);
    expect(line).toMatch(/received 'quorum' but current is 'classic'\. Delete it: a service creates it again\.$/);
    expect(code).toBe(1);
  });

  it('names an index that is missing', async () => {
    const connection = await mongoose.createConnection(isolated.settings.MONGODB_URL).asPromise();
    const [index] = (await connection.collection('calls').indexes()).filter(({ name }) => name !== '_id_');
    await connection.collection('calls').dropIndex(String(index?.name));
    await connection.close();
    const { code, out } = await doctor();
    expect(out).toMatch(new RegExp(`^wrong +call database +Indexes are missing: calls\\.${index?.name}\\. `, 'm'));
    expect(code).toBe(1);
  });

  it('names an index of an earlier release, which is not wrong', async () => {
    const database = await isolate(servers, removal);
    const { MONGODB_URL } = database.settings;
    const store = openMongoCallStore({ url: MONGODB_URL });
    expect(await store.ready()).toBeNull();
    await store.close();
    const connection = await mongoose.createConnection(MONGODB_URL).asPromise();
    await connection.collection('calls').createIndex({ stage: 1 }, { name: 'unfinished' });
    await connection.close();
    const migrations = await ranHere((terminal) => runCli(['migrations'], { MONGODB_URL }, terminal));
    expect(migrations.out).toMatch(/^done +calls of earlier releases +All calls are /m);
    expect(migrations.out).toMatch(/^waiting +index unfinished +Cleanup has not looked at it yet\.$/m);
    expect(migrations.out).toMatch(/^done +index delayed_by_account +is not there$/m);
    const { code, out } = await doctor({ MONGODB_URL });
    expect(out).toMatch(/^warning +call database +Indexes of an earlier release: calls\.unfinished\. /m);
    expect(code).toBe(0);
  });

  it('says what it cannot check without settings, and what does not answer, without secrets', async () => {
    const unset = await doctor({ RABBITMQ_URL: '', S3_SECRET_KEY: '' });
    expect(unset.out).toMatch(/^not checked +broker +Set RABBITMQ_URL to check it\.$/m);
    expect(unset.out).toMatch(/^not checked +audio store +Set S3_SECRET_KEY to check it\.$/m);
    const away = await doctor({
      MONGODB_URL: 'mongodb://calls:a-password@127.0.0.1:1/calls',
      RABBITMQ_URL: 'amqp://calls:a-password@127.0.0.1:1',
      S3_SECRET_KEY: 'another-secret',
    });
    expect(away.code).toBe(1);
    expect(away.out).toMatch(/^wrong +call database +The call store does not answer\. Check MONGODB_URL and that /m);
    expect(away.out).toMatch(/^wrong +broker .*ECONNREFUSED.* Check RABBITMQ_URL and that the broker runs\.$/m);
    expect(away.out).toContain('3 of 4 checks found something wrong.');
    expect(away.out).toMatch(/^wrong +audio store /m);
    expect(away.out).not.toMatch(/a-password|another-secret| {4}at /);
  });
});
