import { ROLES_SURE, TRACKER_LIMITS, type Tracker, type TrackerResult } from '@call-analytics/contracts';
import type { Analysis, Line } from './analysis.ts';
import { APOSTROPHES, fold, HESITATION, KEEPS_APOSTROPHE, MAX_RUN_LENGTH, UNSPACED } from './search.ts';

// Finds the phrases of trackers in a call, in time linear in its length, because phrases are short. Case, accents,
// punctuation, hesitations, and how a word is joined ("e-mail", "email") do not count; words do.

/** A phrase in a call. */
interface TrackerHit {
  phrase: string;
  /** Literally in the line. The first part only, when the speaker goes on in another line. */
  quote: string;
  /** Index into the lines. */
  line: number;
}

export interface TrackerFinding {
  result: TrackerResult;
  /** In the order of the call; at most TRACKER_LIMITS.hits. */
  hits: TrackerHit[];
}

/** Where a phrase ends among the words of a voice, and the phrase. */
interface Found {
  phrase: string;
  to: number;
}

/** The phrases of some trackers, prepared for any number of calls. */
export class TrackerMatcher {
  readonly #trackers: readonly Tracker[];
  readonly #root = newNode();

  constructor(trackers: readonly Tracker[]) {
    this.#trackers = trackers;
    for (const [tracker, { phrases }] of trackers.entries())
      for (const phrase of phrases) {
        const words = wordsOf(phrase, 0);
        const joined = joinedUp(words);
        this.#add(phrase, words, tracker);
        // "follow-up" also finds "followup".
        if (joined.length < words.length) this.#add(phrase, joined, tracker);
      }
  }

  /** @returns what each tracker finds, in the order of the trackers */
  find({ lines, rolesConfidence }: Pick<Analysis, 'lines' | 'rolesConfidence'>): TrackerFinding[] {
    const voices = voicesOf(lines);
    const hits = this.#trackers.map((): TrackerHit[] => []);
    for (const voice of voices) this.#addHits(hits, voice, lines);
    return this.#trackers.map(({ kind, who }, tracker) => {
      if (who !== 'anyone' && rolesConfidence < ROLES_SURE) return { result: 'not_judged', hits: [] };
      const found = (hits[tracker] ?? []).sort((one, other) => one.line - other.line);
      if (found.length > 0) return { result: 'found', hits: found.slice(0, TRACKER_LIMITS.hits) };
      if (kind === 'mention') return { result: 'not_found', hits: [] };
      return { result: voices.length > 1 ? 'missing' : 'not_judged', hits: [] };
    });
  }

  #add(phrase: string, words: readonly SpokenWord[], tracker: number): void {
    let node = this.#root;
    for (const { key } of words) {
      const next = node.next.get(key) ?? newNode();
      node.next.set(key, next);
      node = next;
    }
    const last = words.at(-1);
    if (last === undefined) return;
    const takesS = TAKES_S.test(phrase.slice(last.start, last.end));
    // The same words in another spelling find nothing more.
    const isKnown = node.ends.some((each) => each.tracker === tracker && each.takesS === takesS);
    if (!isKnown) node.ends.push({ tracker, phrase, takesS });
  }

  /** Adds to the hits of each tracker those in the words of one voice, without overlap. */
  #addHits(hits: readonly TrackerHit[][], { role, words }: Voice, lines: readonly Line[]): void {
    /** The trackers that look for more in this voice, and the end of the latest hit of each. */
    const looking = new Map<number, number>();
    for (const [tracker, { who }] of this.#trackers.entries())
      if (who === 'anyone' || who === role) looking.set(tracker, 0);
    const added = new Map<number, number>();
    for (const [from, first] of words.entries()) {
      if (looking.size === 0) return;
      for (const [tracker, { phrase, to }] of this.#longestFrom(words, from, looking)) {
        const [line, last] = [lines[first.line], words[to - 1]];
        if (line === undefined || last === undefined) continue;
        const quote = line.text.slice(first.start, last.line === first.line ? last.end : undefined).trim();
        hits[tracker]?.push({ phrase, quote, line: first.line });
        const number = (added.get(tracker) ?? 0) + 1;
        added.set(tracker, number);
        if (number < TRACKER_LIMITS.hits) looking.set(tracker, to);
        else looking.delete(tracker);
      }
    }
  }

  /** @returns by tracker, its longest phrase that begins at a word, after its latest hit */
  #longestFrom(
    words: readonly SpokenWord[],
    from: number,
    looking: ReadonlyMap<number, number>,
  ): ReadonlyMap<number, Found> {
    const longest = new Map<number, Found>();
    const end = (node: Node, to: number, withS = false) => {
      if (node.ends.length === 0 || !isWholeUntil(words, to)) return;
      for (const { tracker, phrase, takesS } of node.ends) {
        const isFree = from >= (looking.get(tracker) ?? Number.POSITIVE_INFINITY);
        if (isFree && (takesS || !withS) && to > (longest.get(tracker)?.to ?? 0)) longest.set(tracker, { phrase, to });
      }
    };
    const walk = (node: Node, at: number, skipped: number, merged: number): void => {
      const [word, beside] = [words[at], words[at + 1]];
      if (word === undefined || (at > from && word.begins)) return;
      const follow = (key: string, to: number, merges: number) => {
        const next = node.next.get(key);
        const singular = key.endsWith('s') ? node.next.get(key.slice(0, -1)) : undefined;
        if (singular !== undefined) end(singular, to, true);
        if (next === undefined) return false;
        end(next, to);
        walk(next, to, skipped, merges);
        return true;
      };
      if (beside !== undefined && merged < MAX_MERGED && joins(word, beside))
        follow(word.key + beside.key, at + 2, merged + 1);
      const mayBeSkipped = at > from && skipped < MAX_SKIPPED && (word.hesitates || word.key === words[at - 1]?.key);
      if (!follow(word.key, at + 1, merged) && mayBeSkipped) walk(node, at + 1, skipped + 1, merged);
    };
    walk(this.#root, from, 0, 0);
    return longest;
  }
}

