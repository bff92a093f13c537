import type { Line, Role, Transcript } from '@call-analytics/calls';
import {
  HONORIFIC,
  isFrequent,
  isGrammatical,
  isListed,
  isNoName,
  isOrdinary,
  LOOK_AHEAD,
  neutralOf,
} from '../call/neutral-words.ts';
import { isEnglish } from '../call/not-scored.ts';
import { type Evidence, linesOf, type Span } from '../call/observations.ts';

const GREETING = /^(?:hi|hello|hey|hiya|dear|morning|afternoon|evening|thanks|bye|goodbye|cheers)$/;
const ARTICLE = /^(?:the|a|an)$/;
const CALLS = /^(?:calling|ringing|phoning|speaking|here|over)$/;
const OF = /^(?:from|at|with|of)$/;
const INITIAL = /(?<!\p{L})\p{Ll}/gu;
/** The longest name of a company that is taken without capitals. */
const COMPANY_WORDS = 3;
/** More companies that begin with the same word are no real ones. */
const MAX_ALIKE = 8;

interface Token {
  /** In lower case, without "'s", "'ll" and the like. */
  key: string;
  start: number;
  end: number;
  /** Whether it has a capital that does not begin a sentence. */
  capital: boolean;
  /** Whether only a space is between it and the word before. */
  adjoins: boolean;
}

/** A part of an utterance that the model reads in other words. Offsets into the words as said and as masked. */
interface Replacement {
  start: number;
  end: number;
  maskedStart: number;
  maskedEnd: number;
}

/** A call as the model reads it. */
export interface Masked {
  transcript: Transcript;
  /** What was replaced in each utterance, in order. */
  replaced: readonly (readonly Replacement[])[];
  /** Masks a text about the call. */
  mask(text: string): string;
  /** Puts the names back into a text of the model. */
  unmask(text: string): string;
}

/**
 * Replaces the names of people and companies, pronouns and some dialect words of an English call, so that a model
 * judges what is said and not who says it. What is not surely a name stays, as does a call in another language.
 */
export function masked(transcript: Transcript): Masked {
  const same = (text: string) => text;
  if (!isEnglish(transcript)) return { transcript, replaced: [], mask: same, unmask: same };
  const utterances = transcript.utterances.map((utterance) => ({ utterance, tokens: tokensOf(utterance.text) }));
  const names = new Names(utterances.map(({ tokens }) => tokens));
  const texts = utterances.map(({ utterance, tokens }) => ({ utterance, ...names.mask(utterance.text, tokens) }));
  return {
    transcript: { ...transcript, utterances: texts.map(({ utterance, text }) => ({ ...utterance, text })) },
    replaced: texts.map(({ replacements }) => replacements),
    mask: (text) => names.mask(text, tokensOf(text)).text.replaceAll('\u00a0', ' '),
    unmask: (text) =>
      text.replace(/\b(person|company)\s(\d+)\b/giu, (token, kind, id) => names.shown(kind, Number(id)) ?? token),
  };
}

/** @returns a masked text with one word for each mask */
export const withoutMask = (text: string): string =>
  text.replace(/\b(?:person|company)\s\d+/giu, 'name').replace(/(\p{L}+)\/\p{L}+/gu, '$1');

