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
export const LONGEST_RUN = 256;
const RUNS = new RegExp(
  `[${UNSPACED}][${UNSPACED}\\p{M}]{0,${LONGEST_RUN}}|[[\\p{L}\\p{N}\\p{M}]--[${UNSPACED}]]{1,${LONGEST_RUN}}`,
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
