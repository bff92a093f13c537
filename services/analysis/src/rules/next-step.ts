import type { Observations } from '../call/observations.ts';
import { NEXT_STEP_CUES } from './cues/wishes.ts';
import type { Dialogue } from './dialogue.ts';
import { isNumber } from './words.ts';

const KINDS = Object.keys(NEXT_STEP_CUES);

/**
 * What was agreed to happen after the call, and when. What comes later in the call counts for more, a time for more still; what the customer turns down counts
 * for nothing. Several steps (an invitation is sent, then the demo) are told in the order in which they were agreed.
 */
export function nextStepOf(dialogue: Dialogue): Observations['nextStep'] {
  const steps = [...dialogue.clauses.keys()].flatMap((index) => stepAt(dialogue, index));
  const best = steps.reduce<Step | null>((chosen, step) => (chosen === null || step.weight >= chosen.weight ? step : chosen), null);
  if (best === null) return null;
  const { quote } = dialogue.evidence(best.index);
  return {
    text: `${best.title}${best.when === null ? '' : ` (${best.when})`}: “${quote}”`,
    when: best.when,
    evidence: dialogue.evidence(best.index),
  };
}

interface Step {
  index: number;
  title: string;
  when: string | null;
  weight: number;
}

function stepAt(dialogue: Dialogue, index: number): Step[] {
  const clause = dialogue.clauses[index];
  const kind = KINDS.find((name) => clause?.cues.has(name));
  if (clause === undefined || kind === undefined || isTurnedDown(dialogue, index)) return [];
  const own = longestWhen(dialogue, index);
  const when = own ?? whenNear(dialogue, index);
  if (clause.question && !isTakenUp(dialogue, index)) return [];
  const weight =
    (own !== null ? 4 : when !== null ? 2 : 0) +
    (when?.split(/\s+/).some((word) => isNumber(word.toLowerCase())) ? 1 : 0) +
    (clause.question ? 0 : 1) +
    (dialogue.roles[index] === 'manager' ? 1 : 0) +
    (PARTICULAR.has(kind) ? 2 : 0) +
    index / dialogue.clauses.length;
  return [{ index, title: NEXT_STEP_CUES[kind]?.title ?? '', when, weight }];
}

/** These say what will happen; the others only that something will. */
const PARTICULAR = new Set(['next.demo', 'next.viewing', 'next.survey', 'next.technician', 'next.delivery', 'next.booking', 'next.call']);

/** The time is named in the step's own sentence, or around it: "Saturday at eleven? - Good. - I've put you down." */
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
    if (dialogue.roles[after] === 'customer' && (dialogue.has(after, 'step.refused') || dialogue.has(after, 'outcome.refused')))
      return true;
    if (dialogue.roles[after] === 'customer') return false;
  }
  return dialogue.has(index, 'outcome.refused');
}

/** A proposal counts when the customer does not turn it down but says something to it. */
function isTakenUp(dialogue: Dialogue, index: number): boolean {
  return [index + 1, index + 2].some((after) => dialogue.roles[after] === 'customer') || dialogue.roles[index] === 'customer';
}
