import type { Utterance } from './transcript.ts';

// The times of the words of an utterance, kept as a string: for each word the silence before it and its length, one
// character each. A word is what stands between white space and has a letter or a digit.

/** A word as it is written, and its offset in the text. */
interface WrittenWord {
  text: string;
  at: number;
}

interface Times {
  startMs: number;
  endMs: number;
}

type TimedWord = WrittenWord & Times;

const UNIT_MS = 10;
/** `#` stands for 0; what stands for lengths of up to 0.9 s takes one byte. */
const ZERO = 0x23;
/** The last character before those that stand alone for nothing (surrogates). */
const LAST = 0xd7ff;

/**
 * @param times of all words of an utterance, in order and without overlap
 * @param startMs when the utterance begins
 * @returns undefined without words, and for times that are not in order
 */
export function packedTimes(times: readonly Times[], startMs: number): string | undefined {
  let before = 0;
  const codes = times
    .flatMap((word) => [word.startMs, word.endMs])
    .map((ms) => {
      const units = Math.round((ms - startMs) / UNIT_MS);
      const code = ZERO + units - before;
      before = units;
      return code;
    });
  if (codes.length === 0 || codes.some((code) => code < ZERO || code > LAST)) return undefined;
  return codes.map((code) => String.fromCharCode(code)).join('');
}

/** @returns the words in order, within the times of the utterance; none where their times are not known */
export function timedWords({ text, words = '', startMs, endMs }: Utterance): TimedWord[] {
  const written = writtenWords(text);
  if (words.length !== 2 * written.length) return [];
  let units = 0;
  const timeAt = (index: number) => {
    units += words.charCodeAt(index) - ZERO;
    return Math.min(startMs + units * UNIT_MS, endMs);
  };
  return written.map((word, index) => ({ ...word, startMs: timeAt(2 * index), endMs: timeAt(2 * index + 1) }));
}

/** @returns the utterance with a text from which parts are left out; the words that stay keep their times */
export function withText(utterance: Utterance, text: string): Utterance {
  const { words: _, ...rest } = utterance;
  const all = timedWords(utterance);
  let next = 0;
  const kept = writtenWords(text).map((word) => {
    while (next < all.length && all[next]?.text !== word.text) next += 1;
    return all[next++];
  });
  const known = kept.filter((word) => word !== undefined);
  const words = known.length < kept.length ? undefined : packedTimes(known, utterance.startMs);
  return { ...rest, text, ...(words !== undefined && { words }) };
}

export type Misheard = NonNullable<Utterance['misheard']>[number];

type TimedLine = Times & { text: string };

/**
 * Where each line of an analysis is: its utterance, and its place in the text of that. Null where it is not found.
 * @param lines literal parts of the utterances, in their order
 */
function placesOf(utterances: readonly Utterance[], lines: readonly TimedLine[]) {
  let [index, from] = [0, 0];
  return lines.map((line) => {
    for (let i = index; i < utterances.length; i += 1) {
      const utterance = utterances[i] as Utterance;
      if (utterance.startMs > line.startMs) break;
      const at = utterance.text.indexOf(line.text, i === index ? from : 0);
      if (at === -1) continue;
      [index, from] = [i, at + line.text.length];
      return { utterance, at, end: from };
    }
    return null;
  });
}

/** @returns the words of the lines of an analysis, each within the times of its line @param lines as in placesOf */
export function wordsOfLines(utterances: readonly Utterance[], lines: readonly TimedLine[]) {
  if (utterances.every(({ words }) => words === undefined)) return lines.map((): TimedWord[] => []);
  let last: Utterance | null = null;
  let words: TimedWord[] = [];
  return placesOf(utterances, lines).map((place, index): TimedWord[] => {
    if (place === null) return [];
    const { utterance, at, end } = place;
    const line = lines[index] ?? utterance;
    const within = (ms: number) => Math.min(Math.max(ms, line.startMs), line.endMs);
    if (utterance !== last) words = timedWords(utterance);
    last = utterance;
    return words
      .filter((word) => word.at >= at && word.at < end)
      .map((word) => ({
        text: word.text.slice(0, end - word.at),
        at: word.at - at,
        startMs: within(word.startMs),
        endMs: within(word.endMs),
      }));
  });
}

/** @returns what was misheard in the lines of an analysis, with offsets in their texts @param lines as in placesOf */
export function misheardInLines(utterances: readonly Utterance[], lines: readonly TimedLine[]): Misheard[][] {
  if (utterances.every(({ misheard }) => misheard === undefined)) return lines.map(() => []);
  return placesOf(utterances, lines).map((place) =>
    (place?.utterance.misheard ?? [])
      .map((each) => ({ ...each, at: each.at - (place?.at ?? 0) }))
      .filter(({ at, term }) => at >= 0 && at + term.length <= (place?.end ?? 0) - (place?.at ?? 0)),
  );
}

function writtenWords(text: string): WrittenWord[] {
  return [...text.matchAll(/\S+/g)]
    .filter(([word]) => /[\p{L}\p{M}\p{N}]/u.test(word))
    .map(({ 0: word, index }) => ({ text: word, at: index }));
}
