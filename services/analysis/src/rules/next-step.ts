import type { NextStep } from '@call-analytics/calls';
import type { Evidence, Observations } from '../call/observations.ts';
import type { Acts } from './acts.ts';
import type { Act } from './classifier.ts';
import { type Time, timesIn } from './days.ts';
import { actionIn, anyOf, PROPOSES, proposalIn, whoDoes } from './proposals.ts';
import { byDays, type Divided, isNamedBy, isOther, isSameWeekday, namedAround } from './step-clauses.ts';
import { isWork, rankOf, SENT, titleOf, UNTITLED } from './step-titles.ts';

export interface AgreedStep {
  step: NonNullable<Observations['nextStep']>;
  /** What kind of step each is, such as "Call back". */
  titles: readonly string[];
}

/**
 * How likely a proposal and its agreement together must be. `names` and `takesUp` are for a line whose words name a step
 * that another line agrees. Chosen by cross-validation.
 */
const LEAST = { agreed: 0.25, proposal: 0.03, names: 0.05, takesUp: 0.2, likely: 0.5 };
/** Steps besides the likeliest. */
const MOST_FURTHER = 2;
/** Steps are agreed in the later part; an early one counts this much. */
const EARLY = 0.5;
/** A proposal that names a day counts this much more. */
const TIMED = 1.25;
/** The pieces after a proposal, and before it, in which it is agreed. */
const REPLY = { after: 3, before: 2 };
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
  const found = proposalsOf(acts, date);
  const best = found.reduce<Proposal | null>(
    (one, other) => (one === null || other.weight >= one.weight ? other : one),
    null,
  );
  if (best === null || best.weight < LEAST.agreed) return null;
  const fixesDay = (piece: number) =>
    date === null || timesIn(acts.pieces[piece]?.text ?? '', date).some(({ day }) => day !== null);
  // Another step counts with a day of its own, else it is a part of the first.
  const further = found
    .filter(({ piece, weight, timed }) => piece !== best.piece && weight >= LEAST.agreed && timed && fixesDay(piece))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MOST_FURTHER);
  const proposals = [best, ...further].sort((a, b) => a.piece - b.piece);
  const agreed = withoutRepetition(
    proposals.map((proposal, at) => ({ ...stepAt(acts, date, proposal, found, proposals[at - 1]), proposal })),
    date,
  );
  const steps = agreed.map(({ step }) => step);
  const text = agreed
    .map(({ step: { when, day }, title, quotes }) => {
      const time = [when, day].filter((part) => part !== null).join(', ');
      return `${title}${time === '' ? '' : ` (${time})`}: ${quotes.map((each) => `“${each}”`).join(' … ')}`;
    })
    .join(' ');
  const first = agreed.find(({ proposal }) => proposal === best) ?? agreed[0];
  if (first === undefined) return null;
  return {
    step: { text, when: first.step.when, evidence: first.evidence, steps },
    titles: agreed.map(({ title }) => title),
  };
}

/** A step with its words, in their order in the call. */
interface Quoted {
  step: NextStep;
  title: string;
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
  const hour = time?.text.replace(time.dayWords, '').replace(/^[,\s]+|[,\s]+$/g, '') ?? '';
  const when = own === undefined || hour === '' ? one.step.when : `${own.dayWords}, ${hour}`;
  return { ...one, step: { ...one.step, when }, quotes: [...one.quotes, other.evidence.quote] };
}