/** A place in the tree of all phrases, with an edge for each word. */
interface Node {
  next: Map<string, Node>;
  ends: { tracker: number; phrase: string; takesS: boolean }[];
}

function newNode(): Node {
  return { next: new Map(), ends: [] };
}

/** "guarantee" finds "guarantees" at the end of a phrase. A name, which begins with a capital, is found as it is. */
const TAKES_S = /^[a-z]{3,}[a-rt-z]$/;
/** Hesitations and repeated words within a phrase ("the, uh, the guarantee"). */
const MAX_SKIPPED = 3;
/** Words of a call that are one word in a phrase ("e-mail", "email"). */
const MAX_MERGED = 2;

/** A word of a line, folded. Offsets in UTF-16 code units. */
interface SpokenWord {
  key: string;
  line: number;
  start: number;
  end: number;
  /** What joins it to the word before, without a space: an apostrophe, a hyphen or nothing. */
  joinedBy: "'" | '-' | null;
  hesitates: boolean;
  /** No phrase goes on from the word before. */
  begins: boolean;
}

const RUNS = new RegExp(`[${UNSPACED}]\\p{M}{0,9}|[[\\p{L}\\p{N}\\p{M}]--[${UNSPACED}]]{1,${MAX_RUN_LENGTH}}`, 'gv');
const HYPHENS = '-\u2010\u2011';
const MAX_HESITATION_LENGTH = 8;
const NUMBER = /\p{N}/u;

function wordsOf(text: string, line: number): SpokenWord[] {
  const words: SpokenWord[] = [];
  let end = Number.NaN;
  for (const { 0: run, index: start } of text.matchAll(RUNS)) {
    const between = start === end + 1 ? text.charAt(end) : ' ';
    end = start + run.length;
    const key = fold(run);
    if (key === '') continue;
    const joinedBy = APOSTROPHES.includes(between) ? "'" : HYPHENS.includes(between) ? '-' : null;
    const hesitates = run.length <= MAX_HESITATION_LENGTH && HESITATION.test(run.toLowerCase());
    words.push({ key, line, start, end, joinedBy, hesitates, begins: false });
  }
  return words;
}

/** Whether two words may be one: "e-mail" is "email", but "we'll" is not "well", and "24-7" is not 247. */
function joins(word: SpokenWord, next: SpokenWord): boolean {
  if (next.joinedBy === null || NUMBER.test(word.key + next.key)) return false;
  return next.joinedBy === '-' || !KEEPS_APOSTROPHE.test(`${word.key}'${next.key}`);
}

function joinedUp(words: readonly SpokenWord[]): SpokenWord[] {
  const joined: SpokenWord[] = [];
  for (const word of words) {
    const last = joined.at(-1);
    if (last !== undefined && joins(last, word))
      joined.splice(-1, 1, { ...last, key: last.key + word.key, end: word.end });
    else joined.push(word);
  }
  return joined;
}

/** "can" is not in "can't". */
function isWholeUntil(words: readonly SpokenWord[], at: number): boolean {
  return !(words[at]?.joinedBy === "'" && words[at]?.key === 't');
}

/** Shorter lines of others do not end what somebody says. */
const BACKCHANNEL_WORDS = 3;
const ENDS_SENTENCE = /[.!?。！？]["”»)]*\s*$/u;

/** What one person says. */
interface Voice {
  role: Line['role'];
  words: SpokenWord[];
}

/** The words of each person who speaks. A sentence may go on in the person's next line. */
function voicesOf(lines: readonly Line[]): Voice[] {
  const voices = new Map<string, Voice & { last: string; until: number }>();
  let spoken = 0;
  for (const [index, { role, speaker, text }] of lines.entries()) {
    const words = wordsOf(text, index);
    const [first] = words;
    if (first === undefined) continue;
    const name = role === 'other' ? `other ${speaker}` : role;
    const voice = voices.get(name) ?? { role, words: [], last: '.', until: 0 };
    first.begins = ENDS_SENTENCE.test(voice.last.slice(-10)) || spoken - voice.until > BACKCHANNEL_WORDS;
    for (const word of words) voice.words.push(word);
    spoken += words.length;
    voices.set(name, { ...voice, last: text, until: spoken });
  }
  return [...voices.values()];
}
