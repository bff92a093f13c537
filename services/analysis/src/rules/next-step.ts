import type { NextStep } from '@call-analytics/calls';
import type { Evidence } from '../call/evidence.ts';
import type { Observations } from '../call/observations.ts';
import type { Acts } from './acts.ts';
import { type Time, timesIn } from './days.ts';
import { plainly } from './patterns.ts';

export interface AgreedStep {
  step: NonNullable<Observations['nextStep']>;
  /** What kind of step each is, such as "Call back". */
  titles: readonly string[];
}

/** Steps that words name, the more telling first. */
const TITLES: readonly (readonly [title: string, words: RegExp])[] = [
  ['Demo', /\b(demo|demonstrat\w+|show you|walk you (?:both )?through|walkthrough|screen)\b/],
  ['Trial', /\b(trial|pilot|taster|tasting|try (?:it|one|them|out)|samples?|test (?:it|one|drive|patch))\b/],
  ['Lesson', /\b(lesson|class|session|induction|workout)\b/],
  ['Viewing', /\b(viewing|show round|look round|tour|showroom|see (?:the|it|them|round|over) )\b/],
  ['Survey', /\b(survey\w*|measure\w*|site visit|inspect\w*|look at (?:the|it|your)|have a look|assess\w*)\b/],
  ['Installation', /\b(install\w*|fit (?:it|them|the)|fitt(?:er|ers|ing)|engineer|electrician|swap)\b/],
  [
    'Delivery',
    /\b(deliver\w*|courier|van|lorry|wagon|pallet|dispatch\w*|ship\w*|goes out|parcel|(?:be|is|it's|that's) with you)\b/,
  ],
  ['Collection', /\b(collect\w*|pick (?:it|them|one|that|those)? ?up)\b/],
  [
    'Visit',
    /\b(visit\w*|(?:come|came) (?:out|by|over|round|to|and|in|down|up|past)|pop (?:in|by|over|round|out|down)|call in|drop (?:in|by)|swing by|be there|be round)\b/,
  ],
  ['Meeting', /\b(meet\w*|teams|zoom|sit down|get together|coffee)\b/],
  [
    'Quote',
    /\b(quot\w+|proposal|estimate|offer|figures?|prices?|pricing|rates|numbers|costs?|draw(?:n|ing)? (?:it|that|up)|in writing|on paper)\b/,
  ],
  ['Call back', /\b(call|ring|phone|bell|shout|speak|talk|catch up|touch base|(?:come|get) back to (?:you|me))\b/],
  ['Invoice', /\binvoice\b/],
  ['Payment', /\b(deposit|payment|pay|direct debit)\b/],
  ['Contract', /\b(contract|paperwork|sign|docusign|agreement|forms?|documents?|policy|certificate|licen[cs]e)\b/],
  [
    'Information',
    /\b(send|sent|email\w*|text|link|post|brochure|leaflet|list|details|photos?|invite|invitation|pop (?:it|the|you|that))\b/,
  ],
  ['Start', /\b(start\w*|begin\w*|go live|switch (?:it|you|over)|set (?:it|you|that) up|activat\w*)\b/],
  ['Appointment', /\b(appointment|book\w*|diary|calendar|slot|put you (?:in|down)|pencil\w*)\b/],
];
/** What is sent has its own time: the hour that is said beside it is that of another step. */
const SENT: ReadonlySet<string> = new Set(['Quote', 'Invoice', 'Payment', 'Contract', 'Information']);
/** The title of a step whose kind no words name. */
export const UNTITLED = 'Agreed';

/** How likely the proposal and its agreement together must be, and those of a second step. Chosen by cross-validation. */
const LEAST = { first: 0.3, second: 0.25, proposal: 0.03, likely: 0.5 };
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
 * Finds what was agreed to happen after the call: the most likely proposal that the customer agrees to, and a second
 * one, in their order in the call.
 * @param date the day of the call, null when it is not known
 */
