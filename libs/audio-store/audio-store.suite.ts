import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { AudioStore } from './index.ts';

interface OpenAudioStore {
  store: AudioStore;
  /** Stores recordings that consist of their keys, as `put` does, in less time. */
  fill(keys: readonly string[]): Promise<unknown>;
  close(): Promise<void>;
}

/**
 * What every adapter of `AudioStore` must do.
 * @param open gives an empty store
 * @param manyRecordings more than the adapter lists in one page
 */
export function audioStoreContract(
  name: string,
  open: () => Promise<OpenAudioStore>,
  { manyRecordings }: { manyRecordings: number },
): void {
  describe(`audio store contract: ${name}`, () => {
    let store: AudioStore;
    let fill: OpenAudioStore['fill'];
    let close: () => Promise<void>;
    let folder: string;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'fetched-'));
    });
    afterAll(() => rm(folder, { recursive: true }));
    beforeEach(async () => {
      ({ store, fill, close } = await open());
    });
    afterEach(() => close());

    const newFile = () => join(folder, randomUUID());
    const listed = () => all(store.list());
    const whole = async () => (await listed()).filter(({ incomplete }) => !incomplete).map(({ key }) => key);
    const bytesOf = async (key: string) => {
      const file = newFile();
      await store.fetch(key, file);
      return readFile(file);
    };
    const expectNothing = async (key: string) => {
      expect(await store.stat(key)).toBeNull();
      expect(await listed()).toEqual([]);
      await expect(store.fetch(key, newFile())).rejects.toMatchObject({
        failure: { kind: 'rejected', code: 'audio_missing' },
      });
    };

    describe('storing', () => {
      it('gives a recording back byte for byte', async () => {
        const chunks = [1, 65_536, 3_000_000, 7].map((size) => randomBytes(size));
        const stored = await store.put('key_1', Readable.from(chunks));
        expect(stored).toEqual({ key: 'key_1', bytes: 3_065_544, storedAt: expect.any(Date) });
        expect(await store.stat('key_1')).toEqual(stored);
        expect((await bytesOf('key_1')).equals(Buffer.concat(chunks))).toBe(true);
      });

      it('stores a recording of no bytes', async () => {
        await store.put('key_1', Readable.from([]));
        expect(await store.stat('key_1')).toMatchObject({ bytes: 0 });
        expect(await bytesOf('key_1')).toHaveLength(0);
      });

      it('shows nothing of a recording before it is whole', async () => {
        const source = new PassThrough();
        const storing = store.put('key_1', source);
        await written(source, randomBytes(2_000_000));
        expect(await store.stat('key_1')).toBeNull();
        expect(await whole()).toEqual([]);
        await expect(store.fetch('key_1', newFile())).rejects.toMatchObject({ failure: { code: 'audio_missing' } });
        source.end(Buffer.from('the end'));
        await storing;
        expect(await whole()).toEqual(['key_1']);
      });

      it('keeps nothing when the source breaks, and throws what broke it', async () => {
        const broken = new Error('the line went dead');
        const source = Readable.from(
          (async function* () {
            yield randomBytes(1_500_000);
            throw broken;
          })(),
        );
        await expect(store.put('key_1', source)).rejects.toBe(broken);
        await expectNothing('key_1');
      });

      it('keeps nothing when the source breaks before its first byte', async () => {
        const source = new PassThrough();
        const storing = store.put('key_1', source);
        source.destroy(new Error('gone at once'));
        await expect(storing).rejects.toThrow('gone at once');
        await expectNothing('key_1');
      });

      it('keeps nothing when the source closes without an end', async () => {
        const source = new PassThrough();
        const storing = store.put('key_1', source);
        await written(source, randomBytes(100_000));
        source.destroy();
        await expect(storing).rejects.toThrow();
        await expectNothing('key_1');
      });

      it('keeps nothing when it is aborted, throws the reason and lets go of the source', async () => {
        const source = new PassThrough();
        const abort = new AbortController();
        const storing = store.put('key_1', source, abort.signal);
        await written(source, randomBytes(2_000_000));
        const reason = new Error('no progress for a minute');
        abort.abort(reason);
        await expect(storing).rejects.toBe(reason);
        expect(source.destroyed).toBe(true);
        await expectNothing('key_1');
      });

      it.each([
        ['a reason', new Error('too late')],
        ['no reason', undefined],
      ])('stores nothing when it was aborted before, with %s', async (_, reason) => {
        const signal = AbortSignal.abort(reason);
        await expect(store.put('key_1', Readable.from([Buffer.from('a')]), signal)).rejects.toBe(signal.reason);
        await expectNothing('key_1');
      });

      it('takes a key again whose first recording did not come through', async () => {
        const source = new PassThrough();
        const storing = store.put('key_1', source);
        source.destroy(new Error('gone'));
        await expect(storing).rejects.toThrow('gone');
        await store.put('key_1', Readable.from([Buffer.from('second try')]));
        expect((await bytesOf('key_1')).toString()).toBe('second try');
      });

      it('never overwrites', async () => {
        await store.put('key_1', Readable.from([Buffer.from('the first')]));
        await expect(store.put('key_1', Readable.from([Buffer.from('the second')]))).rejects.toMatchObject({
          failure: { code: 'audio_exists' },
        });
        expect((await bytesOf('key_1')).toString()).toBe('the first');
        expect(await whole()).toEqual(['key_1']);
      });

      it('lets one of several that store under one key win, whole', async () => {
        const recordings = Array.from({ length: 4 }, () => randomBytes(300_000));
        const results = await Promise.allSettled(
          recordings.map((bytes) =>
            store.put('key_1', Readable.from([bytes.subarray(0, 1_000), bytes.subarray(1_000)])),
          ),
        );
        const won = results.flatMap((result, i) => (result.status === 'fulfilled' ? [i] : []));
        expect(won).toHaveLength(1);
        expect((await bytesOf('key_1')).equals(recordings[won[0] ?? -1] ?? Buffer.alloc(0))).toBe(true);
        expect(await whole()).toEqual(['key_1']);
      });

      it('stores many at once without mixing them up', async () => {
        const keys = Array.from({ length: 20 }, (_, i) => `key_${i}`);
        await Promise.all(keys.map((key) => store.put(key, Readable.from([Buffer.from('of '), Buffer.from(key)]))));
        for (const key of keys) expect((await bytesOf(key)).toString()).toBe(`of ${key}`);
      });
    });

    describe('fetching', () => {
      it('says that a recording is missing when it is', async () => {
        const file = newFile();
        await expect(store.fetch('key_none', file)).rejects.toMatchObject({
          failure: { kind: 'rejected', code: 'audio_missing' },
        });
        await expect(readFile(file)).rejects.toMatchObject({ code: 'ENOENT' });
      });

      it('does not say so when it is the place to put it that is missing', async () => {
        await store.put('key_1', Readable.from([Buffer.from('a')]));
        await expect(store.fetch('key_1', join(folder, 'no-such-folder', 'file'))).rejects.not.toMatchObject({
          failure: { code: 'audio_missing' },
        });
      });

      it('leaves a file that is there already as it is', async () => {
        await store.put('key_1', Readable.from([Buffer.from('a recording')]));
        const file = newFile();
        await writeFile(file, 'somebody else’s');
        await expect(store.fetch('key_1', file)).rejects.toThrow();
        expect(await readFile(file, 'utf8')).toBe('somebody else’s');
      });

      it.each([
        ['a reason', new Error('stop')],
        ['no reason', undefined],
      ])('leaves no file when it was aborted with %s', async (_, reason) => {
        await store.put('key_1', Readable.from([Buffer.from('a recording')]));
        const file = newFile();
        const signal = AbortSignal.abort(reason);
        await expect(store.fetch('key_1', file, signal)).rejects.toBe(signal.reason);
        await expect(readFile(file)).rejects.toMatchObject({ code: 'ENOENT' });
      });
    });

    describe('deleting', () => {
      it('leaves nothing', async () => {
        await store.put('key_1', Readable.from([randomBytes(100_000)]));
        await store.put('key_2', Readable.from([Buffer.from('stays')]));
        await store.delete('key_1');
        expect(await store.stat('key_1')).toBeNull();
        expect(await whole()).toEqual(['key_2']);
        await expect(store.fetch('key_1', newFile())).rejects.toMatchObject({ failure: { code: 'audio_missing' } });
      });

      it('is content when there is nothing, however often it is asked', async () => {
        await store.delete('key_none');
        await store.put('key_1', Readable.from([Buffer.from('a')]));
        await Promise.all([store.delete('key_1'), store.delete('key_1')]);
        await store.delete('key_1');
        expect(await store.stat('key_1')).toBeNull();
      });

      it('leaves what was fetched before to its owner', async () => {
        await store.put('key_1', Readable.from([Buffer.from('still needed')]));
        const file = newFile();
        await store.fetch('key_1', file);
        await store.delete('key_1');
        expect(await readFile(file, 'utf8')).toBe('still needed');
      });
    });

    describe('listing', () => {
      it('shows each of many recordings once, with its size and time', async () => {
        const keys = Array.from({ length: manyRecordings }, (_, i) => `key_${i}`);
        const before = Date.now();
        for (let i = 0; i < keys.length; i += 50) await fill(keys.slice(i, i + 50));
        const list = await listed();
        expect(list.map(({ key }) => key).sort()).toEqual(keys.sort());
        for (const { key, bytes, storedAt, incomplete } of list) {
          expect({ bytes, incomplete }).toEqual({ bytes: key.length, incomplete: false });
          // File systems and other machines may round to seconds.
          expect(Math.abs(storedAt.getTime() - before)).toBeLessThan(120_000);
        }
      });

      it('goes on while what it shows is deleted', async () => {
        const keys = Array.from({ length: 100 }, (_, i) => `key_${i}`);
        await Promise.all(keys.map((key) => store.put(key, Readable.from([Buffer.from('a')]))));
        const seen: string[] = [];
        for await (const { key } of store.list()) {
          seen.push(key);
          await store.delete(key);
        }
        expect(seen.sort()).toEqual(keys.sort());
        expect(await listed()).toEqual([]);
      });

      it('shows nothing of an empty store', async () => {
        expect(await listed()).toEqual([]);
      });
    });

    it.each([
      '',
      '.',
      '..',
      '../key',
      'a/b',
      '/etc/passwd',
      'a\\b',
      'a\0b',
      '.hidden',
      'ключ',
      'a b',
      'k'.repeat(129),
      'key\n',
    ])('refuses the key %j wherever one is given', async (key) => {
      const invalid = { failure: { kind: 'bug', code: 'audio_key_invalid' } };
      await expect(store.put(key, Readable.from([Buffer.from('a')]))).rejects.toMatchObject(invalid);
      await expect(store.fetch(key, newFile())).rejects.toMatchObject(invalid);
      await expect(store.stat(key)).rejects.toMatchObject(invalid);
      await expect(store.delete(key)).rejects.toMatchObject(invalid);
      expect(await listed()).toEqual([]);
    });

    it('is ready', async () => {
      expect(await store.ready()).toBeNull();
    });
  });
}

/** Resolves when the store has taken the bytes off the stream, as far as its own buffer let it. */
async function written(source: PassThrough, bytes: Buffer): Promise<void> {
  await new Promise<void>((resolve, reject) => source.write(bytes, (error) => (error ? reject(error) : resolve())));
}

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}
