import { LOOK_AHEAD, neutralOf } from '../call/neutral-words.ts';

/** A word in lower case, with contractions expanded, and its place in the text. */
export interface Word {
  text: string;
  /** Offsets into the text. The words of one contraction share theirs. */
  start: number;
  end: number;
}

/** Recognizers often drop apostrophes, so both spellings expand to the same words. */
const CONTRACTIONS: Readonly<Record<string, string>> = Object.fromEntries(
  `i'm=i am|i've=i have|i'll=i will|i'd=i would|you're=you are|you've=you have|you'll=you will|you'd=you would
we're=we are|we've=we have|we'd=we would|we'll=we will|they're=they are|they've=they have|they'll=they will
they'd=they would|he's=he is|she's=she is|it's=it is|that's=that is|there's=there is|here's=here is
what's=what is|who's=who is|where's=where is|how's=how is|let's=let us|it'll=it will|that'll=that will
it'd=it would|that'd=that would|name's=name is|don't=do not|doesn't=does not|didn't=did not|isn't=is not
aren't=are not|wasn't=was not|weren't=were not|haven't=have not|hasn't=has not|hadn't=had not|won't=will not
wouldn't=would not|can't=can not|cannot=can not|couldn't=could not|shouldn't=should not|mustn't=must not
needn't=need not|ya=yes|ok=okay|alright=all right|hmm=um|uh=um|er=um|erm=um|hm=um|mhm=um|apologise=apologize
organise=organize`
    .split(/[|\n]/)
    .flatMap((pair) => {
      const [short = '', long = ''] = pair.split('=');
      const bare = short.replace("'", '');
      // Without the apostrophe these are other words.
      return ['were', 'well', 'shell', 'ill', 'id', 'wed', 'hell'].includes(bare)
        ? [[short, long]]
        : [
            [short, long],
            [bare, long],
          ];
    }),
);

const ENDINGS: Readonly<Record<string, string>> = { "'re": ' are', "'ve": ' have', "'ll": ' will', "'d": ' would' };