export function nextStepOf(acts: Acts, date: string | null): AgreedStep | null {
  const found = proposalsOf(acts, date);
  const best = found.reduce<Proposal | null>(
    (one, other) => (one === null || other.weight >= one.weight ? other : one),
    null,
  );
  if (best === null || best.weight < LEAST.first) return null;
  // A second step counts with a time of its own, else it is a part of the first.
  const second = found
    .filter(({ piece, weight, timed }) => piece !== best.piece && weight >= LEAST.second && timed)
    .reduce<Proposal | null>((one, other) => (one === null || other.weight > one.weight ? other : one), null);
  const proposals = [best, ...(second === null ? [] : [second])].sort((a, b) => a.piece - b.piece);
  const agreed = withoutRepetition(
    proposals.map((proposal, at) => ({ ...stepAt(acts, date, proposal, found, proposals[at - 1]), proposal })),
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

/** Two steps on the same day are one, said twice: it has the more telling title, the longer time and all words. */
function withoutRepetition<T extends Quoted>(agreed: readonly T[]): readonly T[] {
  const [one, other] = agreed;
  if (one === undefined || other === undefined || dayOf(one.step) !== dayOf(other.step)) return agreed;
  const [kept, repeated] = rankOf(one) <= rankOf(other) ? [one, other] : [other, one];
  const times = [kept.step.when, repeated.step.when].filter((when) => when !== null);
  const when = times.reduce<string | null>((most, time) => (time.length > (most?.length ?? 0) ? time : most), null);
  return [{ ...kept, step: { ...kept.step, when }, quotes: [...new Set([...one.quotes, ...other.quotes])] }];
}

function rankOf({ title }: Quoted): number {
  return title === UNTITLED ? TITLES.length : TITLES.findIndex(([name]) => name === title);
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

/** What is proposed is often said some pieces before its time: "I could come and measure. - Yes. - Tuesday at ten?" */
const WITHIN = 8;
/** A likely proposal this many pieces before belongs to the time, whatever that piece says itself. */
const JUST_BEFORE = 3;

/**
 * @param previous the step before: what proposes this one is said after it
 * @returns the step; its first quote proposes it, where that is in another piece than its time
 */
function stepAt(
  acts: Acts,
  date: string | null,
  { piece, reply }: Proposal,
  all: readonly Proposal[],
  previous: Proposal | undefined,
): Quoted {
  const textOf = (at: number) => acts.pieces[at]?.text ?? '';
  const isOwn = (at: number) => at > (previous?.piece ?? -1);
  const answered = dayOfAnswer(acts, date, piece);
  const clear = clearestClause(textOf(piece), date);
  if (clear !== null) {
    const { text, title, times } = clear;
    const evidence = { ...acts.evidence(piece), quote: text };
    const around = [piece, reply].flatMap((at) => timesIn(textOf(at), date));
    const time = timeOf([...answered, ...times], SENT.has(title) ? [] : around);
    const step = { what: proposalIn(text), ...time, who: whoDoes(text), ...evidence };
    return { step, title, evidence, quotes: [text] };
  }
  const near = [reply, ...NEAR.map((step) => piece + step)].flatMap((at) => timesIn(textOf(at), date));
  const before = all.map((each) => each.piece).filter((at) => at < piece && at >= piece - WITHIN && isOwn(at));
  const namesDay = (at: number) => timesIn(textOf(at), date).some(({ names }) => names);
  const likely = before.findLast(
    (at) => at >= piece - JUST_BEFORE && acts.probability(at, 'step') >= LEAST.likely && !namesDay(at),
  );
  const isProposed = PROPOSES.test(textOf(piece)) && titleOf(textOf(piece)) !== undefined;
  const elsewhereNamed = [...before.reverse(), ...[piece - 1, reply, piece - 2, piece + 1].filter(isOwn)];
  const places = isProposed ? [piece] : likely === undefined ? [piece, ...elsewhereNamed] : [likely, piece];
  const named = places.find((at) => titleOf(textOf(at)) !== undefined);
  const title = titleOf(textOf(named ?? -1)) ?? UNTITLED;
  const evidence = acts.evidence(piece);
  // Where no words name the step, those before its time are the nearest to it: "Go on, get it done. - I have Friday."
  const beside = namesDay(piece - 1) ? undefined : piece - 1;
  const other = [likely, named, beside].find((at) => at !== undefined && at !== piece && isOwn(at));
  const elsewhere = other === undefined || (named === piece && likely === undefined) ? null : acts.evidence(other);
  const isUnnamed = title === UNTITLED && likely === undefined;
  const proposed = isProposed || isUnnamed || elsewhere === null ? evidence : elsewhere;
  return {
    step: {
      what: proposalIn(proposed.quote),
      ...timeOf([...answered, ...timesIn(textOf(piece), date)], near, SENT.has(title)),
      who: whoDoes(textOf(piece)),
      ...proposed,
    },
    title,
    evidence,
    quotes: [...(elsewhere === null ? [] : [elsewhere.quote]), evidence.quote],
  };
}

/** "I will send you both today. So we meet on Tuesday at ten, and then you start the trial." has three steps. */
const CLAUSE_ENDS = /(?<=[.!?;])\s+|,?\s+(?=(?:and then|so we|so i|so you|then we|then you)\b)/i;

/**
 * The clause of several that names a step and its day, the one with a time of day first. Information that is sent is
 * seldom the step that moves the matter on.
 */
function clearestClause(text: string, date: string | null) {
  const clauses = text.split(CLAUSE_ENDS).filter((part) => part.trim() !== '');
  if (clauses.length < 2) return null;
  const named = clauses.flatMap((part) => {
    const times = timesIn(part, date);
    const day = times.find(({ names }) => names);
    const title = titleOf(part);
    if (day === undefined || title === undefined) return [];
    const weight = (times.some(hasClock) ? 1 : 0) + (title === 'Information' ? 0 : 2);
    return [{ text: part.trim(), title, times, weight }];
  });
  return named.reduce<(typeof named)[number] | null>(
    (one, other) => (one === null || other.weight > one.weight ? other : one),
    null,
  );
}

function titleOf(text: string): string | undefined {
  const words = plainly(text);
  return TITLES.find(([, named]) => named.test(words))?.[0];
}

/**
 * The first day and the first time of day, that of its own words before those of the words around it. The hour of
 * other words is not that of what is sent, or has to be done by a day; of several hours it is the one without "or".
 */
function timeOf(own: readonly Time[], around: readonly Time[], isSent = false): Pick<NextStep, 'when' | 'day'> {
  const all = [...own, ...around];
  const day = all.find(({ day }) => day !== null) ?? all.find(({ names }) => names);
  const isAlone = day !== undefined && own.includes(day) && (isSent || /^by\b/i.test(day.text));
  const clocks = (isAlone ? own : all).filter(({ names }) => !names);
  const clock = clocks.find(({ text }) => !/ or /.test(text)) ?? clocks[0];
  const parts = day === undefined || hasClock(day) ? [day ?? clock] : [day, clock];
  const when = parts.flatMap((time) => time?.text ?? []).join(', ');
  return { when: when === '' ? null : when, day: day?.day ?? null };
}

/** "Thursday" repeats "next week Thursday" and is no other day. */
const isBare = (time: Time | undefined) => !/\bthe\b|\d/i.test(time?.text ?? '');
function isSameWeekday(one: string | null, other: string | null = null): boolean {
  return one !== null && other !== null && new Date(one).getUTCDay() === new Date(other).getUTCDay();
}

/** Words after a day by which a customer takes it, and words that make another day a counter-proposal. */
const FITS =
  /^,?(?: (?:would|will|is|be|might|that|sounds|a lot|much))*(?:'s)? (?:perfect|better|best|good|great|fine|works?|suits?|easier)\b/i;
const COUNTERS =
  /\b(?:no|not|can't|cannot|couldn't|won't|instead|rather|sooner|earlier|later|tricky|away|full|how about|what about|(?:can|could) (?:we|you))\b/i;
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
  if (from < 0 || timesIn(said, date).every(({ day }) => day === null)) return [];
  const until = roles.indexOf('manager', from);
  const answer = after.slice(from, until < 0 ? roles.length : until).join(' ');
  const named = timesIn(answer, date).findLast(({ day, text }) => day !== null && !/^by\b/i.test(text));
  const repeats = ({ day }: Time) => day === named?.day || (isBare(named) && isSameWeekday(day, named?.day));
  if (named === undefined || timesIn(said, date).some(repeats)) return [];
  const isOn = ({ day }: Time) => isSameWeekday(day, named.day);
  const repeated = until < 0 ? [] : timesIn(after[until] ?? '', date).filter(isOn);
  const isTaken = FITS.test(answer.slice(named.end)) || (repeated.length > 0 && COUNTERS.test(answer));
  return isTaken ? [named, ...repeated].sort((a, b) => b.text.length - a.text.length).slice(0, 1) : [];
}

const CLOCK =
  /\b(at|half|quarter|o'?clock|am|pm|noon|midday|morning|afternoon|evening|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d+)\b/;

function hasClock({ text }: Time): boolean {
  return CLOCK.test(text.toLowerCase());
}

const MANAGERS =
  /\b(i|we)(?:'ll| will|'m going to| can| could|'d) (?:\w+ )?(?:send|bring|come|call|ring|email|text|drop|pop|get|put|do|have|post|draw|be|fit|install|deliver|pick|start|book|sort|give|show)\b|\b(?:shall|may) (?:i|we)\b|\blet me\b|\byou'll (?:have|get|receive)\b|\bi'm (?:sending|texting|emailing|passing)\b/;
const CUSTOMERS =
  /\b(can|could|would|will|if) you(?:'d)?(?: both| two)?(?: just)? (?:send|bring|come|pop|give|fill|sign|get|dig|ring|call|let|email|drop|ask|check)\b|\byou(?:'ll)? (?:need to|send|come|bring|pop|sign)\b|\b(?:send|email|give|ring|call) me\b|\b(?:come|pop) (?:in|down|along|and see)\b/;

/** Words that begin a proposal, and those before it that only lead to it. */
const PROPOSES =
  /\b(?:let me|let's|shall (?:i|we)|(?:i|we)(?:'ll| will| can| could)|you'?ll|(?:can|could|would|will) you|i'm (?:going to|sending|texting|emailing)|how about|what about|why don't (?:i|we|you)|do you want me to|send (?:me|us)|(?:come|pop) (?:in|down|round|over))\b/i;
/** Words after which a reason, a condition or the next thought begins. */
const GOES_ON = /[,;]?\s+(?:because|cause|cos|so that|and then|but|if|and (?:i|we|you|that|it|tell)(?:'ll|'s)?)\b/i;
/** Fewer words propose nothing. */
const LEAST_PROPOSED = 3;

/** @returns the part of a text that proposes a step: from the words that begin it to the next thought, else all of it */
function proposalIn(text: string): string {
  const begins = PROPOSES.exec(text)?.index ?? 0;
  const [sentence = ''] = text.slice(begins).split(/(?<=[.!?;])\s/);
  const ends = GOES_ON.exec(sentence)?.index ?? sentence.length;
  const isWhole = (part: string) =>
    part.split(/\s+/).length >= LEAST_PROPOSED && (titleOf(text) === undefined || titleOf(part) !== undefined);
  return (
    [sentence.slice(0, ends).replace(/,? and$/, ''), sentence, text].map((part) => part.trim()).find(isWhole) ?? text
  );
}

/** Who acts is said only where the manager offers it in words: elsewhere a third of the guesses were wrong. */
function whoDoes(said: string): NextStep['who'] {
  const text = said.toLowerCase();
  return MANAGERS.test(text) && !CUSTOMERS.test(text) ? 'manager' : null;
}
