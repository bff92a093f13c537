import type { NextStep } from '@call-analytics/calls';
import type { Observations } from '../call/observations.ts';
import type { Acts } from './acts.ts';
import { DAY_MS, DAY_OF_WEEK } from './day-words.ts';
import { hasClock, isLimit, timesIn } from './days.ts';
import { anyOf } from './proposals.ts';
import { type Proposal, type QuotedStep, quotedStep } from './quoted-step.ts';
import { byDays, type Divided, isSameWeekday } from './step-clauses.ts';
import { hourIn, isBare, isOtherHour, REPEATED_WITHIN } from './step-times.ts';
import { rankOf, SENT, titleOf, UNTITLED } from './step-titles.ts';

export interface AgreedStep {
  step: NonNullable<Observations['nextStep']>;
  /** What kind of step each is, such as "Call back". */
  titles: readonly string[];
  /** Which of the steps moves the matter on; the others help it. */
  main: number;
}

/**
 * How likely a step must be proposed, and proposed and agreed to; the same of a further one (`further`); and how likely
 * a line must propose that says its day again (`restated`). Chosen by cross-validation, but the last.
 */
const LEAST = { proposal: 0.03, agreed: 0.25, further: { proposal: 0.4, agreed: 0.6 }, restated: 0.8 };
/** Steps besides the likeliest. */
const MAX_FURTHER = 2;
/** Steps are agreed in the later part; an early one counts this much. */
const EARLY = 0.5;
/** A proposal that names a day counts this much more. */
const TIMED = 1.25;
/** The pieces after a proposal, and before it, in which it is agreed. */
const REPLY = { after: 3, before: 2 };
/** "Tomorrow doesn't work for me" */
const DECLINES = anyOf(
  "(?:doesn'?t|don'?t|won'?t|not|can'?t|cannot)(?: \\w+){0,2} (?:work|suit|do|make|good|possible|free|available)",
  "(?:i'?m|i am|we'?re|we are) (?:busy|away|off|booked|working|at work)|no good",
);
/** A day is refused where another one is named within so many pieces, and no answer between is so likely a yes. */
const INSTEAD = { within: 4, yes: 0.5 };
/** Pieces after a proposal in which its day may be taken back: "Oh no, they're full on the third." */
const TAKEN_BACK_WITHIN = 8;

/**
 * Finds what was agreed to happen after the call: the most likely proposal that the customer agrees to, and up to two
 * more on other days, in their order in the call.
 * @param date the day of the call, null when it is not known
 */
export function nextStepOf(call: Acts, date: string | null): AgreedStep | null {
  const acts = byDays(call, date);
  const proposed = proposalsOf(acts);
  const named = new Set(proposed.filter(({ timed }) => timed).map(({ piece }) => piece));
  const found = proposed.filter(
    (proposal) => !isRefused(acts, proposal, named) && !isMoved(acts, proposal, named, date),
  );
  const best = found.reduce<Proposal | null>(
    (one, other) => (one === null || other.weight >= one.weight ? other : one),
    null,
  );
  if (best === null || best.weight < LEAST.agreed) return null;
  const fixesDay = (piece: number) => date === null || acts.times(piece).some(({ day }) => day !== null);
  // Another step counts with a day of its own, else it is a part of the first; and where it is likely proposed.
  const isFurther = ({ piece, weight, timed }: Proposal) =>
    piece !== best.piece &&
    weight >= LEAST.further.agreed &&
    timed &&
    acts.probability(piece, 'step') >= LEAST.further.proposal;
  const further = found
    .filter((proposal) => isFurther(proposal) && fixesDay(proposal.piece))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MAX_FURTHER);
  const day = acts.dayAt(best.piece)?.day ?? null;
  // "Tomorrow between eight and one. - I'm out until ten. - Tomorrow one to six then."
  const restated = found.filter(
    ({ piece, timed }) =>
      piece > best.piece &&
      piece <= best.piece + REPEATED_WITHIN &&
      timed &&
      day !== null &&
      acts.dayAt(piece)?.day === day &&
      acts.probability(piece, 'step') >= LEAST.restated,
  );
  const proposals = [...new Set([best, ...further, ...restated])].sort((a, b) => a.piece - b.piece);
  // A proposal for a day that is refused may still say what is done on the other.
  const kept = new Set(found);
  const naming = proposed.filter((one) => kept.has(one) || (one.timed && !isDeclined(acts, one.piece)));
  const agreed = withoutRepetition(
    proposals.map((proposal, at) => ({ ...quotedStep(acts, date, proposal, naming, proposals[at - 1]), proposal })),
    date,
  );
  const steps = agreed.map(({ step }) => step);
  const main = mainOf(acts, agreed, best, date);
  if (main === undefined) return null;
  // Of a further step, a title that stands apart from its time is too often that of another thing.
  const titles = agreed.map((each) => (each === main || each.isBesideTime ? each.shown : UNTITLED));
  const text = agreed
    .map(({ step: { when, day }, quotes }, at) => {
      const time = [when, day].filter((part) => part !== null).join(', ');
      return `${titles[at]}${time === '' ? '' : ` (${time})`}: ${quotes.map((each) => `“${each}”`).join(' … ')}`;
    })
    .join(' ');
  return {
    step: { text, when: main.step.when, evidence: main.evidence, steps },
    titles,
    main: agreed.indexOf(main),
  };
}

