import type { Analysis } from './analysis.ts';
import type { Call } from './record.ts';
import type { CallQuery, Match } from './store.ts';
import type { Transcript } from './transcript.ts';

// Words of a text, in the form in which search, trackers and quotes compare them.

/** A word of a text, folded, and its position: offsets into the text, in UTF-16 code units. */
export interface Word {
  word: string;
  start: number;
  end: number;
}

/** Longer words are cut, in UTF-16 code units: a text without spaces must not become one huge index entry. */
const MAX_WORD_LENGTH = 40;

/** These scripts are written without spaces between words. */
export const UNSPACED = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => `\\p{Script=${script}}`)
  .join('');
/** Bounded, because the regular expression engine keeps state for each character and would exhaust its stack. */
export const MAX_RUN_LENGTH = 256;
const RUNS = new RegExp(
  `[${UNSPACED}][${UNSPACED}\\p{M}]{0,${MAX_RUN_LENGTH}}|[[\\p{L}\\p{N}\\p{M}]--[${UNSPACED}]]{1,${MAX_RUN_LENGTH}}`,
  'gv',
);
const STARTS_UNSPACED = new RegExp(`^[${UNSPACED}]`, 'u');
const PLAIN = /^[a-z0-9]+$/;
/** Latin accents, Arabic vowel marks and Hebrew points. The marks of other scripts are parts of their letters. */
const ACCENTS = /[\u0300-\u036f\u064b-\u065f\u0591-\u05c7]/g;
const NOT_IN_WORDS = /[^\p{L}\p{N}\p{M}]+/gu;

/** Letters that Unicode does not decompose into a base letter and an accent. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  æ: 'ae',
  œ: 'oe',
  ħ: 'h',
  ı: 'i',
  ŧ: 't',
};
const SPECIAL_LETTERS = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g');

/**
 * The words of a text in order: runs of letters and digits, with case and accents folded (`Öresund` gives `oresund`,
 * `Straße` gives `strasse`). Text of a script without spaces gives overlapping pairs of characters, so that any part
 * of it is found by its pairs.
 */
export function* wordsIn(text: string): Generator<Word> {
  for (const { 0: run, index } of text.matchAll(RUNS)) {
    if (STARTS_UNSPACED.test(run)) yield* pairsOf(run, index);
    else {
      const word = fold(run);
      if (word !== '') yield { word, start: index, end: index + run.length };
    }
  }
}

/** Folds case and accents, and drops what is neither a letter nor a digit. */
export function fold(run: string): string {
  const lower = run.toLowerCase();
  if (PLAIN.test(lower)) return lower.slice(0, MAX_WORD_LENGTH);
  return lower
    .normalize('NFKD')
    .replace(ACCENTS, '')
    .toLowerCase()
    .replace(SPECIAL_LETTERS, (letter) => LETTERS[letter] ?? letter)
    .replace(NOT_IN_WORDS, '')
    .slice(0, MAX_WORD_LENGTH);
}

/** Each character with the next one; the last stands alone and is found as the beginning of a pair. */
function* pairsOf(run: string, offset: number): Generator<Word> {
  let start = offset;
  const characters = [...run];
  for (const [n, character] of characters.entries()) {
    const pair = character + (characters[n + 1] ?? '');
    const word = fold(pair);
    if (word !== '') yield { word, start, end: start + pair.length };
    start += character.length;
  }
}

export const APOSTROPHES = "'\u2019\u2018\u02bc\u0060\u00b4\u2032\uff07";
/** Sounds that fill a pause. They are left out when spoken words are compared. */
export const HESITATION =
  /^(?:u+h+|u+m+|u+hm+|e+rm+|h+m+|m+h+m+|m{2,}|a+h+|ä+h*m*|ö+h*m*|e+u+h*|э+|эм+|хм+|eh+|ehm+)$/u;
/** Without the apostrophe these are other words. */
export const KEEPS_APOSTROPHE = /^(?:we're|we'll|i'll|she'll|he'll|i'd|we'd|she'd)$/u;

// Search by words, the same for both adapters: what is indexed of a call, what a query asks for, where a match is.

/** The most different words of one call that are indexed; six hours of talk have fewer. */
const MAX_INDEXED_WORDS = 10_000;

/** In UTF-16 code units. */
const EXCERPT = { before: 50, length: 160 };

