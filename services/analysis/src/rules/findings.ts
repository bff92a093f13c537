import { MISTAKES, type MistakeKind, type ObjectionKind } from '../call/catalogue.ts';
import { countedMistakes, type Numbers } from '../call/numbers.ts';
import type { Observations } from '../call/observations.ts';
import { CHECK_IDS, type CheckId } from '../call/rubric.ts';
import type { Acts } from './acts.ts';
import { type Act, OBJECTION_KINDS } from './classifier.ts';

/** The act that proves a check of the rubric. */
const CHECKED_BY: Readonly<Record<CheckId, Act>> = {
  greeted: 'greet',
  introduced: 'intro',
  purpose: 'purpose',
  asked_situation: 'ask',
  asked_more: 'ask',
  confirmed_need: 'sumup',
  asked_decision: 'decide',
  named_offer: 'offer',
  benefit: 'benefit',
  price_or_proof: 'proof',
  asked_commitment: 'close',
  courteous_end: 'end',
};
const LIKELY = 0.5;

/** The checks of the rubric, each with the place that shows it most clearly. */
export function checksOf(acts: Acts): Observations['checks'] {
  const used = new Set<number>();
  return Object.fromEntries(
    CHECK_IDS.map((id) => {
      const act = CHECKED_BY[id];
      const best = mostLikely(
        acts,
        act,
        acts.find(act, LIKELY).filter((piece) => id !== 'asked_more' || !used.has(piece)),
      );
      if (best === null) return [id, null];
      if (id === 'asked_situation') used.add(best);
      return [id, acts.evidence(best)];
    }),
  ) as Observations['checks'];
}

function mostLikely(acts: Acts, act: Act, pieces: readonly number[]): number | null {
  let best: number | null = null;
  for (const piece of pieces)
    if (best === null || acts.probability(piece, act) > acts.probability(best, act)) best = piece;
  return best;
}

/** How certain a kind must be to be named, and how likely an objection must be, with a certain kind and without. */
export const OBJECTS = { kind: 0.85, certain: 0.6, other: 0.75 };
/** Pieces this near to each other are one objection. */
const SAME_WITHIN = 2;
/** An answer is among the manager's first pieces after the objection, and this likely. */
const ANSWERS = { within: 4, likely: 0.4 };

/** One objection of each kind, at its clearest mention, and those of no certain kind. Addressed when any mention is. */
export function objectionsOf(acts: Acts): Observations['objections'] {
  const found = Map.groupBy(objectingPieces(acts), (piece) => kindOf(acts, piece));
  return [...found]
    .flatMap(([kind, pieces]) => (kind === null ? apart(acts, pieces) : [pieces]).map((places) => ({ kind, places })))
    .flatMap(({ kind, places }): Observations['objections'] => {
      const clearest = mostLikely(acts, 'objection', places);
      if (clearest === null) return [];
      const evidence = acts.evidence(clearest);
      const answer = places.map((piece) => answerTo(acts, piece)).find((piece) => piece !== null) ?? null;
      return [{ kind, text: `“${evidence.quote}”`, evidence, answer: answer === null ? null : acts.evidence(answer) }];
    })
    .sort((a, b) => a.evidence.line - b.evidence.line);
}

function objectingPieces(acts: Acts): number[] {
  return acts
    .find('objection', OBJECTS.certain)
    .filter((piece) => kindOf(acts, piece) !== null || acts.probability(piece, 'objection') >= OBJECTS.other);
}

function kindOf(acts: Acts, piece: number): ObjectionKind | null {
  const share = (kind: ObjectionKind) =>
    acts.probability(piece, `objection.${kind}`) / acts.probability(piece, 'objection');
  const best = OBJECTION_KINDS.reduce((one, other) => (share(other) > share(one) ? other : one));
  return share(best) >= OBJECTS.kind ? best : null;
}

/** Joins pieces that are near to each other or to an objection of a certain kind: those are the same objection. */
function apart(acts: Acts, pieces: readonly number[]): number[][] {
  const certain = objectingPieces(acts).filter((piece) => kindOf(acts, piece) !== null);
  const groups: number[][] = [];
  for (const piece of pieces) {
    if (certain.some((other) => Math.abs(other - piece) <= SAME_WITHIN)) continue;
    const last = groups.at(-1);
    if (last !== undefined && piece - (last.at(-1) ?? 0) <= SAME_WITHIN) last.push(piece);
    else groups.push([piece]);
  }
  return groups;
}

function answerTo(acts: Acts, objection: number): number | null {
  let seen = 0;
  for (let piece = objection + 1; piece < acts.pieces.length && seen < ANSWERS.within; piece += 1) {
    if (acts.pieces[piece]?.role !== 'manager') continue;
    seen += 1;
    if (acts.probability(piece, 'answer') >= ANSWERS.likely) return piece;
  }
  return null;
}

/**
 * How likely a mistake must be, so that nine of ten are real in calls of authors that the model has not seen. Kinds that
 * are not here never reach that.
 */
const ACCUSES: Partial<Record<MistakeKind, number>> = {
  rude: 0.8,
  pressure: 0.8,
  promise: 0.9,
  badmouthing: 0.8,
  unanswered: 0.92,
};
/** Something can be said in words that the classifier does not know, so what was not found is held against nobody. */
const MISSING: ReadonlySet<MistakeKind> = new Set(['no_discovery', 'no_next_step']);

/** The manager's mistakes, each kind once, at its clearest place. */
export function mistakesOf(
  acts: Acts,
  lines: Parameters<typeof countedMistakes>[0],
  numbers: Numbers,
  observed: Pick<Observations, 'checks' | 'nextStep' | 'saleStatus'>,
): Observations['mistakes'] {
  const said = (Object.keys(MISTAKES) as MistakeKind[]).flatMap((kind): Observations['mistakes'] => {
    const least = ACCUSES[kind];
    const piece = least === undefined ? null : mostLikely(acts, `mistake.${kind}`, acts.find(`mistake.${kind}`, least));
    if (piece === null) return [];
    const evidence = acts.evidence(piece);
    return [{ kind, text: `“${evidence.quote}”`, evidence }];
  });
  return [...said, ...countedMistakes(lines, numbers, said, observed).filter(({ kind }) => !MISSING.has(kind))];
}
