import { openMongoCallStore } from '@call-analytics/calls/mongo';
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
  });
  afterAll(() => removal.disposeAsync());

  const doctor = (env: Record<string, string> = {}) =>
    ranHere((terminal) => runCli(['doctor'], { ...isolated.settings, ...env }, terminal));

  it('finds nothing wrong with servers that work', async () => {
    const { code, out } = await doctor();
    expect(out).toMatch(/^ok +call database +MongoDB \d+\.\d+\.\d+, indexes complete, clocks agree$/m);
    expect(out).toMatch(/^ok +broker +3 queues, no dead letters$/m);
    expect(out).toMatch(/^ok +audio store +bucket /m);
    expect(out).toMatch(/^ok +work +in work: transcription 0 of 0, analysis 0 of 0$/m);
    expect(code).toBe(0);
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
    const away = await doctor({ RABBITMQ_URL: 'amqp://calls:a-password@127.0.0.1:1', S3_SECRET_KEY: 'another-secret' });
    expect(away.code).toBe(1);
    expect(away.out).toMatch(/^wrong +broker .*ECONNREFUSED/m);
    expect(away.out).toMatch(/^wrong +audio store /m);
    expect(away.out).not.toMatch(/a-password|another-secret| {4}at /);
  });
});
