import type { SaleStatus } from '@call-analytics/contracts';
import type { Evidence } from '../call/evidence.ts';
import type { Dialogue } from './dialogue.ts';

/** The manager's offers that a customer can say yes to. */
const OFFERS = ['kind.sells.offer', 'kind.sells.price', 'outcome.asked_to_buy'];
/** Steps that a yes may mean instead of the purchase. */
const STEPS = [
  'next.demo',
  'next.viewing',
  'next.survey',
  'next.consultation',
  'next.meeting',
  'next.call',
  'next.send',
];
/** A longer sentence that begins with "okay" is no yes by itself. */
const SHORT_YES = 4;
/**
 * The most clauses between a question and its yes, an offer and a yes that is confirmed, a yes and its confirmation.
 */
const WITHIN = { question: 3, offer: 12, confirmation: 4 };

/**
 * Finds how the sale ended. `sold` needs an offer of the manager and, after it, a yes of the customer to that offer. A
 * clear no after the yes takes it back; a "no, thanks" to an extra does not.
 */
export function outcomeOf(
  dialogue: Dialogue,
  nextStep: { index: number; binds: boolean } | null,
): { status: SaleStatus; evidence: Evidence | null } {
  const yes = lastYes(dialogue);
  const no = lastNo(dialogue, yes);
  if (yes > no) return { status: 'sold', evidence: dialogue.evidence(yes) };
  // "I'll cancel it and send you the confirmation" ends the contact.
  const goesOn =
    nextStep !== null && nextStep.index > no && (no < 0 || nextStep.binds || nextStep.index > no + WITHIN.offer);
  if (goesOn) return { status: 'follow_up', evidence: dialogue.evidence(nextStep.index) };
  if (no >= 0) return { status: 'not_sold', evidence: dialogue.evidence(no) };
  return { status: 'unclear', evidence: null };
}

/** @returns the clause of the last yes to an offer, -1 without one */
function lastYes(dialogue: Dialogue): number {
  const offers = [...OFFERS, 'kind.sells.close']
    .flatMap((cue) => dialogue.find(cue))
    .filter((index) => dialogue.roles[index] === 'manager');
  const firstOffer = offers.reduce((first, index) => Math.min(first, index), Number.POSITIVE_INFINITY);
  const offered = new Set(offers);
  const confirmed = new Set(dialogue.find('outcome.confirmed'));
  const asked = new Set(dialogue.find('outcome.asked_to_buy').filter((index) => !isAStep(dialogue, index)));
  const isAnswer = (index: number) => hasBetween(asked, index - WITHIN.question, index - 1);
  const isConfirmed = (index: number) =>
    hasBetween(offered, index - WITHIN.offer, index - 1) &&
    hasBetween(confirmed, index + 1, index + WITHIN.confirmation) &&
    ![index - 2, index - 1, index + 1].some((place) => isAStep(dialogue, place));
  const yes = dialogue.find('outcome.yes').filter((index) => {
    if (index <= firstOffer || isAStep(dialogue, index)) return false;
    const said = ['outcome.yes.short', 'outcome.yes.explicit'].some((cue) => dialogue.has(index, cue));
    if (!said) return (dialogue.clauses[index]?.words.length ?? 0) <= SHORT_YES && isAnswer(index);
    return (
      isAnswer(index) ||
      isConfirmed(index) ||
      (dialogue.has(index, 'outcome.yes.explicit') && !isAStep(dialogue, index - 1))
    );
  });
  return yes.at(-1) ?? -1;
}

function hasBetween(places: ReadonlySet<number>, from: number, to: number): boolean {
  for (let index = from; index <= to; index += 1) if (places.has(index)) return true;
  return false;
}

/** A yes to a demo, a visit or an email is not a purchase. */
function isAStep(dialogue: Dialogue, index: number): boolean {
  return (
    STEPS.some((step) => dialogue.clauses[index]?.cues.has(step)) &&
    !dialogue.clauses[index]?.words.some(({ text }) => text === 'contract')
  );
}

/** @returns the clause of the last clear no, -1 without one */
function lastNo(dialogue: Dialogue, yes: number): number {
  const clear = dialogue.find('outcome.refused').filter((index) => {
    const weight = dialogue.weight(index, 'outcome.refused');
    if (weight < 1 || isToAnythingElse(dialogue, index)) return false;
    // After a yes, "I don't need that" is about an extra.
    return yes < 0 || index < yes || weight > 1 || !dialogue.has(index, 'outcome.refused.weak');
  });
  const weak =
    yes < 0 ? dialogue.find('outcome.refused.weak').filter((index) => !isToAnythingElse(dialogue, index)) : [];
  const end = dialogue.clauses.length * 0.5;
  return clear.at(-1) ?? weak.filter((index) => index > end).at(-1) ?? -1;
}

/** "No thanks" after "anything else?". */
function isToAnythingElse(dialogue: Dialogue, index: number): boolean {
  return [index - 1, index - 2].some((before) => dialogue.clauses[before]?.cues.has('outcome.anything_else'));
}
