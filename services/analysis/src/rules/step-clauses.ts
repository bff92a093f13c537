import { cut } from '../call/evidence.ts';
import type { Acts } from './acts.ts';
import { DAY_OF_WEEK } from './day-words.ts';
import { type Time, timesIn } from './days.ts';
import type { NamingWord } from './encoder.ts';
import { anyOf } from './proposals.ts';
import { namedTimes } from './refused-days.ts';
import { isWork, SENT, titleAt, titleOf, UNTITLED, wordsOfTitle } from './step-titles.ts';

/** A gap before a clause that may have a step and a day of its own. */
const CLAUSE = anyOf(
  "(?:i|we|you|they|he|she|it|that)(?:'ll|'d| will| can| could|'re| are)|ill",
  '(?:can|could|shall|may) (?:i|we|you|somebody)|we (?:meet|speak|talk)',
).source;
/** "I'll send it today and ring you on Friday" leaves out the second "I'll". */
const SHARED = 'and (?:then )?(?:ring|call|phone|text|email|send|bring|drop|come|fit|deliver|collect|measure|start)';
const LINK = '(?:and|so|then|but|if)';
/** "And Thursday, if you are finished, I'll come by" */
const ON_DAY = String.raw`and (?:then |on )?(?:tomorrow|${DAY_OF_WEEK})\b(?:[^.?!]{0,40},)? ${CLAUSE}`;
const CLAUSE_BEGINS = new RegExp(
  [
    String.raw`(?<=[.!?;])\s+|,?\s+(?=${ON_DAY})`,
    String.raw`(?<!\b(?:${LINK}|when|that|can|could|shall|may)),?\s+(?=(?:${LINK} )*${CLAUSE}|${SHARED}\b)`,
  ].join('|'),
  'gi',
);

/** Acts whose pieces are clauses. */
export interface Divided extends Acts {
  /** @returns the words of a piece that may name what is done in a step */
  naming(at: number): readonly NamingWord[];
  /** @returns the times that a piece names, without the days that it refuses */
  times(at: number): readonly Time[];
  /** @returns the first of them that names a day or a period */
  dayAt(at: number): Time | undefined;
  /** @returns the days that the pieces from one to before another refuse, such as 2026-11-24 */
  refusedIn(from: number, to: number): string[];
  /** @returns every day that a piece says, in limits and of the past too */
  daysSaid(at: number): readonly string[];
}

/** "I'll send it today and ring you on Friday" has two steps: clauses with different days are read as pieces. */
export function byDays(acts: Acts, date: string | null): Divided {
  const parts = acts.pieces.flatMap((said, piece) => clausesIn(said.text, date).map((text) => ({ said, piece, text })));
  const pieces = parts.map(({ said, text }) => ({ ...said, text }));
  const named = namedTimes(pieces, date);
  return {
    ...acts,
    times: (at) => named[at]?.times ?? [],
    dayAt: (at) => named[at]?.times.find(({ names }) => names),
    refusedIn: (from, to) => named.slice(from, to).flatMap(({ refused }) => refused),
    daysSaid: (at) => named[at]?.said ?? [],
    naming(at) {
      const { piece = -1, said, text = '' } = parts[at] ?? {};
      const from = said?.text.indexOf(text) ?? 0;
      const sold = acts.encoded?.naming('sold', piece) ?? [];
      return (acts.encoded?.naming('step', piece) ?? [])
        .map((word, index) => ({ ...word, likely: word.likely + WORK.sold * (sold[index]?.likely ?? 0) }))
        .filter(({ start, end }) => start >= from && end <= from + text.length)
        .map((word) => ({ ...word, start: word.start - from, end: word.end - from }));
    },
    pieces,
    probability: (at, act) => (parts[at] === undefined ? 0 : acts.probability(parts[at].piece, act)),
    evidence(at) {
      const { piece = -1, text = '' } = parts[at] ?? {};
      const whole = acts.evidence(piece);
      return { ...whole, quote: whole.quote.includes(text) ? text : whole.quote };
    },
  };
}

