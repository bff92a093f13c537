import type { Role } from '@call-analytics/calls';
import { isListed, isNoName, isOrdinary } from '../call/neutral-words.ts';
import { CLASSES, isNegator, isNumber, type Word, wordsOf } from './patterns.ts';

/** What one person says without a break, and who it is. */
export interface Said {
  role: Role;
  text: string;
}

/** Sparse features: parallel arrays of keys and values. */
export interface Features {
  keys: number[];
  values: number[];
}

/**
 * Words of one topic, so that "my landlord" tells something although no call in training has a landlord. A word may be
 * the beginning of others: "decid*".
 */
const TOPICS: Readonly<Record<string, string>> = {
  money: `price* cost* expensive pricey dear cheap* afford* budget* money rent mortgage wage* salar* save savings spend
    spent spending pay paying pays payment* fee fees charge charges invest* steep bill bills percent discount* worth`,
  person: `spouse partner boss director owner parent child sibling niece aunt parents family landlord accountant lawyer solicitor manager treasurer committee board council trustees
    colleague* team headmaster principal chairman chair ceo cfo finance purchasing procurement head shareholders
    governors governor deacons trustee estate chef bookkeeper foreman supervisor secretary client clients his he whoever
    upstairs hq group partners inlaws children kids`,
  deciding: `decid* decision* approv* sign signs signed authori* permission vote run past consult discuss talk ask
    okayed mention speak agree agreed budget`,
  family: `spouse partner parent child sibling niece aunt cousin grandparent neighbour neighbor friend`,
  supplier: `provider supplier* vendor already currently current existing contract sibling* cousin neighbour neighbor
    person guys people kid inhouse ourselves competitor* rival* use used using with stay loyal
    years been does got get them they his quote quoted price under cheaper other another local village pound nothing`,
  binding: `contract* commit* tied tie locked lock cancel* notice minimum term terms month months year years lease
    subscription renew* out stuck exit penalty bound long forever trap* until next sign signed selling moving ends run sell old`,
  change: `chang* switch* migrat* mov* setup set install* train* learn* hassle disrupt* time busy staff capacity work
    effort faff retrain upheaval mess drag weekend hours stop swap* transfer* load* project headache everything who
    plug carry forget labels printed new step steps boxes cable* hands`,
  later: `later now yet moment next spring summer autumn winter christmas january september easter season after until
    till wait waiting soon rush early hurry month quarter year yet harvest busy currently before week today end first
    when diwali ramadan holiday* school`,
  doubt: `trust believe scam* con reviews review heard burnt burned last before promise* promised proof prove sure
    worried worry worries worrying scared afraid risk risky fault break breaks broke broken fail* guarantee* really
    honest catch cowboy* wrong reliable happens if what doubt* sceptical skeptical convinced strange`,
  need: `need needs use used useless fine enough works working happy plenty nothing wrong never hardly barely without
    manage managed coping already have got point bother problem*`,
  away: `interested no thanks thank bye goodbye stop leave calling call list number remove email brochure send
    information post think look go busy hang putting down enough`,
  praise: `great lovely brilliant perfect wonderful super fantastic excellent good nice ideal smashing cracking`,
  yes: `yes okay sure fine go do deal sold take have let us put down book sign fair right`,
  urgency: `today tonight now only last left midnight expires ends hurry limited chance before offer gone final deadline`,
  insult: `stupid silly idiot fool nonsense rubbish ridiculous ignorant pathetic waste shut listen problem
    ungrateful lazy dumb thick honestly suit`,
  certainty: `guarantee* guaranteed definitely always never hundred promise* certain* absolutely every forever free
    risk zero swear`,
  rivals: `they them their others other lot competitor* rubbish crooks cowboys terrible awful disaster bankrupt rip
    joke amateurs garbage lie lying liars`,
  gain: `save* saves saving so means you faster easier quicker less more never no without time peace free better
    cheaper warm* safe* simple* quiet* every whole`,
  ask: `what how who when where which why do does did are is can could would have has tell`,
  step: `send email call ring visit come meet meeting demo trial appointment book calendar invite quote draft contract
    survey morning afternoon o'clock am pm tomorrow week monday tuesday wednesday thursday friday saturday sunday`,
};

const WHOLE = new Map<string, number[]>();
const BEGINNINGS = new Map<string, number[]>();
for (const [topic, words] of Object.values(TOPICS).entries()) {
  for (const word of words.trim().split(/\s+/)) {
    const to = word.endsWith('*') ? BEGINNINGS : WHOLE;
    const key = word.replace('*', '');
    to.set(key, [...(to.get(key) ?? []), topic]);
  }
}
/** The lengths of the beginnings. */
const [SHORTEST, LONGEST] = [3, 10];
/** In pairs and triples of words each of them is the same: "my wife", "my accountant". */
const PERSONS = new Set(
  `spouse partner boss director owner parent child sibling niece aunt cousin
  landlord accountant lawyer solicitor treasurer committee board council trustees headmaster chairman governors deacons
  colleague bookkeeper`
    .trim()
    .split(/\s+/),
);
const TOPIC_COUNT = Object.keys(TOPICS).length;

