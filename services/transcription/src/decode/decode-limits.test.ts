import { readFileSync } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FILES } from '@call-analytics/stand-in/recordings';
import { itNeeds } from '@call-analytics/test/requirements.fixture.ts';
import { describe, expect, it } from '@jest/globals';
import { begin, decodeAll, dir, gone, lengthOf, linux, rejectedAs, start } from './decode.fixture.ts';
import { decodableSeconds, decodingTimeMs } from './decode.ts';
import { flacBomb, wavOf } from './hostile.fixture.ts';

describe('the limits of decoding', () => {
  it.each([
    ['655,350 Hz', flacBomb({ bytes: 1_000, sampleRate: 655_350, channels: 8 }), 'a sample rate of 655.35 kHz'],
    ['8 Hz', wavOf(8, 320_000), 'a sample rate of 8 Hz'],
  ])('a recording at %s is rejected', async (_, recording, message) => {
    await writeFile(join(dir, 'recording'), recording);
    await expect(decodeAll(begin())).rejects.toEqual(rejectedAs('audio_unsupported_sound', message));
  });

  it('a codec that is not accepted is named', async () => {
    await writeFile(join(dir, 'recording'), wavOf(8_000, 8_000, 0xa109));
    await expect(decodeAll(begin())).rejects.toEqual(
      rejectedAs('audio_unsupported_codec', 'codec "speex", which is not supported'),
    );
  });

  it.each([true, false])(
    'a small file that decodes to hours is rejected within its budget (length declared: %s)',
    async (declared) => {
      await writeFile(join(dir, 'recording'), flacBomb({ bytes: 100_000, sampleRate: 192_000, channels: 8, declared }));
      await expect(decodeAll(begin())).rejects.toEqual(rejectedAs('audio_too_demanding'));
    },
  );

  it('a recording that is too long is rejected before it is decoded', async () => {
    const decoding = await start('bundled-call.mp3', { audioSeconds: 60 });
    await expect(decoding.open((await stat(join(dir, 'recording'))).size)).rejects.toEqual(
      rejectedAs('audio_too_long'),
    );
  });

  it('a header that promises hours that the file has no room for is not believed', async () => {
    const recording = readFileSync(join(FILES, 'excerpt.mp3'));
    const tag = Math.max(recording.indexOf('Xing'), recording.indexOf('Info'));
    recording.writeUInt32BE(0x7fffffff, tag + 8);
    await writeFile(join(dir, 'recording'), recording);
    expect((await decodeAll(begin())).seconds).toBeCloseTo(9.9, 0);
  });

  it('a recording that does not say how long it is ends at the limit', async () => {
    const recording = readFileSync(join(FILES, 'excerpt.flac'));
    // The number of samples: the last 36 bits before the checksum of the stream's first block.
    recording.writeUInt8(recording.readUInt8(21) & 0xf0, 21);
    recording.writeUInt32BE(0, 22);
    await writeFile(join(dir, 'recording'), recording);
    expect((await decodeAll(begin())).seconds).toBeCloseTo(9.9, 1);
    await expect(decodeAll(begin({ audioSeconds: 5 }))).rejects.toEqual(rejectedAs('audio_too_long'));
  });

  it('a decoder that takes too long is killed', async () => {
    await expect(decodeAll(await start('bundled-call.mp3', { timeMs: 1 }))).rejects.toEqual(
      rejectedAs('audio_too_demanding'),
    );
  });

  itNeeds(linux, 'a decoder that takes too much memory is killed', async () => {
    const decoding = await start('bundled-call.mp3', { memoryBytes: 20 * 2 ** 20 });
    // Unread, it cannot end before it has been looked at.
    await gone(decoding.pid);
    await expect(decodeAll(decoding)).rejects.toEqual(rejectedAs('audio_too_demanding'));
  });

  it('a decoder that crashes is tried again later', async () => {
    const decoding = await start('bundled-call.mp3');
    process.kill(decoding.pid ?? 0, 'SIGSEGV');
    await expect(decodeAll(decoding)).rejects.toEqual(
      expect.objectContaining({ failure: expect.objectContaining({ kind: 'transient', code: 'decoder_crashed' }) }),
    );
  });

  it('stopping ends it at once', async () => {
    const stop = new AbortController();
    const decoding = await start('bundled-call.mp3', {}, stop.signal);
    await decoding.open(1e9);
    stop.abort(new Error('enough'));
    await expect(lengthOf(decoding)).rejects.toThrow('enough');
    await gone(decoding.pid);
  });

  it('closing in the middle leaves no process', async () => {
    const decoding = await start('bundled-call.mp3');
    await decoding.open(1e9);
    await decoding.samples().next();
    await decoding.close();
    await gone(decoding.pid);
  });
});

const HOUR = 3_600;

describe('what decoding may cost', () => {
  it.each([
    ['MP3 at 8 kbit/s, 8 kHz', 1_000, { channels: 1, sampleRate: 8_000 }],
    ['Opus at 6 kbit/s, which decodes to 48 kHz', 750, { channels: 1, sampleRate: 48_000 }],
    ['AAC at 24 kbit/s, stereo at 44.1 kHz', 3_000, { channels: 2, sampleRate: 44_100 }],
    ['FLAC of a call, stereo at 48 kHz', 20_000, { channels: 2, sampleRate: 48_000 }],
  ])('leaves room for six hours of %s, at a tenth of the speed of a recent processor', (_, bytesPerSecond, sound) => {
    const bytes = 6 * HOUR * bytesPerSecond;
    expect(decodableSeconds(bytes, sound)).toBeGreaterThan(6 * HOUR);
    // Measured: a recent processor decodes an hour of stereo within 6 s.
    expect(decodingTimeMs(bytes, 6 * HOUR)).toBeGreaterThan(10 * 6 * 6_000);
  });

  it('leaves room for an hour and a half of silence that compresses to nothing', () => {
    expect(decodableSeconds(0, { channels: 2, sampleRate: 44_100 })).toBeGreaterThan(1.5 * HOUR);
  });

  it('ends 8 MB of the widest sound within 20 minutes of it', () => {
    expect(decodableSeconds(8e6, { channels: 8, sampleRate: 192_000 })).toBeLessThan(0.3 * HOUR);
  });

  it('ends a decoder that gives nothing within a minute, for 8 MB', () => {
    expect(decodingTimeMs(8e6, 0)).toBeLessThan(60_000);
  });
});
