import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describeWithServers } from '@call-analytics/test/servers/index.ts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Client, RETENTION_MODES } from 'minio';
import { all } from '../audio-store.suite.ts';
import type { AudioStore } from '../index.ts';
import { minioAudioStore } from './index.ts';
import { everythingIn } from './minio.fixture.ts';

const unavailable = { failure: { kind: 'transient', code: 'audio_store_unavailable' } };
const AUDIO = 'recordings/key_1/audio';

describeWithServers('the bucket of recordings', (servers) => {
  let name: string;
  let s3: Client;
  let remove: () => Promise<void>;
  let store: AudioStore;
  beforeEach(async () => {
    ({ name, s3, remove } = await servers.bucket());
    store = open();
  });
  afterEach(() => remove());

  const open = (options = {}) => minioAudioStore({ ...servers.addresses.s3, useSSL: false, bucket: name, ...options });
  const put = (key: string, words: string, into = store) => into.put(key, Readable.from([Buffer.from(words)]));
  const sizes = async () => (await all(store.list())).map(({ key, bytes }) => [key, bytes]);

  describe('that keeps versions', () => {
    beforeEach(() => s3.setBucketVersioning(name, { Status: 'Enabled' }));

    it('has nothing of a recording after its deletion, however often it was written and deleted behind the store’s back', async () => {
      await put('key_1', 'first');
      await s3.putObject(name, AUDIO, 'second');
      await s3.removeObject(name, AUDIO);
      await s3.putObject(name, AUDIO, 'third');
      await s3.removeObject(name, AUDIO);
      await put('key_2', 'stays');
      await store.delete('key_1');
      expect(await everythingIn(s3, name)).toEqual(['recordings/key_2/audio']);
    });

    it('shows a recording whose bytes a delete marker hides, and deletes it', async () => {
      await put('key_1', 'hidden');
      await s3.removeObject(name, AUDIO);
      expect(await store.stat('key_1')).toBeNull();
      expect(await sizes()).toEqual([['key_1', 6]]);
      await store.delete('key_1');
      expect(await sizes()).toEqual([]);
      expect(await everythingIn(s3, name)).toEqual([]);
    });

    it('shows a recording once, with its newest bytes, however many versions there are', async () => {
      await put('key_1', 'first');
      for (const words of ['the second', 'the third one']) await s3.putObject(name, AUDIO, words);
      expect(await sizes()).toEqual([['key_1', 13]]);
    });

    it('has nothing of a recording after its deletion, although it kept none when the store last looked', async () => {
      await s3.setBucketVersioning(name, { Status: 'Suspended' });
      for (const key of ['key_1', 'key_2']) {
        await put(key, 'without versions');
        await store.delete(key);
      }
      await s3.setBucketVersioning(name, { Status: 'Enabled' });
      await put('key_3', 'with versions');
      await store.delete('key_3');
      expect(await everythingIn(s3, name)).toEqual([]);
    });

    it('has, when it does not any more, what was written before and nothing else', async () => {
      await put('key_1', 'first');
      await s3.setBucketVersioning(name, { Status: 'Suspended' });
      await s3.putObject(name, AUDIO, 'second');
      await s3.removeObject(name, AUDIO);
      await store.delete('key_1');
      expect(await everythingIn(s3, name)).toEqual([]);
    });
  });

  it('that locks a recording does not delete it, and nobody is told that it did', async () => {
    const locking = `${name}-locks`;
    await s3.makeBucket(locking, '', { ObjectLocking: true });
    const locked = open({ bucket: locking });
    await put('key_1', 'kept', locked);
    const versionId = (await s3.statObject(locking, AUDIO)).versionId ?? '';
    const retainUntilDate = new Date(Date.now() + 3_600_000).toISOString();
    await s3.putObjectRetention(locking, AUDIO, { mode: RETENTION_MODES.GOVERNANCE, retainUntilDate, versionId });
    await expect(locked.delete('key_1')).rejects.toMatchObject(unavailable);
    expect(await locked.stat('key_1')).toMatchObject({ bytes: 4 });
    expect(await all(locked.list())).toHaveLength(1);
    await s3.removeObject(locking, AUDIO, { versionId, governanceBypass: true });
    await locked.delete('key_1');
    expect(await locked.stat('key_1')).toBeNull();
    await s3.removeBucket(locking);
  });

  it('may hold other things, which are left alone', async () => {
    const others = [
      'key_1',
      'recordings/readme.txt',
      'recordings/key_1/notes',
      'recordings/no key/audio',
      'recordings/key_1/audio/x',
    ];
    for (const other of others) await s3.putObject(name, other, 'x');
    expect(await all(store.list())).toEqual([]);
    expect(await store.stat('key_1')).toBeNull();
    await put('key_10', 'ours');
    await store.delete('key_1');
    expect(await sizes()).toEqual([['key_10', 4]]);
    expect(await everythingIn(s3, name)).toEqual(expect.arrayContaining(['key_1', 'recordings/readme.txt']));
  });

  it('is made by whoever needs it first, and by several at once', async () => {
    const bucket = `test-${randomUUID().slice(0, 8)}`;
    const stores = Array.from({ length: 8 }, () => open({ bucket }));
    await Promise.all(stores.map((one, i) => put(`key_${i}`, 'first', one)));
    expect(await all(stores[0]?.list() ?? store.list())).toHaveLength(8);
    for (let i = 0; i < 8; i++) await store.delete(`key_${i}`).then(() => stores[0]?.delete(`key_${i}`));
    await s3.removeBucket(bucket);
  });

  it('is not taken for an empty one when it is gone, and made again', async () => {
    await put('key_1', 'a');
    await s3.removeObject(name, AUDIO);
    await s3.removeBucket(name);
    const gone = { ...unavailable, cause: { message: `the S3 store has no bucket ${name}: check S3_BUCKET` } };
    await expect(store.stat('key_1')).rejects.toMatchObject(gone);
    await put('key_2', 'b');
    expect(await store.ready()).toBeNull();
    expect(await sizes()).toEqual([['key_2', 1]]);
  });

  it.each([
    ['access key', { accessKey: 'nobody' }, 'InvalidAccessKeyId'],
    ['secret', { secretKey: 'not-this-one' }, 'SignatureDoesNotMatch'],
  ])('cannot be used with a wrong %s, and says so to the operator alone', async (_, wrong, code) => {
    const refused = open(wrong);
    const words = `the S3 store refuses the credentials (${code}): check S3_ACCESS_KEY and S3_SECRET_KEY`;
    expect(await refused.ready()).toBe(words);
    const asking = [
      () => put('key_1', 'a', refused),
      () => refused.stat('key_1'),
      () => refused.delete('key_1'),
      () => refused.fetch('key_1', join(tmpdir(), randomUUID())),
      () => all(refused.list()),
    ];
    for (const ask of asking) {
      const error = await ask().then(
        () => null,
        (err: Error) => err,
      );
      expect(error).toMatchObject({ ...unavailable, cause: { message: words } });
      expect(error?.message).not.toContain('S3');
    }
  });

  it('in a place where there is no store is unavailable', async () => {
    const nowhere = open({ endPoint: '127.0.0.1', port: 1 });
    expect(await nowhere.ready()).toBe('the S3 store cannot be reached (ECONNREFUSED): check S3_URL');
    await expect(put('key_1', 'a', nowhere)).rejects.toMatchObject(unavailable);
  });
});