/** @returns whether the query asks for all calls, or all of one status, whose totals are known without counting */
export function isUnfiltered({ text = '', ...query }: CallQuery): boolean {
  const { saleStatus, reportType, product, from, to, resultPattern } = query;
  return [saleStatus, reportType, product, from, to, resultPattern].every((each) => each === undefined) && text === '';
}

/**
 * The words that a call must have, each as the beginning of one of its words.
 * @param text as typed; everything but letters and digits separates words
 * @returns each once, the longest first, without beginnings of others; empty without a letter or digit
 */
export function queryWords(text: string): string[] {
  const words = distinct([text], Number.POSITIVE_INFINITY).sort((a, b) => b.length - a.length);
  return words.filter((word, n) => !words.slice(0, n).some((longer) => longer.startsWith(word)));
}

/**
 * What is searched of a call: its file name and product, the summary, and all that was said.
 * @param transcript is not needed with an analysis, whose lines hold the same text
 */
export function searchedTexts(
  fileName: string,
  { transcript, analysis }: { transcript?: Pick<Transcript, 'utterances'> | null; analysis?: SearchedAnalysis | null },
): string[] {
  if (analysis != null)
    return [fileName, analysis.product ?? '', analysis.summary, ...analysis.lines.map(({ text }) => text)];
  return [fileName, ...(transcript?.utterances.map(({ text }) => text) ?? [])];
}

/** The searched part of an analysis. */
export type SearchedAnalysis = Pick<Analysis, 'product' | 'summary'> & {
  lines: Pick<Analysis['lines'][number], 'text'>[];
};

/** @returns the words to index: each once, at most MAX_INDEXED_WORDS, the first texts first */
export function indexedWords(texts: readonly string[]): string[] {
  return distinct(texts, MAX_INDEXED_WORDS);
}

/** The words that are neither in the file name nor in the product, so that a match elsewhere is shown. */
export function wordsToShow(
  words: readonly string[],
  { fileName, product }: Pick<Call, 'fileName' | 'product'>,
): string[] {
  const shown = [...wordsIn(fileName), ...wordsIn(product ?? '')];
  return words.filter((word) => !shown.some((each) => each.word.startsWith(word)));
}

/** The text with the most of the words, cut around the first of them. @returns null when none has any */
export function matchIn(texts: Iterable<string>, words: readonly string[]): Match | null {
  let best: { text: string; hits: Word[]; found: number } | null = null;
  for (const text of texts) {
    const hits = [...wordsIn(text)].filter(({ word }) => words.some((each) => word.startsWith(each)));
    const found = words.filter((each) => hits.some(({ word }) => word.startsWith(each))).length;
    if (found > (best?.found ?? 0)) best = { text, hits, found };
    if (found === words.length) break;
  }
  return best === null ? null : excerpt(best.text, best.hits);
}

function excerpt(text: string, hits: readonly Word[]): Match {
  const first = hits[0]?.start ?? 0;
  const from = first <= EXCERPT.before ? 0 : afterSpace(text, first - EXCERPT.before, first);
  const to =
    text.length - from <= EXCERPT.length ? text.length : beforeSpace(text, from + EXCERPT.length, hits[0]?.end ?? from);
  const [lead, tail] = [from > 0 ? '…' : '', to < text.length ? '…' : ''];
  const marks: Match['marks'] = [];
  for (const hit of hits) {
    const [start, end] = [hit.start - from + lead.length, Math.min(hit.end, to) - from + lead.length];
    const last = marks.at(-1);
    if (hit.start >= to) break;
    if (last !== undefined && start < last.end) last.end = Math.max(last.end, end);
    else marks.push({ start, end });
  }
  return { text: lead + text.slice(from, to) + tail, marks };
}

/** The start of the first word after a space in the range; otherwise `from`, never within a character. */
function afterSpace(text: string, from: number, to: number): number {
  const space = text.slice(from, to).search(/\s/);
  return space === -1 ? wholeCharacter(text, from) : from + space + 1;
}

function beforeSpace(text: string, to: number, atLeast: number): number {
  const space = text.slice(0, to).search(/\s\S*$/);
  return space > atLeast ? space : wholeCharacter(text, to);
}

function wholeCharacter(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at;
}

function distinct(texts: readonly string[], atMost: number): string[] {
  const found = new Set<string>();
  for (const text of texts) {
    for (const { word } of wordsIn(text)) {
      if (found.size >= atMost) return [...found];
      found.add(word);
    }
  }
  return [...found];
}
