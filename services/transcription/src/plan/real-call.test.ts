import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { itNeeds, REAL_RECORDINGS, realRecording } from '@call-analytics/test/requirements.ts';
import { describe, expect } from '@jest/globals';
import { Decoding } from '../decode/decode.ts';
import { type Heard, type Piece, Planner } from './planner.ts';
import { shapeFor } from './shape.ts';

const STEREO = 'real-phone-call-8khz-stereo.flac';
const MONO = 'real-phone-call-8khz-mono.wav';

async function plan(
  file: string,
  mix: (samples: Int16Array) => Int16Array = (samples) => samples,
): Promise<{ pieces: Piece[]; heard: Heard }> {
  const dir = await mkdtemp(join(tmpdir(), 'real-call-'));
  await copyFile(join(REAL_RECORDINGS, file), join(dir, 'recording'));
  const decoding = new Decoding(
    dir,
    { timeMs: 60_000, memoryBytes: 2 ** 30, audioSeconds: 3_600 },
    new AbortController().signal,
  );
  try {
    const planner = new Planner(await decoding.open(1e9), shapeFor({ maxSeconds: 480, timestamps: false }));
    const pieces: Piece[] = [];
    for await (const samples of decoding.samples()) pieces.push(...planner.push(mix(samples)));
    const { pieces: last, heard } = planner.end();
    return { pieces: [...pieces, ...last], heard };
  } finally {
    await decoding.close();
    await rm(dir, { recursive: true });
  }
}

/** @returns samples in which each channel holds the other one as well, so much softer */
function bleeding(samples: Int16Array, db: number): Int16Array {
  const gain = 10 ** (db / 20);
  return samples.map((sample, i) => sample + (samples[i ^ 1] ?? 0) * gain);
}

// Left the agent, who talks 41% of the time, right the caller with 53% when his breath counts, which lies 35 dB below his voice; nearly no talking at once.
describe('a real phone call with a person on each channel', () => {
  itNeeds(realRecording(STEREO), 'who talks how much comes out as it was', async () => {
    const { heard } = await plan(STEREO);
    const [agent = 0, caller = 0] = heard.speechSeconds.channels.map((seconds) => seconds / heard.seconds);
    expect(agent).toBeGreaterThan(0.37);
    expect(agent).toBeLessThan(0.45);
    expect(caller).toBeGreaterThan(0.42);
    expect(caller).toBeLessThan(0.57);
    expect(agent + caller - heard.speechSeconds.all / heard.seconds).toBeLessThan(0.09);
  });

  itNeeds(
    realRecording(STEREO),
    'it becomes some thirty pieces, most of them whole turns, and hardly any sound is sent twice',
    async () => {
      const { pieces, heard } = await plan(STEREO);
      expect(pieces.length).toBeGreaterThan(20);
      expect(pieces.length).toBeLessThan(45);
      expect(pieces.every(({ channel }) => channel !== null)).toBe(true);
      expect(pieces.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0)).toBeLessThan(heard.seconds * 1_000);
    },
  );

  itNeeds(realRecording(STEREO), 'bleed from the other side changes nothing about who talks', async () => {
    const { heard: clean } = await plan(STEREO);
    for (const db of [-15, -25]) {
      const { heard } = await plan(STEREO, (samples) => bleeding(samples, db));
      heard.speechSeconds.channels.forEach((seconds, channel) => {
        expect(Math.abs(seconds - (clean.speechSeconds.channels[channel] ?? 0))).toBeLessThan(clean.seconds * 0.02);
      });
    }
  });
});

describe('a real phone call in one channel', () => {
  itNeeds(
    realRecording(MONO),
    'is cut often enough for its lines to have useful times, and silence is left out',
    async () => {
      const { pieces, heard } = await plan(MONO);
      expect(pieces.length).toBeGreaterThan(15);
      expect(Math.max(...pieces.map(({ startMs, endMs }) => endMs - startMs))).toBeLessThan(60_500);
      expect(pieces.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0)).toBeLessThan(heard.seconds * 900);
    },
  );
});
