import type { Line, Role, Transcript, Utterance } from '@call-analytics/calls';
import { cut } from '../call/evidence.ts';
import type { Evidence, Labelled, Span } from '../call/observations.ts';
import { CUES, patterns } from './cues.ts';
import { type Hit, type Word, wordsOf } from './patterns.ts';

export interface WithRoles extends Labelled {
  /** The role of each clause. */
  roles: Role[];
  /** The line of each clause. */
  lineOf: number[];
}

/** The clauses of a call with their roles and cues, as the rules for the outcome and moods read them. */
export interface Dialogue {
  clauses: readonly Clause[];
  roles: readonly Role[];
  lines: readonly Line[];
  /** Whether a clause has a cue with this name or prefix, said by the role that the cue is for. */
  has(index: number, cue: string): boolean;
  /** The indices of the clauses that have it. */
  find(cue: string): number[];
  evidence(index: number): Evidence;
}

export function dialogueOf(
  transcript: Transcript,
  clauses: readonly Clause[],
  { roles, lines, lineOf }: WithRoles,
): Dialogue {
  const places = placesOf(clauses, roles);
  return {
    clauses,
    roles,
    lines,
    has: (index, cue) => places.get(cue)?.has(index) ?? false,
    find: (cue) => [...(places.get(cue) ?? [])],
    evidence: (index) => ({ quote: cut(sentenceAround(transcript, clauses, lineOf, index)), line: lineOf[index] ?? 0 }),
  };
}

/** Maps each cue name and each prefix of it ("outcome", "outcome.sold") to its clauses. */
function placesOf(clauses: readonly Clause[], roles: readonly Role[]): Map<string, Set<number>> {
  const places = new Map<string, Set<number>>();
  clauses.forEach((clause, index) => {
    for (const cue of clause.cues) {
      const by = CUES[cue]?.by;
      if (by !== undefined && by !== roles[index]) continue;
      for (let end = cue.indexOf('.'); ; end = cue.indexOf('.', end + 1)) {
        const name = end < 0 ? cue : cue.slice(0, end);
        places.set(name, (places.get(name) ?? new Set()).add(index));
        if (end < 0) break;
      }
    }
  });
  return places;
}

const JOINS = new Set(['and', 'but', 'so', 'because', 'then', 'that', 'which']);
/** The number of words up to which a quote of text without punctuation is extended. */
const FULL_QUOTE = 24;

/**
 * Without punctuation a clause is often half a sentence, so following clauses of the line are added, and preceding ones
 * to a clause that begins with a link word.
 */
function sentenceAround(
  transcript: Transcript,
  clauses: readonly Clause[],
  lineOf: readonly number[],
  index: number,
): string {
  const clause = clauses[index];
  if (clause === undefined) return '';
  const text = transcript.utterances[clause.utterance]?.text ?? '';
  let [from, to, words] = [index, index, clause.words.length];
  const open = (at: number) => !/[.!?…]\s*$/.test(clauses[at]?.text ?? '');
  const joins = (at: number) => lineOf[at] === lineOf[index] && words + (clauses[at]?.words.length ?? 0) <= FULL_QUOTE;
  while (JOINS.has(clauses[from]?.words[0]?.text ?? '') && joins(from - 1) && open(from - 1)) {
    from -= 1;
    words += clauses[from]?.words.length ?? 0;
  }
  while (open(to) && joins(to + 1)) {
    to += 1;
    words += clauses[to]?.words.length ?? 0;
  }
  return text.slice(clauses[from]?.start, clauses[to]?.end).trim();
}

/** A sentence, or the closest to one in text without punctuation. */
export interface Clause extends Span {
  words: readonly Word[];
  question: boolean;
  /** The cues that begin in it, each once. */
  cues: ReadonlySet<string>;
}

/** Reads a transcript once. @returns its clauses in order, with their cues */
export function read(transcript: Transcript): Clause[] {
  return transcript.utterances.flatMap((utterance, index) => readUtterance(utterance, index));
}

/** A stretch ends at punctuation, but not at "Mrs.", or with the utterance. Patterns match within one stretch. */
const STRETCH = /[^.!?…]+(?:(?:[.!?…](?=[^\s.!?…])|(?<=\b(?:Mr|Mrs|Ms|Dr|Prof|St))\.(?=\s))[^.!?…]*)*[.!?…]*\s*/gu;

function readUtterance(utterance: Utterance, index: number): Clause[] {
  const clauses: Clause[] = [];
  const punctuated = /[.!?…]/.test(utterance.text);
  const perCharacter = (utterance.endMs - utterance.startMs) / Math.max(1, utterance.text.length);
  const timeAt = (offset: number) => Math.round(utterance.startMs + offset * perCharacter);
  for (const match of utterance.text.matchAll(STRETCH)) {
    const words = wordsOf(match[0]).map((word) => ({
      text: word.text,
      start: word.start + match.index,
      end: word.end + match.index,
    }));
    if (words.length === 0) continue;
    const hits = patterns()
      .find(words)
      .filter((hit) => !isUndone(hit, words));
    const cuts = splitStretch(words, /[.!?…]\s*$/.test(match[0]));
    let next = 0;
    cuts.forEach((from, cut) => {
      const to = cuts[cut + 1] ?? words.length;
      const last = cut === cuts.length - 1;
      // "$20 a month" begins before its first word.
      const start = cut === 0 ? match.index + match[0].search(/\S/) : (words[from]?.start ?? 0);
      const until = words[to]?.start ?? match.index + match[0].length;
      const end = match.index + match[0].slice(0, until - match.index).trimEnd().length;
      const own: Hit[] = [];
      for (let hit = hits[next]; hit !== undefined && hit.from < to; hit = hits[next]) {
        own.push(hit);
        next += 1;
      }
      clauses.push({
        utterance: index,
        speaker: utterance.speaker,
        start,
        end,
        text: utterance.text.slice(start, end),
        words: words.slice(from, to),
        startMs: timeAt(start),
        endMs: timeAt(end),
        question: punctuated
          ? last && /\?\s*$/.test(match[0])
          : own.some((hit) => hit.cue === 'question.start' && hit.from <= from + 2),
        cues: new Set(own.map((hit) => hit.cue)),
      });
    });
  }
  return clauses;
}

