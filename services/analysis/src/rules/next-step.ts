import type { NextStep } from '@call-analytics/calls';
import type { Observations } from '../call/observations.ts';
import { NEXT_STEP_CUES } from './cues/wishes.ts';
import { dayOf } from './days.ts';
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

interface Step {
  index: number;
  title: string;
  when: string | null;
  weight: number;
  binds: boolean;
  who: NextStep['who'];
}

/** Steps are agreed in the later part of a call: before it, "I will call you" is usually about the past or the offer. */
const FROM = 0.35;
/** A second step with a time of its own, at least this heavy, is reported too. */
const OWN_TIME = 4;

/**
 * Finds what was agreed to happen after the call, and when: the most informative step and a second one, in their order
 * in the call. A proposal counts when the other person takes it up; a step that is declined does not count.
 */
export function nextStepOf(dialogue: Dialogue): AgreedStep | null {
  const last = dialogue.clauses.length;
  const found = [...dialogue.clauses.keys()]
    .filter((index) => index >= last * FROM)
    .flatMap((index) => stepAt(dialogue, index));
  const telling = mostTelling(found);
  if (telling === null) return null;
  const best = namedBefore(telling, found);
  const quoteOf = ({ index }: Step) => dialogue.evidence(index).quote;
  const second = mostTelling(
    found.filter(
      (step) =>
        step.weight >= OWN_TIME &&
        quoteOf(step) !== quoteOf(best) &&
        ((step.title !== best.title && step.title !== 'Appointment') || differ(step, best)),
    ),
  );
  const told = [best, ...(second === null ? [] : [second])].sort((a, b) => a.index - b.index);
  const steps = told.map(({ title, when, index, who }): NextStep => {
    const { quote, line } = dialogue.evidence(index);
    return { what: title, when, day: when === null ? null : dayOf(when, dialogue.date), who, quote, line };
  });
  const text = steps
    .map(({ what, when, day, quote }) => {
      const time = [when, day].filter((part) => part !== null).join(', ');
      return `${what}${time === '' ? '' : ` (${time})`}: “${quote}”`;
    })
    .join(' ');
  const evidence = dialogue.evidence(best.index);
  const isTrial = best.title === 'Demo' && !/\bdemo\b/i.test(evidence.quote);
  const sentence = isTrial ? 'A demo or trial was agreed' : (AGREED[best.title] ?? 'A next step was agreed');
  return { step: { text, when: best.when, evidence, steps }, sentence, index: telling.index, binds: best.binds };
}

function mostTelling(steps: readonly Step[]): Step | null {
  return steps.reduce<Step | null>((best, step) => (best === null || step.weight >= best.weight ? step : best), null);
}

/** "See you on Tuesday" is what was agreed before for that day, such as the demo. */
function namedBefore(step: Step, steps: readonly Step[]): Step {
  if (step.title !== 'Appointment') return step;
  const named = steps.findLast(
    ({ title, when, binds, index }) =>
      binds &&
      title !== 'Appointment' &&
      index < step.index &&
      daysIn(when).some((day) => daysIn(step.when).includes(day)),
  );
  if (named === undefined) return step;
  return hasNumber(step.when) && !hasNumber(named.when) ? { ...named, when: step.when } : named;
}

/** Only days distinguish steps: "in a minute" and "today" may be the same one. */
function differ({ when: one }: Step, { when: other }: Step): boolean {
  const [first, second] = [daysIn(one), daysIn(other)];
  return first.length > 0 && !first.some((day) => second.includes(day));
}

function daysIn(when: string | null): string[] {
  return (when ?? '')
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => CLASSES.day?.has(word));
}

function namesDay(when: string | null): boolean {
  const words = (when ?? '').toLowerCase().split(/\s+/);
  return words.some((word) => CLASSES.day?.has(word) || CLASSES.month?.has(word));
}