const WORD = /[\p{L}\p{N}]+(?:['’.,][\p{L}\p{N}]+)*[%+]?/gu;

/**
 * @returns the words of a text, neutral ones for those that say who somebody is, without punctuation; numbers such as
 *   4.5 and 12,000 stay whole
 */
export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  for (const match of text.matchAll(WORD)) {
    const start = match.index;
    const end = start + match[0].length;
    const plain = match[0].toLowerCase().replaceAll('’', "'").replace(/%$/, ' percent');
    const long = Object.hasOwn(CONTRACTIONS, plain) ? CONTRACTIONS[plain] : undefined;
    const base = plain.replace(/'s$/, '').replace(/^d'(?=y)/, 'do ');
    const apart = base.replace(/'(?:re|ve|ll|d)$/, (ending) => ENDINGS[ending] ?? ending);
    for (const part of (long ?? apart).split(' ')) {
      const neutral = neutralOf(part, words.at(-1)?.text, text.slice(end, end + LOOK_AHEAD)) ?? part;
      for (const each of neutral.toLowerCase().split(' ')) words.push({ text: each.replace(/\/.*/, ''), start, end });
    }
  }
  return words;
}

/** @returns a text in the words that patterns and features read */
export function plainly(text: string): string {
  return wordsOf(text)
    .map(({ text: word }) => word)
    .join(' ');
}

const setOf = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Classes of words, which patterns name with `#`. */
export const CLASSES: Readonly<Record<string, ReadonlySet<string>>> = {
  day: setOf(
    `monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays
      saturdays sundays today tonight tomorrow`,
  ),
  month: setOf('january february march april june july august september october november december'),
  num: setOf(`one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million lakh crore
    half quarter couple few first second third fourth fifth sixth seventh eighth ninth tenth`),
  nth: setOf(`first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth
    fifteenth sixteenth seventeenth eighteenth nineteenth twentieth thirtieth 1st 2nd 3rd 4th 5th 6th 7th 8th
    9th 10th 11th 12th 13th 14th 15th 16th 17th 18th 19th 20th 21st 22nd 23rd 24th 25th 26th 27th 28th 29th 30th
    31st`),
  unit: setOf('minute minutes hour hours day days week weeks month months year years'),
  money: setOf('dollar dollars euro euros pound pounds bucks cents quid francs'),
};
const NEGATORS = setOf('not no never nobody nothing without hardly');

export function isNumber(word: string): boolean {
  return /^\d/.test(word) || (CLASSES.num?.has(word) ?? false);
}

/** A word that a gap in a pattern must not skip, because it reverses the meaning. */
export function isNegator(word: string): boolean {
  return NEGATORS.has(word);
}

/**
 * A cue: patterns of words. All cues are compiled into one tree and matched in one pass, so that their number hardly
 * matters.
 *
 * i (am|was) looking for          alternatives, which may be several words or empty: (very|so|)
 * _                               exactly one word
 * ..   ...                        up to three, up to six words, none of which is a negation
 * #day #month #num #unit #money   a word of a class (words.ts)
 */
export interface Cue {
  /** Who says it; anyone by default. */
  by?: 'manager' | 'customer';
  /** One pattern a line. */
  patterns: string;
}

export interface Hit {
  /** The cue's name. */
  cue: string;
  /** Indices of its first word and of the word after its last. */
  from: number;
  to: number;
}

/** There are hundreds of thousands, and most have one child, so nothing is made before it is needed. */
interface Node {
  /** By the number of the word. */
  words: Map<number, Node> | null;
  /** By the class, as a bit. */
  classes: Map<number, Node> | null;
  /** By how many words it may skip. */
  gaps: Map<number, Node> | null;
  any: Node | null;
  cues: readonly string[];
}

/** Each reading of a pattern is a path in the tree, so a pattern of many alternatives takes memory. */
const MAX_READINGS = 20_000;
const NO_CUES: readonly string[] = [];
const newNode = (): Node => ({ words: null, classes: null, gaps: null, any: null, cues: NO_CUES });

const CLASS_BITS = new Map(Object.keys(CLASSES).map((name, index) => [name, 1 << index]));

/** The words of a text as numbers; 0 for a word that no pattern names. */
interface Seen {
  words: Int32Array;
  classes: Uint8Array;
  negations: Uint8Array;
}

export class Patterns {
  readonly #root = newNode();
  /** The numbers of the words that patterns name. */
  readonly #numbers = new Map<string, number>();

  /**
   * @throws Error for a pattern with a gap at its start, an unknown class, a token that is no word, an extra
   *   parenthesis, or too many readings
   */
  constructor(cues: Readonly<Record<string, Cue>>) {
    for (const [name, cue] of Object.entries(cues)) {
      for (const pattern of cue.patterns.split('\n').map((line) => line.trim())) {
        if (pattern === '') continue;
        const readings = expand(pattern);
        if (readings.length > MAX_READINGS)
          throw new Error(
            `The pattern "${pattern}" has ${readings.length} readings. At most ${MAX_READINGS} are allowed.`,
          );
        for (const sequence of readings) this.#add(sequence, name, pattern);
      }
    }
  }

  /** @returns the matches in the order of their first words; for each cue and first word the longest */
  find(words: readonly Word[]): Hit[] {
    const seen = this.#see(words);
    const hits: Hit[] = [];
    let longest = new Map<string, number>();
    const found = (cue: string, to: number) => longest.set(cue, Math.max(to, longest.get(cue) ?? 0));
    for (let from = 0; from < words.length; from += 1) {
      walk(this.#root, seen, from, found);
      if (longest.size === 0) continue;
      for (const [cue, to] of longest) hits.push({ cue, from, to });
      longest = new Map();
    }
    return hits;
  }

  #see(words: readonly Word[]): Seen {
    const seen = {
      words: new Int32Array(words.length),
      classes: new Uint8Array(words.length),
      negations: new Uint8Array(words.length),
    };
    words.forEach(({ text }, index) => {
      seen.words[index] = this.#numbers.get(text) ?? 0;
      seen.classes[index] = classesOf(text);
      seen.negations[index] = isNegator(text) ? 1 : 0;
    });
    return seen;
  }

  #add(sequence: string[], name: string, pattern: string): void {
    if (sequence.length === 0 || (sequence[0] ?? '').startsWith('.'))
      throw new Error(`The pattern "${pattern}" must begin with a word.`);
    let node = this.#root;
    const last = sequence.findLastIndex((element) => !element.startsWith('.'));
    // A gap at the end has no effect.
    for (const element of sequence.slice(0, last + 1)) node = this.#child(node, element, pattern);
    if (!node.cues.includes(name)) node.cues = [...node.cues, name];
  }

  #child(node: Node, element: string, pattern: string): Node {
    if (element === '..' || element === '...') {
      node.gaps ??= new Map();
      return getOrAdd(node.gaps, element === '..' ? 3 : 6);
    }
    if (element === '_') {
      node.any ??= newNode();
      return node.any;
    }
    if (!element.startsWith('#')) {
      const number = this.#numbers.get(element) ?? this.#numbers.size + 1;
      this.#numbers.set(element, number);
      node.words ??= new Map();
      return getOrAdd(node.words, number);
    }
    const bit = CLASS_BITS.get(element.slice(1));
    if (bit === undefined) throw new Error(`The pattern "${pattern}" names the unknown class ${element}.`);
    node.classes ??= new Map();
    return getOrAdd(node.classes, bit);
  }
}