function clausesIn(text: string, date: string | null): string[] {
  const bounds = [...text.matchAll(CLAUSE_BEGINS)].map(({ 0: gap, index }) => index + gap.length);
  const starts = [0];
  let last: Time | undefined;
  let lastEnd = 0;
  for (const [at, from] of [0, ...bounds].entries()) {
    const clause = text.slice(from, bounds[at]);
    const times = timesIn(clause, date);
    const day = times.find(({ names }) => names);
    // "Half past two it is, and I'll post it today": the hour is not that of what is sent.
    const isApart = last?.names ? isOther : () => SENT.has(titleOf(clause) ?? UNTITLED);
    if (last !== undefined && day !== undefined && isApart(day, last))
      starts.push(isShared(text, from) ? sentenceBegin(text, lastEnd, from) : from);
    if (times.length > 0) lastEnd = from + (times.at(-1)?.end ?? 0);
    last = day ?? last ?? times[0];
  }
  return starts.map((from, at) => text.slice(from, starts[at + 1]).replace(/^(?:(?:and|so|but) )+|,?\s+$/gi, ''));
}

const SHARED_BEGINS = new RegExp(`^${SHARED}\\b`, 'i');
/** Whether a clause leaves out who acts: "And I'll redo the quote and send it to you by Friday". */
function isShared(text: string, from: number): boolean {
  return SHARED_BEGINS.test(text.slice(from));
}

/** @returns where the sentence of an offset begins, if that is after the time before it; else the offset */
function sentenceBegin(text: string, after: number, from: number): number {
  const begins = [...text.slice(0, from).matchAll(/(?<=[.!?;])\s+/g)].map(({ 0: gap, index }) => index + gap.length);
  const begin = begins.findLast((at) => at >= after);
  return begin ?? from;
}

/** Words that count from the day of the call: "today" is no Wednesday of another week. */
const RELATIVE_DAY = /\b(?:today|tonight|tomorrow|this (?:morning|afternoon|evening))\b/i;

/** Whether two times are on different days; "Wednesday" may be that of the week after. */
export function isOther(one: Time, other: Time): boolean {
  const isRelative = [one, other].some(({ text }) => RELATIVE_DAY.test(text));
  const isSame = (one.day ?? one.text) === (other.day ?? other.text);
  return !isSame && (isRelative || !isSameWeekday(one.day, other.day));
}

export function isSameWeekday(one: string | null, other: string | null = null): boolean {
  return one !== null && other !== null && new Date(one).getUTCDay() === new Date(other).getUTCDay();
}

/** The sentence around a step that names what is done in it, and how likely it does. */
export interface Naming {
  at: number;
  quote: string;
  likely: number;
}

/**
 * How likely a word around a step must name what is done in it, and at least this share of what the words of the step
 * reach; chosen by cross-validation over authors. What is sold counts for it too, the farther away the less, and where
 * the title of the step tells little, a sentence in which people come together for something counts more.
 */
const WORK = { likely: 0.05, vague: 0.03, share: 0.3, sold: 0.2, together: 6, before: 25, after: 2 };

/** "Hi Ann, it's Tom from Pipewell, I came out on Friday" */
const INTRODUCES = new RegExp(
  '^(?:hi|hiya|hello|hey|good (?:morning|afternoon|evening))\\b' +
    String.raw`|\b(?:this is|it['’]s|i['’]m|my name(?:['’]s| is)) (?:\w+ ){1,2}(?:from|with|at|here)\b`,
  'i',
);
/** People introduce themselves in the first pieces; "I'm there with the crew" is said later. */
const INTRODUCTION = 8;
const ASKS_PRICE = /\bhow much\b|\bwhat\b.*\b(?:cost|price)/i;

/** "Hi, I need a survey" greets, and says what is wanted. */
const WANTS = 0.3;

/** Whether words of a piece name nothing that is done: an introduction without a wish, or "How much is the survey?" */
export function namesNothing(acts: Divided, at: number, text: string): boolean {
  const introduces = at < INTRODUCTION && INTRODUCES.test(text) && acts.probability(at, 'want') < WANTS;
  return introduces || ASKS_PRICE.test(text);
}

/** What is so likely an objection names no step, whatever words it has. */
const OBJECTS = 0.3;

