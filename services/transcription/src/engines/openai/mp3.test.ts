import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { decodeAudio } from '@call-analytics/stand-in';
import { afterEach, describe, expect, it } from '@jest/globals';
import { pcm, track } from '../../plan/sounds.fixture.ts';
import { Mp3Encoder } from './mp3.ts';

const encoders: Mp3Encoder[] = [];
afterEach(async () => {
  for (const encoder of encoders.splice(0)) await encoder.close();
});

function open(): Mp3Encoder {
  const encoder = new Mp3Encoder();
  encoders.push(encoder);
  return encoder;
}

const samples = pcm(track(10, [{ atSeconds: 2, seconds: 5, seed: 1, db: -18 }]));

describe('encoding segments', () => {
  it('gives an MP3 of the same length with the same sound, a fifth of the size', async () => {
    const mp3 = await open().encode(samples);
    expect(mp3.length).toBeLessThan(samples.byteLength / 5);
    const [decoded] = decodeAudio(Buffer.from(mp3), 'stereo')?.channels ?? [];
    expect((decoded?.length ?? 0) / 16_000).toBeCloseTo(10, 0);
    const power = (from: number, to: number) => {
      let sum = 0;
      for (const sample of decoded?.slice(from * 16_000, to * 16_000) ?? []) sum += sample * sample;
      return sum;
    };
    expect(power(2.5, 6.5)).toBeGreaterThan(1_000 * power(8, 9.5));
  });

  it('gives the same bytes for the same segment, so that a second try asks for the same', async () => {
    const [first, second] = await Promise.all([open().encode(samples), open().encode(samples)]);
    expect(Buffer.compare(first, second)).toBe(0);
  });

  it('encodes segments that are asked for at the same time, each for itself', async () => {
    const encoder = open();
    const [long, short] = await Promise.all([encoder.encode(samples), encoder.encode(samples.slice(0, 16_000))]);
    expect(long.length).toBeGreaterThan(short.length * 5);
  });

  it('ends what is being encoded when it is closed', async () => {
    const encoder = open();
    const ended = expect(encoder.encode(samples)).rejects.toThrow('the encoder was closed');
    await encoder.close();
    await ended;
  });

  it('can be closed in the middle of a segment, and the process neither dies of it nor says anything in a log that is the service’s', async () => {
    const child = spawn(process.execPath, [fileURLToPath(new URL('./mp3.child.fixture.ts', import.meta.url))], {
      stdio: ['ignore', 'inherit', 'pipe'],
    });
    const [said] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect({ said, code: child.exitCode }).toEqual({ said: '', code: 0 });
  });
});
