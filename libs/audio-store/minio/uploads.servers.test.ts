import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { describeWithServers } from '@call-analytics/test/servers/index.ts';
import { until } from '@call-analytics/test/until.fixture.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Client } from 'minio';
import { all } from '../audio-store.suite.ts';
import type { AudioStore } from '../index.ts';
import { minioAudioStore } from './index.ts';
import { everythingIn, MB, PART, pieces, recording, unfinished } from './minio.fixture.ts';

describeWithServers('a recording of several parts in an S3 store', (servers) => {
  let [folder, name] = ['', ''];
  let s3: Client;
  let remove: () => Promise<void>;
  let store: AudioStore;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fetched-'));
  });
  afterAll(() => rm(folder, { recursive: true }));
  beforeEach(async () => {
    ({ name, s3, remove } = await servers.bucket());
    store = open();
  });
  afterEach(() => remove());

  const address = () => ({ ...servers.addresses.s3, useSSL: false, bucket: name });
  const open = (options = {}) => minioAudioStore({ ...address(), ...options });
  const bytesOf = async (key: string) => {
    const file = join(folder, `${name}-${key}`);
    await store.fetch(key, file);
    return readFile(file);
  };
  const incomplete = async () => (await all(store.list())).filter((audio) => audio.incomplete);

  it.each([PART - 1, PART, PART + 1, 2 * PART, 2 * PART + 1, 33 * MB])(
    'comes back byte for byte: %d bytes',
    async (size) => {
      const bytes = recording(size);
      const stored = await store.put('key_1', Readable.from(pieces(bytes)));
      expect(stored).toMatchObject({ key: 'key_1', bytes: size });
      expect(await store.stat('key_1')).toEqual(stored);
      expect((await bytesOf('key_1')).equals(bytes)).toBe(true);
      expect(await all(store.list())).toMatchObject([{ key: 'key_1', bytes: size, incomplete: false }]);
      expect(await everythingIn(s3, name)).toEqual(['recordings/key_1/audio']);
    },
  );

  it('says nothing of where it came from', async () => {
    await store.put('key_1', Readable.from(pieces(recording(6 * MB))));
    const { metaData } = await s3.statObject(name, 'recordings/key_1/audio');
    expect(metaData).toEqual({
      'content-type': 'application/octet-stream',
      put: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  describe.each([
    ['', false],
    [', in a bucket that keeps versions,', true],
  ])('that does not come to its end%s leaves nothing', (_, versioned) => {
    beforeEach(async () => {
      if (versioned) await s3.setBucketVersioning(name, { Status: 'Enabled' });
    });

    const endings: [string, (source: PassThrough, abort: AbortController) => unknown][] = [
      ['when its source breaks', (source) => source.destroy(new Error('the line went dead'))],
      ['when its source closes', (source) => source.destroy()],
      ['when it is aborted', (_source, abort) => abort.abort(new Error('no progress'))],
    ];
    it.each(endings)('%s', async (_how, end) => {
      const { source, taken } = unfinished(recording(3 * PART + 1_000));
      const abort = new AbortController();
      const storing = store.put('key_1', source, abort.signal);
      await taken;
      await until(incomplete, ([first]) => (first?.bytes ?? 0) > 0);
      end(source, abort);
      await expect(storing).rejects.toThrow();
      expect(await everythingIn(s3, name)).toEqual([]);
      expect(await all(store.list())).toEqual([]);
    });
  });

  it('is one of two under the same key: one is stored, whole, and the other leaves nothing', async () => {
    const recordings = [recording(7 * MB), recording(8 * MB)];
    const results = await Promise.allSettled(
      recordings.map((bytes) => store.put('key_1', Readable.from(pieces(bytes)))),
    );
    const won = results.findIndex(({ status }) => status === 'fulfilled');
    expect(results[1 - won]).toMatchObject({ status: 'rejected', reason: { failure: { code: 'audio_exists' } } });
    expect((await bytesOf('key_1')).equals(recordings[won] ?? Buffer.alloc(0))).toBe(true);
    expect(await everythingIn(s3, name)).toEqual(['recordings/key_1/audio']);
  });

  it('is known to grow, however slowly it comes', async () => {
    store = open({ showProgressEveryMs: 1 });
    const source = new PassThrough();
    const storing = store.put('key_1', source);
    const bytes = recording(PART + 3_000);
    source.write(bytes.subarray(0, PART + 1));
    const [first] = await until(incomplete, ([found]) => found?.bytes === PART);
    source.write(bytes.subarray(PART + 1, PART + 2_000));
    const [second] = await until(incomplete, ([found]) => found?.bytes === PART + 2_000);
    expect(second?.storedAt.getTime()).toBeGreaterThan(first?.storedAt.getTime() ?? Number.POSITIVE_INFINITY);
    source.end(bytes.subarray(PART + 2_000));
    await storing;
    expect((await bytesOf('key_1')).equals(bytes)).toBe(true);
  });

  it('is, when its process was killed, listed as incomplete and can be deleted', async () => {
    const endless = `
      import { Readable } from 'node:stream';
      import { minioAudioStore } from '@call-analytics/audio-store/minio';
      let sent = 0;
      const source = new Readable({ read() {
        sent += 65536;
        this.push(Buffer.alloc(65536, 1));
        if (sent === ${20 * PART}) process.stdout.write('under way');
      } });
      await minioAudioStore(JSON.parse(process.argv[1])).put('key_1', source);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', endless, JSON.stringify(address())], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');

    expect(await store.stat('key_1')).toBeNull();
    const [left, ...others] = await all(store.list());
    expect(left).toMatchObject({ key: 'key_1', incomplete: true, storedAt: expect.any(Date) });
    expect(left?.bytes).toBeGreaterThan(PART);
    expect(others).toEqual([]);
    await store.delete('key_1');
    expect(await all(store.list())).toEqual([]);
    expect(await everythingIn(s3, name)).toEqual([]);
  });

  it('whose process died before its first byte was there is listed and can be deleted', async () => {
    await s3.putObject(name, 'recordings/key_1/incoming', '');
    expect(await all(store.list())).toEqual([{ key: 'key_1', bytes: 0, incomplete: true, storedAt: expect.any(Date) }]);
    await store.delete('key_1');
    expect(await everythingIn(s3, name)).toEqual([]);
  });

  it('whose process died after its last byte was there is whole', async () => {
    await store.put('key_1', Readable.from(pieces(recording(PART + 1))));
    await s3.putObject(name, 'recordings/key_1/incoming', '');
    expect(await all(store.list())).toMatchObject([{ key: 'key_1', bytes: PART + 1, incomplete: false }]);
    await store.delete('key_1');
    expect(await everythingIn(s3, name)).toEqual([]);
  });

  it('does not hold more memory than 300 MB for 20 of 50 MB at once', async () => {
    const upload = `
      import { Readable } from 'node:stream';
      import { minioAudioStore } from '@call-analytics/audio-store/minio';
      const store = minioAudioStore(JSON.parse(process.argv[1]));
      const piece = Buffer.alloc(65536, 7);
      const recording = (bytes) => Readable.from((function* () { for (let at = 0; at < bytes; at += piece.length) yield piece; })());
      await store.put('first', recording(100_000));
      const before = process.memoryUsage.rss();
      let most = before;
      setInterval(() => { most = Math.max(most, process.memoryUsage.rss()); }, 5).unref();
      await Promise.all(Array.from({ length: 20 }, (_, i) => store.put('key_' + i, recording(50_000_000))));
      process.stdout.write(String(Math.max(most, process.memoryUsage.rss()) - before));`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', upload, JSON.stringify(address())], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const grown = Number(await new Response(Readable.toWeb(child.stdout) as ReadableStream).text());
    expect(grown).toBeGreaterThan(0);
    expect(grown).toBeLessThan(300 * MB);
    expect((await all(store.list())).filter(({ bytes }) => bytes >= 50 * MB)).toHaveLength(20);
  });
});
