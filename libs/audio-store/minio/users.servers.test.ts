import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { makeLogger, makeMetrics, readSettings } from '@call-analytics/service-kit';
import { describeWithServers } from '@call-analytics/test/servers/index.ts';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client } from 'minio';
import { all } from '../audio-store.suite.ts';
import type { AudioStore } from '../index.ts';
import { audioStoreSettings, connectAudioStore, makeS3Users, minioAudioStore, S3_USERS, type S3User } from './index.ts';
import { everythingIn, PART, recording } from './minio.fixture.ts';

describeWithServers('the users of the S3 store, one for each service', (servers) => {
  const secrets = Object.fromEntries(S3_USERS.map((user) => [user, randomBytes(12).toString('hex')])) as Record<
    S3User,
    string
  >;
  let bucket: Awaited<ReturnType<typeof servers.bucket>>;
  const stores = {} as Record<S3User, AudioStore>;
  beforeAll(async () => {
    bucket = await servers.bucket();
    const options = { ...servers.addresses.s3, useSSL: false, bucket: bucket.name };
    await makeS3Users(options, secrets);
    // Repeating it changes nothing.
    await makeS3Users(options, secrets);
    for (const user of S3_USERS)
      stores[user] = minioAudioStore({ ...options, accessKey: user, secretKey: secrets[user] });
  });
  afterAll(() => bucket.remove());

  const source = (bytes: number) => Readable.from([recording(bytes)]);
  const file = () => join(tmpdir(), randomBytes(8).toString('hex'));
  const denied = {
    failure: { code: 'audio_store_unavailable' },
    cause: { message: expect.stringContaining('Denied') },
  };
  const deletionDenied = { ...denied, failure: { code: 'audio_store_deletion_denied' } };

  it.each([1_000, 3 * PART])('take a recording of %i bytes from its upload to its deletion', async (bytes) => {
    const key = `key_${bytes}`;
    await stores.gateway.put(key, source(bytes));
    expect(await everythingIn(bucket.s3, bucket.name)).toEqual([`recordings/${key}/audio`]);
    expect(await stores.gateway.stat(key)).toMatchObject({ bytes });
    await stores.transcription.fetch(key, file());
    expect(await all(stores.cleanup.list())).toMatchObject([{ key, bytes }]);
    await stores.cleanup.delete(key);
    expect(await everythingIn(bucket.s3, bucket.name)).toEqual([]);
  });

  it('keep the gateway from reading and deleting recordings, and an upload that breaks still leaves no bytes', async () => {
    await stores.gateway.put('kept', source(1_000));
    await expect(stores.gateway.fetch('kept', file())).rejects.toMatchObject(denied);
    await expect(stores.gateway.delete('kept')).rejects.toMatchObject(deletionDenied);
    const broken = (async function* () {
      yield recording(2 * PART);
      throw new Error('the client is gone');
    })();
    await expect(stores.gateway.put('broken', Readable.from(broken))).rejects.toThrow('the client is gone');
    expect(await everythingIn(bucket.s3, bucket.name)).toEqual(['recordings/kept/audio']);
    await stores.cleanup.delete('kept');
  });

  it('keep transcription from storing and deleting, and cleanup from storing and reading', async () => {
    await stores.gateway.put('kept', source(1_000));
    await expect(stores.transcription.put('new', source(1_000))).rejects.toMatchObject(denied);
    await expect(stores.transcription.delete('kept')).rejects.toMatchObject(deletionDenied);
    await expect(stores.cleanup.put('new', source(1_000))).rejects.toMatchObject(denied);
    await expect(stores.cleanup.fetch('kept', file())).rejects.toMatchObject(denied);
    await expect(stores.ops.delete('kept')).rejects.toMatchObject(deletionDenied);
    expect(await everythingIn(bucket.s3, bucket.name)).toEqual(['recordings/kept/audio']);
    await stores.cleanup.delete('kept');
  });

  it('open no circuit by asking for what they may not: the store works', async () => {
    const { endPoint, port } = servers.addresses.s3;
    const env = { S3_URL: `http://${endPoint}:${port}`, S3_BUCKET: bucket.name, S3_ACCESS_KEY: 'gateway' };
    const settings = readSettings(audioStoreSettings, { ...env, S3_SECRET_KEY: secrets.gateway });
    const gateway = connectAudioStore(settings, { log: makeLogger('test', 'silent'), metrics: makeMetrics() });
    await gateway.put('kept', source(1_000));
    for (let time = 0; time < 30; time += 1) await expect(gateway.delete('kept')).rejects.toMatchObject(deletionDenied);
    await gateway.put('next', source(1_000));
    for (const key of ['kept', 'next']) await stores.cleanup.delete(key);
  });

  it('reach nothing else in the store, and make no users', async () => {
    const other = await servers.bucket();
    for (const user of S3_USERS) {
      const client = new Client({ ...servers.addresses.s3, useSSL: false, accessKey: user, secretKey: secrets[user] });
      await expect(client.listObjectsV2Query(other.name, '', '', '', 1, '')).rejects.toMatchObject({
        code: 'AccessDenied',
      });
      await expect(client.putObject(bucket.name, 'elsewhere', 'x')).rejects.toMatchObject({ code: 'AccessDenied' });
    }
    const options = { ...servers.addresses.s3, useSSL: false, bucket: bucket.name };
    const asGateway = { ...options, accessKey: 'gateway', secretKey: secrets.gateway };
    await expect(makeS3Users(asGateway, secrets)).rejects.toThrow();
    await other.remove();
  });
});
