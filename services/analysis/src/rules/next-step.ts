import type { Observations } from '../call/observations.ts';
import { NEXT_STEP_CUES } from './cues/wishes.ts';
import type { Dialogue } from './dialogue.ts';
import { CLASSES, isNumber } from './patterns.ts';

const KINDS = Object.keys(NEXT_STEP_CUES);

export interface AgreedStep {
  step: NonNullable<Observations['nextStep']>;
  /** What was agreed, without the time and the full stop. */
  sentence: string;
  /** Its clause. */
  index: number;
  /** A meeting of some kind, not only something that is sent. */
  binds: boolean;
}

export const AGREED_TO_SEND = 'Information will be sent';

/** The sentence of the summary, by the title of the step. */
const AGREED: Readonly<Record<string, string>> = {
  Demo: 'A demo was agreed',
  Viewing: 'A viewing was agreed',
  Visit: 'A visit was agreed',
  Installation: 'An installation was agreed',
  Delivery: 'A delivery was agreed',
  Appointment: 'An appointment was agreed',
  Consultation: 'A consultation was agreed',
  Meeting: 'A meeting was agreed',
  'Call back': 'A call back was agreed',
  'Information will be sent': AGREED_TO_SEND,
  Start: 'A start was agreed',
};

/** The weight from which a second step, one with its own time, is reported. */
const OWN_TIME = 4;

/**
 * Finds what was agreed to happen after the call, and when: the most informative step and a second one with another
 * time, in their order in the call. Steps that the customer declines do not count.
 */
export function nextStepOf(dialogue: Dialogue): AgreedStep | null {
  const found = [...dialogue.clauses.keys()].flatMap((index) => stepAt(dialogue, index));
  const named = appointmentsAtTheEnd(dialogue);
  const best = mostTelling(found) ?? mostTelling(named);
  if (best === null) return null;
  const others = [...named, ...found.filter(({ weight }) => weight >= OWN_TIME)].filter(({ when }) =>
    sayDifferentTimes(when, best.when),
  );
  const second = mostTelling(others);
  const evidence = dialogue.evidence(best.index);
  // Without punctuation one quote may contain both steps.
  const apart = second !== null && dialogue.evidence(second.index).quote !== evidence.quote;
  const told = [best, ...(apart ? [second] : [])].sort((a, b) => a.index - b.index);
  const text = told
    .map(
      ({ title, when, index }) => `${title}${when === null ? '' : ` (${when})`}: “${dialogue.evidence(index).quote}”`,
    )
    .join(' ');
  const isTrial = best.title === 'Demo' && !/\bdemo\b/i.test(evidence.quote);
  const sentence = isTrial ? 'A demo or trial was agreed' : (AGREED[best.title] ?? 'A next step was agreed');
  return { step: { text, when: best.when, evidence }, sentence, index: best.index, binds: best.binds };
}

function mostTelling(steps: readonly Step[]): Step | null {
  return steps.reduce<Step | null>((best, step) => (best === null || step.weight >= best.weight ? step : best), null);
}

/** Only days distinguish steps: "in a minute" and "today" may be the same one. */
function sayDifferentTimes(one: string | null, other: string | null): boolean {
  const days = (text: string | null) =>
    (text ?? '')
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => CLASSES.day?.has(word));
  const first = days(one);
  return first.length > 0 && !first.some((day) => days(other).includes(day));
}

/** A day near the end of the call is an appointment, in whatever words: "You're on the list for tomorrow at six". */
function appointmentsAtTheEnd(dialogue: Dialogue): Step[] {
  const from = Math.floor(dialogue.clauses.length * 0.6);
  return [...dialogue.clauses.entries()].slice(from).flatMap(([index, clause]) => {
    const when = longestWhen(dialogue, index);
    const named =
      when
        ?.toLowerCase()
        .split(/\s+/)
        .some((word) => CLASSES.day?.has(word)) ?? false;
    if (!named || !hasNumber(when) || clause.question || isTurnedDown(dialogue, index)) return [];
    return [{ index, title: 'Appointment', when, weight: index / dialogue.clauses.length, binds: true }];
  });
}

