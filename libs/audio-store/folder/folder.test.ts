import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmdirSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { describeNeeds, itNeeds, linuxProc } from '@call-analytics/test/requirements.fixture.ts';
import { until } from '@call-analytics/test/until.fixture.ts';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { all, audioStoreContract } from '../audio-store.suite.ts';
import { type AudioStore, folderAudioStore } from '../index.ts';

audioStoreContract(
  'folder',
  async () => {
    const dir = await mkdtemp(join(tmpdir(), 'audio-'));
    const store = folderAudioStore({ dir });
    const fill = (keys: readonly string[]) =>
      Promise.all(keys.map((key) => store.put(key, Readable.from([Buffer.from(key)]))));
    return { store, fill, close: () => rm(dir, { recursive: true }) };
  },
  { manyRecordings: 300 },
);

describe('a folder of recordings', () => {
  let dir: string;
  let store: AudioStore;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'audio-'));
    store = folderAudioStore({ dir });
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  it('can be read by nobody but its owner', async () => {
    await store.put('key_1', Readable.from([Buffer.from('private')]));
    const source = new PassThrough();
    const storing = store.put('key_2', source);
    source.write('on its way');
    const names = await until(
      () => readdir(dir, { recursive: true }),
      (found) => found.length === 4,
    );
    const modes = await Promise.all(
      names.map(async (name) => [name, ((await stat(join(dir, name))).mode & 0o777).toString(8)]),
    );
    expect(Object.fromEntries(modes)).toEqual({
      recordings: '700',
      incoming: '700',
      'recordings/key_1': '600',
      'incoming/key_2': '600',
    });
    source.end();
    await storing;
  });

  it('shares its bytes with a fetched file on the same file system', async () => {
    await store.put('key_1', Readable.from([Buffer.from('a recording')]));
    const file = join(dir, 'fetched');
    await store.fetch('key_1', file);
    expect((await stat(file)).ino).toBe((await stat(join(dir, 'recordings', 'key_1'))).ino);
  });

  it('shows no file that it did not make', async () => {
    await store.put('key_1', Readable.from([Buffer.from('a')]));
    await writeFile(join(dir, 'recordings', '.DS_Store'), 'x');
    await writeFile(join(dir, 'incoming', 'lost+found'), 'x');
    expect((await all(store.list())).map(({ key }) => key)).toEqual(['key_1']);
  });

  it('says why it cannot work, and works again once it can', async () => {
    const file = join(dir, 'file');
    await writeFile(file, 'not a folder');
    const blocked = folderAudioStore({ dir: file });
    expect(await blocked.ready()).toContain('ENOTDIR');
    const unavailable = { failure: { kind: 'transient', code: 'audio_store_unavailable' } };
    await expect(blocked.put('key_1', Readable.from([Buffer.from('a')]))).rejects.toMatchObject(unavailable);
    await expect(blocked.stat('key_1')).rejects.toMatchObject(unavailable);
    await expect(blocked.delete('key_1')).rejects.toMatchObject(unavailable);
    await expect(all(blocked.list())).rejects.toMatchObject(unavailable);
    await rm(file);
    await mkdir(file);
    await blocked.put('key_1', Readable.from([Buffer.from('a')]));
    expect(await blocked.ready()).toBeNull();
  });

  itNeeds(linuxProc, 'leaves no file open, however a recording ends', async () => {
    const endings: ((source: PassThrough, abort: AbortController) => unknown)[] = [
      (source) => source.end('whole'),
      (source) => source.destroy(),
      (source) => source.destroy(new Error('broken')),
      (_, abort) => abort.abort(),
      (source, abort) => source.write(Buffer.alloc(2_000_000), () => abort.abort()),
      (source) => source.write(Buffer.alloc(2_000_000), () => source.destroy()),
    ];
    for (const [i, end] of endings.entries()) {
      const source = new PassThrough();
      const abort = new AbortController();
      const storing = store.put(`key_${i}`, source, abort.signal).catch(() => {});
      end(source, abort);
      await storing;
    }
    const open = await Promise.all(
      (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
    );
    expect(open.filter((path) => path.startsWith(dir))).toEqual([]);
    expect(await readdir(join(dir, 'incoming'))).toEqual([]);
  });

  it('keeps of a killed process only what is listed as incomplete and can be deleted', async () => {
    const endless = `
      import { Readable } from 'node:stream';
      import { folderAudioStore } from '@call-analytics/audio-store';
      let sent = 0;
      const source = new Readable({ read() {
        sent += 65536;
        this.push(Buffer.alloc(65536, 1));
        if (sent === 64 * 65536) process.stdout.write('under way');
      } });
      await folderAudioStore({ dir: process.argv[1] }).put('key_1', source);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', endless, dir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');

    expect(await store.stat('key_1')).toBeNull();
    await expect(store.fetch('key_1', join(dir, 'fetched'))).rejects.toMatchObject({
      failure: { code: 'audio_missing' },
    });
    const [left, ...others] = await all(store.list());
    expect(left).toMatchObject({ key: 'key_1', incomplete: true, storedAt: expect.any(Date) });
    expect(left?.bytes).toBeGreaterThan(0);
    expect(others).toEqual([]);

    await store.delete('key_1');
    expect(await all(store.list())).toEqual([]);
    expect(await readdir(join(dir, 'incoming'))).toEqual([]);
  });
});

const disk = mountSmallDisk();
describeNeeds({ what: 'to be permitted to mount a tmpfs', present: disk !== null }, 'a full disk', () => {
  const dir = disk ?? '';
  afterEach(async () => {
    for (const name of await readdir(dir)) await rm(join(dir, name), { recursive: true });
  });
  afterAll(() => {
    execFileSync('umount', [dir]);
    return rm(dir, { recursive: true });
  });

  const fill = async () => {
    const file = join(dir, 'filler');
    await writeFile(file, Buffer.alloc(DISK_BYTES)).catch(() => {});
    return file;
  };

  it.each([
    ['in the middle', [randomBytes(500_000), randomBytes(500_000), randomBytes(500_000)]],
    ['with the last bytes, after the source has ended', [randomBytes(1_500_000)]],
  ])('met %s stores nothing, and says that it is full', async (_, chunks) => {
    const store = folderAudioStore({ dir });
    await expect(store.put('key_1', Readable.from(chunks))).rejects.toMatchObject({
      failure: { kind: 'transient', code: 'audio_store_full' },
    });
    expect(await store.stat('key_1')).toBeNull();
    expect(await all(store.list())).toEqual([]);
    await store.put('key_2', Readable.from([randomBytes(900_000)]));
  });

  it('is no obstacle any more when there is room again', async () => {
    const store = folderAudioStore({ dir });
    await store.put('key_0', Readable.from([Buffer.from('before')]));
    const filler = await fill();
    await expect(store.put('key_1', Readable.from([randomBytes(10_000)]))).rejects.toMatchObject({
      failure: { code: 'audio_store_full' },
    });
    await rm(filler);
    const bytes = randomBytes(10_000);
    await store.put('key_1', Readable.from([bytes]));
    await store.fetch('key_1', join(dir, 'fetched'));
    expect((await readFile(join(dir, 'fetched'))).equals(bytes)).toBe(true);
  });

  it('does not keep recordings from being deleted', async () => {
    const store = folderAudioStore({ dir });
    await store.put('key_1', Readable.from([randomBytes(10_000)]));
    await fill();
    await store.delete('key_1');
    expect(await store.stat('key_1')).toBeNull();
  });

  it('leaves no part of a recording that was to be fetched onto it', async () => {
    const elsewhere = await mkdtemp(join(tmpdir(), 'audio-'));
    const store = folderAudioStore({ dir: elsewhere });
    const bytes = randomBytes(900_000);
    await store.put('key_1', Readable.from([bytes]));
    await store.fetch('key_1', join(dir, 'copied'));
    expect((await readFile(join(dir, 'copied'))).equals(bytes)).toBe(true);
    await expect(store.fetch('key_1', join(dir, 'copied again'))).rejects.toMatchObject({
      failure: { code: 'audio_store_full' },
    });
    expect(existsSync(join(dir, 'copied again'))).toBe(false);
    await rm(elsewhere, { recursive: true });
  });
});

const DISK_BYTES = 1_048_576;

/** @returns the folder where it is mounted, or null where this user may not mount */
function mountSmallDisk(): string | null {
  const dir = mkdtempSync(join(tmpdir(), 'small-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', dir], { stdio: 'ignore' });
    return dir;
  } catch {
    rmdirSync(dir);
    return null;
  }
}
