import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { WorkError } from '@call-analytics/service-kit';
import { describeWithServers, IMAGES } from '@call-analytics/test/servers/index.ts';
import { until } from '@call-analytics/test/until.fixture.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MinioContainer, type StartedMinioContainer } from '@testcontainers/minio';
import { type CreatedProxy, type StartedToxiProxyContainer, ToxiProxyContainer } from '@testcontainers/toxiproxy';
import { Client } from 'minio';
import { Network, type StartedNetwork } from 'testcontainers';
import { all } from '../audio-store.suite.ts';
import type { AudioStore } from '../index.ts';
import { minioAudioStore } from './index.ts';
import { everythingIn, MB, PART, pieces, recording, unfinished } from './minio.fixture.ts';

const unavailable = { failure: { kind: 'transient', code: 'audio_store_unavailable' } };
const BUCKET = 'recordings';
type Toxic = Parameters<CreatedProxy['instance']['addToxic']>[0];
const toxic = (type: string, stream: 'upstream' | 'downstream', attributes: object) =>
  ({ name: `${type}-${stream}`, type, stream, toxicity: 1, attributes }) as Toxic;
/** Nothing comes through any more, and nobody is told. */
const SILENCE = [toxic('timeout', 'upstream', { timeout: 0 }), toxic('timeout', 'downstream', { timeout: 0 })];
const SLOW = [toxic('bandwidth', 'upstream', { rate: 10 }), toxic('bandwidth', 'downstream', { rate: 10 })];