/** Pieces at the end in which people say again when they meet: "See you on the seventeenth!" */
const LAST_PIECES = 6;
const SEE_YOU = /\b(?:see|speak|talk|catch|meet) (?:you|to you|then|soon)|\b(?:till|until)\b/i;
/** Characters: "Thursday so." is a farewell as well. */
const SHORT = 30;
const isFarewell = (text = '') => SEE_YOU.test(text) || text.length <= SHORT;
const TODAY = /\b(?:today|tonight|this (?:morning|afternoon|evening)|in a (?:minute|moment|sec|second))\b/i;

/**
 * Of the steps on a later day than that of the call, for which nothing is only sent: the one that people say again at
 * the end, else the likeliest, one with a name or more than a last day before others. Without one the likeliest of all.
 */
function mainOf<T extends QuotedStep & { proposal: Proposal }>(
  acts: Divided,
  agreed: readonly T[],
  best: Proposal,
  date: string | null,
): T | undefined {
  const isLater = ({ title, step }: T) =>
    !SENT.has(title) && (step.day === null || step.day !== date) && !TODAY.test(step.when ?? '');
  const isOnlyDue = ({ shown, step }: T) => shown === UNTITLED && isLimit(step.when);
  const later = agreed.filter(isLater).sort((a, b) => b.proposal.weight - a.proposal.weight);
  const last = acts.pieces.length - LAST_PIECES;
  const isSaidLast = ({ step: { day }, proposal: { piece } }: T) =>
    day !== null &&
    [...Array(LAST_PIECES).keys()].some(
      (at) =>
        last + at > piece + 1 &&
        isFarewell(acts.pieces[last + at]?.text) &&
        acts.times(last + at).some((time) => time.day === day),
    );
  return (
    later.findLast(isSaidLast) ??
    later.find((one) => !isOnlyDue(one)) ??
    later[0] ??
    agreed.find(({ proposal }) => proposal === best) ??
    agreed[0]
  );
}

/**
 * Steps on the same day are one, said twice: it has the more telling title, the longer time and all words. "Ten thirty
 * Thursday it is" repeats "Thursday the third", and tells no more than the hour.
 */
function withoutRepetition<T extends QuotedStep>(agreed: readonly T[], date: string | null): readonly T[] {
  return agreed.reduce<readonly T[]>((steps, other) => {
    const at = steps.findIndex(
      ({ step }) => keyOf(step) === keyOf(other.step) || repeatsWeekday(step, other.step) || isDated(step, other.step),
    );
    const one = steps[at];
    if (one === undefined) return steps.concat(other);
    if (isDated(one.step, other.step)) return steps.with(at, withDate(one, other, date));
    if (keyOf(one.step) !== keyOf(other.step)) return steps.with(at, withHour(one, other, date));
    const isMoved = isOtherHour(one.step.when, other.step.when, date);
    const isLonger = (other.step.when?.length ?? 0) > (one.step.when?.length ?? 0);
    const { when } = isMoved || isLonger ? other.step : one.step;
    const kept = rankOf(one.title) <= rankOf(other.title) ? one : other;
    const { what } = isMoved ? other.step : kept.step;
    const quotes = [...new Set([...one.quotes, ...other.quotes])];
    return steps.with(at, { ...kept, step: { ...kept.step, what, when }, quotes });
  }, []);
}

