import type { SaleStatus } from '@call-analytics/contracts';
import type { Evidence } from '../call/observations.ts';
import type { Dialogue } from './dialogue.ts';

/** A "no" that must be outdone by this much evidence of buying after it. */
const SOLD_ENOUGH = 1;

/**
 * How the sale ended. The last word counts: a customer who is not interested at first and orders in the end has bought. A small "no thanks" (to an extra, or
 * to "anything else?") does not undo a sale.
 */
export function outcomeOf(
  dialogue: Dialogue,
  nextStep: { index: number; binds: boolean } | null,
): { status: SaleStatus; evidence: Evidence | null } {
  const { clauses } = dialogue;
  const last = { sold: -1, refused: -1, later: -1 };
  let sold = 0;
  for (const index of clauses.keys()) {
    const soldNow = dialogue.weight(index, 'outcome.sold');
    if (soldNow > 0 && !isAboutLater(dialogue, index)) {
      sold += soldNow;
      last.sold = index;
    }
    const refusedNow = dialogue.weight(index, 'outcome.refused');
    if (refusedNow >= 1 && !isSmallNo(dialogue, index) && (soldNow === 0 || refusedNow > soldNow)) {
      // An earlier yes is taken back only by a clear no; "I don't need that" after a sale is about an extra.
      if (last.sold < 0 || refusedNow > 1 || !dialogue.has(index, 'outcome.refused.weak')) {
        last.refused = index;
        sold = 0;
      }
    }
    if (dialogue.has(index, 'outcome.later')) last.later = index;
  }
  if (sold >= SOLD_ENOUGH) return { status: 'sold', evidence: dialogue.evidence(last.sold) };
  if (nextStep?.binds && nextStep.index > last.refused) return { status: 'follow_up', evidence: dialogue.evidence(nextStep.index) };
  if (last.refused >= 0 && (last.refused > last.later || nextStep === null))
    return { status: 'not_sold', evidence: dialogue.evidence(last.refused) };
  if (last.later >= 0) return { status: 'follow_up', evidence: dialogue.evidence(last.later) };
  const weak = dialogue
    .find('outcome.refused.weak')
    .filter((index) => !isSmallNo(dialogue, index))
    .at(-1);
  return weak === undefined ? { status: 'unclear', evidence: null } : { status: 'not_sold', evidence: dialogue.evidence(weak) };
}

/** "Let's do it" about a demo or a viewing is not a sale, nor is "you're booked in" for one. */
function isAboutLater(dialogue: Dialogue, index: number): boolean {
  return [index - 2, index - 1, index, index + 1].some((near) =>
    ['next.demo', 'next.viewing', 'next.survey', 'next.consultation', 'next.meeting'].some((step) =>
      dialogue.clauses[near]?.cues.has(step),
    ),
  );
}

/** "No thanks" to "anything else?". */
function isSmallNo(dialogue: Dialogue, index: number): boolean {
  return [index - 1, index - 2].some((before) => dialogue.clauses[before]?.cues.has('outcome.anything_else'));
}
