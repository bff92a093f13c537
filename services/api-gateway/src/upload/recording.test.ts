import { once } from 'node:events';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { Recording } from './recording.ts';

const FLAC = Buffer.concat([Buffer.from('fLaC\0\0\0\x22', 'latin1'), Buffer.alloc(20_000, 7)]);

function id3(length: number): Buffer {
  const tag = Buffer.alloc(length);
  tag.write('ID3\x04\0\0', 'latin1');
  const size = length - 10;
  for (let i = 0; i < 4; i += 1) tag[9 - i] = (size >> (7 * i)) & 0x7f;
  return tag;
}

function through(bytes: Buffer, { chunk = 64 * 1024, maxBytes = 100_000_000, isHashed = false } = {}) {
  const recording = new Recording({ maxBytes, isHashed });
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunk) }, (_, i) =>
    bytes.subarray(i * chunk, (i + 1) * chunk),
  );
  Readable.from(chunks, { objectMode: false }).pipe(recording);
  return recording;
}

describe('a recording on its way', () => {
  it.each([1, 7, 1_000, 64 * 1024])(
    'comes out as it went in, however it is cut (%i bytes at a time)',
    async (chunk) => {
      const bytes = Buffer.concat([id3(300), FLAC]);
      const recording = through(bytes, { chunk });
      await recording.acceptable;
      expect((await buffer(recording)).equals(bytes)).toBe(true);
      expect(recording.result()).toEqual({ format: 'flac', bytes: bytes.length, seconds: 0.4, sha256: null });
    },
  );

  it('may have several tags in front', async () => {
    const recording = through(Buffer.concat([id3(300), id3(20), FLAC]));
    await buffer(recording);
    expect(recording.result()).toMatchObject({ format: 'flac' });
  });

  it('with a tag that fits into view is known before anything is passed on', async () => {
    const recording = through(Buffer.concat([id3(150_000), Buffer.from('%PDF-1.7 and so on')]));
    await expect(recording.acceptable).rejects.toMatchObject({ code: 'unsupported_format' });
  });

  it('with a very large tag is let through until its sound comes, and breaks when there is none', async () => {
    const good = Buffer.concat([id3(3_000_000), FLAC]);
    const recording = through(good);
    await recording.acceptable;
    expect((await buffer(recording)).equals(good)).toBe(true);
    expect(recording.result()).toMatchObject({ format: 'flac', bytes: good.length });

    const bad = through(Buffer.concat([id3(3_000_000), Buffer.from('just text'.repeat(5_000))]));
    await bad.acceptable;
    await expect(buffer(bad)).rejects.toMatchObject({
      code: 'unsupported_format',
      message: expect.stringContaining('text'),
    });
  });

  it('breaks when it ends inside its tag', async () => {
    await expect(through(id3(500).subarray(0, 400)).acceptable).rejects.toMatchObject({ code: 'unreadable_file' });
  });

  it('breaks when it has more bytes than allowed, and not when it has just as many', async () => {
    await buffer(through(FLAC, { maxBytes: FLAC.length }));
    await expect(buffer(through(FLAC, { maxBytes: FLAC.length - 1 }))).rejects.toMatchObject({
      code: 'file_too_large',
    });
  });

  it('is isHashed when asked', async () => {
    const recording = through(Buffer.from('fLaC'), { isHashed: true });
    await buffer(recording);
    // printf fLaC | sha256sum
    expect(recording.result().sha256).toBe('70bf93310284b039f237e82db4407df3e3ca642fac2b9ebb02973764424c7418');
  });

  it('that is given up is not acceptable', async () => {
    const recording = new Recording({ maxBytes: 10, isHashed: false });
    recording.destroy();
    await once(recording, 'close');
    await expect(recording.acceptable).rejects.toThrow('aborted');
  });
});
