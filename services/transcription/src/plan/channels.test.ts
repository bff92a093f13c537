import { describe, expect, it } from '@jest/globals';
import { CrosstalkDetector } from './channels.ts';
import { Levels } from './frames.ts';
import { mixed, pcm, scaled, track } from './sounds.fixture.ts';
import { VoiceActivity } from './voice-activity.ts';

interface Shares {
  /** Of each channel's own speech that is taken for a copy. */
  copied: [number, number];
  equal: number;
}

function judge(left: Float32Array, right: Float32Array): Shares {
  const levels = new Levels(2);
  levels.push(pcm(left, right));
  const [first, second] = levels.channels.map((channel) => new VoiceActivity(channel));
  if (first === undefined || second === undefined) throw new Error('two channels');
  for (const activity of [first, second]) activity.advance(true);
  const copies = new CrosstalkDetector(levels, [first, second]);
  copies.advance(true);
  const share = (activity: VoiceActivity, of: (frame: number) => boolean) => {
    const frames = Array.from({ length: levels.frames }, (_, frame) => frame).filter((frame) => activity.at(frame));
    return frames.length === 0 ? 0 : frames.filter(of).length / frames.length;
  };
  return {
    copied: [share(first, (frame) => copies.at(0, frame)), share(second, (frame) => copies.at(1, frame))],
    equal: share(first, (frame) => copies.equalAt(frame)),
  };
}

/** Two people who take turns, with some talking at once. */
const first = track(60, [
  { atSeconds: 1, seconds: 12, seed: 1, db: -18 },
  { atSeconds: 24, seconds: 10, seed: 2, db: -18 },
  { atSeconds: 46, seconds: 12, seed: 3, db: -18 },
]);
const second = track(
  60,
  [
    { atSeconds: 14, seconds: 12, seed: 4, db: -22 },
    { atSeconds: 35, seconds: 10, seed: 5, db: -22 },
  ],
  { seed: 77 },
);

describe('telling two people from one that is stats twice', () => {
  it('keeps two people who say different things, also while both talk at once', () => {
    expect(judge(first, second).copied).toEqual([0, 0]);
    const atOnce = judge(
      track(40, [{ atSeconds: 1, seconds: 38, seed: 1, db: -18 }]),
      track(40, [{ atSeconds: 1, seconds: 38, seed: 2, db: -28 }], { seed: 5 }),
    );
    expect(atOnce.copied[0]).toBeLessThan(0.05);
    expect(atOnce.copied[1]).toBeLessThan(0.05);
  });

  it.each([
    ['the same sound', first],
    ['the same sound a little softer', scaled(first, -4)],
    ['the same sound turned over', scaled(first, 0, { sign: -1 })],
    ['the same sound with some noise of its own', mixed(first, track(60, [], { floorDb: -60, seed: 3 }))],
  ])('sees that both channels hold %s', (_, copy) => {
    const { copied, equal } = judge(first, copy);
    expect(equal).toBeGreaterThan(0.95);
    expect(copied[0]).toBe(0);
    expect(copied[1]).toBeGreaterThan(0.95);
  });

  it('takes a copy that is much softer for nothing but a copy', () => {
    const { copied, equal } = judge(first, scaled(first, -15));
    expect(copied[1]).toBeGreaterThan(0.95);
    expect(equal).toBe(0);
  });

  it.each([
    ['at -14 dB', -14, 0],
    ['at -24 dB', -24, 0],
    ['at -18 dB, a tenth of a second late', -18, 0.11],
    ['at -20 dB, a quarter of a second late', -20, 0.25],
  ])("hears the other side's bleed %s as bleed, and nobody's own words", (_, db, delaySeconds) => {
    const left = mixed(first, scaled(second, db, { delaySeconds }));
    const right = mixed(second, scaled(first, db, { delaySeconds }));
    const clean = [speaking(first), speaking(second)] as const;
    const { own } = ownSpeech(left, right);
    // Within a second and a half of what the clean channels hold.
    expect(Math.abs(own[0] - clean[0])).toBeLessThan(1.5);
    expect(Math.abs(own[1] - clean[1])).toBeLessThan(1.5);
  });
});

function speaking(samples: Float32Array): number {
  return ownSpeech(samples, new Float32Array(samples.length)).own[0];
}

function ownSpeech(left: Float32Array, right: Float32Array): { own: [number, number] } {
  const levels = new Levels(2);
  levels.push(pcm(left, right));
  const [a, b] = levels.channels.map((channel) => new VoiceActivity(channel));
  if (a === undefined || b === undefined) throw new Error('two channels');
  for (const activity of [a, b]) activity.advance(true);
  const copies = new CrosstalkDetector(levels, [a, b]);
  copies.advance(true);
  const seconds = (channel: 0 | 1, activity: VoiceActivity) =>
    Array.from({ length: levels.frames }, (_, frame) => frame).filter(
      (frame) => activity.at(frame) && !copies.at(channel, frame),
    ).length / 50;
  return { own: [seconds(0, a), seconds(1, b)] };
}