function topicsOf(word: string): readonly number[] {
  const found = [...(WHOLE.get(word) ?? [])];
  for (let length = SHORTEST; length <= Math.min(word.length, LONGEST); length += 1)
    found.push(...(BEGINNINGS.get(word.slice(0, length)) ?? []));
  return found;
}

/** A line as the features see it. */
interface Read {
  role: Role;
  /** Hashes of the words, numbers and days as classes, with marks for the begin, the end and "?". */
  words: number[];
  topics: Uint8Array;
  negated: boolean;
  asks: boolean;
}

const FNV_PRIME = 16777619;

export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), FNV_PRIME);
  return hash >>> 0;
}

/** @returns one key for two */
export function mix(a: number, b: number): number {
  let hash = Math.imul(a ^ (b + 0x9e3779b9 + (a << 6) + (a >>> 2)), 0x85ebca6b);
  hash ^= hash >>> 13;
  return hash >>> 0;
}

const [BEGIN, END, ASKS, NUMBER, DAY, MONTH, MONEY, PERSON, NAME] = '^ $ ? # #day #month #money #person #name'
  .split(' ')
  .map(hashOf) as [number, number, number, number, number, number, number, number, number];
/** A word that is longer than this is no word of a language. */
const MAX_WORD = 40;

function classOf(word: string): number {
  if (CLASSES.day?.has(word)) return DAY;
  if (CLASSES.month?.has(word) && word !== 'may' && word !== 'march') return MONTH;
  if (CLASSES.money?.has(word)) return MONEY;
  if (PERSONS.has(word)) return PERSON;
  return isNumber(word) ? NUMBER : hashOf(word.slice(0, MAX_WORD));
}

const TITLE = /^(?:mr|dr)$/;
const GREETING = /^(?:hi|hello|hey)$/;

/** @returns whether a word is in the list of first names; one that is also an ordinary word only after a greeting */
function isName(word: string, before: string): boolean {
  if (word.length > MAX_WORD || !isListed(word)) return false;
  return !isOrdinary(word) || (GREETING.test(before) && !isNoName(word));
}

/** The words of a text, and their keys without what tells who somebody is: a name with title and surname is one key. */
function keysOf(text: string): { words: Word[]; keys: { key: number; word: Word }[] } {
  const words: Word[] = [];
  const keys: { key: number; word: Word }[] = [];
  let isNamed = false;
  for (const word of wordsOf(text)) {
    const before = words.at(-1)?.text ?? '';
    words.push(word);
    const key = classOf(word.text);
    const continues: boolean =
      isNamed && /^\p{L}/u.test(word.text) && key !== NUMBER && word.text.length <= MAX_WORD && !isOrdinary(word.text);
    isNamed = continues || (TITLE.test(before) && !isNoName(word.text)) || isName(word.text, before);
    if (TITLE.test(before) && isNamed) keys.pop();
    if (!isNamed) keys.push({ key, word });
    else if (!continues) keys.push({ key: NAME, word });
  }
  return { words, keys };
}

/** A word or a mark, and its place in the text. */
export interface NeutralWord {
  text: string;
  start: number;
  end: number;
}

/** @returns the words of a text in neutral form, without what tells who somebody is ("name" for a name); its marks */
export function neutralWords(text: string): NeutralWord[] {
  const found: NeutralWord[] = [];
  const addMark = (start: number, end?: number) => {
    const mark = /[?!.,]/.exec(text.slice(start, end));
    if (mark !== null) found.push({ text: mark[0], start: start + mark.index, end: start + mark.index + 1 });
  };
  let last = 0;
  for (const { key, word } of keysOf(text).keys) {
    if (found.length > 0) addMark(last, word.start);
    found.push({ ...word, text: key === NAME ? 'name' : word.text });
    last = word.end;
  }
  addMark(last);
  return found;
}

/** @returns a text in neutral words, each mark a word */
export function neutralText(text: string): string {
  return neutralWords(text)
    .map((word) => word.text)
    .join(' ');
}

/** @returns keys of the words of a text, with marks for its begin and end; numbers, days and names are one word each */
export function wordKeys(text: string, { keys } = keysOf(text)): number[] {
  return [BEGIN, ...keys.map(({ key }) => key), ...(text.includes('?') ? [ASKS] : []), END];
}