/** @returns null where the quoted pieces name it themselves: "Tuesday the eleventh" names nothing */
export function namedAround(
  acts: Divided,
  piece: number,
  {
    quoted,
    isOwn,
    isVague,
  }: { quoted: readonly (number | undefined)[]; isOwn: (at: number) => boolean; isVague: boolean },
): Naming | null {
  let best: (Naming & { weight: number }) | null = null;
  let least = isVague ? WORK.vague : WORK.likely;
  for (let at = Math.max(0, piece - WORK.before); at <= piece + WORK.after; at += 1) {
    if (at !== piece && (!isOwn(at) || acts.probability(at, 'objection') >= OBJECTS)) continue;
    for (const { likely, start } of acts.naming(at)) {
      const quote = sentenceAt(acts, at, start);
      if (namesNothing(acts, at, quote)) continue;
      const together = isVague && isWork(titleOf(quote)) ? WORK.together : 1;
      const weight = (likely * together) / Math.sqrt(1 + Math.abs(piece - at));
      if (quoted.includes(at)) least = Math.max(least, likely * WORK.share);
      else if (weight > (best?.weight ?? 0)) best = { at, quote, likely, weight };
    }
  }
  return best === null || best.weight < least ? null : best;
}

/** Words that are less likely name no step: "you sign nothing that day" is no contract. */
const NAMES = 0.03;
/** What stands before words that a speaker denies: "I won't bring anything to sign." */
const DENIED = /(?:n['’]t|\b(?:not|never))(?: \w+){0,3} $/i;

/** Whether words of a piece that give it a title may name what is done in a step. */
export function isNamedBy(acts: Divided, at: number, title: string): boolean {
  const words = acts.naming(at);
  const { text = '' } = acts.pieces[at] ?? {};
  const said = wordsOfTitle(title, text);
  const places = said.filter(([from]) => !DENIED.test(text.slice(0, from)));
  if (places.length < said.length && places.length === 0) return false;
  const isIn = ({ start, end }: NamingWord) => places.some(([from, to]) => start < to && end > from);
  return words.length === 0 || words.filter(isIn).some(({ likely }) => likely >= NAMES);
}

/** "I'll email you the link for the lesson tomorrow": the lesson is not tomorrow. */
const SENDS = new RegExp(
  String.raw`\b(?:send|e-?mail|text|forward|whatsapp|post|mail)(?:ing)? (?:you|it|them|over|across)\b` +
    String.raw`(?:(?!\b(?:and|when|before|once|after|then|so)\b)[^.?!;,])*$`,
  'i',
);

/** Words between two things that are done at different times. */
const NEXT_THING = /[,.;?!]|\b(?:and|then|so|but|because|cause|cos|when|if|or)\b/i;
/** How likely a word must name what is done, so that nine of ten titles are right. */
const CALLS = 0.05;
/**
 * The title by which a step is shown: that of the likeliest word that gives one, if it is said where the time of the
 * step is. Of titles from words elsewhere four of ten were wrong.
 * @param quoted the pieces that are quoted for the step
 * @returns undefined where no word gives a title for certain, null where the call is too long to be encoded
 */
export function shownTitle(
  acts: Divided,
  piece: number,
  quoted: readonly number[],
): { title: string; isBesideTime: boolean } | null | undefined {
  const words = [...new Set([piece, ...quoted])].flatMap((at) => acts.naming(at).map((word) => ({ ...word, at })));
  if (words.length === 0) return null;
  const giving = words.flatMap((word) => {
    const { text = '' } = acts.pieces[word.at] ?? {};
    const before = text.slice(0, word.start);
    const title = DENIED.test(before) ? undefined : titleAt(text, word);
    return title === undefined || (SENDS.test(before) && !SENT.has(title))
      ? []
      : [{ ...word, title, isBesideTime: isBesideTime(text, word) }];
  });
  const [first, ...others] = giving.filter(({ likely }) => likely >= CALLS);
  const best = others.reduce((one, other) => (one !== undefined && other.likely > one.likely ? other : one), first);
  return best?.at === piece ? best : undefined;
}

/** "I'll email the agreement this afternoon, and then the installation": the second has not the time of the first. */
function isBesideTime(text: string, { start }: NamingWord): boolean {
  const times = timesIn(text, null);
  const between = (time: Time) => text.slice(Math.min(time.end, start), Math.max(time.start, start));
  return times.length === 0 || times.some((time) => !NEXT_THING.test(between(time)));
}

function sentenceAt({ pieces }: Acts, at: number, start: number): string {
  let from = 0;
  for (const sentence of (pieces[at]?.text ?? '').split(/(?<=[.!?…]\s)/)) {
    from += sentence.length;
    if (start < from) return cut(sentence.trim());
  }
  return '';
}