/** What is due before a day is no part of what is done on it. */
const keyOf = (step: NextStep) => (/^before\b/i.test(step.when ?? '') ? step.when : (dayOf(step) ?? step.when));

/** Whether a later step only says the weekday of an earlier one again. */
function repeatsWeekday(one: NextStep, other: NextStep): boolean {
  return isSameWeekday(one.day, other.day) && isBare(other.when) && !isBare(one.when);
}

/** How far apart the days of "Wednesday" and of its date may be. */
const DATED_WITHIN = 14 * DAY_MS;
const WEEKDAY = new RegExp(`\\b${DAY_OF_WEEK}\\b`, 'i');

/** Whether a later step says the date of an earlier one: "Wednesday, at four fifteen? - The second of December." */
function isDated(one: NextStep, other: NextStep): boolean {
  const isDue = [one, other].some(({ when }) => isLimit(when));
  const isNear = Math.abs(Date.parse(other.day ?? '') - Date.parse(one.day ?? '')) <= DATED_WITHIN;
  const isWeekday = WEEKDAY.test(one.when ?? '') && isBare(one.when) && !isBare(other.when);
  return !isDue && isNear && isWeekday && isSameWeekday(one.day, other.day);
}

/** @returns the earlier step with the date of the later one, and with its own hour where that has none */
function withDate<T extends QuotedStep>(one: T, other: T, date: string | null): T {
  const [own] = timesIn(one.step.when ?? '', date);
  const hour = own === undefined ? '' : hourIn(own);
  const hasHour = timesIn(other.step.when ?? '', date).some(hasClock);
  const when = hour === '' || hasHour ? other.step.when : `${other.step.when}, ${hour}`;
  return { ...one, step: { ...one.step, when, day: other.step.day }, quotes: [...one.quotes, other.evidence.quote] };
}

function withHour<T extends QuotedStep>(one: T, other: T, date: string | null): T {
  const [own] = timesIn(one.step.when ?? '', date);
  const [time] = timesIn(other.step.when ?? '', date);
  const hour = time === undefined ? '' : hourIn(time);
  const when = own === undefined || hour === '' ? one.step.when : `${own.dayWords}, ${hour}`;
  return { ...one, step: { ...one.step, when }, quotes: [...one.quotes, other.evidence.quote] };
}

function dayOf({ day, when }: NextStep): string | null {
  return day ?? WEEKDAY.exec(when ?? '')?.[0].toLowerCase() ?? null;
}

/**
 * Whether the customer says no at once, the day is taken back, or another one is named before the customer agrees:
 * "Tomorrow? - It's board day. - Thursday at five?" A limit ("by Friday") is refused only by a no.
 * @param named the pieces whose own words name a day
 */
function isRefused(acts: Divided, { piece }: Proposal, named: ReadonlySet<number>): boolean {
  if (isDeclined(acts, piece)) return true;
  const after = acts.pieces
    .slice(piece + 1, piece + 1 + INSTEAD.within)
    .map((said, at) => ({ ...said, at: piece + 1 + at }));
  const { text: proposal = '' } = acts.pieces[piece] ?? {};
  const own = acts.dayAt(piece);
  const takenBack = acts.refusedIn(piece, piece + TAKEN_BACK_WITHIN);
  if (own === undefined) return acts.daysSaid(piece).some((day) => takenBack.includes(day));
  if (isLimit(own.text)) return false;
  // "Friday mornings are the busiest" refuses Friday the fourth.
  const isTakenBack = takenBack.some((day) => day === own.day || isSameWeekday(day, own.day));
  if (isTakenBack && !acts.refusedIn(piece, piece + 1).some((day) => isSameWeekday(day, own.day))) return true;
  const instead = after.find(({ at }) => {
    const day = named.has(at) ? acts.dayAt(at) : undefined;
    // What is due by another day is something else.
    return day !== undefined && !isLimit(day.text) && (day.day ?? day.text) !== (own.day ?? own.text);
  });
  if (instead === undefined) return false;
  const answers = after.filter(({ at, role }) => at < instead.at && role === 'customer');
  const yes = answers.map(({ at }) => acts.probability(at, 'agree') + acts.probability(at, 'accept'));
  const title = titleOf(instead.text);
  // For something else, the other day refuses this one only where the customer declines it in plain words.
  const isSame = title === undefined || title === titleOf(proposal) || answers.some(({ text }) => DECLINES.test(text));
  return yes.length > 0 && Math.max(...yes) < INSTEAD.yes && isSame;
}

