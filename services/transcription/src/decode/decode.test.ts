import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { copyFile, open as openFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { FILES, readManifest } from '@call-analytics/stand-in/recordings';
import { peakBytes } from '@call-analytics/test/load/harness/machine.ts';
import { describeNeeds, itNeeds } from '@call-analytics/test/requirements.fixture.ts';
import { describe, expect, it } from '@jest/globals';
import { begin, decodeAll, dir, linux, rejectedAs, start } from './decode.fixture.ts';
import type { Decoding } from './decode.ts';
import { m4aOf, wavOf } from './hostile.fixture.ts';

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
