import { describe, expect, it } from '@jest/globals';
import { FRAME_MS, Levels } from './frames.ts';
import { joined, mixed, noise, pcm, tone, track } from './sounds.fixture.ts';
import { VoiceActivity } from './voice-activity.ts';

/** @returns the stretches with speech, in seconds */
function speechIn(samples: Float32Array, chunkFrames = 500): [number, number][] {
  const whole = pcm(samples);
  const levels = new Levels(1);
  const [channel] = levels.channels;
  if (channel === undefined) throw new Error('no channel');
  const activity = new VoiceActivity(channel);
  const marks: boolean[] = [];
  const step = chunkFrames * 320;
  for (let at = 0; at < whole.length; at += step) {
    levels.push(whole.subarray(at, at + step));
    activity.advance(at + step >= whole.length);
    while (marks.length < activity.settled) marks.push(activity.at(marks.length));
  }
  const runs: [number, number][] = [];
  marks.forEach((on, frame) => {
    const last = runs.at(-1);
    const seconds = (frame * FRAME_MS) / 1000;
    if (!on) return;
    if (last !== undefined && Math.abs(last[1] - seconds) < 0.001) last[1] = seconds + FRAME_MS / 1000;
    else runs.push([seconds, seconds + FRAME_MS / 1000]);
  });
  return runs;
}

describe('finding speech', () => {
  it('finds each stretch of speech between silences, within a tenth of a second', () => {
    const runs = speechIn(
      track(20, [
        { atSeconds: 3, seconds: 4, seed: 1, db: -20 },
        { atSeconds: 12, seconds: 2, seed: 2, db: -20 },
      ]),
    );
    expect(runs).toHaveLength(2);
    expect(runs[0]?.[0]).toBeCloseTo(3, 0);
    expect(Math.abs((runs[0]?.[1] ?? 0) - 7)).toBeLessThan(0.25);
    expect(Math.abs((runs[1]?.[0] ?? 0) - 12)).toBeLessThan(0.15);
    expect(Math.abs((runs[1]?.[1] ?? 0) - 14)).toBeLessThan(0.25);
  });

  it('finds a soft voice on a quiet line, 20 dB softer than the other calls', () => {
    const runs = speechIn(track(20, [{ atSeconds: 5, seconds: 5, seed: 3, db: -42 }]));
    expect(runs[0]?.[0]).toBeCloseTo(5, 0);
    expect(runs.reduce((sum, [start, end]) => sum + end - start, 0)).toBeGreaterThan(4);
  });

  it('takes steady noise for noise, however loud, and finds the voice above it', () => {
    expect(speechIn(noise(30, 7, -35))).toEqual([]);
    const runs = speechIn(mixed(noise(30, 7, -40), track(30, [{ atSeconds: 10, seconds: 5, seed: 4, db: -15 }])));
    expect(runs.length).toBeGreaterThan(0);
    expect(runs[0]?.[0]).toBeGreaterThan(9.5);
    expect(runs.at(-1)?.[1]).toBeLessThan(15.5);
  });

  it('is sure of silence on a quiet line and in soft steady noise, but not where a soft word lies in it, nor in loud noise', () => {
    const talk = track(30, [
      { atSeconds: 3, seconds: 10, seed: 1, db: -18 },
      { atSeconds: 15, seconds: 10, seed: 2, db: -18 },
    ]);
    const silentIn = (samples: Float32Array, from: number, to: number) => {
      const levels = new Levels(1);
      const [channel] = levels.channels;
      if (channel === undefined) throw new Error('no channel');
      levels.push(pcm(samples));
      const activity = new VoiceActivity(channel);
      activity.advance(true);
      const pause = Array.from({ length: 50 * (to - from) }, (_, i) => 50 * from + i);
      return pause.filter((frame) => activity.silentAt(frame)).length / pause.length;
    };
    const steady = mixed(talk, noise(30, 7, -44));
    expect(silentIn(talk, 13.2, 14.8)).toBeGreaterThan(0.95);
    expect(silentIn(steady, 13.2, 14.8)).toBeGreaterThan(0.9);
    // No louder than the noise: the syllables of this voice are 6 dB softer than their loudest moment.
    const word = track(30, [{ atSeconds: 13.8, seconds: 0.4, seed: 3, db: -38 }], { floorDb: -96 });
    expect(silentIn(mixed(steady, word), 13.9, 14.2)).toBeLessThan(0.2);
    // Louder noise hides soft words.
    expect(silentIn(mixed(talk, noise(30, 7, -30)), 13.2, 14.8)).toBe(0);
  });

  it('hears no speech in digital silence, mains hum or a constant offset', () => {
    expect(speechIn(new Float32Array(16_000 * 20))).toEqual([]);
    expect(speechIn(tone(20, 50, -25))).toEqual([]);
    expect(speechIn(new Float32Array(16_000 * 20).fill(0.3))).toEqual([]);
  });

  it('does not take clicks for speech', () => {
    const clicks = [2, 5, 8].map((atSeconds) => ({ atSeconds, seconds: 0.04, seed: atSeconds, db: -10 }));
    expect(speechIn(track(12, clicks))).toEqual([]);
  });

  it('follows a line whose noise changes in the middle of the call', () => {
    const quiet = track(40, [{ atSeconds: 20, seconds: 3, seed: 5, db: -20 }]);
    const noisy = mixed(noise(60, 8, -42), track(60, [{ atSeconds: 40, seconds: 3, seed: 6, db: -15 }]));
    const runs = speechIn(joined(quiet, noisy));
    const within = (from: number, to: number) => runs.filter(([start, end]) => start > from - 0.5 && end < to + 0.5);
    expect(within(20, 23).length).toBeGreaterThan(0);
    expect(within(80, 83).length).toBeGreaterThan(0);
    // Until the threshold has followed, some of the new noise may pass.
    expect(runs.filter(([start]) => start > 60)).toEqual(within(80, 83));
  });

  it('decides the same however the recording is handed over', () => {
    const talk = track(60, [
      // From the first moment: little is known of the line then.
      { atSeconds: 0, seconds: 2, seed: 9, db: -20 },
      { atSeconds: 3, seconds: 4, seed: 1, db: -20 },
      { atSeconds: 7.3, seconds: 12, seed: 2, db: -30 },
      { atSeconds: 40, seconds: 0.3, seed: 3, db: -25 },
    ]);
    // A line that gets louder step by step, so that each block has a threshold of its own.
    const line = joined(...[-60, -52, -46, -40, -36, -34].map((db, seed) => noise(10, seed, db)));
    const samples = mixed(talk, line);
    expect(speechIn(samples, 7)).toEqual(speechIn(samples, 100_000));
    expect(speechIn(samples, 251)).toEqual(speechIn(samples, 100_000));
  });
});
