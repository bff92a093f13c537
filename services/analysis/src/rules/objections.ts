import type { ObjectionKind } from '../call/catalogue.ts';
import { OBJECTIONS } from '../call/catalogue.ts';
import type { Observations } from '../call/observations.ts';
import type { Dialogue } from './dialogue.ts';

/** How many of the manager's sentences after an objection may take it up. */
const ANSWER_WITHIN = 4;

/** One objection of each kind, at the place where it was said first; it counts as taken up when any mention of it is. */
export function objectionsOf(dialogue: Dialogue): Observations['objections'] {
  const found: Observations['objections'] = [];
  for (const kind of Object.keys(OBJECTIONS) as ObjectionKind[]) {
    const places = dialogue.find(`objection.${kind}`).filter((index) => !isAfterTheSale(dialogue, index));
    const first = places[0];
    if (first === undefined) continue;
    const evidence = dialogue.evidence(first);
    const answer = places.map((index) => answerTo(dialogue, index, kind)).find((index) => index !== null) ?? null;
    found.push({ kind, text: `“${evidence.quote}”`, evidence, answer: answer === null ? null : dialogue.evidence(answer) });
  }
  return found.sort((a, b) => a.evidence.line - b.evidence.line);
}

/** Arguing alone takes no "no" up: whoever wants nothing must at least be heard. */
const MUST_BE_HEARD: readonly ObjectionKind[] = ['need', 'brush_off'];

function answerTo(dialogue: Dialogue, objection: number, kind: ObjectionKind): number | null {
  let seen = 0;
  let acknowledged: number | null = null;
  for (let index = objection + 1; index < dialogue.clauses.length && seen < ANSWER_WITHIN; index += 1) {
    if (dialogue.roles[index] !== 'manager') {
      if (seen > 0) break;
      continue;
    }
    seen += 1;
    if (dialogue.has(index, 'mistake')) return null;
    if (dialogue.has(index, 'answer.argues') && (acknowledged !== null || !MUST_BE_HEARD.includes(kind))) return index;
    if (acknowledged === null && dialogue.has(index, 'answer.acknowledges')) acknowledged = index;
  }
  return acknowledged;
}

/** "No, I don't need anything" to "anything else?" is no objection. */
function isAfterTheSale(dialogue: Dialogue, index: number): boolean {
  return [index - 1, index - 2].some((before) => dialogue.clauses[before]?.cues.has('outcome.anything_else'));
}