function readLine({ role, text }: Said): Read {
  const topics = new Uint8Array(TOPIC_COUNT);
  const found = keysOf(text);
  for (const { text: word } of found.words) for (const topic of topicsOf(word)) topics[topic] = 1;
  return {
    role,
    words: wordKeys(text, found),
    topics,
    negated: found.words.some((word) => isNegator(word.text)),
    asks: text.includes('?'),
  };
}

/** Kinds of features; each key begins with one. */
const KINDS = ['word', 'pair', 'three', 'topic', 'not-topic', 'before', 'after', 'place'].map(hashOf) as [
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
];
const [WORD, PAIR, THREE, TOPIC, NOT_TOPIC, BEFORE, AFTER, PLACE] = KINDS;
const ROLE: Readonly<Record<Role, number>> = { manager: 1, customer: 2, other: 3 };
/** What others say around a line tells less than the line. */
const CONTEXT_VALUE = 0.5;

/**
 * Reads the lines of a call. @returns the features of each: its words, pairs and triples of words and topics, the words
 * of the lines before and after it, and its place in the call
 */
export function featuresOf(lines: readonly Said[]): Features[] {
  const read = lines.map(readLine);
  return read.map((line, index) => {
    const found = new Map<number, number>();
    const add = (key: number, value: number) => found.set(key, value);
    const { words, topics } = line;
    for (let at = 0; at < words.length; at += 1) {
      const [one = 0, two, three] = [words[at], words[at + 1], words[at + 2]];
      add(mix(WORD, one), 1);
      if (two === undefined) break;
      const pair = mix(mix(PAIR, one), two);
      add(pair, 1);
      if (three !== undefined) add(mix(mix(THREE, pair), three), 1);
    }
    for (let topic = 0; topic < TOPIC_COUNT; topic += 1) {
      if (topics[topic] === 1) add(mix(line.negated ? NOT_TOPIC : TOPIC, topic), 1);
    }
    around(BEFORE, read[index - 1], add);
    around(AFTER, read[index + 1], add);
    for (const [place, holds] of placesOf(read, index).entries()) if (holds) add(mix(PLACE, place), 1);
    return { keys: [...found.keys()], values: [...found.values()] };
  });
}

function around(kind: number, line: Read | undefined, add: (key: number, value: number) => void): void {
  const base = mix(kind, line === undefined ? 0 : ROLE[line.role]);
  add(base, CONTEXT_VALUE);
  if (line === undefined) return;
  for (let at = 0; at < line.words.length; at += 1) {
    const [one = 0, two] = [line.words[at], line.words[at + 1]];
    add(mix(base, one), CONTEXT_VALUE);
    if (two !== undefined) add(mix(mix(base, one), two), CONTEXT_VALUE);
  }
  for (let topic = 0; topic < TOPIC_COUNT; topic += 1)
    if (line.topics[topic] === 1) add(mix(base, topic), CONTEXT_VALUE);
}

function placesOf(read: readonly Read[], index: number): boolean[] {
  const [line, before, after] = [read[index], read[index - 1], read[index + 1]];
  const words = line?.words.length ?? 0;
  const left = read.length - index;
  return [
    index < 2,
    index < 4,
    index < 8,
    left <= 2,
    left <= 4,
    left <= 8,
    index / read.length < 0.33,
    index / read.length > 0.67,
    words <= 4,
    words > 14,
    words > 28,
    before?.role === line?.role,
    after?.role === line?.role,
    before?.asks ?? false,
  ];
}

/** The words of a sequence that tell who speaks. */
const MAX_SEQUENCE = 3;

/** @returns the features of each clause of a call that tell who says it: sequences of words, its length and place */
export function roleFeatures(clauses: readonly { text: string }[]): Features[] {
  return clauses.map(({ text }, index) => {
    const found = new Set<number>();
    const words = wordKeys(text);
    sequences(found, WORD, words, MAX_SEQUENCE);
    const left = clauses.length - index;
    const { length } = words;
    const places = [index < 1, index < 2, index < 4, left <= 2, length <= 4, length > 14, length > 25];
    for (const [place, holds] of places.entries()) if (holds) found.add(mix(PLACE, place));
    return { keys: [...found], values: Array<number>(found.size).fill(1) };
  });
}

/** Adds the keys of all sequences of up to `longest` words. */
export function sequences(found: Set<number>, kind: number, words: readonly number[], longest: number): void {
  for (let at = 0; at < words.length; at += 1) {
    let key = kind;
    for (let length = 1; length <= longest && at + length <= words.length; length += 1) {
      key = mix(key, words[at + length - 1] ?? 0);
      found.add(key);
    }
  }
}
