import { MISTAKES, type MistakeKind, type ObjectionKind } from '../call/catalogue.ts';
import { countedMistakes, type Numbers } from '../call/numbers.ts';
import type { Labelled, Observations } from '../call/observations.ts';
import type { Acts } from './acts.ts';
import { mostLikely } from './checks.ts';
import { type Act, OBJECTION_KINDS } from './classifier.ts';
import { anyOf } from './proposals.ts';

/**
 * How likely a customer's question of substance must be, and its answer, so that nine of ten are in calls of an author
 * that the model has not seen. An answer is among the first pieces of the manager's next turn, before the next
 * question.
 */
const CUSTOMER_ASKS = { likely: 0.7, answer: 0.2, within: 3 };
/** Asks nothing of the offer, or nothing that can be read without the words before. */
const ASKS_BACK = new RegExp(
  '^(?:(?:and|so|but|oh|okay) )*(?:how come|how so|why(?: not)?|is (?:it|that)|do you|would you(?: do that)?|really' +
    '|what does (?:that|it) mean|how did you get (?:my|our|this) (?:number|name|details))\\W*$',
  'i',
);

/** The customer's questions of substance, one of each line; none where the manager may have asked. */
export function customerQuestionsOf(acts: Acts, { rolesConfidence }: Labelled): Observations['customerQuestions'] {
  if (rolesConfidence < ROLES_CERTAIN) return [];
  const { likely, answer: least, within } = CUSTOMER_ASKS;
  const telling = acts.find('question', likely).filter((piece) => !ASKS_BACK.test(acts.pieces[piece]?.text ?? ''));
  const lines = Map.groupBy(telling, (piece) => acts.pieces[piece]?.line);
  const asked = [...lines.values()].flatMap((pieces) => mostLikely(acts, 'question', pieces) ?? []);
  return asked.map((piece, index) => {
    const after = nextTurnAfter(acts, piece)
      .slice(0, within)
      .filter((at) => at < (asked[index + 1] ?? acts.pieces.length));
    const answer = answerIn(acts, after, ANSWERING, least);
    return { evidence: acts.evidence(piece), answer: answer === undefined ? null : acts.evidence(answer) };
  });
}

const ANSWERING: readonly Act[] = ['answer', 'proof'];

/** How likely a piece must be a question, or a mistake, to answer nothing. */
const ANSWERS_NOTHING = { question: 0.4, mistake: 0.1 };

/** The first of the pieces that answers, unless it passes over what was said, as "From just sixteen pounds!" may. */
function answerIn(acts: Acts, pieces: readonly number[], by: readonly Act[], least: number): number | undefined {
  const { question, mistake } = ANSWERS_NOTHING;
  const likely = (piece: number, among: readonly Act[], from: number) =>
    among.some((act) => acts.probability(piece, act) >= from);
  const first = pieces.find((piece) => !likely(piece, ['ask', 'decide'], question) && likely(piece, by, least));
  return first === undefined || likely(first, ['mistake'], mistake) ? undefined : first;
}

/**
 * How likely an objection must be, so that eight of ten are real in calls of authors that the model has not seen, and
 * how certain its kind must be to be named: nine of ten of those that are real are then of it.
 */
const OBJECTS = { likely: 0.48, reported: 0.7, kind: 0.7 };
/** "My brother said it is too expensive" may be no objection of the customer: it must be likelier. */
const REPORTED = /^(?:\W*(?:and|but|so|well|yeah|oh)\b)*\W*(?:my|the|our|his|her) \w+(?: \w+)? (?:said|says|told)\b/i;
/** Pieces this near to each other are one objection. */
const SAME_WITHIN = 2;
/**
 * An answer is among the manager's first pieces after the objection, and this likely; below `lacks` there is none. What
 * is said after the customer's next question answers that.
 */
const ANSWERS = { within: 4, likely: 0.55, lacks: 0.07, nextQuestion: 0.5 };