/** How specific a kind of step is; kinds that are not named count 0. Those from 1 on are meetings of some kind. */
const SPECIFIC: Readonly<Record<string, number>> = {
  'next.demo': 2,
  'next.viewing': 2,
  'next.survey': 2,
  'next.technician': 2,
  'next.delivery': 2,
  'next.booking': 2,
  'next.consultation': 2,
  'next.call': 1.5,
  'next.meeting': 1.5,
  'next.agreed': 1.5,
  'next.collect': 2,
  'next.come': 2,
  'next.see': 1,
};

function stepAt(dialogue: Dialogue, index: number): Step[] {
  const clause = dialogue.clauses[index];
  const role = dialogue.roles[index];
  if (clause === undefined || role === undefined) return [];
  const own = longestWhen(dialogue, index);
  const named = KINDS.find((name) => clause.cues.has(name));
  const bare = named === undefined && isSetDay(dialogue, index);
  const kind = bare ? 'next.agreed' : named;
  if (kind === undefined || isConditional(dialogue, index)) return [];
  if (isDeclined(dialogue, index)) return [];
  if ((clause.question || isProposal(dialogue, index)) && !isTakenUp(dialogue, index)) return [];
  if (clause.question && findsOut(dialogue, index)) return [];
  const when = fuller(own, dialogue, index);
  if (kind === 'next.agreed' && !bare && LIMITS.test(textOf(dialogue, index))) return [];
  if (kind === 'next.receive' && own === null) return [];
  // "I will let you know" without a time is how customers end a call.
  if (role === 'customer' && when === null && kind === 'next.call') return [];
  const specific = SPECIFIC[kind] ?? 0;
  const weight =
    (own !== null ? 3.5 : when !== null ? 2 : 0) +
    (namesDay(when) ? 1 : 0) -
    (bare ? 2 : 0) +
    (hasNumber(when) ? 0.5 : 0) +
    (clause.question ? 0 : 1) +
    (role === 'manager' ? 0.5 : 0) +
    specific +
    (2 * index) / dialogue.clauses.length;
  const title = NEXT_STEP_CUES[kind]?.title ?? 'Appointment';
  return [{ index, title, when, weight, binds: when !== null && specific > 0, who: whoDoes(dialogue, index, kind) }];
}

/** Words of a limit, which is no appointment. */
const LIMITS = /\b(until|till|since|ends?|last|only|offer|price|discount|deal|active)\b/;

function textOf(dialogue: Dialogue, index: number): string {
  return dialogue.clauses[index]?.words.map(({ text }) => text).join(' ') ?? '';
}

/** "Thursday after two it is", "You're on the list for tomorrow at six": a day and a number near the end. */
function isSetDay(dialogue: Dialogue, index: number): boolean {
  const clause = dialogue.clauses[index];
  const when = longestWhen(dialogue, index);
  return (
    clause?.question === false &&
    index > dialogue.clauses.length * 0.6 &&
    daysIn(when).length > 0 &&
    !LIMITS.test(textOf(dialogue, index)) &&
    (hasNumber(when) || clause.words.length <= 6)
  );
}

/** "Once you say yes", "if I get one": not agreed, whatever follows. */
function isConditional(dialogue: Dialogue, index: number): boolean {
  const words = dialogue.clauses[index]?.words ?? [];
  return words.slice(0, 3).some(({ text }) => text === 'if' || text === 'unless');
}

const PROPOSES =
  /^((so|then|and|but|okay|right|well) )*(shall|should|can|could|may|would|how about|what about|do you want|if you)\b/;

/** A proposal in the form of a statement, or a question without its mark. */
function isProposal(dialogue: Dialogue, index: number): boolean {
  const words = textOf(dialogue, index);
  return (
    PROPOSES.test(words) ||
    /\b(i|we) (can|could|would) (bring|come|call|send|show|do|ring|pop|put|get|email)\b/.test(words)
  );
}