function dayOf({ day, when }: NextStep): string | null {
  return day ?? /\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b/i.exec(when ?? '')?.[0].toLowerCase() ?? null;
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

const TAKES_UP: readonly Act[] = ['accept', 'agree', 'want', 'step'];
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
  const namedNear = places.find((at) => isAbout(at) && titleOf(textOf(at)) !== undefined);
  const named = namedNear ?? namedBefore(acts, piece, previous);
  const naming = textOf(named ?? -1);
  const found = titleOf(namedNear === undefined ? naming : proposalIn(naming)) ?? UNTITLED;
  const title = named === undefined || isNamedBy(acts, named, found) ? found : UNTITLED;
  const evidence = acts.evidence(piece);
  // Where no words name the step, those before its time are the nearest to it: "Go on, get it done. - I have Friday."
  const takesUp = TAKES_UP.some((act) => acts.probability(piece - 1, act) >= LEAST.takesUp);
  const beside = takesUp && !namesDay(piece - 1) ? piece - 1 : undefined;
  const other = [likely, named, beside].find((at) => at !== undefined && at !== piece && isOwn(at));
  const elsewhere = other === undefined || (named === piece && likely === undefined) ? null : acts.evidence(other);
  const isUnnamed = title === UNTITLED && likely === undefined;
  const isOwnWords = isProposed || isUnnamed || elsewhere === null || namedNear === undefined;
  const proposed = isOwnWords ? evidence : elsewhere;
  return {
    step: {
      what: actionIn(proposed.quote),
      ...timeOf([...answered, ...timesIn(textOf(piece), date)], near, SENT.has(title), hourOfAnswer(acts, date, piece)),
      who: whoDoes(textOf(piece)),
      ...proposed,
    },
    title,
    evidence,
    // In their order in the call.
    quotes: [
      ...namedAround(acts, piece, [other, piece], isOwn),
      ...(elsewhere === null ? [] : [{ at: other ?? piece, quote: elsewhere.quote }]),
      { at: piece, quote: evidence.quote },
    ]
      .sort((one, two) => one.at - two.at)
      .map(({ quote }) => quote),
  };
}

