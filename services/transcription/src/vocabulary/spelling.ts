import { isSpelledByRules, letterDistance, soundDistance, soundsOf } from './sounds.ts';

/** A word or several, as they are compared. */
export interface Spelling {
  /** The letters alone, in lower case and without accents. */
  letters: string;
  /** With a bit for each letter. */
  set: number;
  /** How it may sound; empty where that is not known. */
  sounds: readonly string[];
}

/** How different two spellings may be, in proportion to the longer of the two. */
export interface Limits {
  letters: number;
  sounds: number;
}

const LETTERS_ALIKE: readonly (readonly [RegExp, string])[] = [
  [/ß/g, 'ss'],
  [/ø/g, 'o'],
  [/æ/g, 'ae'],
  [/œ/g, 'oe'],
  [/ł/g, 'l'],
  [/đ/g, 'd'],
];

/** @returns the letters alone, in lower case and without accents */
export function lettersOf(text: string): string {
  const folded = text.normalize('NFD').toLowerCase();
  const plain = folded.replace(/[^\p{L}\p{N}]/gu, '');
  return LETTERS_ALIKE.reduce((letters, [letter, instead]) => letters.replace(letter, instead), plain);
}

/** @param languages ISO 639: it sounds as in any of them */
export function spellingOf(letters: string, languages: readonly string[]): Spelling {
  const isKnown = /^[a-z]+$/.test(letters) && languages.every(isSpelledByRules);
  const sounds = isKnown ? new Set(languages.map((language) => soundsOf(letters, language))) : [];
  return { letters, set: setOf(letters), sounds: [...sounds] };
}

/** @returns how different they are, null when that is more than the limits */
export function distanceOf(heard: Spelling, term: Spelling, limits: Limits): number | null {
  const longer = Math.max(heard.letters.length, term.letters.length);
  const most = limits.letters * longer;
  if (Math.abs(heard.letters.length - term.letters.length) > most) return null;
  // A letter that only one of them has is a difference.
  if (bits(heard.set & ~term.set) > most || bits(term.set & ~heard.set) > most) return null;
  const letters = letterDistance(withoutDoubles(heard.letters), withoutDoubles(term.letters)) / longer;
  if (letters > limits.letters) return null;
  const pairs = heard.sounds.flatMap((one) => term.sounds.map((other) => [one, other] as const));
  const distances = pairs
    .filter(([one, other]) => areAlike(one[0], other[0]) && areAlike(one.at(-1), other.at(-1)))
    .map(([one, other]) => soundDistance(one, other) / Math.max(one.length, other.length));
  const sounds = Math.min(...distances);
  return sounds > limits.sounds ? null : letters + sounds;
}

const withoutDoubles = (letters: string) => letters.replace(/(.)\1/g, '$1');

/** Other names differ at the ends: Valentin and Valentina, Darlington and Arlington. */
const ENDS_ALIKE = ['sz', 'fv', 'vw', 'kg', 'JY', 'SC'];

const areAlike = (one = '', other = '') =>
  one === other || ENDS_ALIKE.some((pair) => pair.includes(one) && pair.includes(other));

function setOf(letters: string): number {
  let set = 0;
  for (let at = 0; at < letters.length; at += 1) set |= 1 << (letters.charCodeAt(at) - 0x61);
  return set;
}

function bits(set: number): number {
  let count = 0;
  for (let rest = set; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}
