import type { Stretch } from '../plan/frames.ts';
import { SENTENCE_END } from './sentences.ts';

export interface TimedText extends Stretch {
  text: string;
  /** The times of its words, in order and without overlap. */
  words?: Stretch[];
  /** The engine's name for who speaks. */
  speaker?: string;
}

/** A longer pause ends an utterance. */
const PAUSE_MS = 1_000;
/** How far engines err about the beginning and the end of an utterance. */
const SLACK_MS = 1_000;

/**
 * Fits what an engine heard in a segment to the speech that was measured in it: engines let their times run into
 * silence. With the times of words, an utterance ends where the speaker pauses, otherwise where the engine says; each
 * word is moved into the speech that it belongs to.
 * @param speech in order
 * @param utterances in order, and `words` with the same letters
 */
export function fitTimes(
  speech: readonly Stretch[],
  utterances: readonly TimedText[],
  words: readonly TimedText[] = [],
): TimedText[] {
  if (speech.length === 0) return [...utterances];
  const tokens = timedTokens(utterances.map(({ text }) => text).join(' '), words);
  return tokens === null ? trimmed(speech, utterances) : betweenPauses(speech, tokens);
}

const CLAUSE_END = /[,;:–-]$/;
const LETTERS = /[\p{L}\p{M}\p{N}]/gu;
const lettersOf = (text: string) => text.toLowerCase().match(LETTERS) ?? [];

/**
 * Gives each token of the text, which has the punctuation, the time of the words with its letters.
 * @returns null when the letters are not the same
 */
export function timedTokens(text: string, words: readonly TimedText[]): TimedText[] | null {
  const letters = words.flatMap(({ text: word }, index) => lettersOf(word).map((letter) => ({ letter, index })));
  const tokens: TimedText[] = [];
  let at = 0;
  for (const token of text.split(/\s+/).filter((part) => part !== '')) {
    const own = lettersOf(token);
    if (own.some((letter, i) => letters[at + i]?.letter !== letter)) return null;
    const first = words[letters[at]?.index ?? -1];
    const last = words[letters[at + own.length - 1]?.index ?? -1];
    at += own.length;
    const before = tokens.at(-1);
    if (own.length > 0 && first !== undefined && last !== undefined)
      tokens.push({ text: token, startMs: first.startMs, endMs: last.endMs });
    else if (before !== undefined) before.text = `${before.text} ${token}`;
  }
  return at === letters.length && tokens.length > 0 ? tokens : null;
}

/** Runs of words without a pause. Each word belongs to a stretch of speech: times of words run into silence too. */
function betweenPauses(speech: readonly Stretch[], tokens: readonly TimedText[]): TimedText[] {
  const runs: { first: number; last: number; tokens: TimedText[] }[] = [];
  let at = 0;
  let saidMs = Number.NEGATIVE_INFINITY;
  for (const token of tokens) {
    at = Math.max(at, stretchOf(speech, token));
    const run = runs.at(-1);
    const pause = run === undefined ? Number.POSITIVE_INFINITY : startOf(speech, at) - endOf(speech, run.last);
    const stretch = speech[at] as Stretch;
    const startMs = Math.max(saidMs, Math.min(Math.max(token.startMs, stretch.startMs), stretch.endMs));
    saidMs = Math.max(startMs, Math.min(token.endMs, stretch.endMs));
    const word = { startMs, endMs: saidMs, text: token.text };
    if (run === undefined || (at !== run.last && pause >= PAUSE_MS)) runs.push({ first: at, last: at, tokens: [word] });
    else {
      run.last = at;
      run.tokens.push(word);
    }
  }
  return runs.map((run, index) => {
    const after = runs[index + 1]?.first ?? speech.length;
    const before = runs[index - 1]?.last ?? -1;
    // Speech beside the run that no word was given to belongs to it.
    let { first, last } = run;
    while (last + 1 < after && startOf(speech, last + 1) - endOf(speech, last) < PAUSE_MS) last += 1;
    while (first - 1 > before && startOf(speech, first) - endOf(speech, first - 1) < PAUSE_MS) first -= 1;
    const text = run.tokens.map((token) => token.text).join(' ');
    const words = run.tokens.map(({ startMs, endMs }) => ({ startMs, endMs }));
    return { startMs: startOf(speech, first), endMs: endOf(speech, last), text, words };
  });
}

