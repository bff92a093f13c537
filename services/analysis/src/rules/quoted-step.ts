import type { NextStep } from '@call-analytics/calls';
import type { Evidence } from '../call/observations.ts';
import { hasClock, isLimit, type Time, timesIn } from './days.ts';
import { actionIn, PROPOSES, proposalIn, whoDoes } from './proposals.ts';
import {
  type Divided,
  isNamedBy,
  isOther,
  type Naming,
  namedAround,
  namesNothing,
  shownTitle,
} from './step-clauses.ts';
import { type AnsweredDay, dayOfAnswer, isOtherHour, timeOf } from './step-times.ts';
import { isWork, SENT, titleOf, UNSHOWN, UNTITLED } from './step-titles.ts';

/** The index of a piece that proposes, and of the piece that agrees. */
export interface Proposal {
  piece: number;
  reply: number;
  weight: number;
  /** Whether its own words name a day. */
  timed: boolean;
}

/** A step with its words, in their order in the call. */
export interface QuotedStep {
  step: NextStep;
  /** What its words may call it, by which steps are told apart. */
  title: string;
  /** The title by which it is shown. */
  shown: string;
  /** Whether nothing else is named between the words of that title and the time. */
  isBesideTime: boolean;
  /** Where it is agreed: its proposal may be some lines before. */
  evidence: Evidence;
  quotes: readonly string[];
}

/**
 * How likely a proposal must be to be that of a time that is said after it (`proposal`), to name what another line
 * agrees (`names`), and to be quoted as the action (`action`); how likely a word must name what is done, so that its
 * sentence gives the title (`title`) and is quoted (`quoted`); and how likely a yes must be to be quoted (`yes`).
 * Chosen by cross-validation, but the last two, by reading.
 */
const LEAST = { proposal: 0.5, names: 0.05, action: 0.3, title: 0.15, quoted: 0.15, yes: 0.5 };
/** Pieces around a step where its time may be said. */
const NEAR = [1, -1, 2, -2, 3, -3];
/** Titles that say that people meet, and not for what. */
const VAGUE: ReadonlySet<string> = new Set(['Visit', 'Appointment']);
/** What is proposed is often said some pieces before its time: "I could come and measure. - Yes. - Tuesday at ten?" */
const WITHIN = 8;
/** A likely proposal this many pieces before belongs to the time, whatever that piece says itself. */
const JUST_BEFORE = 3;

/**
 * @param all the proposals of the call
 * @param previous the step before: what proposes this one is said after it
 * @returns the step; its first quote proposes it, where that is in another piece than its time
 */
