import type { NextStep } from '@call-analytics/calls';
import type { Evidence, Observations } from '../call/observations.ts';
import type { Acts } from './acts.ts';
import { timesIn } from './days.ts';
import { actionIn, PROPOSES, proposalIn, whoDoes } from './proposals.ts';
import { byDays, type Divided, isNamedBy, isOther, isSameWeekday, namedAround, shownTitle } from './step-clauses.ts';
import { dayOfAnswer, hasClock, hourIn, isBare, timeOf } from './step-times.ts';
import { rankOf, SENT, titleOf, UNSHOWN, UNTITLED } from './step-titles.ts';

export interface AgreedStep {
  step: NonNullable<Observations['nextStep']>;
  /** What kind of step each is, such as "Call back". */
  titles: readonly string[];
}

/**
 * How likely a proposal and its agreement together must be, chosen by cross-validation. `names` is for a line whose
 * words name a step that another line agrees; `action` for words that are listed as the action; `title` for a word that
 * names what is done, so that its sentence gives the title.
 */
const LEAST = { agreed: 0.25, proposal: 0.03, further: 0.2, names: 0.05, action: 0.3, likely: 0.5, title: 0.15 };
/** Steps besides the likeliest. */
const MOST_FURTHER = 2;
/** Steps are agreed in the later part; an early one counts this much. */
const EARLY = 0.5;
/** A proposal that names a day counts this much more. */
const TIMED = 1.25;
/** The pieces after a proposal, and before it, in which it is agreed. */
const REPLY = { after: 3, before: 2 };
/** A day is refused where another one is named within so many pieces, and no answer between is so likely a yes. */
const INSTEAD = { within: 4, yes: 0.5 };
/** Pieces around a step where its time may be said. */
const NEAR = [1, -1, 2, -2, 3, -3];

/** The index of a piece that proposes, and of the piece that agrees. */
interface Proposal {
  piece: number;
  reply: number;
  weight: number;
  /** Whether its own words name a day. */
  timed: boolean;
}

/**
 * Finds what was agreed to happen after the call: the most likely proposal that the customer agrees to, and up to two
 * more on other days, in their order in the call.
 * @param date the day of the call, null when it is not known
 */
export function nextStepOf(call: Acts, date: string | null): AgreedStep | null {
  const acts = byDays(call, date);
  const proposed = proposalsOf(acts, date);
  const timed = new Set(proposed.filter((each) => each.timed).map(({ piece }) => piece));
  const found = proposed.filter((proposal) => !isRefused(acts, date, proposal, timed));
  const best = found.reduce<Proposal | null>(
    (one, other) => (one === null || other.weight >= one.weight ? other : one),
    null,
  );
  if (best === null || best.weight < LEAST.agreed) return null;
  const fixesDay = (piece: number) =>
    date === null || timesIn(acts.pieces[piece]?.text ?? '', date).some(({ day }) => day !== null);
  // Another step counts with a day of its own, else it is a part of the first; and where it is likely proposed.
  const isFurther = ({ piece, weight, timed }: Proposal) =>
    piece !== best.piece && weight >= LEAST.agreed && timed && acts.probability(piece, 'step') >= LEAST.further;
  const further = found
    .filter((proposal) => isFurther(proposal) && fixesDay(proposal.piece))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MOST_FURTHER);
  const proposals = [best, ...further].sort((a, b) => a.piece - b.piece);
  const agreed = withoutRepetition(
    proposals.map((proposal, at) => ({ ...stepAt(acts, date, proposal, found, proposals[at - 1]), proposal })),
    date,
  );
  const steps = agreed.map(({ step }) => step);
  const text = agreed
    .map(({ step: { when, day }, shown, quotes }) => {
      const time = [when, day].filter((part) => part !== null).join(', ');
      return `${shown}${time === '' ? '' : ` (${time})`}: ${quotes.map((each) => `“${each}”`).join(' … ')}`;
    })
    .join(' ');
  const first = agreed.find(({ proposal }) => proposal === best) ?? agreed[0];
  if (first === undefined) return null;
  return {
    step: { text, when: first.step.when, evidence: first.evidence, steps },
    titles: agreed.map(({ shown }) => shown),
  };
}

/** A step with its words, in their order in the call. */
interface Quoted {
  step: NextStep;
  /** What its words may call it, by which steps are told apart, and the title that is shown. */
  title: string;
  shown: string;
  /** Where it is agreed: its proposal may be some lines before. */
  evidence: Evidence;
  quotes: readonly string[];
}

/**
 * Steps on the same day are one, said twice: it has the more telling title, the longer time and all words. "Ten thirty
 * Thursday it is" repeats "Thursday the third", and tells no more than the hour.
 */