/** One objection of each kind, at its clearest mention, and those of no certain kind. Addressed when any mention is. */
export function objectionsOf(acts: Acts): Observations['objections'] {
  const isReported = (piece: number) => REPORTED.test(acts.pieces[piece]?.text ?? '');
  const all = acts
    .find('objection', OBJECTS.likely)
    .filter((piece) => !isReported(piece) || acts.probability(piece, 'objection') >= OBJECTS.reported);
  const found = Map.groupBy(all, (piece) => kindOf(acts, piece));
  const certain = new Set([...found].flatMap(([kind, pieces]) => (kind === null ? [] : pieces)));
  const groups = [...found].flatMap(([kind, pieces]) =>
    (kind === null ? apart(pieces, certain) : [pieces]).map((places) => ({ kind, places })),
  );
  const nextAfter = nextOfAnother(
    all,
    groups.map(({ places }) => places),
  );
  const managers = acts.pieces.flatMap(({ role }, piece) => (role === 'manager' ? [piece] : []));
  const questions = acts.find('question', ANSWERS.nextQuestion).filter((at) => acts.pieces[at]?.role === 'customer');
  const managersAfter = (piece: number) => {
    const from = firstAfter(managers, piece);
    return managers.slice(from, from + ANSWERS.within);
  };
  return groups
    .flatMap(({ kind, places }): Observations['objections'] => {
      const clearest = mostLikely(acts, 'objection', places);
      if (clearest === null) return [];
      const answers = places.flatMap(managersAfter);
      const answerTo = (place: number) => {
        const after = managersAfter(place);
        const from = after[0] ?? place;
        const asksNext = questions[firstAfter(questions, from)] ?? Number.POSITIVE_INFINITY;
        const next = Math.min(nextAfter(place, from), asksNext);
        const between = after.filter((piece) => piece < next);
        return answerIn(acts, between, ['answer'], ANSWERS.likely);
      };
      // An answer follows the words that it answers and precedes the next objection, so it is shown with them.
      const place = [clearest, ...places].find((each) => answerTo(each) !== undefined) ?? clearest;
      const [evidence, answer] = [acts.evidence(place), answerTo(place)];
      return [
        {
          kind,
          text: `“${evidence.quote}”`,
          evidence,
          likely: acts.probability(clearest, 'objection'),
          answer: answer === undefined ? null : acts.evidence(answer),
          unanswered:
            // Nobody expects an answer to a goodbye.
            kind !== 'brush_off' &&
            answers.length > 0 &&
            answers.every((piece) => acts.probability(piece, 'answer') < ANSWERS.lacks),
        },
      ];
    })
    .sort((a, b) => a.evidence.line - b.evidence.line);
}

const ANOTHER =
  '(?:my|the|our|his|her|their) (?:\\w+ )?(?:husband|wife|partner|boss|board|council|committee|directors?|owners?|landlord|' +
  'accountant|son|daughter|mum|mother|dad|father|brother|sister|parents|head office|trustees|finance|bank|missus)';
const TO_ASK =
  '(?:ask|check with|speak to|talk to|(?:run|get|clear|put|take|discuss) (?:it|this|that) (?:by|past|with|to))';
/** Plain words by which somebody else decides; an objection in which they are is of no other kind. */
const ASKS_ANOTHER = anyOf(
  `(?:have|need|got|want|like|rather|better)(?: to)? (?:just )?${TO_ASK}` +
    ' (?!you|questions?|how|what|if|why|whether|about|for|the price)\\w+',
  `${ANOTHER} (?:would|has|have|needs?|will|must) (?:have to|got to|need to|to|want to)`,
  `(?:up|down) to ${ANOTHER}|not my (?:decision|budget|call)`,
);

/** Kinds that are wrong in a fifth or more of the objections of which they are certain. */
const UNNAMED: ReadonlySet<ObjectionKind> = new Set(['trust', 'need', 'brush_off']);

function kindOf(acts: Acts, piece: number): ObjectionKind | null {
  const share = (kind: ObjectionKind) =>
    acts.probability(piece, `objection.${kind}`) / acts.probability(piece, 'objection');
  const best = OBJECTION_KINDS.reduce((one, other) => (share(other) > share(one) ? other : one));
  if (share(best) >= OBJECTS.kind && !UNNAMED.has(best)) return best;
  return ASKS_ANOTHER.test(acts.pieces[piece]?.text ?? '') ? 'authority' : null;
}

/** Joins pieces that are near to each other, and leaves out those near to `certain`: those are the same objection. */
function apart(pieces: readonly number[], certain: ReadonlySet<number>): number[][] {
  const groups: number[][] = [];
  for (const piece of pieces) {
    if (isNear(certain, piece)) continue;
    const last = groups.at(-1);
    if (last !== undefined && piece - (last.at(-1) ?? 0) <= SAME_WITHIN) last.push(piece);
    else groups.push([piece]);
  }
  return groups;
}

