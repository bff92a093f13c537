import { APOSTROPHES, HESITATION, KEEPS_APOSTROPHE, type Line, type Role } from '@call-analytics/calls';
import { CHECK_IDS, CHECKS, type CheckId, type CriterionId } from './catalogue.ts';
import type { Evidence, Observations } from './observations.ts';
import { type Context, misleads } from './quote-context.ts';

/** The longest quote of the rules, in characters. */
const MAX_QUOTE = 240;

/** @param longest in characters. @returns the beginning of a text as a quote, in whole words */
export function cut(text: string, longest = MAX_QUOTE): string {
  if (text.length <= longest) return text;
  const end = text.lastIndexOf(' ', longest);
  return text.slice(0, end > 0 ? end : longest);
}

/** A shorter quote proves nothing: three words, or twelve letters of fewer words. */
const LEAST = { words: 3, letters: 12 };

/**
 * Finds a quote in the transcript: letter case, apostrophes, punctuation, white space and hesitations ("uh") may
 * differ; words, numbers and negations may not. A quote that the words around it negate, report or make conditional is
 * not found.
 * @param hint the line to search first, then the lines beside it; elsewhere the quote must be in one line only
 * @param by who must say it
 * @returns the place with the words of the transcript, or null when the call does not say this
 */
export function locate(quote: string, lines: readonly Line[], hint: number | null = null, by?: Role): Evidence | null {
  const words = wordsOf(quote.replace(/^\s*(?:\d+\s+)?S\d+\s*:|^\s*\d+\s*:\s/u, ''));
  if (!isLongEnough(words)) return null;
  const punctuated = /[.!?…。！？]["”»)]*\s*$/u.test(quote);
  const inLine = (index: number) =>
    by === undefined || lines[index]?.role === by ? quoteIn(lines, index, words, punctuated) : null;
  const near = hint === null ? [] : [hint, hint - 1, hint + 1];
  for (const index of near) {
    const found = inLine(index);
    if (found !== null) return found;
  }
  const elsewhere = lines.flatMap((_line, index) => inLine(index) ?? []);
  return elsewhere.length === 1 || hint === null ? (elsewhere[0] ?? null) : null;
}

function isLongEnough(words: readonly Word[]): boolean {
  const spoken = words.filter(({ key }) => /[\p{L}\p{N}]/u.test(key));
  const letters = spoken.reduce((sum, { key }) => sum + key.length, 0);
  return spoken.length >= LEAST.words || letters >= LEAST.letters;
}

/** @returns whether a quote has enough words to prove anything */
export const provesAnything = (quote: string): boolean => isLongEnough(wordsOf(quote));

interface Word {
  /** Folded: the form that is compared. */
  key: string;
  start: number;
  end: number;
  /** Whether a hyphen joins it to the word before. */
  joined: boolean;
}

/** Scripts without spaces: each sign counts as a word. */
const SPACELESS = 'Han Hiragana Katakana Thai Lao Khmer'.replace(/\w+ ?/g, (name) => `\\p{Script=${name.trim()}}`);
/** A unit sign, a minus, a sign of a script without spaces, or a word or number with apostrophes and separators. */
const WORD = new RegExp(
  `[\\p{Sc}%]|(?<![\\p{L}\\p{N}])[-\u2212](?=\\p{N})|[${SPACELESS}]|` +
    `[\\p{L}\\p{N}](?:(?![${SPACELESS}])[\\p{L}\\p{N}\\p{M}\\p{Cf}]|` +
    `[${APOSTROPHES}](?=\\p{L})|(?<=\\p{N})[.,:](?=\\p{N}))*`,
  'gu',
);
const NEGATED = /^(?:no|not|nicht|nein|не|нет|pas|non|não)$/u;

const known = new WeakMap<Line, { text: string; words: Word[] }>();

function wordsOfLine(line: Line): Word[] {
  const before = known.get(line);
  if (before?.text === line.text) return before.words;
  const words = wordsOf(line.text);
  known.set(line, { text: line.text, words });
  return words;
}

/** @returns the words of a text without hesitations and repetitions ("I, uh, I think") */
function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  for (const { 0: raw, index } of text.matchAll(WORD)) {
    const joined = /[-\u2010\u2011]$/u.test(text.slice(Math.max(0, index - 1), index));
    const key = folded(raw);
    const last = words.at(-1);
    if (HESITATION.test(key) && !joined && !/^[-\u2010\u2011]/u.test(text.slice(index + raw.length))) continue;
    const repeats = last?.key === key && !joined && !/\p{N}/u.test(key) && !NEGATED.test(key) && key.length > 1;
    if (last !== undefined && (repeats || (last.key === key && key === 'i'))) last.end = index + raw.length;
    else words.push({ key, start: index, end: index + raw.length, joined });
  }
  return words;
}

