import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { copyFile, mkdtemp, open as openFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { FILES, readManifest } from '@call-analytics/stand-in/recordings';
import { peakBytes } from '@call-analytics/test/load/harness/machine.ts';
import { describeNeeds, itNeeds } from '@call-analytics/test/requirements.fixture.ts';
import { until } from '@call-analytics/test/until.fixture.ts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type DecodeLimits, Decoding, decodableSeconds, decodingTimeMs } from './decode.ts';
import { flacBomb, m4aOf, wavOf } from './hostile.fixture.ts';

const LIMITS: DecodeLimits = { timeMs: 60_000, memoryBytes: 2 ** 30, audioSeconds: 6 * 3_600 };
const linux = { what: 'Linux', present: process.platform === 'linux' };
let dir: string;
const open: Decoding[] = [];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'decode-'));
});
afterEach(async () => {
  for (const decoding of open.splice(0)) await decoding.close();
  await rm(dir, { recursive: true, force: true });
});

async function start(
  file: string,
  limits: Partial<DecodeLimits> = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<Decoding> {
  await copyFile(join(FILES, file), join(dir, 'recording'));
  return begin(limits, signal);
}

function begin(limits: Partial<DecodeLimits> = {}, signal: AbortSignal = new AbortController().signal): Decoding {
  const decoding = new Decoding(dir, { ...LIMITS, ...limits }, signal);
  open.push(decoding);
  return decoding;
}

/** Reads all samples of a recording that is open. */
async function lengthOf(decoding: Decoding): Promise<number> {
  let length = 0;
  for await (const samples of decoding.samples()) length += samples.length;
  return length;
}

async function decodeAll(decoding: Decoding): Promise<{ channels: number; seconds: number; loudest: number }> {
  const channels = await decoding.open((await stat(join(dir, 'recording'))).size);
  let length = 0;
  let loudest = 0;
  for await (const samples of decoding.samples()) {
    length += samples.length;
    for (const sample of samples) if (sample > loudest) loudest = sample;
  }
  return { channels, seconds: length / channels / 16_000, loudest };
}

function rejectedAs(code: string, message = '') {
  const failure = { kind: 'rejected', code, message: expect.stringContaining(message) };
  return expect.objectContaining({ failure: expect.objectContaining(failure) });
}

describe('decoding what callers upload', () => {
  const decodable = readManifest().files.filter(({ seconds, content }) => seconds !== null && content !== 'webm');

  it.each(decodable.map((file) => [file.name, file] as const))(
    '%s is read by its content, whatever its name says',
    async (name, file) => {
      const { channels, seconds, loudest } = await decodeAll(await start(name));
      expect(channels).toBe(file.channels === 2 ? 2 : 1);
      expect(Math.abs(seconds - (file.seconds ?? 0))).toBeLessThan(0.15);
      expect(loudest).toBeGreaterThan(file.script === null ? -1 : 200);
    },
  );

  it.each(['truncated.m4a', 'text-named.mp3', 'picture.png', 'document.pdf', 'empty.mp3', 'webm-audio.webm'])(
    '%s is rejected as unreadable',
    async (name) => {
      await expect(decodeAll(await start(name))).rejects.toEqual(rejectedAs('audio_unreadable'));
    },
  );

  it.each([
    ['a playlist', '#EXTM3U\n#EXTINF:10,\nSECRET\n#EXT-X-ENDLIST\n'],
    ['a list of files to join', "ffconcat version 1.0\nfile 'SECRET'\n"],
    ['a stream description', 'v=0\no=- 0 0 IN IP4 127.0.0.1\nc=IN IP4 127.0.0.1\nm=audio 5004 RTP/AVP 0\n'],
  ])('%s cannot make the decoder read anything else', async (_, text) => {
    await copyFile(join(FILES, 'excerpt.mp3'), join(dir, 'secret.mp3'));
    await writeFile(join(dir, 'recording'), text.replace('SECRET', 'secret.mp3'));
    await expect(decodeAll(begin())).rejects.toEqual(rejectedAs('audio_unreadable'));
  });

  it('reads what is there of a recording that was cut off in the middle', async () => {
    const whole = readFileSync(join(FILES, 'bundled-call.mp3'));
    await writeFile(join(dir, 'recording'), whole.subarray(0, whole.length / 2));
    const { seconds } = await decodeAll(begin());
    expect(seconds).toBeGreaterThan(60);
    expect(seconds).toBeLessThan(100);
  });

  it.each(['excerpt.mp3', 'excerpt.m4a', 'excerpt.flac', 'excerpt.aac', 'excerpt.ogg', 'excerpt.wma'])(
    'reads on after damage in the middle of %s',
    async (name) => {
      const damaged = Buffer.from(readFileSync(join(FILES, name)));
      const middle = Math.round(damaged.length / 2);
      for (let i = middle; i < middle + 4_000; i += 1) damaged[i] = (i * 73) % 256;
      await writeFile(join(dir, 'recording'), damaged);
      expect((await decodeAll(begin())).seconds).toBeGreaterThan(7);
    },
  );

  it('leaves out what an edit list cuts', async () => {
    await writeFile(
      join(dir, 'recording'),
      m4aOf(1_560, [
        { fromPacket: 156, packets: 200 },
        { fromPacket: 900, packets: 300 },
      ]),
    );
    const decoding = begin();
    expect((await decodeAll(decoding)).seconds).toBeCloseTo(500 * 0.064, 0);
    expect(decoding.cutOff).toBeNull();
  });

  it('says of a recording without a single sample that it is empty', async () => {
    await writeFile(join(dir, 'recording'), readFileSync(join(FILES, 'excerpt.wav')).subarray(0, 44));
    await expect(decodeAll(begin())).rejects.toEqual(rejectedAs('audio_empty'));
  });

  it('rejects what looks like a recording and holds nothing that can be decoded', async () => {
    const head = readFileSync(join(FILES, 'excerpt.m4a'));
    const from = head.indexOf('mdat') + 4;
    const moov = head.indexOf('moov');
    head.fill(0xff, from, moov > from ? moov - 4 : head.length);
    await writeFile(join(dir, 'recording'), head);
    await expect(decodeAll(begin())).rejects.toEqual(rejectedAs('audio_unreadable'));
  });
});

describe('a recording that ends before its header says so', () => {
  const LENGTH = 9.9;
  const cut = ['excerpt.flac', 'excerpt.wav', 'excerpt.m4a', 'excerpt.wma', 'excerpt.mp3'];

  it.each(cut)('is decoded up to its end and reported as cut off: %s', async (name) => {
    const whole = readFileSync(join(FILES, name));
    await writeFile(join(dir, 'recording'), whole.subarray(0, whole.length * 0.4));
    const decoding = begin();
    const { seconds } = await decodeAll(decoding);
    expect(seconds).toBeGreaterThan(2);
    expect(seconds).toBeLessThan(6);
    expect(decoding.cutOff?.declaredSeconds).toBeCloseTo(LENGTH, 0);
  });

  it.each([...cut, 'excerpt.ogg', 'excerpt.aac', 'promises-4gb.wav', 'opus.ogg', 'surround.flac'])(
    'is not suspected where it is whole: %s',
    async (name) => {
      const decoding = await start(name);
      await decodeAll(decoding);
      expect(decoding.cutOff).toBeNull();
    },
  );

  describeNeeds(linux, 'in a service so busy that the decoder ends first', () => {
    async function ended(): Promise<Decoding> {
      await writeFile(join(dir, 'recording'), wavOf(8_000, 8_000 * 2.03));
      const decoding = begin();
      // Blocks this thread until the decoder has written everything, which fits into the pipe.
      const pause = new Int32Array(new SharedArrayBuffer(4));
      const exited = () => / Z /.test(readFileSync(`/proc/${decoding.pid}/stat`, 'utf8'));
      for (let waited = 0; waited < 2_000 && !exited(); waited += 1) Atomics.wait(pause, 0, 0, 10);
      return decoding;
    }

    it('is not suspected when header and samples come in one read', async () => {
      const decoding = await ended();
      expect((await decodeAll(decoding)).seconds).toBeCloseTo(2.03, 1);
      expect(decoding.cutOff).toBeNull();
    });

    it('is whole when it is read only after that', async () => {
      const decoding = await ended();
      while (existsSync(`/proc/${decoding.pid}`)) await setImmediate();
      for (let turn = 0; turn < 10; turn += 1) await setImmediate();
      expect((await decodeAll(decoding)).seconds).toBeCloseTo(2.03, 1);
    });
  });
});

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

const PACKETS_OF_SIX_HOURS = (6 * 3_600 * 48_000) / 1_024;

describe('the decoding process', () => {
  it('that cannot be started is tried again later', async () => {
    const node = process.execPath;
    process.execPath = join(dir, 'no-such-program');
    const decoding = await start('excerpt.mp3').finally(() => {
      process.execPath = node;
    });
    await expect(decodeAll(decoding)).rejects.toEqual(
      expect.objectContaining({ failure: expect.objectContaining({ kind: 'transient', code: 'decoder_not_started' }) }),
    );
  });

  itNeeds(linux, 'has no descriptor of ours but the recording', async () => {
    const secret = await openFile(join(FILES, 'manifest.json'));
    const decoding = await start('bundled-call.mp3');
    await decoding.open(1e9);
    const open = readdirSync(`/proc/${decoding.pid}/fd`).map((descriptor) =>
      readlinkSync(`/proc/${decoding.pid}/fd/${descriptor}`),
    );
    await secret.close();
    // Tests may keep their files in /dev/shm, which is memory.
    expect([...new Set(open.filter((target) => /^\/(?!dev\/(?!shm\/))/.test(target)))]).toEqual([
      join(dir, 'recording'),
    ]);
  });

  itNeeds(
    { what: 'Linux on x64 or arm64', present: linux.present && ['x64', 'arm64'].includes(process.arch) },
    'is isolated',
    async () => {
      const decoding = await start('bundled-call.mp3', { requireIsolation: true });
      await decoding.open(1e9);
      expect(decoding.layers).toEqual(expect.arrayContaining(['limits', 'no-new-privileges', 'seccomp']));
    },
  );

  itNeeds(linux, 'takes no more memory for 20 minutes than for the header', async () => {
    await writeFile(join(dir, 'recording'), wavOf(8_000, 8_000 * 1_200));
    const decoding = begin();
    await decoding.open(1e9);
    const [before, samples] = [peakBytes(decoding.pid ?? 0), decoding.samples()];
    // The decoder waits for the last ones to be read.
    for (let read = 0; read < 16_000 * 1_190; ) read += ((await samples.next()).value as Int16Array).length;
    expect(peakBytes(decoding.pid ?? 0) - before).toBeLessThan(10 * 2 ** 20);
  });

  itNeeds(linux, 'takes at most 150 MiB for the index of six hours of M4A at 48 kHz', async () => {
    await writeFile(join(dir, 'recording'), m4aOf(PACKETS_OF_SIX_HOURS));
    const decoding = begin({ audioSeconds: 24 * 3_600 });
    await decoding.open(1e9);
    await decoding.samples().next();
    expect(peakBytes(decoding.pid ?? 0)).toBeLessThan(150 * 2 ** 20);
  });

  itNeeds(linux, 'has nothing in its environment', async () => {
    process.env.DECODE_TEST_SECRET = 'sk-secret';
    const decoding = await start('bundled-call.mp3');
    await decoding.open(1e9);
    expect(readFileSync(`/proc/${decoding.pid}/environ`, 'utf8')).toBe('');
    delete process.env.DECODE_TEST_SECRET;
  });
});

async function gone(pid: number | undefined): Promise<void> {
  const isGone = () => {
    try {
      return !process.kill(pid ?? 0, 0);
    } catch {
      return true;
    }
  };
  await until(isGone, 'there is no such process');
}

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