export function quotedStep(
  acts: Divided,
  date: string | null,
  agreed: Proposal,
  all: readonly Proposal[],
  previous: Proposal | undefined,
): QuotedStep {
  const { piece } = agreed;
  const near = new Surroundings(acts, date, agreed, previous);
  const { likely, named, isProposed } = near.proposing(all.map((each) => each.piece));
  const found = titleOf(proposalIn(near.text(named))) ?? UNTITLED;
  const ownTitle = named !== undefined && isNamedBy(acts, named, found) ? found : UNTITLED;
  const evidence = acts.evidence(near.agreedAt());
  const other = [likely, named].find((at) => at !== undefined && at !== piece && near.isOwn(at));
  const elsewhere = other === undefined || (named === piece && likely === undefined) ? null : acts.evidence(other);
  const isUnnamed = ownTitle === UNTITLED && likely === undefined;
  // Words of another day, or that hardly propose anything, are no action at this time: its own words are.
  const isNamedHere = named === undefined || (other !== undefined && !near.isAction(other));
  const isOwnWords = isProposed || isUnnamed || elsewhere === null || isNamedHere;
  const proposed = isOwnWords ? evidence : elsewhere;
  const quoted = other === undefined ? [] : [other];
  const around = namedAround(acts, piece, {
    quoted: [other, piece],
    isOwn: (at) => near.isOwn(at) && !near.isSent(at) && !(at > piece && near.hasOtherDay(at)),
    isVague: ownTitle === UNTITLED || VAGUE.has(ownTitle) || shownTitle(acts, piece, quoted) === undefined,
  });
  const isShown = around !== null && around.likely >= LEAST.quoted;
  const title = ownTitle === UNTITLED ? titleAround(around) : ownTitle;
  const called = shownTitle(acts, piece, around === null ? quoted : [...quoted, around.at]);
  const shown = (called === null ? title : called?.title) ?? UNTITLED;
  const time = timeOf(acts, date, piece, { own: near.ownTimes(), near: near.times(), isSent: SENT.has(title) });
  // Where the customer answers with another day, the proposal says what is done, and the answer when.
  const proposal = acts.evidence(piece).quote;
  const isMoved = near.agreedAt() !== piece && (titleOf(proposal) !== undefined || proposal.includes('?'));
  const saying = isOwnWords ? (isMoved ? proposal : null) : proposed.quote;
  const moved = saying === null ? null : actionOn(saying, time, date);
  const action = moved ?? actionWithTime(evidence.quote, date);
  const by = moved === null ? near.agreedAt() : isOwnWords ? piece : (other ?? piece);
  return {
    step: {
      what: withoutFillers(action),
      ...time,
      who: acts.pieces[by]?.role === 'manager' ? (whoDoes(action) ?? whoDoes(upTo(action, near.text(by)))) : null,
      ...(moved === null ? evidence : proposed),
    },
    title,
    shown: UNSHOWN.has(shown) ? UNTITLED : shown,
    isBesideTime: called?.isBesideTime ?? false,
    evidence,
    quotes: [
      ...[isShown ? around : near.yesBefore(title, quoted)].filter((each) => each !== null),
      ...(elsewhere === null ? [] : [{ at: other ?? piece, quote: elsewhere.quote }]),
      ...(isMoved ? [{ at: piece, quote: proposal }] : []),
      { at: near.agreedAt(), quote: evidence.quote },
    ]
      .sort((one, two) => one.at - two.at)
      .map(({ quote }) => quote)
      .filter((quote, at, all) => all.indexOf(quote) === at),
  };
}

/** @returns the sentence of an action up to its end: "Shall I ring you on Friday?", and not what comes before or after */
function upTo(action: string, text: string): string {
  const at = text.indexOf(action);
  const said = at < 0 ? action : text.slice(0, at + action.length);
  return said.split(SENTENCE_ENDS).at(-1) ?? said;
}

function titleAround(around: Naming | null): string {
  return (around !== null && around.likely >= LEAST.title && titleOf(around.quote)) || UNTITLED;
}

