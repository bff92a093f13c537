import type { Evidence, Observations } from '../call/observations.ts';
import { CHECK_IDS } from '../call/rubric.ts';
import type { Dialogue } from './dialogue.ts';

/** Greetings and introductions are looked for here, thanks and goodbyes in the last part. Clauses. */
const OPENING = 8;
const ENDING = 8;

/** Questions of the manager that find out something about the customer's situation. */
export function discoveryQuestions(dialogue: Dialogue): number[] {
  return [...dialogue.clauses.keys()].filter((index) => {
    const clause = dialogue.clauses[index];
    return (
      dialogue.roles[index] === 'manager' &&
      clause?.question &&
      !clause.cues.has('question.small') &&
      clause.words.length >= 3
    );
  });
}

/** What the rubric asks for, each with the place that shows it. */
export function checksOf(dialogue: Dialogue, product: string | null): Observations['checks'] {
  const questions = discoveryQuestions(dialogue);
  const last = dialogue.clauses.length - 1;
  const at = (index: number | undefined) => (index === undefined ? null : dialogue.evidence(index));
  const firstOf = (cue: string, from = 0, to = last): Evidence | null =>
    at(dialogue.find(cue).find((place) => place >= from && place <= to));
  // "How many do you have?" gains the customer nothing, and "do you pay more than a hundred?" is no price.
  const firstTold = (cue: string) =>
    at(dialogue.find(cue).find((place) => dialogue.clauses[place]?.question === false));
  const offers =
    product === null
      ? dialogue.find('kind.sells.offer').filter((index) => dialogue.roles[index] === 'manager')
      : mentionsOf(dialogue, product);
  const found: Observations['checks'] = {
    greeted: firstOf('check.greeted', 0, OPENING),
    introduced: firstOf('check.introduced', 0, OPENING),
    purpose: firstOf('check.purpose', 0, OPENING + 4),
    asked_situation: at(questions[0]),
    asked_more: at(questions[1]),
    confirmed_need: questions[0] === undefined ? null : firstOf('check.confirmed_need', questions[0]),
    asked_decision: at(dialogue.find('check.asked_decision').find((place) => dialogue.clauses[place]?.question)),
    named_offer: at(offers[0]),
    benefit: firstTold('check.benefit'),
    price_or_proof: firstTold('check.price_or_proof'),
    // "Is this a good time?" asks for the talk, not for the order.
    asked_commitment: at(
      dialogue.find('check.asked_commitment').find((place) => !dialogue.has(place, 'check.purpose')),
    ),
    courteous_end: firstOf('check.courteous_end', Math.max(0, last - ENDING)),
  };
  return Object.fromEntries(CHECK_IDS.map((id) => [id, found[id]])) as Observations['checks'];
}

function mentionsOf(dialogue: Dialogue, product: string): number[] {
  const words = product.toLowerCase().split(/\s+/);
  return [...dialogue.clauses.keys()].filter(
    (index) =>
      dialogue.roles[index] === 'manager' &&
      words.some((word) => dialogue.clauses[index]?.text.toLowerCase().includes(word)),
  );
}
