import type { SaleStatus } from '@call-analytics/contracts';
import type { Evidence } from '../call/evidence.ts';
import { judgeCall, STATUSES } from './call-model.ts';
import type { Act } from './classifier.ts';
import type { Dialogue } from './dialogue.ts';

/** How likely a line must be the customer's yes or no to be the quote that shows it. */
const LEAST = { sold: 0.2, notSold: 0.02 };
/** The decision is in this last part of the call. */
const LAST_PART = 0.7;

/**
 * Finds how the sale ended, by the words of the last part of the call and by what is done in its lines. A status needs
 * its quote: the customer's yes, the agreed step, or the customer's no; else it is `unclear`.
 * @param nextStep where the next step was agreed, null when none was
 */
export function outcomeOf(
  dialogue: Dialogue,
  nextStep: Evidence | null,
): { status: SaleStatus; evidence: Evidence | null } {
  const found = judgeCall('status', dialogue.lines, dialogue.acts);
  const likely = STATUSES[found.indexOf(Math.max(...found))] ?? 'unclear';
  const order = orderOf(dialogue);
  // "No, thanks" to an extra or to "anything else?" does not take a plain yes back.
  if (order !== null && likely !== 'follow_up') return { status: 'sold', evidence: order };
  const never = dialogue.find('outcome.refused.final').at(-1);
  if (order === null && never !== undefined) return { status: 'not_sold', evidence: dialogue.evidence(never) };
  const evidence = {
    sold: () => lineThat(dialogue, 'accept', LEAST.sold),
    follow_up: () => nextStep,
    not_sold: () => lineThat(dialogue, 'refuse', LEAST.notSold),
    unclear: () => null,
  }[likely]();
  if (evidence !== null) return { status: likely, evidence };
  return likely === 'sold' && nextStep !== null
    ? { status: 'follow_up', evidence: nextStep }
    : { status: 'unclear', evidence };
}

/** @returns where the customer orders in plain words ("I'll take it") and does not take it back in plain words */
function orderOf(dialogue: Dialogue): Evidence | null {
  const yes = dialogue.find('outcome.yes.explicit').at(-1) ?? -1;
  const no = dialogue.find('outcome.refused').filter((index) => !dialogue.has(index, 'outcome.refused.weak'));
  return yes > (no.at(-1) ?? -1) ? dialogue.evidence(yes) : null;
}

/** @returns the line of the last part in which this is done most likely */
function lineThat(dialogue: Dialogue, act: Act, least: number): Evidence | null {
  const first = Math.floor(dialogue.lines.length * (1 - LAST_PART));
  let best = { probability: least, line: -1 };
  for (let line = first; line < dialogue.lines.length; line += 1) {
    const probability = dialogue.acts.probability(line, act);
    if (probability >= best.probability) best = { probability, line };
  }
  return best.line < 0 ? null : dialogue.evidenceOf(best.line);
}