/** "Do you have an inspection coming up?" asks about the customer's situation and proposes nothing. */
function findsOut(dialogue: Dialogue, index: number): boolean {
  const clause = dialogue.clauses[index];
  const text = textOf(dialogue, index);
  return !clause?.cues.has('question.small') && !clause?.cues.has('check.asked_commitment') && !PROPOSES.test(text);
}

/** The first clauses of the other person's next turn. */
function replyTo(dialogue: Dialogue, index: number): number[] {
  const role = dialogue.roles[index];
  let at = index + 1;
  while (at < dialogue.roles.length && at <= index + 5 && dialogue.roles[at] === role) at += 1;
  const reply: number[] = [];
  for (; at < dialogue.roles.length && dialogue.roles[at] !== role && reply.length < 3; at += 1) reply.push(at);
  return reply;
}

const NO =
  /^(um |oh |well |nah|uh )*(no|nah|nope|neither|none|not really|never|please do not|do not|rather not)\b(?! (problem|worries|worry|rush|that is fine|that is okay|that works|trouble|not at all))/;

/** Whether the other person declines what is said at a place, at once or in the same turn. */
export function isDeclined(dialogue: Dialogue, index: number): boolean {
  if (dialogue.has(index, 'outcome.refused')) return true;
  const reply = replyTo(dialogue, index);
  // "No, that's all" answers "anything else?".
  if (dialogue.clauses[(reply[0] ?? 0) - 1]?.cues.has('outcome.anything_else')) return false;
  return reply.some((at, order) => {
    const text = textOf(dialogue, at);
    return (
      (order === 0 && NO.test(text)) ||
      (dialogue.roles[at] === 'customer' && (dialogue.has(at, 'step.refused') || dialogue.has(at, 'outcome.refused')))
    );
  });
}

const YES =
  /\b(yes|okay|sure|fine|good|great|perfect|lovely|brilliant|all right|works|please|thank|thanks|sounds|deal|cheers|can do|wonderful|excellent|suits|nice|absolutely|of course|exactly|right|go on|cool|sorted|that is|would be|do that|si|perfecto|claro)\b/;

/** A proposal counts when the other person agrees or names a time. */
function isTakenUp(dialogue: Dialogue, index: number): boolean {
  return replyTo(dialogue, index).some((at) => {
    const text = textOf(dialogue, at);
    return YES.test(text) || longestWhen(dialogue, at) !== null;
  });
}

function whoDoes(dialogue: Dialogue, index: number, kind: string): NextStep['who'] {
  const role = dialogue.roles[index];
  const words = textOf(dialogue, index);
  const other = role === 'manager' ? 'customer' : 'manager';
  if (role !== 'manager' && role !== 'customer') return null;
  if (
    /\b(let us|we (will |can |could |shall )?(meet|talk|speak|see|go)|together|demo|see you|talk to you|speak to you)\b/.test(
      words,
    )
  )
    return 'both';
  if (/\b(i|we)( \w+)? (will|can|could|would|am|are|have|shall|send|bring|come|call|ring|put)\b/.test(words))
    return role;
  if (/\b(shall|should|can|could|may|let|will) (i|we|me)\b/.test(words)) return role;
  if (/\b(you|you all) (will |can |could |would )?(come|bring|pick|collect|send|ring|call|drop|pop)\b/.test(words))
    return other;
  return kind === 'next.send' || kind === 'next.delivery' || kind === 'next.technician' ? 'manager' : null;
}

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
  for (const near of [index + 1, index - 1, index + 2, index - 2, index + 3, index - 3, index - 4]) {
    const found = longestWhen(dialogue, near);
    if (found !== null) return found;
  }
  return null;
}

function longestWhen(dialogue: Dialogue, index: number): string | null {
  const found = (dialogue.clauses[index]?.hits ?? []).filter(({ cue }) => cue === 'when').map(({ text }) => text);
  return found.reduce<string | null>((best, text) => (best === null || text.length > best.length ? text : best), null);
}