describeWithServers('an S3 store behind a bad network', () => {
  let network: StartedNetwork;
  let minio: StartedMinioContainer;
  let toxiproxy: StartedToxiProxyContainer;
  let proxy: CreatedProxy;
  let folder: string;
  let store: AudioStore;
  /** Past the proxy. */
  let s3: Client;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fetched-'));
    network = await new Network().start();
    [minio, toxiproxy] = await Promise.all([
      new MinioContainer(IMAGES.minio).withNetwork(network).withNetworkAliases('minio').start(),
      new ToxiProxyContainer(IMAGES.toxiproxy).withNetwork(network).start(),
    ]);
    proxy = await toxiproxy.createProxy({ name: 's3', upstream: 'minio:9000' });
    s3 = new Client({ ...account(), endPoint: minio.getHost(), port: minio.getPort() });
    await s3.makeBucket(BUCKET);
  }, 120_000);
  afterAll(async () => {
    await Promise.all([minio.stop({ timeout: 0 }), toxiproxy.stop({ timeout: 0 })]);
    await network.stop();
    await rm(folder, { recursive: true });
  });
  beforeEach(() => {
    store = minioAudioStore({
      ...account(),
      endPoint: proxy.host,
      port: proxy.port,
      bucket: BUCKET,
      idleTimeoutMs: 1_500,
    });
  });
  afterEach(async () => {
    await heal();
    const emptied = async () => {
      for await (const { key } of store.list()) await store.delete(key);
      return true;
    };
    // A request that takes a connection from before finds it broken.
    await until(
      () => emptied().catch(() => false),
      (done) => done,
    );
    expect(await everythingIn(s3, BUCKET)).toEqual([]);
  });

  const account = () => ({ useSSL: false, accessKey: minio.getUsername(), secretKey: minio.getPassword() });
  const poison = async (toxics: Toxic[]) => {
    for (const one of toxics) await proxy.instance.addToxic(one);
  };
  const heal = () => toxiproxy.client.reset();
  const file = (key: string) => join(folder, `${Math.random()}-${key}`);
  const sizeOf = (path: string) => (existsSync(path) ? statSync(path).size : 0);
  const put = (key: string, bytes: Buffer, into = store) => into.put(key, Readable.from(pieces(bytes)));
  const listed = () => all(store.list());

  describe('a recording on its way in', () => {
    it.each([
      ['is cut', () => proxy.setEnabled(false)],
      [
        'is reset',
        () =>
          poison([toxic('reset_peer', 'upstream', { timeout: 0 }), toxic('reset_peer', 'downstream', { timeout: 0 })]),
      ],
      ['falls silent', () => poison(SILENCE)],
    ])('whose connection %s is refused, and what is left of it is found when the store is back', async (_, break_) => {
      const { source, taken } = unfinished(recording(2 * PART + 1_000));
      const storing = store.put('key_1', source);
      await taken;
      await until(listed, ([found]) => found?.bytes === 2 * PART);
      await break_();
      source.end(recording(PART));
      await expect(storing).rejects.toMatchObject(unavailable);
      expect(source.destroyed).toBe(true);
      await heal();
      expect(await store.stat('key_1')).toBeNull();
      expect(await listed()).toMatchObject([{ key: 'key_1', incomplete: true }]);
      await store.delete('key_1');
      expect(await everythingIn(s3, BUCKET)).toEqual([]);
    });

    it('whose connections break one by one leaves nothing', async () => {
      await store.ready();
      await poison([toxic('limit_data', 'upstream', { bytes: 3 * MB })]);
      await expect(put('key_1', recording(4 * PART))).rejects.toMatchObject(unavailable);
      expect(await everythingIn(s3, BUCKET)).toEqual([]);
    });

    it('arrives over a connection of 10 kB a second', async () => {
      const patient = minioAudioStore({ ...account(), endPoint: proxy.host, port: proxy.port, bucket: BUCKET });
      await poison(SLOW);
      const bytes = recording(80_000);
      await put('key_1', bytes, patient);
      await patient.fetch('key_1', file('key_1'));
      await heal();
      const to = file('key_1');
      await store.fetch('key_1', to);
      expect((await readFile(to)).equals(bytes)).toBe(true);
    });
  });

  describe('a recording on its way out', () => {
    it('goes on from where its connection broke', async () => {
      const bytes = recording(3 * MB);
      await put('key_1', bytes);
      await poison([toxic('limit_data', 'downstream', { bytes: MB })]);
      const to = file('key_1');
      await store.fetch('key_1', to);
      expect((await readFile(to)).equals(bytes)).toBe(true);
    });

    it('over connections that break each time leaves no file', async () => {
      await put('key_1', recording(3 * MB));
      await poison([toxic('limit_data', 'downstream', { bytes: 100_000 })]);
      const to = file('key_1');
      await expect(store.fetch('key_1', to)).rejects.toMatchObject(unavailable);
      expect(existsSync(to)).toBe(false);
    });

    it.each([
      ['is cut for good', () => proxy.setEnabled(false)],
      ['falls silent', () => poison(SILENCE)],
    ])('over a connection that %s leaves no file', async (_, break_) => {
      await put('key_1', recording(3 * MB));
      await poison(SLOW);
      const to = file('key_1');
      const fetching = store.fetch('key_1', to);
      fetching.catch(() => {});
      await until(
        () => sizeOf(to),
        (size) => size > 0,
      );
      await break_();
      await expect(fetching).rejects.toMatchObject(unavailable);
      expect(existsSync(to)).toBe(false);
    });

    it('can be stopped, and leaves no file', async () => {
      await put('key_1', recording(MB));
      await poison(SLOW);
      const to = file('key_1');
      const abort = new AbortController();
      const fetching = store.fetch('key_1', to, abort.signal);
      fetching.catch(() => {});
      await until(
        () => sizeOf(to),
        (size) => size > 0,
      );
      const reason = new Error('the worker stops');
      abort.abort(reason);
      await expect(fetching).rejects.toBe(reason);
      expect(existsSync(to)).toBe(false);
    });
  });

  it.each([
    ['stat', () => store.stat('key_1')],
    ['delete', () => store.delete('key_1')],
    ['list', () => listed()],
    ['fetch', () => store.fetch('key_1', file('key_1'))],
    ['put', () => put('key_1', recording(1_000))],
  ])('that accepts and says nothing is unavailable to %s', async (_, ask) => {
    await poison(SILENCE);
    await expect(ask()).rejects.toMatchObject(unavailable);
  });

  it('that accepts and says nothing is not ready, and says so', async () => {
    await poison(SILENCE);
    expect(await store.ready()).toBe('the S3 store said nothing for 1500 ms');
  });

  it('lets an upload be given up while it says nothing', async () => {
    await poison(SILENCE);
    const abort = new AbortController();
    const { source } = unfinished(recording(1_000));
    const storing = store.put('key_1', source, abort.signal);
    const reason = new Error('the client is gone');
    abort.abort(reason);
    await expect(storing).rejects.toBe(reason);
  });

  it('forgets a recording that its process left half-way when it is restarted, but we do not', async () => {
    const { source, taken } = unfinished(recording(2 * PART));
    const storing = store.put('key_1', source);
    await taken;
    await until(listed, ([found]) => (found?.bytes ?? 0) >= PART);
    await put('key_2', recording(6 * MB));
    execFileSync('docker', ['stop', '--timeout', '0', minio.getId()], { stdio: 'ignore' });
    source.destroy(new Error('the client is gone too'));
    await expect(storing).rejects.toThrow('the client is gone too');
    await expect(store.stat('key_2')).rejects.toMatchObject(unavailable);
    expect(await store.ready()).toMatch(/^the S3 store /);
    execFileSync('docker', ['start', minio.getId()], { stdio: 'ignore' });
    // Published ports change with a restart.
    s3 = new Client({ ...account(), endPoint: proxy.host, port: proxy.port });
    await until(
      () => store.ready(),
      (why) => why === null,
      60_000,
    );
    expect((await listed()).map(({ key, incomplete }) => [key, incomplete])).toEqual([
      ['key_1', true],
      ['key_2', false],
    ]);
    await put('key_3', recording(6 * MB));
  });
});

