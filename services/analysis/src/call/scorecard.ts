import type { Analysis, JudgedQuestion } from '@call-analytics/calls';
import {
  type AccountScorecard,
  SCORECARD_CHECKS,
  type ScorecardAnswer,
  type ScorecardCheck,
} from '@call-analytics/contracts';
import { CHECKS, type CheckId, CRITERIA, type CriterionId, mistakeOf } from './catalogue.ts';
import { EXPLAINING_TURN, LONG_TURN, type Numbers } from './numbers.ts';
import type { Evidence, NotScored, Observations } from './observations.ts';
import {
  LIMITS,
  type Points,
  pointsForCheck,
  pointsForExplaining,
  pointsForListening,
  pointsForQuestions,
  rubricOf,
} from './rubric.ts';

export type JudgedScorecard = NonNullable<Analysis['scorecard']>;

/** An answer to a question. A yes has evidence, a no too, unless it is certain that something is missing. */
export interface Answered {
  answer: ScorecardAnswer;
  evidence: Evidence | null;
}

/** An account's scorecard, with the answers of the engine in its order. Without them, its checks are answered. */
export interface OwnJudgment {
  scorecard: AccountScorecard;
  answers?: readonly Answered[];
}

/** It has questions of its own, see `defaultQuestions`. */
export const DEFAULT_RUBRIC: OwnJudgment = { scorecard: { version: 0, questions: [] } };

export const NOT_JUDGED: Answered = { answer: 'not_judged', evidence: null };
const NOT_APPLICABLE: Answered = { answer: 'not_applicable', evidence: null };

/**
 * Judges a call by an account's scorecard: a yes gets the weight, a no nothing, and other answers do not count.
 * @param asked what the checks found
 * @param unfit why the call is not judged at all
 */
export function judgedBy(
  { scorecard, answers }: OwnJudgment,
  asked: readonly JudgedQuestion[],
  unfit: NotScored | null,
): JudgedScorecard {
  const byCheck = new Map(asked.map(({ check, answer, proof }) => [check, { answer, evidence: proof }]));
  const questions = scorecard.questions.map((question, index): JudgedQuestion => {
    const found = answers?.[index] ?? (question.check === undefined ? undefined : byCheck.get(question.check));
    const { answer, evidence } = unfit === null ? (found ?? NOT_JUDGED) : NOT_JUDGED;
    const counts = answer === 'yes' || answer === 'no';
    const [points, of] = [answer === 'yes' ? question.weight : 0, counts ? question.weight : 0];
    return { ...question, answer, proof: evidence, points, of };
  });
  const failed = questions.find(({ autoFail, answer }) => autoFail && answer === 'no');
  return { version: scorecard.version, questions, failedBy: failed?.question ?? null };
}

/** @returns why a call that could be judged has no score: no answer was proven. null with an answer */
export function whyNothingJudged({ version, questions }: JudgedScorecard): NotScored | null {
  if (version === 0 || questions.some(({ of }) => of > 0)) return null;
  const message =
    "No question of your scorecard got an answer, so the call is not scored. Without a language model, only the scorecard's " +
    'built-in questions are answered.';
  return { code: 'nothing_judged', message };
}

