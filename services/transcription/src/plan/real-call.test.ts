import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { itNeeds, REAL_RECORDINGS, realRecording } from '@call-analytics/test/requirements.fixture.ts';
import { describe, expect } from '@jest/globals';
import { Decoding } from '../decode/decode.ts';
import { type AudioSegment, Planner, type RecordingStats } from './planner.ts';
import { segmentShape } from './segment-cutter.ts';

const STEREO = 'real-phone-call-8khz-stereo.flac';
const MONO = 'real-phone-call-8khz-mono.wav';

async function plan(
  file: string,
  mix: (samples: Int16Array) => Int16Array = (samples) => samples,
): Promise<{ segments: AudioSegment[]; stats: RecordingStats }> {
  const dir = await mkdtemp(join(tmpdir(), 'real-call-'));
  await copyFile(join(REAL_RECORDINGS, file), join(dir, 'recording'));
  const decoding = new Decoding(
    dir,
    { timeMs: 60_000, memoryBytes: 2 ** 30, audioSeconds: 3_600 },
    new AbortController().signal,
  );
  try {
    const planner = new Planner(await decoding.open(1e9), segmentShape({ maxSeconds: 480, timestamps: false }));
    const segments: AudioSegment[] = [];
    for await (const samples of decoding.samples()) segments.push(...planner.push(mix(samples)));
    const { segments: last, stats } = planner.end();
    return { segments: [...segments, ...last], stats };
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

// On the left the agent, who talks 41% of the time; on the right the caller, 53% including his breath, which is 35 dB
// softer than his voice. They hardly talk at the same time.
describe('a real phone call with a person on each channel', () => {
  itNeeds(realRecording(STEREO), 'who talks how much comes out as it was', async () => {
    const { stats } = await plan(STEREO);
    const [agent = 0, caller = 0] = stats.speechSeconds.channels.map((seconds) => seconds / stats.seconds);
    expect(agent).toBeGreaterThan(0.37);
    expect(agent).toBeLessThan(0.45);
    expect(caller).toBeGreaterThan(0.42);
    expect(caller).toBeLessThan(0.57);
    expect(agent + caller - stats.speechSeconds.all / stats.seconds).toBeLessThan(0.09);
  });

  itNeeds(
    realRecording(STEREO),
    'it becomes some thirty segments, most of them whole turns, and hardly any sound is sent twice',
    async () => {
      const { segments, stats } = await plan(STEREO);
      expect(segments.length).toBeGreaterThan(20);
      expect(segments.length).toBeLessThan(45);
      expect(segments.every(({ channel }) => channel !== null)).toBe(true);
      expect(segments.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0)).toBeLessThan(
        stats.seconds * 1_000,
      );
    },
  );

  itNeeds(realRecording(STEREO), 'bleed from the other side changes nothing about who talks', async () => {
    const { stats: clean } = await plan(STEREO);
    for (const db of [-15, -25]) {
      const { stats } = await plan(STEREO, (samples) => bleeding(samples, db));
      stats.speechSeconds.channels.forEach((seconds, channel) => {
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
      const { segments, stats } = await plan(MONO);
      expect(segments.length).toBeGreaterThan(15);
      expect(Math.max(...segments.map(({ startMs, endMs }) => endMs - startMs))).toBeLessThan(60_500);
      expect(segments.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0)).toBeLessThan(stats.seconds * 900);
    },
  );
});