function classesOf(text: string): number {
  let classes = isNumber(text) ? (CLASS_BITS.get('num') ?? 0) : 0;
  for (const [name, bit] of CLASS_BITS) if (CLASSES[name]?.has(text)) classes |= bit;
  return classes;
}

function walk(node: Node, seen: Seen, at: number, found: (cue: string, to: number) => void): void {
  for (const cue of node.cues) found(cue, at);
  if (at >= seen.words.length) return;
  const number = seen.words[at] ?? 0;
  const next = number === 0 ? undefined : node.words?.get(number);
  if (next !== undefined) walk(next, seen, at + 1, found);
  if (node.any !== null) walk(node.any, seen, at + 1, found);
  const classes = seen.classes[at] ?? 0;
  if (classes !== 0 && node.classes !== null) {
    for (const [bit, after] of node.classes) if ((classes & bit) !== 0) walk(after, seen, at + 1, found);
  }
  if (node.gaps === null) return;
  for (const [most, after] of node.gaps) {
    for (let skipped = 0; skipped <= most && at + skipped < seen.words.length; skipped += 1) {
      walk(after, seen, at + skipped, found);
      if (seen.negations[at + skipped] === 1) break;
    }
  }
}

function getOrAdd<K>(map: Map<K, Node>, key: K): Node {
  let node = map.get(key);
  if (node === undefined) {
    node = newNode();
    map.set(key, node);
  }
  return node;
}

/** Expands the alternatives of a pattern, which may nest. Words are split like those of a text. */
function expand(pattern: string): string[][] {
  const tokens = pattern.match(/[()|]|[^()|\s]+/g) ?? [];
  let at = 0;
  const alternatives = (): string[][] => {
    const all: string[][] = [];
    let current: string[][] = [[]];
    for (; at < tokens.length; at += 1) {
      const token = tokens[at] ?? '';
      if (token === ')') break;
      if (token === '|') {
        all.push(...current);
        current = [[]];
        continue;
      }
      const next = token === '(' ? inner() : [/^(\.\.\.?|_|#\w+)$/.test(token) ? [token] : wordsIn(token)];
      current = current.flatMap((reading) => next.map((more) => [...reading, ...more]));
    }
    return [...all, ...current];
  };
  const inner = (): string[][] => {
    at += 1;
    return alternatives();
  };
  const wordsIn = (token: string): string[] => {
    const words = wordsOf(token).map(({ text }) => text);
    if (words.length === 0) throw new Error(`The pattern "${pattern}" holds ${token}, which is no word.`);
    return words;
  };
  const readings = alternatives();
  if (at < tokens.length) throw new Error(`The pattern "${pattern}" has a parenthesis too many.`);
  return readings;
}
