import { describe, expect, it } from '@jest/globals';
import { type AudioSegment, type Pass, Planner, type RecordingStats, type SharedAudio } from './planner.ts';
import { segmentShape } from './segment-cutter.ts';
import { mixed, noise, pcm, scaled, track, voice } from './sounds.fixture.ts';

const WITHOUT_TIMES = segmentShape({ maxSeconds: 480, timestamps: false });

/** @param step samples handed over at a time */
function plan(
  samples: Int16Array,
  channels: 1 | 2,
  step = 64_000,
  shape = WITHOUT_TIMES,
): { segments: AudioSegment[]; stats: RecordingStats } {
  const planner = new Planner(channels, shape);
  const segments: AudioSegment[] = [];
  for (let at = 0; at < samples.length; at += step) segments.push(...planner.push(samples.slice(at, at + step)));
  const { segments: last, stats } = planner.end();
  return { segments: [...segments, ...last].sort((a, b) => a.startMs - b.startMs), stats };
}

/** Who speaks from when to when, to the nearest half second. */
function outline(segments: readonly AudioSegment[]): string[] {
  const half = (ms: number) => Math.round(ms / 500) / 2;
  return segments.map(
    ({ channel, speechStartMs, speechEndMs }) => `${channel ?? 'all'} ${half(speechStartMs)}-${half(speechEndMs)}`,
  );
}

const manager = [
  { atSeconds: 1, seconds: 6, seed: 1, db: -18 },
  { atSeconds: 14, seconds: 5, seed: 2, db: -18 },
];
const customer = [
  { atSeconds: 8, seconds: 5, seed: 3, db: -22 },
  { atSeconds: 20, seconds: 4, seed: 4, db: -22 },
];

describe('planning a call with a person on each channel', () => {
  const samples = pcm(track(30, manager), track(30, customer, { seed: 55 }));

  it('makes each turn a segment of its own channel, in the order of the talk', () => {
    const { segments, stats } = plan(samples, 2);
    expect(outline(segments)).toEqual(['0 1-7', '1 8-13', '0 14-19', '1 20-24']);
    expect(stats.speechSeconds.channels[0]).toBeCloseTo(11, 0);
    expect(stats.speechSeconds.channels[1]).toBeCloseTo(9, 0);
    expect(stats.seconds).toBe(30);
  });

  it('gives a segment its own channel alone', () => {
    const [first] = plan(samples, 2).segments;
    const left = pcm(track(30, manager));
    expect(first?.samples).toEqual(left.slice(((first?.startMs ?? 0) * 16) | 0, ((first?.endMs ?? 0) * 16) | 0));
  });

  it('plans the same segments however the samples come', () => {
    const shown = (step: number) =>
      plan(samples, 2, step).segments.map(({ channel, startMs, endMs, samples: { length } }) => [
        channel,
        startMs,
        endMs,
        length,
      ]);
    expect(shown(2_222)).toEqual(shown(64_000));
    expect(shown(10_000_000)).toEqual(shown(64_000));
  });
});

describe('planning what is no call with a person on each channel', () => {
  it('takes a call that was copied to both channels for one channel', () => {
    const both = mixed(track(30, manager), track(30, customer, { seed: 55 }));
    const { segments, stats } = plan(pcm(both, scaled(both, -3)), 2);
    expect(new Set(segments.map(({ channel }) => channel))).toEqual(new Set([null]));
    expect(outline(segments)).toEqual(outline(plan(pcm(both), 1).segments));
    expect(stats.speechSeconds.channels).toEqual([0, 0]);
  });

  it('takes a call with a dead channel for the other one', () => {
    const both = mixed(track(30, manager), track(30, customer, { seed: 55 }));
    const { segments } = plan(pcm(new Float32Array(both.length), both), 2);
    expect(new Set(segments.map(({ channel }) => channel))).toEqual(new Set([1]));
  });

  it('says where two people speak at once for half a second', () => {
    const left = track(20, [{ atSeconds: 2, seconds: 5, seed: 1, db: -20 }]);
    const right = track(20, [
      { atSeconds: 6, seconds: 6, seed: 2, db: -20 },
      { atSeconds: 15, seconds: 3, seed: 2, db: -20 },
    ]);
    const [overlap, ...others] = plan(pcm(left, right), 2).stats.overlaps;
    expect(others).toEqual([]);
    expect(overlap?.startMs).toBeGreaterThan(5_700);
    expect(overlap?.endMs).toBeLessThan(7_300);
  });

  it('sends nothing of a silent recording', () => {
    expect(plan(pcm(noise(30, 3, -60), noise(30, 4, -70)), 2)).toEqual({
      segments: [],
      stats: { seconds: 30, channels: 2, speechSeconds: { channels: [0, 0], all: 0 }, overlaps: [] },
    });
  });

  it('tells a recording that is shorter than a frame', () => {
    const planner = new Planner(1, WITHOUT_TIMES);
    expect(planner.push(new Int16Array(160))).toEqual([]);
    expect(planner.end().stats.seconds).toBe(0.01);
  });
});

