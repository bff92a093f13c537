import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeAudio } from '@call-analytics/stand-in';
import { audioFile, type Content, FILES, readManifest } from '@call-analytics/stand-in/recordings';
import { describe, expect, it } from '@jest/globals';

const { files, scripts } = readManifest();

/** The first bytes of each format, in hex. */
const STARTS: Readonly<Record<Content, RegExp>> = {
  mp3: /^(494433|ff[ef][2367abef])/,
  wav: /^52494646.{8}57415645/,
  m4a: /^.{8}66747970/,
  ogg: /^4f676753/,
  flac: /^664c6143/,
  aac: /^fff[0189]/,
  wma: /^3026b275/,
  webm: /^1a45dfa3/,
  png: /^89504e47/,
  pdf: /^255044462d/,
  text: /^([2-7].|0a)+$/,
  empty: /^$/,
};

describe('the recordings for tests', () => {
  it('are all in the manifest, and nothing else is', () => {
    expect(readdirSync(FILES).sort()).toEqual([...files.map(({ name }) => name), 'manifest.json'].sort());
  });

  it('are less than 4 MB together', () => {
    expect(files.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(4e6);
  });

  it.each(files)('$name is the file that was made', ({ name, bytes, sha256 }) => {
    const content = readFileSync(join(FILES, name));
    expect(content).toHaveLength(bytes);
    expect(createHash('sha256').update(content).digest('hex')).toBe(sha256);
  });

  it.each(files)('$name is $content by its content', ({ name, content }) => {
    expect(readFileSync(join(FILES, name)).toString('hex', 0, 64)).toMatch(STARTS[content]);
  });

  it.each(files)('$name has the length that the manifest says', ({ name, seconds }) => {
    const decoded = decodeAudio(readFileSync(join(FILES, name)), 'mono');
    if (seconds === null) expect(decoded).toBeNull();
    else expect(Math.abs((decoded?.seconds ?? 0) - seconds)).toBeLessThan(0.1);
  });

  it('hold every format under its own name, and the formats that lie', () => {
    const named = (ending: string) =>
      files.filter(({ name, content }) => name.endsWith(`.${ending}`) && content === ending);
    for (const format of ['mp3', 'wav', 'm4a', 'ogg', 'flac', 'aac', 'wma']) expect(named(format)).not.toHaveLength(0);
    expect(audioFile('mp3-named.wav').content).toBe('mp3');
    expect(audioFile('m4a-named.mp3').content).toBe('m4a');
  });

  it('the header of promises-4gb.wav promises 4 GB', () => {
    const wav = readFileSync(audioFile('promises-4gb.wav').path);
    expect(wav.readUInt32LE(wav.indexOf('data') + 4)).toBe(0xfffffff0);
  });

  it('the tag of large-id3.mp3 is large and holds a picture', () => {
    const mp3 = readFileSync(audioFile('large-id3.mp3').path);
    const size = mp3.subarray(6, 10).reduce((sum, byte) => sum * 128 + byte, 0);
    expect(size).toBeGreaterThan(65_536);
    expect(mp3.subarray(0, size).includes('APIC')).toBe(true);
  });

  it('both channels of mono-in-both-channels.mp3 are the same, and those of excerpt.mp3 are not', () => {
    expect(loudness(difference('mono-in-both-channels.mp3'))).toBeLessThan(1);
    expect(loudness(difference('excerpt.mp3'))).toBeGreaterThan(100);
  });

  it('one channel of one-channel-silent.mp3 is silent', () => {
    const [left, right] = stereo('one-channel-silent.mp3');
    expect(loudness(left)).toBeGreaterThan(500);
    expect(loudness(right)).toBeLessThan(1);
  });
});

describe('the spoken scripts', () => {
  const turns = Object.values(scripts).flatMap((script) => script.turns);

  it('give every word of a turn once, in order, with a time inside the turn', () => {
    for (const turn of turns) {
      expect(turn.words.map(({ text }) => text).join(' ')).toBe(turn.text);
      let before = turn.startMs;
      for (const { startMs, endMs } of turn.words) {
        expect(startMs).toBeGreaterThanOrEqual(before - 1);
        expect(endMs).toBeGreaterThan(startMs);
        before = endMs;
      }
      expect(before).toBe(turn.endMs);
    }
  });

  it.each(Object.entries(scripts))(
    '%s: a person is heard on their channel while they speak, and the other channel is quiet',
    (_name, script) => {
      const [left, right] = stereo(script.reference);
      for (const turn of script.turns) {
        const alone = script.turns.every(
          (other) => other === turn || other.endMs <= turn.startMs || other.startMs >= turn.endMs,
        );
        const own = turn.channel === 'left' ? left : right;
        const other = turn.channel === 'left' ? right : left;
        const during = (samples: Int16Array) => loudness(samples.subarray(turn.startMs * 16, turn.endMs * 16));
        expect(during(own)).toBeGreaterThan(500);
        if (alone) expect(during(other)).toBeLessThan(100);
      }
    },
  );

  it('the bundled call is a whole sales call of two to three minutes in which both interrupt nobody for long', () => {
    const call = audioFile('bundled-call.mp3');
    expect(call.seconds).toBeGreaterThan(120);
    expect(call.seconds).toBeLessThan(180);
    expect(call.turns.length).toBeGreaterThan(20);
    expect(new Set(call.turns.map(({ speaker }) => speaker)).size).toBe(2);
  });
});

function stereo(name: string): [Int16Array, Int16Array] {
  const [left, right] = decodeAudio(readFileSync(audioFile(name).path), 'stereo')?.channels ?? [];
  if (left === undefined || right === undefined) throw new Error(`${name} is not stereo`);
  return [left, right];
}

function difference(name: string): Int16Array {
  const [left, right] = stereo(name);
  return left.map((sample, i) => sample - (right[i] ?? 0));
}

/** Root mean square of 16-bit samples. */
function loudness(samples: Int16Array): number {
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, samples.length));
}