function isNear(places: ReadonlySet<number>, piece: number): boolean {
  for (let at = piece - SAME_WITHIN; at <= piece + SAME_WITHIN; at += 1) if (places.has(at)) return true;
  return false;
}

/** Turns of fewer words only show that somebody listens. */
const MIN_TURN = 3;

/** The pieces of the manager's next turn of some words after a piece. */
function nextTurnAfter(acts: Acts, before: number): number[] {
  const turn: number[] = [];
  for (let piece = before + 1; piece < acts.pieces.length; piece += 1) {
    const { role, text = '' } = acts.pieces[piece] ?? {};
    if (role === 'manager' && (turn.length > 0 || text.split(/\s+/).length >= MIN_TURN)) turn.push(piece);
    else if (turn.length > 0) break;
  }
  return turn;
}

/** @returns the index of the first value after another one in a sorted list */
function firstAfter(sorted: readonly number[], value: number): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((sorted[middle] ?? 0) > value) to = middle;
    else from = middle + 1;
  }
  return from;
}

/** Finds the first objection of another group than that of `place` after a piece. In logarithmic time. */
function nextOfAnother(all: readonly number[], groups: readonly (readonly number[])[]) {
  const groupOf = new Map(groups.flatMap((places, group) => places.map((piece): [number, number] => [piece, group])));
  const next = new Int32Array(all.length + 1).fill(all.length);
  for (let at = all.length - 2; at >= 0; at -= 1)
    next[at] = groupOf.get(all[at] ?? -1) === groupOf.get(all[at + 1] ?? -1) ? (next[at + 1] ?? 0) : at + 1;
  return (place: number, after: number): number => {
    const at = firstAfter(all, after);
    const isOwn = groupOf.get(all[at] ?? -1) === groupOf.get(place);
    return all[isOwn ? (next[at] ?? 0) : at] ?? Number.POSITIVE_INFINITY;
  };
}

/**
 * How likely a mistake must be, so that more than nine of ten are real, also with authors who wrote none of the calls
 * by which limits are chosen. Kinds that are not here never reach that.
 */
const ACCUSES: Partial<Record<MistakeKind, number>> = {
  rude: 0.8,
  pushy: 0.8,
  pressure: 0.8,
  promise: 0.65,
  badmouthing: 0.65,
  unanswered: 0.8,
  jargon: 0.85,
  monologue: 0.8,
};
/** How likely a mistake of any kind must be, where no kind is certain. */
const ANY_MISTAKE = 0.6;
/** How likely a kind must be in a line that is a mistake for certain: nine of ten such lines are of it. */
const NAMES_KIND: Partial<Record<MistakeKind, number>> = {
  rude: 0.7,
  pushy: 0.5,
  pressure: 0.7,
  promise: 0.5,
  unanswered: 0.7,
  jargon: 0.4,
  monologue: 0.2,
};
/** The customer says that a question was passed over; what the manager said just before may then be that mistake. */
const COMPLAINS = new RegExp(
  "\\bthat(?:'?s| is) not what i asked|\\b(?:have ?n'?t|did ?n'?t|did not|not|never) (?:really |actually )?answer(?:ed|ing)?" +
    ' (?:me|my|the|that)\\b|\\bi (?:just |only |already |did )?asked (?:you )?(?:about|what|how|if|whether|when|why|something|twice)\\b',
  'i',
);
const PASSED_OVER = { mistake: 0.1, within: 2 };
/** What must come before some mistakes: a clear no, or a question of the customer to which the line is no answer. */
const AFTER: Partial<Record<MistakeKind, (acts: Acts) => (piece: number) => boolean>> = {
  pushy: (acts) => {
    const [refusal = Number.POSITIVE_INFINITY] = acts.find('refuse', 0.5);
    return (piece) => refusal < piece;
  },
  unanswered: (acts) => (piece) =>
    acts.pieces
      .slice(Math.max(0, piece - ANSWERS.within), piece)
      .some((_before, at, { length }) => acts.probability(piece - length + at, 'question') >= 0.5) &&
    ANSWERING.every((act) => acts.probability(piece, act) < ANSWERS.likely),
  monologue: longStretches,
};
/** Words of a turn that may be called a monologue: about 20 s. */
const LONG_STRETCH = 50;