const startOf = (speech: readonly Stretch[], index: number) => (speech[index] as Stretch).startMs;
const endOf = (speech: readonly Stretch[], index: number) => (speech[index] as Stretch).endMs;

/** The stretch that holds most of the word; the nearest to its end when none does, because ends are more exact. */
function stretchOf(speech: readonly Stretch[], { startMs, endMs }: Stretch): number {
  let best = 0;
  let score = Number.NEGATIVE_INFINITY;
  speech.forEach((stretch, index) => {
    const shared = Math.min(endMs, stretch.endMs) - Math.max(startMs, stretch.startMs);
    const away = Math.max(stretch.startMs - endMs, endMs - stretch.endMs, 0);
    const value = shared > 0 ? shared : -away;
    if (value > score) {
      best = index;
      score = value;
    }
  });
  return best;
}

/** Moves beginnings and ends that lie in silence, or near the edge of speech that nothing else claims, to that edge. */
function trimmed(speech: readonly Stretch[], utterances: readonly TimedText[]): TimedText[] {
  return utterances.map(({ startMs, endMs, ...said }, index) => {
    const before = utterances[index - 1]?.endMs ?? Number.NEGATIVE_INFINITY;
    const after = utterances[index + 1]?.startMs ?? Number.POSITIVE_INFINITY;
    const under = speech.filter((stretch) => stretch.endMs > startMs && stretch.startMs < endMs);
    const [first] = under;
    const last = under.at(-1);
    if (first === undefined || last === undefined) return { startMs, endMs, ...said };
    const early = startMs - first.startMs <= SLACK_MS && before <= first.startMs;
    const late = last.endMs - endMs <= SLACK_MS && after >= last.endMs;
    return {
      startMs: startMs < first.startMs || early ? first.startMs : startMs,
      endMs: endMs > last.endMs || late ? last.endMs : endMs,
      ...said,
    };
  });
}

/** How far words before a joint are pushed over it by engines, which hear no pause there. */
const PUSHED_MS = { sentence: 150, clause: 100 };
/** "At 8 a.m. then?" is one sentence. */
const GOES_ON = /^\p{Ll}/u;

/**
 * Keeps sentences whole at the joints of a pack, where the next one may be the answer to another person: without the
 * silence that was left out, engines stretch a word up to the next one.
 * @param joints where silence was left out, in ms, in order
 */
export function withWholeSentences(words: readonly TimedText[], joints: readonly number[]): TimedText[] {
  const placed = [...words];
  const middleOf = ({ startMs, endMs }: TimedText) => (startMs + endMs) / 2;
  const begins = (index: number) =>
    SENTENCE_END.test(words[index - 1]?.text ?? '') && !GOES_ON.test(words[index]?.text ?? '');
  let first = 0;
  for (const jointMs of joints) {
    while (first < words.length && middleOf(words[first] as TimedText) < jointMs) first += 1;
    const before = words[first - 1];
    if (before === undefined || begins(first)) continue;
    if (before.endMs > jointMs && begins(first - 1)) {
      placed[first - 1] = { ...before, startMs: Math.max(before.startMs, jointMs) };
      continue;
    }
    const end = words.findIndex(
      ({ text }, index) => index >= first && (SENTENCE_END.test(text) || CLAUSE_END.test(text)),
    );
    const last = words[end];
    if (last === undefined) continue;
    const isSentence = SENTENCE_END.test(last.text);
    const pushedMs = isSentence ? PUSHED_MS.sentence : PUSHED_MS.clause;
    const isPushed = middleOf(last) < jointMs + pushedMs && (isSentence || !CLAUSE_END.test(before.text));
    if (!isPushed && !(isSentence && last.startMs < jointMs)) continue;
    for (const [index, { startMs, endMs, text }] of words.slice(first, end + 1).entries())
      placed[first + index] = { text, startMs: Math.min(startMs, jointMs - 1), endMs: Math.min(endMs, jointMs - 1) };
  }
  return placed;
}

