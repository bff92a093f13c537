import type { EngineAnswer } from './engines/engine.ts';
import type { TimedText } from './join/fit-times.ts';
import { SAMPLE_RATE } from './plan/frames.ts';
import type { AudioSegment } from './plan/planner.ts';

/** A segment with those before and after it on its channel. */
export interface Place {
  segment: AudioSegment;
  before: AudioSegment | null;
  after: AudioSegment | null;
}

/** Segments of a channel in one request. */
export interface Pack {
  samples: Int16Array;
  startMs: number;
  endMs: number;
  /** Where the segment begins in the samples, in ms. */
  atMs: number;
}

/** Silence around each part, so that the engine keeps them apart. */
const GAP_SAMPLES = SAMPLE_RATE / 2;

/** Longer segments are not sent again with another. */
const LONGEST_NEIGHBOR_MS = 10_000;

export const asNeighbor = (segment: AudioSegment | undefined): AudioSegment | null =>
  segment === undefined || segment.endMs - segment.startMs > LONGEST_NEIGHBOR_MS ? null : segment;

/** The segment between its neighbors. Without times in the answer, their words could not be told from its own. */
export function packOf({ segment, before, after }: Place, timed: boolean): Pack {
  const parts = (timed ? [before, segment, after] : [segment]).filter((part) => part !== null);
  const samples = new Int16Array(parts.reduce((sum, part) => sum + part.samples.length + GAP_SAMPLES, GAP_SAMPLES));
  let at = GAP_SAMPLES;
  let atMs = 0;
  for (const part of parts) {
    samples.set(part.samples, at);
    if (part === segment) atMs = (at * 1000) / SAMPLE_RATE;
    at += part.samples.length + GAP_SAMPLES;
  }
  const { startMs } = segment;
  return { samples, startMs, endMs: startMs + (samples.length * 1000) / SAMPLE_RATE, atMs };
}

/** What of the answer to a pack was said in the segment. */
export function answerWithin(answer: EngineAnswer, { atMs }: Pack, { startMs, endMs }: AudioSegment): EngineAnswer {
  if (answer.utterances === undefined) return answer;
  const inside = (said: readonly TimedText[]) =>
    said
      .map((part) => ({ ...part, startMs: part.startMs - atMs, endMs: part.endMs - atMs }))
      .filter((part) => part.startMs + part.endMs >= 0 && part.startMs + part.endMs <= 2 * (endMs - startMs))
      .map((part) => ({ ...part, startMs: Math.max(0, part.startMs) }));
  const words = answer.words === undefined ? [] : inside(answer.words);
  const spoken = words
    .map(({ text }) => text)
    .join(' ')
    .replaceAll(/ (?=-)/g, '');
  const [first, last] = [words[0], words.at(-1)];
  if (answer.words !== undefined && (first === undefined || last === undefined))
    return { ...answer, text: '', utterances: [], words: [] };
  const utterances =
    first === undefined || last === undefined
      ? inside(answer.utterances)
      : [{ startMs: first.startMs, endMs: last.endMs, text: spoken }];
  return { ...answer, text: utterances.map(({ text }) => text).join(' '), utterances, words };
}