/** @returns whether a piece is part of a turn that is long enough to be called a monologue */
function longStretches({ pieces }: Acts): (piece: number) => boolean {
  const words = pieces.map(({ text }) => text.split(/\s+/).length);
  for (let [from, to] = [0, 0]; from < pieces.length; from = to) {
    let ofTurn = 0;
    for (; to < pieces.length && pieces[to]?.role === pieces[from]?.role; to += 1) ofTurn += words[to] ?? 0;
    words.fill(ofTurn, from, to);
  }
  return (piece) => (words[piece] ?? 0) >= LONG_STRETCH;
}

const KINDS_OF_MISTAKE = Object.keys(MISTAKES) as MistakeKind[];
/** Pressure is often rude as well: a line is called what it most likely is. */
function isLikeliest(acts: Acts, piece: number, kind: MistakeKind): boolean {
  const likely = acts.probability(piece, `mistake.${kind}`);
  return KINDS_OF_MISTAKE.every((other) => acts.probability(piece, `mistake.${other}`) <= likely);
}
/** The pieces of the manager of which the customer says at once that they answer nothing. */
function passedOver(acts: Acts): number[] {
  const { mistake, within } = PASSED_OVER;
  const isComplained = (piece: number) =>
    acts.pieces
      .slice(piece + 1, piece + 1 + within)
      .some(({ role, text }) => role === 'customer' && COMPLAINS.test(text));
  return acts.find('mistake', mistake).filter(isComplained);
}
/** Something can be said in words that the classifier does not know, so what was not found is held against nobody. */
const MISSING: ReadonlySet<MistakeKind> = new Set(['no_discovery', 'no_next_step']);

/** How certain the roles must be before a line is held against the manager, or a product is named. */
export const ROLES_CERTAIN = 0.9;

/**
 * The manager's mistakes, each kind once, at its clearest place, and those of no certain kind; none where a customer
 * may have said it.
 */
export function mistakesOf(
  acts: Acts,
  { lines, rolesConfidence }: Labelled,
  numbers: Numbers,
  observed: Pick<Observations, 'checks' | 'questions' | 'nextStep' | 'saleStatus'>,
): Observations['mistakes'] {
  if (rolesConfidence < ROLES_CERTAIN) return [];
  const places = new Set<number>();
  const said = KINDS_OF_MISTAKE.flatMap((kind): Observations['mistakes'] => {
    const accuses = ACCUSES[kind] ?? Number.POSITIVE_INFINITY;
    const likely = acts
      .find(`mistake.${kind}`, Math.min(accuses, NAMES_KIND[kind] ?? accuses))
      .filter(
        (at) => acts.probability(at, `mistake.${kind}`) >= accuses || acts.probability(at, 'mistake') >= ANY_MISTAKE,
      )
      .filter((at) => isLikeliest(acts, at, kind));
    const certain = likely.filter(AFTER[kind]?.(acts) ?? (() => true));
    const piece = mostLikely(
      acts,
      `mistake.${kind}`,
      kind === 'unanswered' ? [...certain, ...passedOver(acts)] : certain,
    );
    // One sentence is one mistake: the first kind of the catalogue, which weighs most.
    if (piece === null || places.has(piece)) return [];
    places.add(piece);
    const evidence = acts.evidence(piece);
    return [{ kind, text: `“${evidence.quote}”`, evidence }];
  });
  const counted = countedMistakes(lines, numbers, said, observed).filter(
    ({ kind }) => kind === null || !MISSING.has(kind),
  );
  const isLong = longStretches(acts);
  const isShortStretch = (piece: number) =>
    acts.probability(piece, 'mistake.monologue') >= (NAMES_KIND.monologue ?? 1) &&
    isLikeliest(acts, piece, 'monologue') &&
    !isLong(piece);
  const any = acts.find('mistake', ANY_MISTAKE).filter((piece) => !isShortStretch(piece));
  const others = apart(any, places).flatMap((group): Observations['mistakes'] => {
    const piece = mostLikely(acts, 'mistake', group);
    if (piece === null || counted.some(({ evidence }) => evidence?.line === acts.pieces[piece]?.line)) return [];
    const evidence = acts.evidence(piece);
    return [{ kind: null, text: `“${evidence.quote}”`, evidence }];
  });
  return [...said, ...others, ...counted];
}