/** Speech on the engine's clock, with the silence before it in the recording: less of it may have been sent. */
export interface Sounding extends Stretch {
  pauseMs: number;
}

/** What a pause of a second or more costs within a sentence, in seconds by which a word may be moved instead. */
const PAUSE_AFTER_WORD = 3;
const PAUSE_AFTER_COMMA = 0.3;
/** What a second costs by which the speech is longer or shorter than its words should take. */
const OTHER_LENGTH = 0.5;
/** Speech takes no longer: sounds without words are among it. */
const MAX_MS_PER_LETTER = 100;
/** Engines do not err more than this. */
const REACH_MS = 3_000;

/**
 * Aligns words with the speech that they belong to, for an engine that guesses times from the lengths of words and lets
 * these run over pauses. People pause between sentences rather than in them, and need a time for a text that follows
 * from its length: the cheapest alignment agrees best with the times, the sentences and the lengths.
 * @param words in order, with the engine's times
 * @param soundings in order, at least one
 * @returns the index of the sounding of each word, in order
 */
export function alignWords(words: readonly TimedText[], soundings: readonly Sounding[]): number[] {
  const saidBefore = secondsBefore(words, soundings);
  const middles = words.map(({ startMs, endMs }) => (startMs + endMs) / 2);
  /** By number of words: the least cost of these in the soundings so far. */
  let costs = new Float64Array(words.length + 1).fill(Number.POSITIVE_INFINITY);
  costs[0] = 0;
  /** By sounding, for each number of words: how many of them are before it at the least cost. */
  const before = soundings.map(({ startMs, endMs, pauseMs }, index) => {
    const seconds = (endMs - startMs) / 1000;
    const isLast = index === soundings.length - 1;
    const first = isLast ? 0 : firstFrom(middles, startMs - REACH_MS);
    const end = isLast ? words.length : firstFrom(middles, endMs + REACH_MS);
    const without = OTHER_LENGTH * seconds;
    const next = costs.map((cost) => cost + without);
    const came = Int32Array.from(costs, (_, count) => count);
    for (let from = first; from < end; from += 1) {
      const cost = (costs[from] as number) + pauseCost(words[from - 1]?.text, pauseMs);
      if (cost === Number.POSITIVE_INFINITY) continue;
      let movedSeconds = 0;
      for (let to = from + 1; to <= end; to += 1) {
        const middle = middles[to - 1] as number;
        movedSeconds += Math.max(0, startMs - middle, middle - endMs) / 1000;
        const said = (saidBefore[to] as number) - (saidBefore[from] as number);
        const all = cost + movedSeconds + OTHER_LENGTH * Math.abs(said - seconds);
        if (all >= (next[to] as number)) continue;
        next[to] = all;
        came[to] = from;
      }
    }
    costs = next;
    return came;
  });
  const result = new Array<number>(words.length).fill(0);
  let to = words.length;
  for (let index = soundings.length - 1; index >= 0; index -= 1) {
    const from = before[index]?.[to] as number;
    result.fill(index, from, to);
    to = from;
  }
  return result;
}

/** @returns by number of words, how long these take when all have the same speed */
function secondsBefore(words: readonly TimedText[], soundings: readonly Sounding[]): number[] {
  const ends = [0];
  for (const { text } of words) ends.push((ends.at(-1) as number) + text.length + 1);
  const speechMs = soundings.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
  const msOfLetter = Math.min(MAX_MS_PER_LETTER, speechMs / (ends.at(-1) as number));
  return ends.map((letters) => (letters * msOfLetter) / 1000);
}

function pauseCost(after: string | undefined, pauseMs: number): number {
  if (after === undefined || SENTENCE_END.test(after)) return 0;
  return Math.min(1, pauseMs / 1000) * (CLAUSE_END.test(after) ? PAUSE_AFTER_COMMA : PAUSE_AFTER_WORD);
}

/** @returns the index of the first value that is not less */
function firstFrom(values: readonly number[], least: number): number {
  const index = values.findIndex((value) => value >= least);
  return index < 0 ? values.length : index;
}