function withoutRepetition<T extends Quoted>(agreed: readonly T[], date: string | null): readonly T[] {
  return agreed.reduce<readonly T[]>((steps, other) => {
    const at = steps.findIndex(({ step }) => keyOf(step) === keyOf(other.step) || repeatsWeekday(step, other.step));
    const one = steps[at];
    if (one === undefined) return steps.concat(other);
    if (keyOf(one.step) !== keyOf(other.step)) return steps.with(at, withHour(one, other, date));
    const [kept, repeated] = rankOf(one.title) <= rankOf(other.title) ? [one, other] : [other, one];
    const isLonger = (repeated.step.when?.length ?? 0) > (kept.step.when?.length ?? 0);
    const when = isLonger ? repeated.step.when : kept.step.when;
    const quotes = [...new Set([...one.quotes, ...other.quotes])];
    return steps.with(at, { ...kept, step: { ...kept.step, when }, quotes });
  }, []);
}

const keyOf = (step: NextStep) => dayOf(step) ?? step.when;

/** Whether a later step only says the weekday of an earlier one again. */
function repeatsWeekday(one: NextStep, other: NextStep): boolean {
  return isSameWeekday(one.day, other.day) && isBare(other.when) && !isBare(one.when);
}

function withHour<T extends Quoted>(one: T, other: T, date: string | null): T {
  const [own] = timesIn(one.step.when ?? '', date);
  const [time] = timesIn(other.step.when ?? '', date);
  const hour = time === undefined ? '' : hourIn(time);
  const when = own === undefined || hour === '' ? one.step.when : `${own.dayWords}, ${hour}`;
  return { ...one, step: { ...one.step, when }, quotes: [...one.quotes, other.evidence.quote] };
}

function dayOf({ day, when }: NextStep): string | null {
  return day ?? /\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b/i.exec(when ?? '')?.[0].toLowerCase() ?? null;
}

/**
 * Whether another day is named for it before the customer agrees: "Tomorrow? - It's board day. - Thursday at five?" A
 * limit ("by Friday") is not refused so.
 */
function isRefused(acts: Acts, date: string | null, { piece }: Proposal, timed: ReadonlySet<number>): boolean {
  const after = acts.pieces
    .slice(piece + 1, piece + 1 + INSTEAD.within)
    .map((said, at) => ({ ...said, at: piece + 1 + at }));
  const dayOf = (text = '') => timesIn(text, date).find(({ names }) => names);
  const { text: proposal = '' } = acts.pieces[piece] ?? {};
  const own = dayOf(proposal);
  if (own === undefined || /^by\b/i.test(own.text)) return false;
  const instead = after.find(({ at, text }) => {
    const day = timed.has(at) ? dayOf(text) : undefined;
    return day !== undefined && (day.day ?? day.text) !== (own.day ?? own.text);
  });
  if (instead === undefined) return false;
  const answers = after.filter(({ at, role }) => at < instead.at && role === 'customer');
  const yes = answers.map(({ at }) => acts.probability(at, 'agree') + acts.probability(at, 'accept'));
  const title = titleOf(instead.text);
  return yes.length > 0 && Math.max(...yes) < INSTEAD.yes && (title === undefined || title === titleOf(proposal));
}

function proposalsOf(acts: Acts, date: string | null): Proposal[] {
  return acts.pieces.flatMap(({ text }, piece) => {
    const proposed = acts.probability(piece, 'step');
    if (proposed < LEAST.proposal) return [];
    let [agreed, reply] = [0, -1];
    for (let at = piece - REPLY.before; at <= piece + REPLY.after; at += 1) {
      const yes = acts.probability(at, 'agree') + acts.probability(at, 'accept') / 2;
      if (at !== piece && yes * (at < piece ? 0.9 : 1) > agreed) [agreed, reply] = [yes, at];
    }
    const timed = timesIn(text, date).some(({ names }) => names);
    const late = EARLY + ((1 - EARLY) * piece) / acts.pieces.length;
    return reply < 0
      ? []
      : [{ piece, reply, weight: Math.sqrt(proposed * agreed) * late * (timed ? TIMED : 1), timed }];
  });
}

/** Titles that say that people meet, and not for what. */
const VAGUE: ReadonlySet<string> = new Set(['Visit', 'Appointment']);
/** What is proposed is often said some pieces before its time: "I could come and measure. - Yes. - Tuesday at ten?" */
const WITHIN = 8;
/** A likely proposal this many pieces before belongs to the time, whatever that piece says itself. */
const JUST_BEFORE = 3;

/**
 * @param previous the step before: what proposes this one is said after it
 * @returns the step; its first quote proposes it, where that is in another piece than its time
 */