describe('a call with two people in one channel', () => {
  const samples = pcm(mixed(track(30, manager), track(30, customer, { seed: 55 })));
  const turn = (startMs: number, endMs: number, voice: number) => ({ startMs, endMs, voice, confidence: 0.9 });

  function pass(wanted: Pass): { segments: AudioSegment[]; shared: SharedAudio[]; stats: RecordingStats } {
    const planner = new Planner(1, WITHOUT_TIMES, wanted);
    const segments: AudioSegment[] = [];
    const shared: SharedAudio[] = [];
    for (let at = 0; at < samples.length; at += 64_000) {
      segments.push(...planner.push(samples.slice(at, at + 64_000)));
      shared.push(...planner.takeShared());
    }
    const { segments: last, stats } = planner.end();
    return { segments: [...segments, ...last], shared: [...shared, ...planner.takeShared()], stats };
  }

  it('gives all of its audio to be told apart, in order, before it is cut', () => {
    const { segments, shared } = pass('apart');
    expect(segments).toEqual([]);
    let end = 0;
    for (const { startMs, samples: part } of shared) {
      expect(startMs * 16).toBe(end);
      expect(part).toEqual(samples.slice(end, end + part.length));
      end += part.length;
    }
    expect(end).toBe(samples.length);
  });

  it('is cut at pauses and where the voice changes, also in the middle of speech, with no sound in two segments', () => {
    const voices = { confidence: 0.8, stretches: [turn(0, 4_000, 0), turn(4_000, 13_500, 1), turn(13_500, 30_000, 0)] };
    const { segments, stats } = pass({ voices });
    expect(outline(segments)).toEqual(['all 1-4', 'all 4-13', 'all 14-24']);
    expect(segments.map(({ voice }) => voice?.speaker)).toEqual([0, 1, 0]);
    expect(segments[0]?.endMs).toBe(4_000);
    expect(segments[1]?.startMs).toBe(4_000);
    expect(segments[0]?.voice?.confidence).toBeCloseTo(0.72);
    expect(stats.speechSeconds.voices?.map(Math.round)).toEqual([12, 8]);
  });

  it('gives the same audio again without cutting anything, also where a channel is one person', () => {
    expect(pass('shared')).toMatchObject({ segments: [], shared: pass('apart').shared });
    const apart = new Planner(2, WITHOUT_TIMES, 'shared');
    const both = pcm(track(30, manager), track(30, customer, { seed: 55 }));
    expect([...apart.push(both), ...apart.end().segments, ...apart.takeShared()]).toEqual([]);
  });

  it('is cut as before when its voices could not be told apart', () => {
    expect(pass({ voices: null }).segments).toEqual(pass('all').segments);
  });
});

describe('a call that changes on the way', () => {
  it('tells the people apart after an announcement that both sides hear for minutes', () => {
    const announcement = track(100, [
      { atSeconds: 1, seconds: 40, seed: 11, db: -18 },
      { atSeconds: 43, seconds: 55, seed: 12, db: -18 },
    ]);
    const late = (voices: typeof manager) => voices.map((sound) => ({ ...sound, atSeconds: sound.atSeconds + 102 }));
    const left = mixed(
      announcement,
      track(180, [...late(manager), { atSeconds: 140, seconds: 20, seed: 13, db: -18 }], { floorDb: -90 }),
    );
    const right = mixed(
      announcement,
      track(180, [...late(customer), { atSeconds: 162, seconds: 15, seed: 14, db: -18 }], { floorDb: -90, seed: 5 }),
    );
    const { segments } = plan(pcm(left, right), 2);
    const talk = segments.filter(({ startMs }) => startMs > 135_000).map(({ channel }) => channel);
    expect(new Set(talk)).toEqual(new Set([0, 1]));
    // Nobody is stats twice: whatever is said is in one segment.
    const doubled = segments.flatMap((a) =>
      segments.filter((b) => a !== b && a.speechStartMs < b.speechEndMs - 500 && b.speechStartMs < a.speechEndMs - 500),
    );
    expect(doubled).toEqual([]);
  });
});

describe('what every plan keeps to', () => {
  const samples = pcm(
    track(200, [
      { atSeconds: 1, seconds: 150, seed: 21, db: -15 },
      { atSeconds: 155, seconds: 0.3, seed: 22, db: -20 },
      { atSeconds: 170, seconds: 20, seed: 23, db: -30 },
    ]),
  );

  it.each([
    ['text alone', WITHOUT_TIMES],
    ['windows of 28 s', segmentShape({ maxSeconds: 28, timestamps: true })],
  ])('no segment is too long, none overlap, and all speech is in one (%s)', (_, shape) => {
    const { segments, stats } = plan(samples, 1, 64_000, shape);
    let end = 0;
    for (const segment of segments) {
      expect(segment.startMs).toBeGreaterThanOrEqual(end);
      expect(segment.endMs - segment.startMs).toBeLessThanOrEqual(shape.maxMs + 400);
      expect(segment.samples.length).toBe((segment.endMs - segment.startMs) * 16);
      end = segment.endMs;
    }
    const speech = segments.reduce((sum, { speechMs }) => sum + speechMs, 0) / 1000;
    expect(speech).toBeGreaterThan(stats.speechSeconds.all * 0.9);
    expect(stats.speechSeconds.all).toBeGreaterThan(150);
  });

  it('has the first segment ready long before the end', () => {
    const planner = new Planner(1, WITHOUT_TIMES);
    expect(planner.push(pcm(track(60, [{ atSeconds: 1, seconds: 5, seed: 1, db: -18 }])))).toHaveLength(1);
  });
});

it('loudness of a segment is that of its loudest moment', () => {
  const [segment] = plan(pcm(mixed(noise(20, 1, -80), voice({ seconds: 15, seed: 2, db: -20 }))), 1).segments;
  expect(segment?.loudestDb).toBeGreaterThan(-26);
  expect(segment?.loudestDb).toBeLessThan(-10);
});
