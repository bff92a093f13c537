import { COEFFICIENTS, FRAME_MS, QUIET_DB, type VoiceFeatures } from './features.ts';

// jest looks globals up slowly, and these are asked for each frame.
const { floor, max, min, round, sqrt } = Math;

/** Frames of speech from `from` up to, not including, `to`. */
export interface Run {
  from: number;
  to: number;
}

/** Where speech is in a recording. */
export interface FoundSpeech {
  runs: Run[];
  /** The frames within the runs that hold a voice, in order. */
  frames: Int32Array;
}

/** The speech of a recording, or of a part of it, packed for the models. An hour takes up to 30 MB. */
export interface Speech extends FoundSpeech {
  /** COEFFICIENTS values a frame, each with mean 0 and deviation 1. */
  mfcc: Float32Array;
  /** Deviations from the mean pitch; 0 where there is none. */
  pitch: Float32Array;
  voiced: Uint8Array;
}

const LOUD_SHARE = 0.95;
const QUIET_SHARE = 0.08;
const UNDER_LOUD_DB = 33;
const OVER_QUIET_DB = 12;
const framesOf = (ms: number) => round(ms / FRAME_MS);
const CLICK = framesOf(50);
const GAP = framesOf(300);
const MIN_RUN = framesOf(150);
const MAX_DEVIATIONS = 2.5;

/** Finds speech: runs, and within them the core, which is loud enough to tell voices apart by. */
export function findSpeech(features: VoiceFeatures): FoundSpeech {
  const core = coreFrames(features);
  const runs = runsOf(core);
  return { runs, frames: framesIn(runs, core) };
}

/** @returns the frames of these runs */
export function within(frames: Int32Array, runs: Run[]): FoundSpeech {
  let run = 0;
  const kept = frames.filter((frame) => {
    while (run < runs.length && (runs[run] as Run).to <= frame) run += 1;
    return run < runs.length && (runs[run] as Run).from <= frame;
  });
  return { runs, frames: kept };
}

function coreFrames(features: VoiceFeatures): Uint8Array {
  const level = (i: number) => {
    const before = features.db(max(0, i - 1));
    const here = features.db(i);
    const after = features.db(min(features.frames - 1, i + 1));
    return max(min(before, here), min(max(before, here), after));
  };
  const sorted = new Float32Array(features.frames);
  for (let i = 0; i < sorted.length; i += 1) sorted[i] = level(i);
  sorted.sort();
  const at = (share: number) => sorted[floor(share * (sorted.length - 1))] ?? 0;
  const loud = at(LOUD_SHARE);
  const overNoise = min(at(QUIET_SHARE) + OVER_QUIET_DB, loud - OVER_QUIET_DB);
  const threshold = max(loud - UNDER_LOUD_DB, overNoise, QUIET_DB);
  const core = new Uint8Array(features.frames);
  for (let i = 0; i < core.length; i += 1) if (level(i) > threshold) core[i] = 1;
  for (const { from, to } of spans(core)) if (to - from < CLICK) core.fill(0, from, to);
  return core;
}

function spans(flags: Uint8Array): Run[] {
  const found: Run[] = [];
  for (let i = 0; i < flags.length; i += 1) {
    if (flags[i] === 0) continue;
    const from = i;
    while (i < flags.length && flags[i] === 1) i += 1;
    found.push({ from, to: i });
  }
  return found;
}

function runsOf(core: Uint8Array): Run[] {
  const runs: Run[] = [];
  for (const span of spans(core)) {
    const last = runs.at(-1);
    if (last !== undefined && span.from - last.to < GAP) last.to = span.to;
    else runs.push({ ...span });
  }
  return runs.filter(({ from, to }) => to - from >= MIN_RUN);
}

/** @returns the speech in these runs, normalized by itself */
export function partOf({ frames, mfcc, pitch, voiced }: Speech, runs: Run[]): Speech {
  const kept: number[] = [];
  let run = 0;
  for (let i = 0; i < frames.length; i += 1) {
    const frame = frames[i] as number;
    while (run < runs.length && (runs[run] as Run).to <= frame) run += 1;
    if (run < runs.length && (runs[run] as Run).from <= frame) kept.push(i);
  }
  const part = {
    runs,
    frames: Int32Array.from(kept, (i) => frames[i] as number),
    mfcc: new Float32Array(kept.length * COEFFICIENTS),
    pitch: Float32Array.from(kept, (i) => pitch[i] as number),
    voiced: Uint8Array.from(kept, (i) => voiced[i] as number),
  };
  kept.forEach((i, k) => {
    part.mfcc.set(mfcc.subarray(i * COEFFICIENTS, (i + 1) * COEFFICIENTS), k * COEFFICIENTS);
  });
  normalizeAll(part);
  return part;
}

function normalizeAll({ mfcc, pitch, voiced }: Speech): void {
  for (let c = 0; c < COEFFICIENTS; c += 1) normalize(mfcc, c, COEFFICIENTS);
  normalizePitch(pitch, voiced);
}

function framesIn(runs: readonly Run[], core: Uint8Array): Int32Array {
  const count = runs.reduce(
    (sum, { from, to }) => sum + core.subarray(from, to).reduce((ones, one) => ones + one, 0),
    0,
  );
  const frames = new Int32Array(count);
  let at = 0;
  for (const { from, to } of runs) {
    for (let frame = from; frame < to; frame += 1) {
      if (core[frame] !== 1) continue;
      frames[at] = frame;
      at += 1;
    }
  }
  return frames;
}

/** @returns the speech with its sound, normalized by itself */
export function packed(features: VoiceFeatures, { runs, frames }: FoundSpeech): Speech {
  const mfcc = new Float32Array(frames.length * COEFFICIENTS);
  const pitch = new Float32Array(frames.length);
  const voiced = new Uint8Array(frames.length);
  for (let i = 0; i < frames.length; i += 1) {
    const frame = frames[i] as number;
    for (let c = 0; c < COEFFICIENTS; c += 1) mfcc[i * COEFFICIENTS + c] = features.coefficient(frame, c);
    pitch[i] = features.pitch(frame);
    voiced[i] = (pitch[i] as number) > 0 ? 1 : 0;
  }
  const speech = { runs, frames, mfcc, pitch, voiced };
  normalizeAll(speech);
  return speech;
}

function normalize(values: Float32Array, at: number, step: number): void {
  let sum = 0;
  let squares = 0;
  const count = max(1, values.length / step);
  for (let i = at; i < values.length; i += step) sum += values[i] as number;
  const mean = sum / count;
  for (let i = at; i < values.length; i += step) squares += ((values[i] as number) - mean) ** 2;
  const deviation = sqrt(squares / count) || 1;
  for (let i = at; i < values.length; i += step) values[i] = ((values[i] as number) - mean) / deviation;
}

function normalizePitch(pitch: Float32Array, voiced: Uint8Array): void {
  const known = pitch.filter((_, i) => voiced[i] === 1);
  normalize(known, 0, 1);
  for (let i = 0, k = 0; i < pitch.length; i += 1) {
    if (voiced[i] === 0) continue;
    pitch[i] = max(-MAX_DEVIATIONS, min(MAX_DEVIATIONS, known[k] as number));
    k += 1;
  }
}