const WORD = /\p{L}[\p{L}\p{M}]*(?:['’]\p{L}[\p{L}\p{M}]*)*/gu;

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let end = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const title = HONORIFIC.test(tokens.at(-1)?.key ?? '');
    const gap = text.slice(end, index).replace(title ? /^\./ : /^$/, '');
    const base = word.replace(/['’](?:s|d|m|re|ve|ll)$/iu, '');
    tokens.push({
      key: base.toLowerCase().replaceAll('’', "'"),
      start: index,
      end: index + base.length,
      capital: /^\p{Lu}/u.test(word) && end > 0 && !/[.!?…:"“]/u.test(gap),
      adjoins: /^\s+$/u.test(gap),
    });
    end = index + word.length;
  }
  return tokens;
}

/** The people and companies that a call names. */
class Names {
  /** Words that name a person wherever they occur, by the word that stands for the person: "weber" by "emma". */
  readonly #people = new Map<string, string>();
  /** Ordinary words that name a person only where they have a capital. */
  readonly #capitals = new Set<string>();
  /** The words of each, by the first word; long ones first. */
  readonly #companies = new Map<string, string[][]>();
  readonly #numbers = { person: new Map<string, number>(), company: new Map<string, number>() };
  readonly #shown = { person: [] as string[], company: [] as string[] };
  readonly #hasCapitals: boolean;

  constructor(utterances: readonly (readonly Token[])[]) {
    const all = utterances.flat();
    this.#hasCapitals = all.some(({ key, capital }) => capital && key !== 'i');
    const things = new Set(all.flatMap((token, index) => (isThing(token, all[index - 1]) ? token.key : [])));
    for (const tokens of utterances) for (const at of tokens.keys()) this.#learnPerson(tokens, at, things);
    for (const tokens of utterances) for (const at of tokens.keys()) this.#learnCompany(tokens, at);
  }

  #learnPerson(tokens: readonly Token[], at: number, things: ReadonlySet<string>): void {
    const token = tokens[at];
    if (token === undefined || isNoName(token.key)) return;
    const { key, capital } = token;
    const introduced = isIntroduced(tokens, at);
    const spokenTo = introduced || (capital && isGreeted(tokens, at));
    const isName = isOrdinary(key)
      ? introduced && !capital && isListed(key) && !isFrequent(key)
      : spokenTo || (isListed(key) && !things.has(key));
    if (isName) this.#people.set(key, this.#people.get(key) ?? key);
    else if (spokenTo && capital && isListed(key)) this.#capitals.add(key);
    else return;
    const next = tokens[at + 1];
    if (!next?.adjoins || !this.#isSurname(tokens, at + 1, introduced)) return;
    const known = this.#people.get(next.key);
    if (known === undefined || known === next.key) this.#people.set(next.key, this.#people.get(key) ?? key);
  }

  #isSurname(tokens: readonly Token[], at: number, introduced: boolean): boolean {
    const { key = '', capital = false } = tokens[at] ?? {};
    if (isNoName(key)) return false;
    if (capital || this.#hasCapitals) return capital;
    const next = tokens[at + 1];
    return introduced && !isOrdinary(key) && (!next?.adjoins || OF.test(next.key) || CALLS.test(next.key));
  }

  #learnCompany(tokens: readonly Token[], at: number): void {
    const from = at + (CALLS.test(tokens[at]?.key ?? '') ? 1 : 0);
    const word = tokens[from]?.key ?? '';
    const before = tokens[at - 1];
    const caller = (before !== undefined && this.#isPerson(before)) || (from > at && word === 'from');
    const thanked = /^(?:calling|to)$/.test(word) && /^(?:for|welcome)$/.test(tokens[from - 1]?.key ?? '');
    if ((caller && OF.test(word)) || thanked) this.#addCompany(this.#companyAt(tokens, from + 1));
    else if (tokens.slice(0, at).every(({ key }) => key === 'good' || GREETING.test(key)))
      this.#learnFirstWords(tokens, at);
  }

  /** "Brightbooks, this is Emma", "Deskmates, Hilary speaking", "Swiftline here" */
  #learnFirstWords(tokens: readonly Token[], at: number): void {
    const [word, next, after] = [tokens[at], tokens[at + 1], tokens[at + 2]];
    if (word === undefined || next === undefined || isOrdinary(word.key) || this.#isPerson(word)) return;
    const answers = next.key === 'this' ? after?.key === 'is' : this.#isPerson(next) && after?.key === 'speaking';
    if (answers || (next.key === 'here' && next.adjoins)) this.#addCompany([word.key]);
  }

  #addCompany(words: string[]): void {
    const [first] = words;
    if (first === undefined) return;
    const alike = this.#companies.get(first) ?? [];
    if (alike.some((known) => known.join() === words.join())) return;
    const longFirst = [...alike, words].sort((one, other) => other.length - one.length);
    this.#companies.set(first, longFirst.slice(0, MAX_ALIKE));
  }

  #isPerson({ key, capital }: Token): boolean {
    return this.#people.has(key) || (capital && this.#capitals.has(key));
  }

  #companyAt(tokens: readonly Token[], from: number): string[] {
    const run: Token[] = [];
    const first = tokens[from];
    for (let at = from; at < tokens.length && run.length <= COMPANY_WORDS; at += 1) {
      const token = tokens[at];
      if (token === undefined || isNoName(token.key) || !token.adjoins || token.capital !== first?.capital) break;
      run.push(token);
    }
    const keys = run.map(({ key }) => key);
    const unusual = (some: readonly string[]) => some.some((key) => !isOrdinary(key));
    if (keys.length === 1 && this.#people.has(keys[0] ?? '')) return [];
    if (first?.capital) return keys;
    if (run.length > COMPANY_WORDS) return unusual(keys.slice(0, 1)) ? keys.slice(0, 1) : [];
    return keys.length > 1 || unusual(keys) ? keys : [];
  }

  /** @returns the text for the model, and where it differs */
  mask(text: string, tokens: readonly Token[]): { text: string; replacements: Replacement[] } {
    const replacements: Replacement[] = [];
    let found = '';
    let end = 0;
    for (let at = 0; at < tokens.length; ) {
      const { words, token: neutral } = this.#at(text, tokens, at);
      const [first, last] = [tokens[at], tokens[at + words - 1]];
      if (neutral !== null && first !== undefined && last !== undefined) {
        found += text.slice(end, first.start);
        const maskedStart = found.length;
        found += neutral;
        end = last.end;
        replacements.push({ start: first.start, end, maskedStart, maskedEnd: found.length });
      }
      at += words;
    }
    return { text: found + text.slice(end), replacements };
  }

  /** @returns how many words from there on are replaced, and by what */
  #at(text: string, tokens: readonly Token[], at: number): { words: number; token: string | null } {
    const company = this.#companies
      .get(tokens[at]?.key ?? '')
      ?.find((words) =>
        words.every((word, index) => tokens[at + index]?.key === word && (index === 0 || tokens[at + index]?.adjoins)),
      );
    const said = (words: number) => text.slice(tokens[at]?.start, tokens[at + words - 1]?.end);
    if (company !== undefined) {
      const token = this.#token('company', company.join(' '), said(company.length));
      return { words: company.length, token };
    }
    const titled = HONORIFIC.test(tokens[at]?.key ?? '') && tokens[at + 1]?.adjoins ? 1 : 0;
    const first = tokens[at + titled];
    if (
      first !== undefined &&
      (this.#isPerson(first) || (titled === 1 && first.capital && !isGrammatical(first.key)))
    ) {
      const next = tokens[at + titled + 1];
      const person = this.#people.get(first.key) ?? first.key;
      const whole =
        next?.adjoins && (this.#people.get(next.key) === person || this.#isSurname(tokens, at + titled + 1, false));
      const words = titled + (whole ? 2 : 1);
      return { words, token: this.#token('person', person, said(words)) };
    }
    const end = tokens[at]?.end ?? 0;
    const neutral = neutralOf(tokens[at]?.key ?? '', tokens[at - 1]?.key, text.slice(end, end + LOOK_AHEAD)) ?? null;
    const begins = /^\p{Lu}/u.test(said(1));
    return { words: 1, token: begins && neutral ? neutral.charAt(0).toUpperCase() + neutral.slice(1) : neutral };
  }

  #token(kind: 'person' | 'company', key: string, said: string): string {
    const numbers = this.#numbers[kind];
    const number = numbers.get(key) ?? this.#shown[kind].push(said.replace(INITIAL, (letter) => letter.toUpperCase()));
    numbers.set(key, number);
    // A no-break space, so that no line ends within the token.
    return `${kind === 'person' ? 'Person' : 'Company'}\u00a0${number}`;
  }

  shown(kind: string, number: number): string | undefined {
    return this.#shown[kind.toLowerCase() === 'person' ? 'person' : 'company'][number - 1];
  }
}

/** "my name is _", "this is _ from", "Mr. _", and "_ speaking" at the start of an utterance */
function isIntroduced(tokens: readonly Token[], at: number): boolean {
  const word = (offset: number) => tokens[at + offset]?.key ?? '';
  const [before, earlier, next] = [word(-1), word(-2), word(1)];
  if (before === 'name' || (before === 'is' && earlier === 'name')) return true;
  if (HONORIFIC.test(before)) return before !== 'miss' || tokens[at]?.capital === true;
  if (next === 'speaking' && at <= 2) return true;
  const presented = /^(?:it|its|i|im)$/.test(before) || (/^(?:is|am)$/.test(before) && /^(?:this|it|i)$/.test(earlier));
  return presented && /^(?:from|calling|speaking|here|ringing)$/.test(next);
}

/** "the Meridian", "Rainforest Alliance" */
function isThing({ adjoins }: Token, before: Token | undefined): boolean {
  if (before === undefined || !adjoins) return false;
  return (
    ARTICLE.test(before.key) ||
    (before.capital && !isNoName(before.key) && !isListed(before.key) && !HONORIFIC.test(before.key))
  );
}

function isGreeted(tokens: readonly Token[], at: number): boolean {
  if (!tokens[at]?.adjoins) return false;
  const [before, earlier] = [tokens[at - 1]?.key ?? '', tokens[at - 2]?.key];
  return GREETING.test(before) || (before === 'you' && earlier === 'thank');
}

/** Gives back what was said for what is in a masked call. */
export interface Unmasking {
  spans: Span[];
  lines: Line[];
  /** @returns what was said for words of a masked line */
  words(text: string, line: number): string;
  /** Puts words and names of the call into each quote and text of a value. */
  unmask<T>(value: T): T;
}

/**
 * @param transcript the call as it was said
 * @param spans, lines, lineOf of the masked call
 */
export function unmaskingOf(
  transcript: Transcript,
  { replaced, unmask }: Masked,
  spans: readonly Span[],
  { lines: maskedLines, lineOf }: { lines: readonly Line[]; lineOf: readonly number[] },
): Unmasking {
  const textOf = (utterance: number) => transcript.utterances[utterance]?.text ?? '';
  const offset = (utterance: number, at: number) => offsetAsSaid(replaced[utterance] ?? [], at);
  const saidSpans = spans.map((span): Span => {
    const [start, end] = [offset(span.utterance, span.start), offset(span.utterance, span.end)];
    return { ...span, start, end, text: textOf(span.utterance).slice(start, end) };
  });
  const roles = lineOf.map((line): Role => maskedLines[line]?.role ?? 'other');
  const { lines } = linesOf(transcript, saidSpans, roles);
  const firstSpan = new Map<number, Span>();
  for (const [index, line] of [...lineOf.entries()].reverse()) firstSpan.set(line, spans[index] as Span);

  const said = ({ quote, line }: Evidence): Evidence => {
    const { utterance, start } = firstSpan.get(line) ?? { utterance: -1, start: 0 };
    const from = start + (maskedLines[line]?.text.indexOf(quote) ?? 0);
    const words = textOf(utterance).slice(offset(utterance, from), offset(utterance, from + quote.length));
    return { quote: words.trim(), line };
  };
  const unmaskAll = (value: unknown): unknown => {
    if (typeof value === 'string') return unmask(value);
    if (Array.isArray(value)) return value.map(unmaskAll);
    if (typeof value !== 'object' || value === null) return value;
    const restored = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, unmaskAll(part)]));
    return 'quote' in value && 'line' in value ? { ...restored, ...said(value as Evidence) } : restored;
  };
  return {
    spans: saidSpans,
    lines,
    words: (text, line) => (maskedLines[line]?.text.includes(text) ? said({ quote: text, line }).quote : unmask(text)),
    unmask: unmaskAll as Unmasking['unmask'],
  };
}

/** An offset within a replacement is the end of what was said there. */
function offsetAsSaid(replaced: readonly Replacement[], at: number): number {
  let [low, high] = [0, replaced.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((replaced[middle]?.maskedStart ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  const before = replaced[low - 1];
  if (before === undefined) return at;
  return at < before.maskedEnd ? before.end : before.end + at - before.maskedEnd;
}
