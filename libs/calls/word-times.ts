import type { Utterance } from './record.ts';

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

export type TimedWord = WrittenWord & Times;

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

/**
 * The words of the lines of an analysis, each within the times of its line.
 * @param lines literal parts of the utterances, in their order
 */
export function wordsOfLines(utterances: readonly Utterance[], lines: readonly (Times & { text: string })[]) {
  if (utterances.every(({ words }) => words === undefined)) return lines.map((): TimedWord[] => []);
  let [index, from] = [0, 0];
  let words: TimedWord[] | null = null;
  return lines.map((line): TimedWord[] => {
    const within = (ms: number) => Math.min(Math.max(ms, line.startMs), line.endMs);
    for (let i = index; i < utterances.length; i += 1) {
      const utterance = utterances[i] as Utterance;
      if (utterance.startMs > line.startMs) break;
      const at = utterance.text.indexOf(line.text, i === index ? from : 0);
      if (at === -1) continue;
      words = i === index && words !== null ? words : timedWords(utterance);
      [index, from] = [i, at + line.text.length];
      return words
        .filter((word) => word.at >= at && word.at < from)
        .map((word) => ({
          text: word.text.slice(0, from - word.at),
          at: word.at - at,
          startMs: within(word.startMs),
          endMs: within(word.endMs),
        }));
    }
    return [];
  });
}

function writtenWords(text: string): WrittenWord[] {
  return [...text.matchAll(/\S+/g)]
    .filter(([word]) => /[\p{L}\p{M}\p{N}]/u.test(word))
    .map(({ 0: word, index }) => ({ text: word, at: index }));
}