const NEGATES = new Set(['not', 'never', 'nobody', 'without']);
const CONDITIONS = new Set(['if', 'unless', 'whether', 'might', 'suppose']);
const REPORTS = new Set(
  'said says say told tells tell saying thinks thought wrote read heard asked claims mentioned'.split(' '),
);
/** How many words before a cue such a word changes its sense. */
const REACH = { negation: 4, condition: 4, report: 7 };
/** A yes or a no does not count when it is negated, reported or conditional. */
function isUndone({ cue, from }: Hit, words: readonly Word[]): boolean {
  if (!/^outcome\.(yes|refused)/.test(cue)) return false;
  const before = (reach: number, set: ReadonlySet<string>) =>
    words.slice(Math.max(0, from - reach), from).findIndex(({ text }) => set.has(text)) >= 0;
  if (before(REACH.report, REPORTS) && !saysSelf(words, from)) return true;
  if (cue.startsWith('outcome.refused')) return isNegatedWhole(words, from);
  const negated = before(REACH.negation, NEGATES) && !isWhyNot(words, from);
  return negated || before(REACH.condition, CONDITIONS);
}

/** "I said I'm not interested" is a statement of the speaker. */
function saysSelf(words: readonly Word[], from: number): boolean {
  for (let at = from - 1; at >= Math.max(0, from - REACH.report); at -= 1) {
    if (REPORTS.has(words[at]?.text ?? '')) {
      const subject = words.slice(Math.max(0, at - 2), at).map(({ text }) => text);
      return subject.includes('i') && words[at + 1]?.text !== 'my' && words[at + 1]?.text !== 'his';
    }
  }
  return false;
}

/** "It's not that I don't trust you", "not too expensive". */
function isNegatedWhole(words: readonly Word[], from: number): boolean {
  const before = words.slice(Math.max(0, from - REACH.negation), from).map(({ text }) => text);
  return before.at(-1) === 'not' || /\bnot (that|saying)\b/.test(before.join(' '));
}

/** "Why not, I'll take it". */
function isWhyNot(words: readonly Word[], from: number): boolean {
  const before = words.slice(Math.max(0, from - REACH.negation), from).map(({ text }) => text);
  return before.join(' ').includes('why not');
}

const setOf = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Words that usually open a turn. */
const STRONG = setOf(
  'hi hello hey yes no okay sure great well thanks sorry right perfect wonderful brilliant exactly absolutely alright hm um wow oh bye goodbye',
);
const LINKS = setOf('so and but because then let thank good got');
const ASKS = setOf('how what when where why who which');
/** They open a question before a subject ("do you ..."), except after a question word ("which way does your ..."). */
const AUXILIARIES = setOf('can could do does did are is would will have has may shall should were was');
/** They open a sentence before a verb ("i think ...", not "finance it over ..."). */
const SUBJECTS = setOf('i we you it that there this they he the my your our these');
const VERBS = setOf(
  `am is are was were will would can could have has had do does did not need want think thought know saw see get got go goes pay paid run own live work use take understand
  hear guess just really already currently also should may might must call called like love mean suggest recommend make send sounds works seems looks depends takes costs comes pays
  run ship printed measured tried rent drive said told asked mentioned usually still never always hope`,
);

/** Words after which no sentence starts, because the next word belongs to them. */
const HOLDS_ON = setOf(
  `a an the of to for with in on at by from my your our their his its and or but so if that because as than very really too not is are was were be am i we you he it they
  do does did have has had would could can will should may this these those some any what how when where why who which about into let hi hello hey good no over yes
  think know see guess hope wish suppose suggest say said tell told make sure where want need one two three four five six seven eight nine ten at half`,
);
/** A closed stretch of at most this many words is one sentence. */
const LONG = 30;
const SHORTEST = 3;

/**
 * Finds where clauses begin within a stretch. A stretch of sentence length is one clause; a longer one, which may be
 * minutes of text without punctuation, is split at words that open sentences.
 * @param closed whether the stretch ends with punctuation
 * @returns indices of words, beginning with 0
 */
function splitStretch(words: readonly Word[], closed: boolean): number[] {
  const cuts = [0];
  if (closed && words.length <= LONG) return cuts;
  let last = 0;
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at]?.text ?? '';
    if (!opens(words, at, last)) continue;
    const before = words[at - 1]?.text ?? '';
    if (HOLDS_ON.has(before)) continue;
    if (words[at]?.start === words[at - 1]?.start) continue;
    if (at - last < SHORTEST && !STRONG.has(word)) continue;
    cuts.push(at);
    last = at;
  }
  return cuts;
}

function opens(words: readonly Word[], at: number, last: number): boolean {
  const word = words[at]?.text ?? '';
  if (STRONG.has(word) || LINKS.has(word) || ASKS.has(word)) return true;
  const next = words[at + 1]?.text ?? '';
  if (word === 'of') return next === 'course';
  if (word === 'all') return next === 'right';
  if (SUBJECTS.has(word)) return VERBS.has(next);
  if (!AUXILIARIES.has(word) || !SUBJECTS.has(next)) return false;
  return !words.slice(Math.max(last, at - 4), at).some(({ text }) => ASKS.has(text));
}
