import { expect, it } from '@jest/globals';
import { describeWithServers } from '../servers/index.ts';
import { until } from '../until.fixture.ts';
import { deploymentOfItsOwn } from './deployment-tests.fixture.ts';

const COME_AGAIN = { status: 503, retryAfter: '5', id: null };

describeWithServers('nothing is lost when the store of recordings', () => {
  const the = deploymentOfItsOwn();

  it('is down while recordings are uploaded: they are refused for now, no call and no bytes are kept, and who insists is accepted in the end', async () => {
    const account = await the.account();
    await the.servers.minio.down();
    expect(await Promise.all([account.upload(), account.upload()])).toEqual([COME_AGAIN, COME_AGAIN]);
    expect(await account.calls()).toEqual([]);
    const insisting = account.insist();
    await the.servers.minio.up();
    expect(await the.servers.recordings()).toBeLessThanOrEqual(1);
    the.expectOnlyRetries([await insisting]);
    await the.expectNothingLost(1);
  });

  it('goes down in the middle of an upload: no call, and nothing of it that could be taken for a recording', async () => {
    const account = await the.account();
    const sendRest = await account.uploadHalf();
    await the.servers.minio.down();
    expect(await sendRest()).toEqual(COME_AGAIN);
    await the.servers.minio.heal();
    expect(await the.servers.recordings()).toBe(0);
    await the.expectNothingLost(0);
  });

  it('is down when recordings are to be transcribed: the calls wait, however long, and nothing is counted against them', async () => {
    const account = await the.account();
    const { cluster } = the;
    const { minio } = the.servers;
    const worker = cluster.member('transcription');
    await worker.kill();
    await account.uploads(2);
    await minio.down();
    await worker.launch();
    const said = worker.process.log.length;
    await until(async () => (await worker.readiness())?.includes('audio store') ?? false, 'it says what it misses');
    const tries = () => worker.process.log.slice(said).filter(({ msg }) => msg === 'started').length;
    // A call that could fail of it would have failed by then: five failures that count are its end.
    await until(
      () => tries() > 12 || worker.process.log.slice(said).some(({ msg }) => String(msg).startsWith('circuit open')),
      'it has tried',
      90_000,
    );
    expect((await account.calls()).filter(({ status }) => status === 'failed')).toEqual([]);
    await minio.up();
    await the.expectNothingLost(2);
  });

  it('is down when recordings are to be deleted: they are deleted when it is back, and not called deleted before', async () => {
    const account = await the.account();
    const { cluster } = the;
    const { minio } = the.servers;
    const cleanup = cluster.member('cleanup');
    await cleanup.kill();
    const ids = await account.uploads(2);
    for (const id of ids) expect((await account.client.finished(id)).status).toBe('completed');
    await minio.down();
    await cleanup.launch();
    await until(
      () => cleanup.process.log.some(({ msg }) => msg === 'a recording could not be deleted'),
      'it could not delete',
    );
    // It would delete them before they are counted.
    await cleanup.kill();
    await minio.up();
    expect(await the.servers.recordings()).toBe(2);
    await cleanup.start();
    await the.expectNothingLost(2);
  });

  it('has no room: uploads are refused for now and leave no bytes, calls go on, and there is room again when it is made', async () => {
    const account = await the.account();
    const { minio } = the.servers;
    the.deployment.slowEngine(2_000);
    const [id = ''] = await account.uploads(1);
    await minio.fill(0);
    expect(await Promise.all([account.upload(), account.upload()])).toEqual([COME_AGAIN, COME_AGAIN]);
    expect((await account.client.finished(id)).status).toBe('completed');
    const insisting = account.insist();
    await minio.makeRoom();
    the.expectOnlyRetries([await insisting]);
    await the.expectNothingLost(2);
  });
});