function folded(raw: string): string {
  const plain = raw
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\p{Cf}/gu, '')
    .replace(new RegExp(`[${APOSTROPHES}]`, 'gu'), "'")
    .replaceAll('ß', 'ss')
    .replaceAll('ё', 'е');
  if (/^\d{1,3}(?:,\d{3})+$/.test(plain)) return plain.replaceAll(',', '');
  return plain.startsWith("n'") || KEEPS_APOSTROPHE.test(plain) ? plain : plain.replaceAll("'", '');
}

/** @returns the first place in a line that holds the words and means them */
function quoteIn(lines: readonly Line[], index: number, quote: readonly Word[], punctuated: boolean): Evidence | null {
  const line = lines[index];
  if (line === undefined) return null;
  const words = wordsOfLine(line);
  for (let from = 0; from < words.length; from += 1) {
    const to = matchEnd(words, from, quote);
    if (to === null || misleads(contextOf(lines, index, words, from, to))) continue;
    const end = words[to - 1]?.end ?? 0;
    const mark = /^["”»)]*[.!?…。！？]+/u.exec(line.text.slice(end))?.[0] ?? '';
    // A question keeps its mark, so that it never looks like a statement.
    const closing = punctuated || /[?？]/u.test(mark) ? mark : '';
    return { quote: line.text.slice(words[from]?.start, end) + closing, line: index };
  }
  return null;
}

/** @returns the index after the last word of the match, or null. "e-mail" is also "email". */
function matchEnd(words: readonly Word[], from: number, quote: readonly Word[]): number | null {
  let at = from;
  for (let asked = 0; asked < quote.length; ) {
    const [word, next] = [words[at], words[at + 1]];
    const [wanted, after] = [quote[asked], quote[asked + 1]];
    if (word === undefined || wanted === undefined) return null;
    if (word.key === wanted.key) {
      at += 1;
      asked += 1;
    } else if (next?.joined && word.key + next.key === wanted.key && !/\p{N}/u.test(wanted.key)) {
      at += 2;
      asked += 1;
    } else if (after?.joined && wanted.key + after.key === word.key && !/\p{N}/u.test(word.key)) {
      at += 1;
      asked += 2;
    } else return null;
  }
  return at;
}

/** Words of context on each side. */
const REACH = 10;
/** A shorter line of the other speaker does not end a sentence. */
const BACKCHANNEL_WORDS = 3;
/** Words that only fill: they do not separate a clause from what governs it. */
const DISCOURSE =
  /(?<=^|[ |])(?:you know|i mean|like|well|honestly|actually|really|basically|frankly|kind of|sort of)(?= |$)/gu;

function contextOf(lines: readonly Line[], index: number, words: readonly Word[], from: number, to: number): Context {
  const text = lines[index]?.text ?? '';
  const before: string[] = [];
  let at = from;
  for (; at > 0 && before.length < REACH; at -= 1) {
    const gap = gapOf(text.slice(words[at - 1]?.end, words[at]?.start));
    if (gap === 'end') break;
    before.unshift(words[at - 1]?.key ?? '', ...(gap === 'comma' ? ['|'] : []));
  }
  if (at === 0) before.unshift(...unfinished(lines, index));
  const sentence = (start: number) => {
    const found: string[] = [];
    for (let next = start; next < words.length && found.length < REACH; next += 1) {
      const gap = gapOf(text.slice(words[next - 1]?.end, words[next]?.start));
      if (gap === 'end' && next > start) break;
      found.push(...(gap === 'comma' ? ['|'] : []), words[next]?.key ?? '');
    }
    return found;
  };
  const ended = gapOf(text.slice(words[to - 1]?.end, words[to]?.start)) === 'end';
  return {
    before: before
      .join(' ')
      .replace(DISCOURSE, '')
      .replace(/\s+/gu, ' ')
      .replace(/^\| | $/gu, ''),
    quote: words
      .slice(from, to)
      .map(({ key }) => key)
      .join(' '),
    after: ended
      ? ''
      : sentence(to)
          .map((word) => ` ${word}`)
          .join(''),
    next: ended ? sentence(to).join(' ') : '',
  };
}

function gapOf(gap: string): 'end' | 'comma' | 'none' {
  if (/[.!?。！？]/u.test(gap) && !/\.\.|…/u.test(gap)) return 'end';
  return /[,;:…“”"«»„،、，；：—–(]|\.\.| - /u.test(gap) ? 'comma' : 'none';
}

/** The end of what the same person said just before, when it was no whole sentence. */
function unfinished(lines: readonly Line[], index: number): string[] {
  const line = lines[index];
  const before = [lines[index - 1], lines[index - 2]];
  const [beside, other] = before;
  const short = beside !== undefined && wordsOfLine(beside).length <= BACKCHANNEL_WORDS;
  const own = beside?.role === line?.role ? beside : short && other?.role === line?.role ? other : undefined;
  if (own === undefined || /[.!?。！？]["”»)]*\s*$/u.test(own.text.replace(/\.\.+\s*$/u, ''))) return [];
  return wordsOfLine(own)
    .slice(-REACH)
    .map(({ key }) => key);
}

/** "Good morning, Emma from Brightbooks, how can I help?" proves three checks: greets, introduces and asks. */
const CHECKS_OF_ONE_SENTENCE = 3;
/** How many objections one sentence can answer. */
const ANSWERS_OF_ONE_SENTENCE = 2;

/**
 * Limits what one sentence can prove: checks of one criterion (the one with most claims, the first of equals), three
 * checks, answers to two objections, and one question if it proves no check. Deterministic.
 * @param sentenceOf names the sentence of a quote
 */
export function withinLimits<T extends Pick<Observations, 'checks' | 'questions' | 'objections'>>(
  observed: T,
  sentenceOf: (evidence: Evidence) => string,
): T {
  const claims = Map.groupBy(
    CHECK_IDS.filter((id) => observed.checks[id] !== null),
    (id) => sentenceOf(observed.checks[id] as Evidence),
  );
  const kept = new Set([...claims.values()].flatMap(provable));
  const answers = new Map<string, number>();
  const objections = observed.objections.map((objection) => {
    if (objection.answer === null) return objection;
    const sentence = sentenceOf(objection.answer);
    const times = (answers.get(sentence) ?? 0) + 1;
    answers.set(sentence, times);
    return times > ANSWERS_OF_ONE_SENTENCE ? { ...objection, answer: null, answerRepeated: true } : objection;
  });
  const checks = Object.fromEntries(
    CHECK_IDS.map((id) => [id, kept.has(id) ? observed.checks[id] : null]),
  ) as Observations['checks'];
  const taken = new Set(CHECK_IDS.flatMap((id) => (checks[id] === null ? [] : sentenceOf(checks[id]))));
  const questions = observed.questions.filter((question) => {
    const sentence = sentenceOf(question);
    return !taken.has(sentence) && taken.add(sentence);
  });
  return { ...observed, checks, questions, objections };
}

/** @param ids the checks that one sentence is claimed to prove, in the order of the rubric */
function provable(ids: readonly CheckId[]): CheckId[] {
  const byCriterion = Map.groupBy(ids, (id): CriterionId => CHECKS[id].criterion);
  const most = [...byCriterion.values()].reduce((best, own) => (own.length > best.length ? own : best), []);
  return most.slice(0, CHECKS_OF_ONE_SENTENCE);
}