/** @returns the questions of the default rubric; their points add up to those of its criteria */
export function defaultQuestions(observations: Observations, numbers: Numbers): JudgedQuestion[] {
  const { checks, missing, questions, objections, nextStep, mistakes, saleStatus, outcome } = observations;
  const rubric = new Map(rubricOf(observations, numbers).map((criterion) => [criterion.id, criterion]));
  const pointsOf = (id: CriterionId) => rubric.get(id) ?? { points: 0, of: 0 };
  const found = (evidence: Evidence | null | undefined, isMissing = false): Answered => {
    if (evidence) return { answer: 'yes', evidence };
    return isMissing ? { answer: 'no', evidence: null } : NOT_JUDGED;
  };
  const row = ({ points, of }: Points, { answer, evidence }: Answered, question: string, weight = of) => ({
    ...{ question, who: 'manager' as const, weight, answer, proof: evidence, points, of },
  });
  const check = (id: ScorecardCheck, part: Points, answered: Answered, weight = part.of): JudgedQuestion => ({
    ...row(part, answered, SCORECARD_CHECKS[id].question, weight),
    ...{ who: SCORECARD_CHECKS[id].who, check: id },
  });
  const whole = (of: number, { answer }: Answered) => ({ points: answer === 'yes' ? of : 0, of });
  const heard = (id: CheckId) => {
    const answered = found(checks[id], missing.includes(id));
    const points = answered.answer === 'yes' ? pointsForCheck(id, observations) : 0;
    return check(id, { points, of: CHECKS[id].points }, answered);
  };
  const { nextStep: step } = LIMITS;
  const explained = pointsForExplaining(numbers);
  const [first] = questions.map(({ quote, line }) => ({ quote, line }));
  const needsStep = pointsOf('next_step').of > 0;
  const stepFound = (evidence: Evidence | null | undefined) => (needsStep ? found(evidence) : NOT_APPLICABLE);
  const [agreed, timed] = [stepFound(nextStep?.evidence), stepFound(nextStep?.when ? nextStep.evidence : null)];
  const sold: Answered = saleStatus === 'sold' ? { answer: 'yes', evidence: outcome } : NOT_JUDGED;
  const bought = needsStep ? sold : NOT_APPLICABLE;
  const { turns, stretch } = pointsForListening(numbers);
  const half = ({ points, of }: Points): Answered => ({ answer: 2 * points >= of ? 'yes' : 'no', evidence: null });
  const mistake = mistakes.find(({ kind }) => mistakeOf(kind).cost > 0);
  return [
    ...(['greeted', 'introduced', 'purpose'] as const).map(heard),
    check('discovery_questions', pointsForQuestions(observations), found(first, missing.includes('question'))),
    ...(['confirmed_need', 'named_offer', 'price_or_proof'] as const).map(heard),
    check('objections_addressed', pointsOf('objections'), addressed(objections, pointsOf('objections')), OBJECTIONS_OF),
    check('next_step', whole(needsStep ? step.action : 0, agreed), agreed, step.action),
    check('next_step_time', whole(needsStep ? step.when : 0, timed), timed, step.when),
    row(whole(needsStep ? step.bought : 0, bought), bought, 'Does the customer buy?', step.bought),
    heard('courteous_end'),
    // The last four are counted, so they cannot be asked in an own scorecard, where words must prove an answer.
    row(explained, half(explained), atLeastHalf(LIMITS.explains.most, 'manager', EXPLAINING_TURN)),
    row(turns, half(turns), atLeastHalf(LIMITS.longTurns.most, 'customer', LONG_TURN)),
    ...(stretch.of === 0
      ? []
      : [row(stretch, half(stretch), `Is the manager's longest stretch at most ${LIMITS.monologue.half} seconds?`)]),
    row(
      pointsOf('conduct'),
      { answer: mistake === undefined ? 'yes' : 'no', evidence: mistake?.evidence ?? null },
      'Is the call without a mistake that was found?',
    ),
  ];
}

/** @returns the question whether half of the turns that bring points are there */
function atLeastHalf(most: number, role: 'manager' | 'customer', words: number): string {
  return `Are at least ${Math.ceil(most / 2)} turns of the ${role} ${words} words or longer?`;
}

const OBJECTIONS_OF = CRITERIA.find(({ id }) => id === 'objections')?.of;

/** Judged where the rubric counts it, so that points and answer agree. */
function addressed(objections: Observations['objections'], { of }: Points): Answered {
  if (objections.length === 0) return NOT_APPLICABLE;
  if (of === 0) return NOT_JUDGED;
  const open = objections.find(({ unanswered }) => unanswered);
  if (open !== undefined) return { answer: 'no', evidence: open.evidence };
  return { answer: 'yes', evidence: objections.find(({ answer }) => answer !== null)?.answer ?? null };
}
