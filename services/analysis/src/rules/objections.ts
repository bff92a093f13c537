import type { ObjectionKind } from '../call/catalogue.ts';
import { OBJECTIONS } from '../call/catalogue.ts';
import type { Observations } from '../call/observations.ts';
import type { Dialogue } from './dialogue.ts';

/** An answer is among the manager's first sentences after the objection, and not further away than this. Clauses. */
const ANSWER_WITHIN = { managers: 4, all: 16 };

/** One objection of each kind, at the place where it was said first; it counts as addressed when any mention of it is. */
export function objectionsOf(dialogue: Dialogue): Observations['objections'] {
  const found: Observations['objections'] = [];
  for (const kind of Object.keys(OBJECTIONS) as ObjectionKind[]) {
    const places = dialogue.find(`objection.${kind}`).filter((index) => !isAfterTheSale(dialogue, index));
    const first = places[0];
    if (first === undefined) continue;
    const evidence = dialogue.evidence(first);
    const answer = places.map((index) => answerTo(dialogue, index, kind)).find((index) => index !== null) ?? null;
    found.push({
      kind,
      text: `“${evidence.quote}”`,
      evidence,
      answer: answer === null ? null : dialogue.evidence(answer),
    });
  }
  return found.sort((a, b) => a.evidence.line - b.evidence.line);
}

/** An argument alone does not address a "no": the manager must show that it was heard. */
const MUST_BE_HEARD: readonly ObjectionKind[] = ['need', 'brush_off'];

function answerTo(dialogue: Dialogue, objection: number, kind: ObjectionKind): number | null {
  let seen = 0;
  let acknowledged: number | null = null;
  const end = Math.min(dialogue.clauses.length, objection + 1 + ANSWER_WITHIN.all);
  for (let index = objection + 1; index < end && seen < ANSWER_WITHIN.managers; index += 1) {
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
