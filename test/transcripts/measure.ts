import { type Analysis, type Line, type Transcript, timedWords } from '@call-analytics/calls';
import type { Recorded } from './recordings.ts';

export interface Measured {
  words: { said: number; wrong: number; lost: number; added: number };
  /**
   * Of the words that were heard: under the right role; null where the rules do not read the language. Of misheard words
   * only those amid a turn: at a change of speaker nothing tells which of the words there was misheard so.
   */
  rightRole: number | null;
  /** Of the words that were heard: in a line that is spoken at that time. */
  rightTime: number;
  /**
   * Of the words that were heard as they were said: begun and ended at that time; null where the engine gives no times
   * of words, and where those of the recording are not known.
   */
  rightWordTime: number | null;
  /** Lines without a word that was said: where the person says nothing, and where words were misheard. */
  inventions: string[];
  misheard: string[];
  /** Diarization error rate; with a collar of 0.25 s around each change. */
  der: number;
  derCollar: number;
  /** How sure the service is that it told the voices apart; null where channels did. */
  confidence: number | null;
  /** By how much the seconds heard, silent, music and unanswered miss the length. */
  coverageGap: number;
  unanswered: number;
  interruptions: number | null;
  /** Of all people, with pauses of up to half a second. */
  speechSeconds: number;
}

const NEAR_MS = 500;
const COLLAR = 25;
const ROLES = ['manager', 'customer', 'other'];

export function measure(recorded: Recorded, transcript: Transcript, analysis: Analysis): Measured {
  const said = recorded.spoken.flatMap(({ text, ...at }) => wordsOf(text).map((word) => ({ word, ...at })));
  const heard = analysis.lines.flatMap((line) => wordsOf(line.text).map((word) => ({ word, line })));
  const pairs = aligned(
    said.map(({ word }) => word),
    heard.map(({ word }) => word),
  );
  const both = pairs.flatMap(([a, b]) => {
    const [one, other] = [said[a ?? -1], heard[b ?? -1]];
    return one === undefined || other === undefined ? [] : [{ said: one, heard: other }];
  });
  const spokenLines = new Set(
    both.filter((pair) => pair.said.word === pair.heard.word).map(({ heard: { line } }) => line),
  );
  const unspoken = analysis.lines.filter((line) => !spokenLines.has(line) && wordsOf(line.text).length > 0);
  const people = recorded.activity.map((frames, speaker) => ({ frames, speaker }));
  const isSounding = ({ speaker, startMs, endMs }: Line) => {
    const own = people.filter((person) => transcript.speakersBy !== 'channels' || person.speaker === speaker);
    const [from, to] = [Math.floor(startMs / 10), Math.ceil(endMs / 10)];
    return own.some(({ frames }) => frames.subarray(from, to).reduce((sum, frame) => sum + frame, 0) > (to - from) / 2);
  };
  const { heard: with_ = 0, silent = 0, music = 0, unanswered = 0 } = transcript.audio.coverage ?? {};
  return {
    words: {
      said: said.length,
      wrong: both.filter((pair) => pair.said.word !== pair.heard.word).length,
      lost: said.length - both.length,
      added: heard.length - both.length,
    },
    rightRole:
      recorded.language === 'en'
        ? share(amidTurns(both, said), (pair) => ROLES[pair.said.speaker] === pair.heard.line.role)
        : null,
    rightTime: share(both, (pair) => isNear(pair.said, pair.heard.line)),
    rightWordTime: recorded.words ? wordTimesRight(said, transcript) : null,
    inventions: unspoken.filter((line) => !isSounding(line)).map(({ text }) => text),
    misheard: unspoken.filter(isSounding).map(({ text }) => text),
    der: errorRate(recorded.activity, transcript, 0),
    derCollar: errorRate(recorded.activity, transcript, COLLAR),
    confidence: transcript.speakersConfidence ?? null,
    coverageGap: Math.abs(with_ + silent + music + unanswered - transcript.audio.seconds),
    unanswered,
    interruptions: analysis.numbers.interruptions ?? null,
    speechSeconds: recorded.activity.reduce((sum, frames) => sum + speechIn(frames), 0) / 100,
  };
}

interface Pair {
  said: { word: string; speaker: number };
  heard: { word: string; line: Line };
}

/** @returns the pairs of equal words, and those of others where one person says all between two equal ones */
export function amidTurns(pairs: readonly Pair[], said: readonly Pair['said'][]): Pair[] {
  const isEqual = (pair: Pair) => pair.said.word === pair.heard.word;
  const at = new Map(said.map((word, index) => [word, index]));
  return pairs.filter((pair, index) => {
    if (isEqual(pair)) return true;
    const before = pairs.slice(0, index).findLast(isEqual);
    const after = pairs.slice(index).find(isEqual);
    const [from, to] = [at.get(before?.said ?? pair.said), at.get(after?.said ?? pair.said)];
    return said.slice(from, (to ?? 0) + 1).every(({ speaker }) => speaker === pair.said.speaker);
  });
}

const NEAR_WORD_MS = 300;