/** "Monday the thirtieth. Same time?", "I've moved it" */
const MOVES = anyOf(
  '(?:the )?same (?:time|slot)|move[ds]?|moving|shift(?:ed)?|push(?:ed)?|changed?|swap(?:ped)?|switch(?:ed)?',
  String.raw`resched\w+|rearrang\w+|instead|hang on|forgot(?:ten)?`,
);
/** Pieces in which a step may be moved to another day, and those around that day in which people say so. */
const MOVED = { within: 20, around: 3 };

/** Whether people move what is done on the day of a proposal to another one, and do not name its day again. */
function isMoved(acts: Divided, { piece }: Proposal, named: ReadonlySet<number>, date: string | null): boolean {
  const dayOfWork = (at: number) => {
    const { day = null, text = '' } = acts.dayAt(at) ?? {};
    const isSent = SENT.has(titleOf(acts.pieces[at]?.text ?? '') ?? UNTITLED);
    return day === date || isLimit(text) || isSent ? null : day;
  };
  const own = dayOfWork(piece);
  if (own === null) return false;
  const after = [...Array(MOVED.within).keys()].map((step) => piece + 1 + step);
  const last = after.findLast((at) => acts.times(at).some(({ day }) => day === own)) ?? piece;
  return after.some((at) => {
    const other = at > last && named.has(at) ? dayOfWork(at) : null;
    const around = acts.pieces.slice(Math.max(last + 1, at - MOVED.around), at + 1 + MOVED.around);
    return other !== null && !isSameWeekday(other, own) && around.some(({ text }) => MOVES.test(text));
  });
}

/** "There's no point", "No, don't do that"; "no problem" is no refusal. */
const SAYS_NO = new RegExp(
  [
    String.raw`^(?:\W*(?:oh|well|um|uh|ah|look|sorry|and|but)\b)*\W*(?:nah|nope|(?:please )?don'?t\b`,
    "there'?s no (?:point|need)|i'?d rather (?:not|you didn'?t)|not (?:really|right now|at the moment)",
    String.raw`no\b(?! (?:problem|worries|bother|that'?s (?:fine|good|okay)|yeah|yes|go on)))`,
  ].join('|'),
  'i',
);
/** "No, let me call you" */
const INSTEAD_I =
  /^(?:\W*(?:oh|well|um|uh|ah|look|sorry)\b)*\W*(?:nah|nope|no),? (?:let me|i'?ll|i will|i'?d rather|we'?ll)\b/i;
/** A reply is among so many pieces, and declines unless it is so likely a yes. */
const DECLINED = { within: 2, unlessYes: 0.8 };

/** Whether the customer says no at once to what the manager proposes. */
function isDeclined({ pieces, probability }: Acts, piece: number): boolean {
  const { role, text = '' } = pieces[piece] ?? {};
  // "No, that's all" answers another question.
  if (role !== 'manager' || /\banything else\b/i.test(text)) return false;
  const after = pieces.slice(piece + 1, piece + 1 + DECLINED.within).findIndex((said) => said.role === 'customer');
  const reply = piece + 1 + after;
  if (after < 0 || !SAYS_NO.test(pieces[reply]?.text ?? '')) return false;
  if (INSTEAD_I.test(pieces[reply]?.text ?? '')) return true;
  return probability(reply, 'agree') + probability(reply, 'accept') < DECLINED.unlessYes;
}

function proposalsOf(acts: Divided): Proposal[] {
  return acts.pieces.flatMap((_said, piece) => {
    const proposed = acts.probability(piece, 'step');
    if (proposed < LEAST.proposal) return [];
    let [agreed, reply] = [0, -1];
    for (let at = piece - REPLY.before; at <= piece + REPLY.after; at += 1) {
      const yes = acts.probability(at, 'agree') + acts.probability(at, 'accept') / 2;
      if (at !== piece && yes * (at < piece ? 0.9 : 1) > agreed) [agreed, reply] = [yes, at];
    }
    const timed = acts.times(piece).some(({ names }) => names);
    const late = EARLY + ((1 - EARLY) * piece) / acts.pieces.length;
    return reply < 0
      ? []
      : [{ piece, reply, weight: Math.sqrt(proposed * agreed) * late * (timed ? TIMED : 1), timed }];
  });
}
