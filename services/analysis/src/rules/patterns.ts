import { CLASSES, isNegator, isNumber, type Word, wordsOf } from './words.ts';

/**
 * Patterns of words, all compiled into one tree that is walked once over a text, so that their number hardly matters.
 *
 *   i (am|was) looking for     alternatives, which may be several words or empty: (very|so|)
 *   _                          exactly one word
 *   ..   ...                   up to three, up to six words, none of which is a negation
 *   #day #month #num #unit #money   a word of a class (words.ts)
 */
export interface Cue {
  /** Who says such a thing; either, when left out. */
  by?: 'manager' | 'customer';
  /** How much it tells; 1 when left out. */
  weight?: number;
  /** One pattern a line. */
  patterns: string;
}

export interface Hit {
  /** The cue's name. */
  cue: string;
  /** Indices of its first word and the one after its last. */
  from: number;
  to: number;
}

interface Node {
  words: Map<string, Node>;
  classes: Map<string, Node>;
  /** By how many words it may skip. */
  gaps: Map<number, Node>;
  any: Node | null;
  cues: string[];
}

const newNode = (): Node => ({ words: new Map(), classes: new Map(), gaps: new Map(), any: null, cues: [] });

export class Patterns {
  readonly #root = newNode();

  /** @throws Error for a pattern that is empty, begins with a gap or names an unknown class: a mistake in the data */
  constructor(cues: Readonly<Record<string, Cue>>) {
    for (const [name, cue] of Object.entries(cues)) {
      for (const pattern of cue.patterns.split('\n').map((line) => line.trim())) {
        if (pattern !== '') for (const sequence of expand(pattern)) this.#add(sequence, name, pattern);
      }
    }
  }

  /** @returns every place where a pattern fits, in the order of their first words; for each cue and first word the longest */
  find(words: readonly Word[]): Hit[] {
    const hits: Hit[] = [];
    let longest = new Map<string, number>();
    const found = (cue: string, to: number) => longest.set(cue, Math.max(to, longest.get(cue) ?? 0));
    for (let from = 0; from < words.length; from += 1) {
      walk(this.#root, words, from, found);
      if (longest.size === 0) continue;
      for (const [cue, to] of longest) hits.push({ cue, from, to });
      longest = new Map();
    }
    return hits;
  }

  #add(sequence: string[], name: string, pattern: string): void {
    if (sequence.length === 0 || (sequence[0] ?? '').startsWith('.')) throw new Error(`The pattern "${pattern}" must begin with a word.`);
    let node = this.#root;
    for (const element of sequence) node = child(node, element, pattern);
    if (!node.cues.includes(name)) node.cues.push(name);
  }
}

function walk(node: Node, words: readonly Word[], at: number, found: (cue: string, to: number) => void): void {
  for (const cue of node.cues) found(cue, at);
  const word = words[at]?.text;
  if (word === undefined) return;
  const next = node.words.get(word);
  if (next !== undefined) walk(next, words, at + 1, found);
  if (node.any !== null) walk(node.any, words, at + 1, found);
  for (const [name, after] of node.classes) {
    if (name === 'num' ? isNumber(word) : CLASSES[name]?.has(word)) walk(after, words, at + 1, found);
  }
  for (const [most, after] of node.gaps) {
    for (let skipped = 0; skipped <= most && at + skipped < words.length; skipped += 1) {
      walk(after, words, at + skipped, found);
      if (isNegator(words[at + skipped]?.text ?? '')) break;
    }
  }
}

function child(node: Node, element: string, pattern: string): Node {
  if (element === '..' || element === '...') return getOrAdd(node.gaps, element === '..' ? 3 : 6);
  if (element === '_') {
    node.any ??= newNode();
    return node.any;
  }
  if (!element.startsWith('#')) return getOrAdd(node.words, element);
  if (CLASSES[element.slice(1)] === undefined) throw new Error(`The pattern "${pattern}" names the unknown class ${element}.`);
  return getOrAdd(node.classes, element.slice(1));
}

function getOrAdd<K>(map: Map<K, Node>, key: K): Node {
  let node = map.get(key);
  if (node === undefined) {
    node = newNode();
    map.set(key, node);
  }
  return node;
}

/** Every way to read a pattern's alternatives, which may nest. Words are taken apart as those of the text are. */
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
      const next = token === '(' ? inner() : [/^(\.\.\.?|_|#\w+)$/.test(token) ? [token] : wordsOf(token).map((word) => word.text)];
      current = current.flatMap((reading) => next.map((more) => [...reading, ...more]));
    }
    return [...all, ...current];
  };
  const inner = (): string[][] => {
    at += 1;
    return alternatives();
  };
  const readings = alternatives();
  if (at < tokens.length) throw new Error(`The pattern "${pattern}" has a parenthesis too many.`);
  return readings;
}