function wordTimesRight(said: readonly { word: string; startMs: number; endMs: number }[], { utterances }: Transcript) {
  const timed = utterances
    .flatMap(timedWords)
    .flatMap(({ text, startMs, endMs }) => wordsOf(text).map((word) => ({ word, startMs, endMs })));
  if (timed.length === 0) return null;
  const both = aligned(
    said.map(({ word }) => word),
    timed.map(({ word }) => word),
  ).flatMap(([a, b]) => {
    const [one, other] = [said[a], timed[b]];
    return one === undefined || one.word !== other?.word ? [] : [{ one, other }];
  });
  const isClose = (a: number, b: number) => Math.abs(a - b) <= NEAR_WORD_MS;
  return share(both, ({ one, other }) => isClose(one.startMs, other.startMs) && isClose(one.endMs, other.endMs));
}

const share = <T>(all: readonly T[], holds: (one: T) => boolean) => all.filter(holds).length / Math.max(1, all.length);

/** In frames of 10 ms. */
const BRIDGED = 50;

/** Pauses of up to half a second are part of it, as in the transcript. @returns frames */
function speechIn(frames: Uint8Array): number {
  let sum = 0;
  let last: number | null = null;
  frames.forEach((speaks, frame) => {
    if (speaks === 0) return;
    sum += last !== null && frame - last - 1 <= BRIDGED ? frame - last : 1;
    last = frame;
  });
  return sum;
}

function isNear(word: { startMs: number; endMs: number }, line: Line): boolean {
  return word.endMs > line.startMs - NEAR_MS && word.startMs < line.endMs + NEAR_MS;
}

const NUMBERS = 'zero one two three four five six seven eight nine ten'.split(' ');

/** Without punctuation, and small numbers as words: recognizers write them as digits. */
export function wordsOf(text: string): string[] {
  const words =
    text
      .toLowerCase()
      .replaceAll(/[’']/g, '')
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.map((word) => (/^\d+$/.test(word) ? (NUMBERS[Number(word)] ?? word) : word));
}

/** Words that are compared at once: the table of all costs of a recording of hours would take gigabytes. */
const WINDOW = 1_000;

/** Pairs of indexes by the least edit distance, found in windows; a word without a partner is left out. */
export function aligned(a: readonly string[], b: readonly string[]): [number, number][] {
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; ; ) {
    const found = alignedAtOnce(a.slice(i, i + WINDOW), b.slice(j, j + WINDOW));
    const isLast = i + WINDOW >= a.length && j + WINDOW >= b.length;
    // The words beyond the window decide about those at its end.
    const kept = isLast ? found : found.slice(0, Math.ceil(found.length / 2));
    for (const [x, y] of kept) pairs.push([i + x, j + y]);
    if (isLast) return pairs;
    const [x, y] = kept.at(-1) ?? [WINDOW / 2, WINDOW / 2];
    i += x + 1;
    j += y + 1;
  }
}

function alignedAtOnce(a: readonly string[], b: readonly string[]): [number, number][] {
  const width = b.length + 1;
  const cost = new Uint16Array((a.length + 1) * width);
  const at = (i: number, j: number) => cost[i * width + j] as number;
  // Substitution costs more than half of leaving both out, so that equal words are paired where they can be.
  const pair = (i: number, j: number) => at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 3);
  for (let i = 0; i <= a.length; i += 1)
    for (let j = 0; j <= b.length; j += 1)
      cost[i * width + j] = i === 0 || j === 0 ? 2 * (i + j) : Math.min(pair(i, j), at(i - 1, j) + 2, at(i, j - 1) + 2);
  const pairs: [number, number][] = [];
  for (let i = a.length, j = b.length; i > 0 && j > 0; ) {
    if (at(i, j) === pair(i, j)) pairs.push([--i, --j]);
    else if (at(i, j) === at(i - 1, j) + 2) i -= 1;
    else j -= 1;
  }
  return pairs.reverse();
}

/** Missed, false and confused time, over the time that people speak. @param collar frames that do not count at a change */
function errorRate(truth: readonly Uint8Array[], { utterances }: Transcript, collar: number): number {
  const length = Math.max(...truth.map((frames) => frames.length));
  const skipped = new Uint8Array(length);
  for (const frames of truth)
    for (let i = 1; collar > 0 && i < frames.length; i += 1)
      if (frames[i] !== frames[i - 1]) skipped.fill(1, Math.max(0, i - collar), i + collar);
  const heard = truth.map(() => new Uint8Array(length));
  for (const { speaker, startMs, endMs } of utterances)
    heard[Math.min(speaker ?? 0, truth.length - 1)]?.fill(1, Math.round(startMs / 10), Math.round(endMs / 10));
  const errors = orders(truth.map((_, index) => index)).map((order) => {
    let wrong = 0;
    for (let i = 0; i < length; i += 1) {
      if (skipped[i] === 1) continue;
      const spoken = truth.reduce((sum, frames) => sum + (frames[i] ?? 0), 0);
      const said = heard.reduce((sum, frames) => sum + (frames[i] as number), 0);
      const right = order.reduce((sum, to, from) => sum + (truth[to]?.[i] ?? 0) * (heard[from]?.[i] as number), 0);
      wrong += Math.max(spoken, said) - right;
    }
    return wrong;
  });
  let total = 0;
  for (let i = 0; i < length; i += 1)
    if (skipped[i] === 0) total += truth.reduce((sum, frames) => sum + (frames[i] ?? 0), 0);
  return Math.min(...errors) / Math.max(1, total);
}

function orders(of: readonly number[]): number[][] {
  if (of.length < 2) return [[...of]];
  return of.flatMap((first) => orders(of.filter((other) => other !== first)).map((rest) => [first, ...rest]));
}