describeWithServers('an S3 store with a full disk', () => {
  let minio: StartedMinioContainer;
  let store: AudioStore;
  let s3: Client;
  beforeAll(async () => {
    minio = await new MinioContainer(IMAGES.minio).withTmpFs({ '/data': 'rw,size=64m' }).start();
    const address = { endPoint: minio.getHost(), port: minio.getPort(), useSSL: false, accessKey: minio.getUsername() };
    s3 = new Client({ ...address, secretKey: minio.getPassword() });
    store = minioAudioStore({ ...address, secretKey: minio.getPassword(), bucket: BUCKET });
  }, 120_000);
  afterAll(() => minio.stop({ timeout: 0 }));

  it('refuses recordings with the reason, keeps no part of them, and takes them again when some were deleted', async () => {
    const refusal = {
      failure: { kind: 'transient' },
      cause: { message: expect.stringMatching(/has no room|check whether it has room/) },
    };
    await expect(put('too_large', 80 * MB)).rejects.toMatchObject(refusal);
    expect(await all(store.list())).toEqual([]);
    await untilThereIsRoom();
    const stored: string[] = [];
    const fill = async () => {
      for (let i = 0; ; i++) {
        await put(`key_${i}`, 4 * MB);
        stored.push(`key_${i}`);
      }
    };
    await expect(fill()).rejects.toMatchObject(refusal);
    expect((await all(store.list())).map(({ key }) => key).sort()).toEqual(stored.toSorted());
    expect(stored.length).toBeGreaterThan(5);
    // At first it is the disk that says so, in several ways, and then MinIO, which looks at it now and then.
    await until(
      () =>
        put('another', 4 * MB).catch(({ failure, cause }: WorkError) => `${failure.code}: ${(cause as Error).message}`),
      (words) => words === 'audio_store_full: the S3 store has no room (XMinioStorageFull)',
    );
    for (const key of stored) await store.delete(key);
    await untilThereIsRoom();
    expect(await everythingIn(s3, BUCKET)).toEqual([]);
  });

  const put = (key: string, bytes: number) => store.put(key, Readable.from(pieces(recording(bytes))));
  /** MinIO empties its trash every five minutes, and looks only now and then how much room there is. */
  const untilThereIsRoom = async () => {
    await minio.exec(['sh', '-c', 'rm -r /data/.minio.sys/tmp/.trash/*']);
    await until(
      () =>
        put('a_test', 6 * MB).then(
          () => true,
          () => false,
        ),
      (fits) => fits,
    );
    await store.delete('a_test');
  };
});