interface Step {
  index: number;
  title: string;
  when: string | null;
  weight: number;
  /** A meeting of some kind, not only something that is sent. */
  binds: boolean;
}

function stepAt(dialogue: Dialogue, index: number): Step[] {
  const clause = dialogue.clauses[index];
  const kind = KINDS.find((name) => clause?.cues.has(name));
  if (clause === undefined || kind === undefined || isTurnedDown(dialogue, index) || findsOut(dialogue, index))
    return [];
  const own = longestWhen(dialogue, index);
  const when = fuller(own, dialogue, index);
  if (clause.question && !isTakenUp(dialogue, index)) return [];
  const weight =
    (own !== null ? 4 : when !== null ? 2 : 0) +
    (hasNumber(when) ? 1 : 0) +
    (clause.question ? 0 : 1) +
    (dialogue.roles[index] === 'manager' ? 0.5 : 0) +
    (SAYS[kind] ?? 0) +
    index / dialogue.clauses.length;
  return [
    { index, title: NEXT_STEP_CUES[kind]?.title ?? '', when, weight, binds: own !== null && (SAYS[kind] ?? 0) > 0 },
  ];
}

/** "Do you have an inspection coming up?" asks about the customer's situation and proposes nothing. */
function findsOut(dialogue: Dialogue, index: number): boolean {
  const clause = dialogue.clauses[index];
  return clause?.question === true && !clause.cues.has('question.small') && !clause.cues.has('check.asked_commitment');
}

/** How specific a kind of step is. */
const SAYS: Readonly<Record<string, number>> = {
  'next.demo': 2,
  'next.viewing': 2,
  'next.survey': 2,
  'next.technician': 2,
  'next.delivery': 2,
  'next.booking': 2,
  'next.consultation': 2,
  'next.call': 2,
  'next.meeting': 1,
  'next.agreed': 1,
  'next.see': 0.5,
};

function hasNumber(when: string | null): boolean {
  return when?.split(/\s+/).some((word) => isNumber(word.toLowerCase())) ?? false;
}

/** "See you on Thursday": an earlier sentence may have named the time. */
function fuller(own: string | null, dialogue: Dialogue, index: number): string | null {
  if (own === null) return whenNear(dialogue, index);
  if (hasNumber(own)) return own;
  const day = own.toLowerCase().split(/\s+/).at(-1) ?? own;
  for (let before = index - 1; before >= 0 && before > index - 8; before -= 1) {
    const found = longestWhen(dialogue, before);
    if (found?.toLowerCase().includes(day) && hasNumber(found)) return found;
  }
  return own;
}

/** The time can be in a sentence near the step: "Saturday at eleven? - Good. - I've put you down." */
function whenNear(dialogue: Dialogue, index: number): string | null {
  for (const near of [index + 1, index - 1, index + 2, index - 2, index - 3]) {
    const found = longestWhen(dialogue, near);
    if (found !== null) return found;
  }
  return null;
}

function longestWhen(dialogue: Dialogue, index: number): string | null {
  const found = (dialogue.clauses[index]?.hits ?? []).filter(({ cue }) => cue === 'when').map(({ text }) => text);
  return found.reduce<string | null>((best, text) => (best === null || text.length > best.length ? text : best), null);
}

function isTurnedDown(dialogue: Dialogue, index: number): boolean {
  for (let after = index + 1; after <= index + 2 && after < dialogue.clauses.length; after += 1) {
    if (
      dialogue.roles[after] === 'customer' &&
      (dialogue.has(after, 'step.refused') || dialogue.has(after, 'outcome.refused'))
    )
      return true;
    if (dialogue.roles[after] === 'customer') return false;
  }
  return dialogue.has(index, 'outcome.refused');
}

/** A proposal counts when the customer responds and does not decline. */
function isTakenUp(dialogue: Dialogue, index: number): boolean {
  return (
    [index + 1, index + 2].some((after) => dialogue.roles[after] === 'customer') || dialogue.roles[index] === 'customer'
  );
}
