import type { Evidence, Observations } from './observations.ts';
import { CHECK_IDS, CHECKS, type CheckId, type CriterionId } from './rubric.ts';

/** How many checks one sentence can prove: "Good morning, Emma from Brightbooks, how can I help?" greets, introduces and asks. */
const CHECKS_OF_ONE_SENTENCE = 3;
/** How many objections one sentence can address. */
const ANSWERS_OF_ONE_SENTENCE = 2;

/**
 * Drops what one sentence is claimed to prove beyond what it can: checks of more than one criterion (those of the criterion with most claims stay, the first of equals),
 * more than three checks, a second question that is the first one, and the answers to more than two objections. The same claims always leave the same rest.
 * @param sentenceOf names the sentence that a quote stands in
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

/** @param ids what is claimed of one sentence, in the order of the rubric */
function provable(ids: readonly CheckId[]): CheckId[] {
  const byCriterion = Map.groupBy(ids, (id): CriterionId => CHECKS[id].criterion);
  const most = [...byCriterion.values()].reduce((best, own) => (own.length > best.length ? own : best), []);
  const distinct = most.includes('asked_situation') ? most.filter((id) => id !== 'asked_more') : most;
  return distinct.slice(0, CHECKS_OF_ONE_SENTENCE);
}
