import type { Line } from '@call-analytics/calls';
import type { Observations } from './observations.ts';
import { CHECK_IDS, CHECKS, type CheckId, type CriterionId } from './rubric.ts';

/** Where in the call something was said. The quote is a literal part of that line. */
export interface Evidence {
  quote: string;
  /** Index into the lines. */
  line: number;
}

/**
 * Checks a quote: finds it in the transcript. Only white space may differ.
 * @param hint the line to search first
 * @returns the place with the words of the transcript, or null when the quote is nowhere
 */
export function locate(quote: string, lines: readonly Line[], hint: number | null = null): Evidence | null {
  const words = quote.trim().split(/\s+/);
  if (words[0] === undefined || words[0] === '') return null;
  const pattern = new RegExp(words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('\\s+'), 'u');
  const inOrder = hint !== null && lines[hint] !== undefined ? [hint, ...lines.keys()] : lines.keys();
  for (const index of inOrder) {
    const found = pattern.exec(lines[index]?.text ?? '');
    if (found !== null) return { quote: found[0], line: index };
  }
  return null;
}

/** "Good morning, Emma from Brightbooks, how can I help?" proves three checks: greets, introduces and asks. */
const CHECKS_OF_ONE_SENTENCE = 3;
/** How many objections one sentence can answer. */
const ANSWERS_OF_ONE_SENTENCE = 2;

/**
 * Limits what one sentence can prove: checks of one criterion (the one with most claims, the first of equals), three
 * checks, answers to two objections, and not two questions at once. Deterministic.
 * @param sentenceOf names the sentence of a quote
 */
export function withinLimits<T extends Pick<Observations, 'checks' | 'objections'>>(
  observed: T,
  sentenceOf: (evidence: Evidence) => string,
): T {
  const claims = Map.groupBy(
    CHECK_IDS.filter((id) => observed.checks[id] !== null),
    (id) => sentenceOf(observed.checks[id] as Evidence),
  );
  const kept = new Set([...claims.values()].flatMap(provable));
  const answers = new Map<string, number>();
  const objections = observed.objections.map((objection) => {
    if (objection.answer === null) return objection;
    const sentence = sentenceOf(objection.answer);
    const times = (answers.get(sentence) ?? 0) + 1;
    answers.set(sentence, times);
    return times > ANSWERS_OF_ONE_SENTENCE ? { ...objection, answer: null } : objection;
  });
  const checks = Object.fromEntries(
    CHECK_IDS.map((id) => [id, kept.has(id) ? observed.checks[id] : null]),
  ) as Observations['checks'];
  return { ...observed, checks, objections };
}

/** @param ids the checks that one sentence is claimed to prove, in the order of the rubric */
function provable(ids: readonly CheckId[]): CheckId[] {
  const byCriterion = Map.groupBy(ids, (id): CriterionId => CHECKS[id].criterion);
  const most = [...byCriterion.values()].reduce((best, own) => (own.length > best.length ? own : best), []);
  const distinct = most.includes('asked_situation') ? most.filter((id) => id !== 'asked_more') : most;
  return distinct.slice(0, CHECKS_OF_ONE_SENTENCE);
}
