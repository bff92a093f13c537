// How words sound, by their spelling: rough on purpose, because it compares what a speech engine wrote with a term.

type Rules = readonly (readonly [RegExp, string])[];

/** Symbols of sounds: `S` ship, `C` chip, `J` jam, `T` thin, `Y` yes; other letters as they are mostly spoken. */
const SHARED: Rules = [
  [/cz/g, 'C'],
  [/s(?:z|h)|zh/g, 'S'],
  [/ph/g, 'f'],
  [/ck/g, 'k'],
];

const ENDED: Rules = [
  [/x/g, 'ks'],
  [/(?<=[aeiou])h(?![aeiou])|(?<![aeiou])h(?!^)(?=[^aeiou]|$)/g, ''],
  [/(.)\1+/g, '$1'],
];

const RULES: Readonly<Record<string, Rules>> = {
  en: [
    [/^[kg]n/, 'n'],
    [/^wr/, 'r'],
    [/^ps/, 's'],
    [/^x/, 'z'],
    [/^mc/, 'mak'],
    ...SHARED,
    [/t?ch(?=r)/g, 'k'],
    [/sch/g, 'S'],
    [/tch|ch/g, 'C'],
    [/th/g, 'T'],
    [/^gh|gh(?=[aeiou])/g, 'g'],
    [/gh/g, ''],
    [/dg(?=[eiy])|j/g, 'J'],
    [/[ts]io/g, 'So'],
    [/c(?=[eiy])/g, 's'],
    [/c/g, 'k'],
    [/qu?/g, 'kw'],
    [/(?<=[^aeiouy])e$/, ''],
    [/^y(?=[aeiou])/, 'Y'],
    [/ee|ea|ie|ei|ey|y/g, 'i'],
    [/oo|ou|ew|ue/g, 'u'],
    [/a[iy]/g, 'e'],
    [/au|aw|oa|ow(?![aeiou])/g, 'o'],
    ...ENDED,
  ],
  de: [
    ...SHARED,
    [/sch/g, 'S'],
    [/^s(?=[pt])/, 'S'],
    [/ch/g, 'k'],
    [/[tdc]?z/g, 'ts'],
    [/v|ff/g, 'f'],
    [/w/g, 'v'],
    [/j|^y(?=[aeiou])/g, 'Y'],
    [/qu/g, 'kv'],
    [/th|dt/g, 't'],
    [/[ea][iy]/g, 'ai'],
    [/[ea]u/g, 'oi'],
    [/ie|y/g, 'i'],
    [/c/g, 'k'],
    [/b$/, 'p'],
    [/d$/, 't'],
    [/g$/, 'k'],
    ...ENDED,
  ],
  es: [
    ...SHARED,
    [/ch/g, 'C'],
    [/h/g, ''],
    [/ll|y(?=[aeiou])/g, 'Y'],
    [/y/g, 'i'],
    [/v/g, 'b'],
    [/z|c(?=[ei])/g, 's'],
    [/qu(?=[ei])|c|q/g, 'k'],
    [/gu(?=[ei])/g, 'G'],
    [/j|g(?=[ei])/g, 'h'],
    [/G/g, 'g'],
    [/x/g, 'ks'],
    [/(.)\1+/g, '$1'],
  ],
};

/** @returns whether it is known how words of this language (ISO 639) sound */
export const isSpelledByRules = (language: string): boolean => language in RULES;

/** @param letters `a` to `z` alone @returns a symbol for each sound */
function soundsOf(letters: string, language: string): string {
  return (RULES[language] ?? []).reduce((sounds, [pattern, symbol]) => sounds.replace(pattern, symbol), letters);
}

const VOWELS = new Set('aeiou');
/** Sounds that are often taken for each other. */
const ALIKE = new Set(
  'pb td kg fv sz SC SJ CJ Ss Sz vw bv mn Tt Tf Ts Td gJ rl YJ kx iY uw ow'
    .split(' ')
    .flatMap((pair) => [pair, [...pair].reverse().join('')]),
);

const VOWEL_CHANGED = 0.3;
const ALIKE_CHANGED = 0.4;
const VOWEL_LOST = 0.5;

const lost = (sound: string) => (VOWELS.has(sound) || sound === 'h' ? VOWEL_LOST : 1);
function changed(one: string, other: string): number {
  if (one === other) return 0;
  if (VOWELS.has(one) && VOWELS.has(other)) return VOWEL_CHANGED;
  return ALIKE.has(one + other) ? ALIKE_CHANGED : 1;
}

/** @returns how different two words sound: 0 for the same, 1 for each sound that is another one */
const soundDistance = (one: string, other: string): number => distance(one, other, lost, changed);

/** @returns how many letters are added, left out or changed */
export const letterDistance = (one: string, other: string): number =>
  distance(
    one,
    other,
    () => 1,
    (a, b) => (a === b ? 0 : 1),
  );

/** https://en.wikipedia.org/wiki/Wagner%E2%80%93Fischer_algorithm */
function distance(
  one: string,
  other: string,
  costLost: (of: string) => number,
  costChanged: (one: string, other: string) => number,
): number {
  let row = [0];
  for (const sound of other) row.push((row.at(-1) ?? 0) + costLost(sound));
  for (const sound of one) {
    const next = [(row[0] ?? 0) + costLost(sound)];
    for (let at = 1; at < row.length; at += 1) {
      const against = other[at - 1] ?? '';
      next.push(
        Math.min(
          (row[at] ?? 0) + costLost(sound),
          (next[at - 1] ?? 0) + costLost(against),
          (row[at - 1] ?? 0) + costChanged(sound, against),
        ),
      );
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

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