/** What the manager offers or the customer asks for this many pieces before may be what is then given a day. */
const MATTER = { within: 10, likely: 0.5 };
const ASKED: readonly Act[] = ['want', 'question', 'accept'];
const DENIES = /n['’]t\b|\b(?:never|no need|without)\b/i;

/** @returns the last piece before one that names only a day in which work is offered or asked for by its name */
function namedBefore(acts: Acts, piece: number, previous?: Proposal): number | undefined {
  const from = Math.max(0, piece - MATTER.within, (previous?.piece ?? -1) + 1);
  for (let at = piece - 1; at >= from; at -= 1) {
    const { role, text = '' } = acts.pieces[at] ?? {};
    const acting: readonly Act[] = role === 'manager' ? ['offer'] : ASKED;
    const isNamed = isWork(titleOf(text)) && !DENIES.test(text);
    if (isNamed && acting.some((act) => acts.probability(at, act) >= MATTER.likely)) return at;
  }
  return undefined;
}

/**
 * The first day and the first time of day, that of its own words before those of the words around it. The hour of
 * other words is not that of what is sent, or has to be done by a day; of several hours it is the one without "or".
 */
function timeOf(
  own: readonly Time[],
  around: readonly Time[],
  isSent: boolean,
  moved: Time | undefined,
): Pick<NextStep, 'when' | 'day'> {
  const dayIn = (times: readonly Time[]) => times.find(({ names }) => names);
  const day = dayIn(own) ?? dayIn(around);
  if (moved !== undefined) return { when: [day?.dayWords ?? [], moved.text].flat().join(', '), day: day?.day ?? null };
  const isAlone = day !== undefined && own.includes(day) && (isSent || /^by\b/i.test(day.text));
  const clocks = (isAlone ? own : [...own, ...around]).filter(({ names }) => !names);
  const clock = clocks.find(({ text }) => !/ or /.test(text)) ?? clocks[0];
  const parts = day === undefined || hasClock(day) ? [day ?? clock] : [day, clock];
  const when = parts.flatMap((time) => time?.text ?? []).join(', ');
  return { when: when === '' ? null : when, day: day?.day ?? null };
}

/** "Thursday" repeats "next week Thursday" and is no other day. */
const isBare = (time: string | null | undefined) => !/\b(?:the|week|fortnight)\b|\d/i.test(time ?? '');
/** Words after a day by which a customer takes it, and words that make another day a counter-proposal. */
const GOOD = '(?:perfect|better|best|good|great|fine|works?|suits?|easier)';
const FITS = new RegExp(String.raw`^,?(?: (?:would|will|is|be|might|that|sounds|a lot|much))*(?:'s)? ${GOOD}\b`, 'i');
const COUNTERS = anyOf(
  "no|not|can't|cannot|couldn't|won't|instead|rather|sooner|earlier|later|tricky|away|full|how about",
  'what about|(?:can|could) (?:we|you)',
);
const ASKS_WHEN = /\b(?:when|what day)\b.*\?/i;
/** Pieces in which a proposal is answered. */
const ANSWERED_WITHIN = 5;

/**
 * The day with which the customer answers a proposal of another day: where they take it, or refuse the other and the
 * manager repeats it, it is the agreed one.
 */
function dayOfAnswer({ pieces }: Acts, date: string | null, piece: number): Time[] {
  const [said = '', ...after] = pieces.slice(piece, piece + 1 + ANSWERED_WITHIN).map(({ text }) => text);
  const roles = pieces.slice(piece + 1, piece + 1 + ANSWERED_WITHIN).map(({ role }) => role);
  const from = roles.indexOf('customer');
  // "Wednesday or Friday?" is answered with one of the two.
  const choices = timesIn(said, date).flatMap(({ text }) =>
    / or /.test(text) ? daysIn(text.split(' or '), date) : [],
  );
  const proposed = timesIn(said, date).filter(({ day, text }) => day !== null || / or /.test(text));
  // "I'll send it tomorrow. And when is he home?" is answered with another day, and it comes tomorrow all the same.
  if (from < 0 || proposed.length === 0 || ASKS_WHEN.test(said.slice(proposed.at(-1)?.end))) return [];
  // The customer answers the last day of a turn.
  if (after.slice(0, from).some((text) => timesIn(text, date).some(({ names }) => names))) return [];
  const until = roles.indexOf('manager', from);
  const answer = after.slice(from, until < 0 ? roles.length : until).join(' ');
  const named = timesIn(answer, date).findLast(({ day, text }) => day !== null && !/^by\b/i.test(text));
  const repeats = ({ day }: Time) => day === named?.day || (isBare(named?.text) && isSameWeekday(day, named?.day));
  if (named === undefined || timesIn(said, date).some(repeats)) return [];
  const isOn = ({ day }: Time) => isSameWeekday(day, named.day);
  const repeated = until < 0 ? [] : timesIn(after[until] ?? '', date).filter(isOn);
  const isFuller = /week|fortnight/i.test(named.text) && timesIn(said, date).some(isOn);
  // "Monday I'm at the bank. Tuesday." names the refused day as well; a limit is not refused.
  const isLimit = /^by\b/i.test(proposed.at(-1)?.text ?? '');
  const days = timesIn(answer, date).filter(({ names }) => names).length;
  const counters = COUNTERS.test(answer) || (days > 1 && !isLimit);
  const isTaken =
    choices.includes(named.day) || isFuller || FITS.test(answer.slice(named.end)) || (repeated.length > 0 && counters);
  return isTaken ? [named, ...repeated].sort((a, b) => b.text.length - a.text.length).slice(0, 1) : [];
}

/**
 * The time of day with which the customer answers a proposal of another one on the same day, where they prefer it or the
 * manager repeats it: "Thursday at ten? - Ten thirty is better."
 */
function hourOfAnswer({ pieces }: Acts, date: string | null, piece: number): Time | undefined {
  const [said, ...after] = pieces.slice(piece, piece + 1 + ANSWERED_WITHIN);
  const from = after.findIndex(({ role }) => role === 'customer');
  if (said === undefined || from < 0 || !timesIn(said.text, date).some(hasClock)) return undefined;
  const until = after.findIndex(({ role }, at) => at > from && role === 'manager');
  const answer = after.slice(from, until < 0 ? after.length : until).map(({ text }) => text);
  const times = timesIn(answer.join(' '), date);
  const hour = times.findLast(({ names }) => !names);
  const isSaid = (text = '') => text.toLowerCase().includes(hour?.text.toLowerCase() ?? '');
  if (hour === undefined || times.some(({ names }) => names) || isSaid(said.text)) return undefined;
  return FITS.test(answer.join(' ').slice(hour.end)) || (until >= 0 && isSaid(after[until]?.text)) ? hour : undefined;
}

function daysIn(texts: readonly string[], date: string | null): (string | null)[] {
  return texts.flatMap((text) => timesIn(text, date).map(({ day }) => day));
}

const CLOCK = anyOf(
  "at|half|quarter|o'?clock|am|pm|noon|midday|morning|afternoon|evening|one|two|three|four|five|six",
  String.raw`seven|eight|nine|ten|eleven|twelve|\d+`,
);

function hasClock({ text }: Time): boolean {
  return CLOCK.test(text.toLowerCase());
}
