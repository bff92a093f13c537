import type { Acts } from './acts.ts';
import type { SoldWord } from './encoder.ts';

/**
 * How likely a phrase must name what is sold, by all places together; a proper name that is said twice is likelier than
 * its places say. Chosen so that nine of ten are right in calls of authors that the encoder has not seen.
 */
const LIKELY = { any: 0.95, name: 0.6 };
/** Words that are less likely belong to no phrase. */
const LEAST = 0.15;
const MOST_WORDS = 4;
/** How many phrases are looked at; the time to look at one grows with the call. */
const MOST_PHRASES = 50;
/** A longer phrase with the best one in it is the whole name when it is nearly as likely. */
const WHOLE = 0.6;

const WITHIN = /[^.!?\s]\s+$/;
const NAME = /^\p{Lu}\S*(\s\p{Lu}\S*)*$/u;

interface Phrase {
  /** As written where it is said first. */
  text: string;
  /** The probability that no place of it names what is sold. */
  doubt: number;
  places: number;
  /** Whether it has capitals within a sentence. */
  isName: boolean;
}

/**
 * Finds what the manager sells, as the call names it. The encoder says of each word how likely it names that; the words
 * of a phrase count by the least likely one, its places together.
 * @returns null when it is not clear
 */
export function productOf({ pieces, encoded }: Acts): string | null {
  if (encoded === null) return null;
  const phrases = new Map<string, Phrase>();
  pieces.forEach(({ role, text }, piece) => {
    if (role === 'other') return;
    const words = encoded.sold(piece);
    for (const window of phrasesOf(words, text)) {
      const key = window.map((word) => word.text).join(' ');
      const likely = Math.min(...window.map((word) => word.likely));
      const [start = 0, end = 0] = [window[0]?.start, window.at(-1)?.end];
      const said = { text: text.slice(start, end), doubt: 1, places: 0, isName: false };
      const known = phrases.get(key) ?? said;
      phrases.set(key, {
        ...known,
        doubt: known.doubt * (1 - likely),
        places: known.places + 1,
        isName: known.isName || (WITHIN.test(text.slice(0, start)) && NAME.test(said.text)),
      });
    }
  });
  // What the customer names first is another provider, or what they have.
  const isOwnName = ({ text, places, isName }: Phrase) =>
    isName && places > 1 && pieces.find((piece) => piece.text.includes(text))?.role === 'manager';
  const isLikely = (phrase: Phrase) => 1 - phrase.doubt >= (isOwnName(phrase) ? LIKELY.name : LIKELY.any);
  const best = [...phrases]
    .sort(([, a], [, b]) => a.doubt - b.doubt)
    .slice(0, MOST_PHRASES)
    .find(([, phrase]) => isLikely(phrase));
  if (best === undefined) return null;
  const isWhole = ([key, { doubt }]: [string, Phrase]) =>
    ` ${key} `.includes(` ${best[0]} `) && 1 - doubt >= WHOLE * (1 - best[1].doubt);
  return [...phrases]
    .filter(isWhole)
    .reduce((longest, each) => (each[0].length > longest[0].length ? each : longest))[1].text;
}

/** @returns words in a row that may name it, with nothing but a space between them */
function* phrasesOf(words: readonly SoldWord[], text: string): Iterable<readonly SoldWord[]> {
  for (let first = 0; first < words.length; first += 1)
    for (let end = first + 1; end <= first + MOST_WORDS; end += 1) {
      const [before, word] = [words[end - 2], words[end - 1]];
      if (word === undefined || word.likely < LEAST || !/\p{L}/u.test(word.text)) break;
      if (end > first + 1 && text.slice(before?.end, word.start).trim() !== '') break;
      yield words.slice(first, end);
    }
}