const SENTENCE_ENDS = /(?<=[.!?]) /;
/** Words of a sentence in which somebody does something, and not only "Wednesday at ten?" */
const DOES = /\b(?:i|we|you|he|she|they)(?:['’]\w+)?\b/i;

/** @returns what is proposed; "Let me look. That's the thirteenth." is about the thirteenth */
function actionWithTime(quote: string, date: string | null): string {
  const action = actionIn(quote);
  const hasTime = (text: string) => timesIn(text, date).length > 0;
  if (hasTime(action) || isWork(titleOf(action))) return action;
  const sentences = quote.split(SENTENCE_ENDS).filter(hasTime);
  const telling = sentences.find((text) => DOES.test(text) || titleOf(text) !== undefined);
  const title = titleOf(action);
  if (telling === undefined && title !== undefined && !SENT.has(title)) return action;
  const sentence = telling ?? sentences[0] ?? quote;
  const told = actionIn(sentence);
  // "The dongle tomorrow before noon, you'll get a text" and "if you get me that by Monday, I can load it in"
  const end = timesIn(sentence, date)[0]?.end ?? 0;
  const isAfter = !hasTime(told) && sentence.indexOf(told) >= end;
  const before = sentence.slice(0, end).replace(/^(?:\W*(?:and|so|but|if|then)\b)+\s*/i, '');
  const isTelling = timesIn(before, date)[0]?.start !== 0 && (DOES.test(before) || titleOf(before) !== undefined);
  return isAfter && isTelling ? before : told;
}

/**
 * @returns what is proposed, without a day at its end that is not agreed: "ring you on Monday", where Tuesday is; null
 *   where another day or hour stands within it
 */
function actionOn(quote: string, { day, when }: Pick<NextStep, 'day' | 'when'>, date: string | null): string | null {
  const action = actionIn(quote);
  const times = timesIn(action, date);
  const isOnDay = (time: Time) => time.day === null || day === null || time.day === day;
  if (times.every((time) => isOnDay(time) && !isOtherHour(time.text, when, date))) return action;
  const last = times.at(-1);
  const kept = action.slice(0, last?.start).replace(DANGLING, '');
  const isAtEnd = times.length === 1 && !/\p{L}/u.test(action.slice(last?.end));
  return isAtEnd && kept.split(' ').length >= MIN_ACTION && !/ (?:or|and)$/.test(kept) ? kept : null;
}
/** Words that lead to the time after them: "what we do next is a survey, how's", "first clean, I've got" */
const DANGLING =
  /(?:[\s,]|\b(?:say|maybe|like|is|on|at|for|how(?:['’]?s| about)|what about|(?:i|we)['’]ve got|(?:i|we) have))+$/i;
/** "Lovely, so uh" */
const FILLERS = new RegExp(
  '^(?:(?:lovely|so|uh|um|okay|ok|right|great|perfect|brilliant|cool|yeah|yep|yes|and|then|but|well|oh|haha' +
    String.raw`|alright|good|super|sure)\b[,.!]*\s+)+(?=\S+ \S+)`,
  'i',
);
const withoutFillers = (action: string) => action.replace(FILLERS, '');
/** "Ring you" is an action, and one word is none. */
const MIN_ACTION = 2;

/** The pieces around a proposal, and which of them may belong to its step. */
class Surroundings {
  readonly #acts: Divided;
  readonly #date: string | null;
  readonly #proposal: Proposal;
  readonly #previous: number;
  readonly #answered: readonly AnsweredDay[];
  readonly #day: Time | undefined;
  /** Whether somebody comes at an hour of that day. */
  readonly #comes: boolean;

  constructor(acts: Divided, date: string | null, proposal: Proposal, previous: Proposal | undefined) {
    this.#acts = acts;
    this.#date = date;
    this.#proposal = proposal;
    this.#previous = previous?.piece ?? -1;
    this.#answered = dayOfAnswer(acts, date, proposal.piece);
    this.#day = this.#answered[0] ?? acts.dayAt(proposal.piece);
    this.#comes = this.#day !== undefined && hasClock(this.#day) && !isLimit(this.#day.text);
  }

  text(at = -1): string {
    return this.#acts.pieces[at]?.text ?? '';
  }

  /** The piece in which the day is agreed: that of the answer where the customer names another one. */
  agreedAt(): number {
    return this.#answered[0]?.at ?? this.#proposal.piece;
  }

  /** The times of the piece that proposes, after the day with which the customer answers it. */
  ownTimes(): Time[] {
    return [...this.#answered, ...this.#acts.times(this.#proposal.piece)];
  }

  /** The times of the pieces around: "Thursday at two works, I get up at noon" has no hour for a Friday. */
  times(): Time[] {
    const { piece, reply } = this.#proposal;
    return [reply, ...NEAR.map((step) => piece + step)].flatMap((at) => {
      const times = this.#acts.times(at);
      const isOfOther = times.some((time) => time.names && this.#isOtherDay(time));
      return isOfOther ? times.filter(({ names }) => names) : times;
    });
  }

  /** "Okay, bring me the two. - Saturday morning." The yes just before a step that nothing names tells what it is. */
  yesBefore(title: string, quoted: readonly number[]): { at: number; quote: string } | null {
    const at = Math.min(this.#proposal.piece, ...quoted) - 1;
    const said = this.#acts.pieces[at];
    if (title !== UNTITLED || said === undefined || said.role !== 'customer' || !this.isOwn(at)) return null;
    return this.#acts.probability(at, 'accept') < LEAST.yes ? null : { at, quote: this.#acts.evidence(at).quote };
  }

  /** Whether a piece comes after the step before. */
  isOwn(at: number): boolean {
    return at > this.#previous;
  }

  /** "I'll email the contract. - How's Sunday at five?": people come at five, and nothing is sent then. */
  isSent(at: number): boolean {
    return this.#comes && at !== this.#proposal.piece && SENT.has(titleOf(this.text(at)) ?? UNTITLED);
  }

  /** Whether the words of a piece may be quoted as what is done in the step. */
  isAction(at: number): boolean {
    const isOfDay = !this.hasOtherDay(at) || this.isReplaced(at);
    return isOfDay && (this.#isCustomers(at) || this.#acts.probability(at, 'step') >= LEAST.action);
  }

  /**
   * @param proposals the pieces that propose something
   * @returns the likely proposal just before, and the piece that says what is done, where there are such pieces;
   *   `isProposed` when the piece of the time says it itself
   */
  proposing(proposals: readonly number[]): {
    likely: number | undefined;
    named: number | undefined;
    isProposed: boolean;
  } {
    const { piece, reply } = this.#proposal;
    const isBefore = (at: number) => at < piece && at >= piece - WITHIN && this.isOwn(at);
    const before = proposals.filter(
      (at) => isBefore(at) && (!this.hasOtherDay(at) || this.isReplaced(at)) && !this.isSent(at),
    );
    const likely = before.findLast(
      (at) =>
        at >= piece - JUST_BEFORE &&
        this.#acts.probability(at, 'step') >= LEAST.proposal &&
        (this.#acts.dayAt(at) === undefined || this.isReplaced(at)),
    );
    const isProposed = PROPOSES.test(this.text(piece)) && titleOf(this.text(piece)) !== undefined;
    const elsewhere = [
      ...before.toReversed(),
      ...[piece - 1, reply, piece - 2, piece + 1].filter((at) => this.isOwn(at)),
    ];
    const places = isProposed ? [piece] : likely === undefined ? [piece, ...elsewhere] : [likely, piece];
    const named = places.find((at) => this.#mayName(at) && titleOf(this.text(at)) !== undefined);
    return { likely, named, isProposed };
  }

  /** What the manager says of prices and terms names no step, whatever words it has. */
  #mayName(at: number): boolean {
    const isStep = at === this.#proposal.piece || this.#acts.probability(at, 'step') >= LEAST.names;
    return !this.isSent(at) && !namesNothing(this.#acts, at, this.text(at)) && (isStep || this.#isCustomers(at));
  }

  #isCustomers(at: number): boolean {
    return this.#acts.pieces[at]?.role === 'customer';
  }

  #isOtherDay(time: Time): boolean {
    return this.#day !== undefined && isOther(time, this.#day);
  }

  /** "Shall we do a Zoom on Wednesday? - Wednesday's the inspection." names what is done on the day that is agreed. */
  isReplaced(at: number): boolean {
    const day = this.#acts.dayAt(at)?.day ?? null;
    const refused = this.#acts.refusedIn(at + 1, this.#proposal.piece + 1);
    return day !== null && refused.includes(day) && titleOf(this.text(at)) !== undefined;
  }

  /** Whether a piece is about a day other than that of the step. */
  hasOtherDay(at: number): boolean {
    const day = this.#acts.dayAt(at);
    // "The twenty first is a Monday, the van's out" is about a day that is not agreed.
    if (day === undefined) return this.#acts.refusedIn(at, at + 1).length > 0;
    return this.#isOtherDay(day) && dayOfAnswer(this.#acts, this.#date, at).length === 0;
  }
}
