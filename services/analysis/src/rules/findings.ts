import { type MistakeKind, OBJECTIONS, type ObjectionKind } from '../call/catalogue.ts';
import type { Evidence } from '../call/evidence.ts';
import { countedMistakes, type Numbers } from '../call/numbers.ts';
import type { Observations } from '../call/observations.ts';
import { CHECK_IDS } from '../call/rubric.ts';
import type { Dialogue } from './dialogue.ts';

/** The first clauses, with greetings and introductions, and the last ones, with thanks and goodbyes. */
const OPENING = 8;
const ENDING = 8;

/** The manager's questions about the customer's situation. */
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

/** The checks of the rubric, each with its evidence. */
export function checksOf(dialogue: Dialogue, product: string | null): Observations['checks'] {
  const questions = discoveryQuestions(dialogue);
  const last = dialogue.clauses.length - 1;
  const at = (index: number | undefined) => (index === undefined ? null : dialogue.evidence(index));
  const firstOf = (cue: string, from = 0, to = last): Evidence | null =>
    at(dialogue.find(cue).find((place) => place >= from && place <= to));
  // A question states no benefit and no price: "do you pay more than a hundred?"
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
    // "Is this a good time?" asks for the conversation, not for the order.
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

/** An answer is among the manager's first clauses after the objection, and within this many clauses in all. */
const ANSWER_WITHIN = { managers: 4, all: 16 };

/** One objection of each kind, at its first mention. It is addressed when any mention is. */
export function objectionsOf(dialogue: Dialogue): Observations['objections'] {
  const found: Observations['objections'] = [];
  for (const kind of Object.keys(OBJECTIONS) as ObjectionKind[]) {
    const places = dialogue
      .find(`objection.${kind}`)
      .filter((index) => !isAfterTheSale(dialogue, index) && !(TOLD.includes(kind) && tellsOnRequest(dialogue, index)));
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

/** What customers also say without objecting when they are asked about their situation. */
const TOLD: readonly ObjectionKind[] = ['need', 'competitor', 'effort', 'timing', 'trust'];
const OPEN_QUESTION =
  /^((and|so|okay|right|um|well|great|but) )*(who|what|how|when|where|which|do you|are you|have you|did you|does|is)\b/;

/** "Who does it at the moment? - My wife does it." tells of the situation. */
function tellsOnRequest(dialogue: Dialogue, index: number): boolean {
  const before = dialogue.clauses[index - 1];
  if (before === undefined || dialogue.roles[index - 1] !== 'manager' || !before.question) return false;
  // "About forty, but ..." answers and objects.
  if (dialogue.clauses[index]?.words.some(({ text }) => text === 'but')) return false;
  return !before.cues.has('question.small') && OPEN_QUESTION.test(before.words.map(({ text }) => text).join(' '));
}

/** An argument alone does not address a "no": the manager must acknowledge it first. */
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

/** "No, I don't need anything" after "anything else?" is not an objection. */
function isAfterTheSale(dialogue: Dialogue, index: number): boolean {
  return [index - 1, index - 2].some((before) => dialogue.clauses[before]?.cues.has('outcome.anything_else'));
}

type Found = Observations['mistakes'][number];

/** Something can be said in words that no cue knows. The score shows what was not found; it is not held against anyone. */
const MISSING: ReadonlySet<MistakeKind> = new Set(['no_discovery', 'no_next_step']);

/** The manager's mistakes, each kind once, at its first place. */
export function mistakesOf(
  dialogue: Dialogue,
  numbers: Numbers,
  observed: Pick<Observations, 'checks' | 'nextStep' | 'saleStatus'>,
): Found[] {
  const said = (
    ['rude', 'pressure', 'promise', 'badmouthing', 'jargon', 'unanswered', 'interrupting'] as const
  ).flatMap((kind) => {
    const first = dialogue.find(`mistake.${kind}`)[0];
    return first === undefined ? [] : [withQuote(kind, dialogue.evidence(first))];
  });
  const found: Found[] = [...said];
  const pushed = pushedAfter(dialogue);
  if (pushed !== null && observed.saleStatus !== 'sold') found.push(withQuote('pushy', dialogue.evidence(pushed)));
  return [
    ...found,
    ...countedMistakes(dialogue.lines, numbers, found, observed).filter(({ kind }) => !MISSING.has(kind)),
  ];
}

function withQuote(kind: MistakeKind, evidence: Evidence): Found {
  return { kind, text: `“${evidence.quote}”`, evidence };
}

/** Arguing and presenting count as selling; thanking or asking what to do next does not. */
const SELLING = ['answer.argues', 'check.benefit', 'check.price_or_proof', 'kind.sells.price', 'kind.sells.offer'];

/** @returns where the manager went on selling between two clear refusals, or null */
function pushedAfter(dialogue: Dialogue): number | null {
  const refusals = dialogue.find('outcome.refused').filter((index) => dialogue.weight(index, 'outcome.refused') >= 1);
  // Adjacent refusals are enough: a clause between any two is also between two adjacent ones.
  for (const [order, first] of refusals.entries()) {
    const second = refusals[order + 1] ?? first;
    for (let index = first + 1; index < second; index += 1) {
      if (SELLING.some((cue) => dialogue.has(index, cue))) return index;
    }
  }
  return null;
}