function stepAt(
  acts: Divided,
  date: string | null,
  { piece, reply }: Proposal,
  all: readonly Proposal[],
  previous: Proposal | undefined,
): Quoted {
  const textOf = (at: number) => acts.pieces[at]?.text ?? '';
  const isOwn = (at: number) => at > (previous?.piece ?? -1);
  const answered = dayOfAnswer(acts, date, piece);
  const dayAt = (at: number) => timesIn(textOf(at), date).find(({ names }) => names);
  const namesDay = (at: number) => dayAt(at) !== undefined;
  const own = answered[0] ?? dayAt(piece);
  const hasOtherDay = (at: number) => {
    const day = dayAt(at);
    return day !== undefined && own !== undefined && isOther(day, own) && dayOfAnswer(acts, date, at).length === 0;
  };
  // An hour beside another day is not that of this one: "Thursday at two works, I get up at noon."
  const near = [reply, ...NEAR.map((step) => piece + step)].flatMap((at) => {
    const times = timesIn(textOf(at), date);
    const isOfOther = own !== undefined && times.some((time) => time.names && isOther(time, own));
    return isOfOther ? times.filter(({ names }) => names) : times;
  });
  // "I'll email the contract. - How's Sunday at five?": people come at five, and nothing is sent then.
  const comes = own !== undefined && hasClock(own) && !/^by\b/i.test(own.text);
  const isSent = (at: number) => comes && at !== piece && SENT.has(titleOf(textOf(at)) ?? UNTITLED);
  const before = all
    .map((each) => each.piece)
    .filter((at) => at < piece && at >= piece - WITHIN && isOwn(at) && !hasOtherDay(at) && !isSent(at));
  const likely = before.findLast(
    (at) => at >= piece - JUST_BEFORE && acts.probability(at, 'step') >= LEAST.likely && !namesDay(at),
  );
  const isProposed = PROPOSES.test(textOf(piece)) && titleOf(textOf(piece)) !== undefined;
  const elsewhereNamed = [...before.reverse(), ...[piece - 1, reply, piece - 2, piece + 1].filter(isOwn)];
  // What the manager says of prices and terms names no step, whatever words it has.
  const isAbout = (at: number) =>
    !isSent(at) &&
    (at === piece || acts.pieces[at]?.role === 'customer' || acts.probability(at, 'step') >= LEAST.names);
  const places = isProposed ? [piece] : likely === undefined ? [piece, ...elsewhereNamed] : [likely, piece];
  const named = places.find((at) => isAbout(at) && titleOf(textOf(at)) !== undefined);
  const naming = textOf(named ?? -1);
  const found = titleOf(proposalIn(naming)) ?? UNTITLED;
  const ownTitle = named !== undefined && isNamedBy(acts, named, found) ? found : UNTITLED;
  const evidence = acts.evidence(piece);
  const other = [likely, named].find((at) => at !== undefined && at !== piece && isOwn(at));
  const elsewhere = other === undefined || (named === piece && likely === undefined) ? null : acts.evidence(other);
  const isUnnamed = ownTitle === UNTITLED && likely === undefined;
  // Words of another day, or that hardly propose anything, are no action at this time: its own words are.
  const isOfStep = (at: number) =>
    !hasOtherDay(at) && (acts.pieces[at]?.role === 'customer' || acts.probability(at, 'step') >= LEAST.action);
  const isNamedHere = named === undefined || (other !== undefined && !isOfStep(other));
  const isOwnWords = isProposed || isUnnamed || elsewhere === null || isNamedHere;
  const proposed = isOwnWords ? evidence : elsewhere;
  const quoted = other === undefined ? [] : [other];
  const isVague = ownTitle === UNTITLED || VAGUE.has(ownTitle) || shownTitle(acts, piece, quoted) === undefined;
  const around = namedAround(acts, piece, {
    quoted: [other, piece],
    isOwn: (at) => isOwn(at) && !isSent(at),
    isVague,
  });
  const aroundTitle = (around !== null && around.likely >= LEAST.title && titleOf(around.quote)) || UNTITLED;
  const title = ownTitle === UNTITLED ? aroundTitle : ownTitle;
  const called = shownTitle(acts, piece, around === null ? quoted : [...quoted, around.at]);
  const shown = (called === null ? title : called) ?? UNTITLED;
  // "Let me look. That's the thirteenth." is about the thirteenth.
  const actionOf = (quote: string) => {
    const action = actionIn(quote);
    const says = (text: string) => timesIn(text, date).length > 0;
    const tells = titleOf(action) !== undefined || says(action) || !isOwnWords;
    return tells ? action : actionIn(quote.split(/(?<=[.!?]) /).find(says) ?? quote);
  };
  return {
    step: {
      what: actionOf(proposed.quote),
      ...timeOf(acts, date, piece, {
        own: [...answered, ...timesIn(textOf(piece), date)],
        near,
        isSent: SENT.has(title),
      }),
      // "I'll send the map" by the customer is nothing that the manager does.
      who: isOwnWords || acts.pieces[other ?? piece]?.role === 'manager' ? whoDoes(textOf(piece)) : null,
      ...proposed,
    },
    title,
    shown: UNSHOWN.has(shown) ? UNTITLED : shown,
    evidence,
    // In their order in the call.
    quotes: [
      ...(around === null ? [] : [around]),
      ...(elsewhere === null ? [] : [{ at: other ?? piece, quote: elsewhere.quote }]),
      { at: piece, quote: evidence.quote },
    ]
      .sort((one, two) => one.at - two.at)
      .map(({ quote }) => quote),
  };
}
