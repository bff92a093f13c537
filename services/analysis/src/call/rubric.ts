import type { Analysis } from '@call-analytics/calls';
import { MISTAKES, mistakeOf } from './catalogue.ts';
import { LONG_TURN, type Numbers } from './numbers.ts';
import type { Observations } from './observations.ts';

/** The checks, each yes with a quote or no. With what is computed, their points add up to those of the criterion. */
export const CHECKS = {
  greeted: { criterion: 'opening', points: 1, title: 'Greets the customer' },
  introduced: { criterion: 'opening', points: 2, title: 'Says their name or company' },
  purpose: { criterion: 'opening', points: 1, title: 'Says what the call is about, or asks how to help' },
  confirmed_need: { criterion: 'needs', points: 14, title: 'Sums up the need in own words' },
  named_offer: { criterion: 'presentation', points: 2, title: 'Names the offer' },
  price_or_proof: { criterion: 'presentation', points: 2, title: 'Gives a price, a number or a reference' },
  courteous_end: { criterion: 'closing', points: 4, title: 'Ends the call with thanks or a goodbye' },
} as const;
export type CheckId = keyof typeof CHECKS;
export const CHECK_IDS = Object.keys(CHECKS) as CheckId[];

/** The points come from a regression on coaches' judgments of written calls (docs/scoring.md). */
export const CRITERIA = [
  { id: 'opening', title: 'Opening', of: 4 },
  { id: 'needs', title: 'Finding out the need', of: 50 },
  { id: 'presentation', title: 'Presenting the offer', of: 4 },
  { id: 'objections', title: 'Handling objections', of: 5 },
  { id: 'next_step', title: 'Next step', of: 7 },
  { id: 'closing', title: 'Closing', of: 4 },
  { id: 'listening', title: 'Listening', of: 10 },
  { id: 'conduct', title: 'Conduct', of: 16 },
] as const;
export type CriterionId = (typeof CRITERIA)[number]['id'];

/** The thresholds of the criteria that are computed. */
export const LIMITS = {
  /** Points for each question about the situation or need that the customer answers, and how many count. */
  questions: { points: 6, most: 6 },
  nextStep: { action: 5, when: 2 },
  /** Points for each turn in which the customer explains something, and how many count. */
  longTurns: { points: 2, most: 3 },
  /** Seconds in which the customer says at most a word or two. */
  monologue: { full: 60, half: 120, points: 4 },
} as const;

export type Rubric = Analysis['rubric'];

/**
 * @returns the points of each criterion and the reason (docs/scoring.md). A criterion that the call gave no occasion for
 * has 0 of 0 points. Deterministic.
 */
export function rubricOf(observations: Observations, numbers: Numbers): Rubric {
  return CRITERIA.map(({ id, title, of }) => ({ id, title, of, ...POINTS[id](observations, numbers, of) }));
}

/** @returns the points as a percentage of those that could be had, 0 to 100 */
export function scoreOf(parts: readonly { points: number; of: number }[]): number {
  const sum = (which: 'points' | 'of') => parts.reduce((total, part) => total + part[which], 0);
  return Math.round((100 * sum('points')) / Math.max(1, sum('of')));
}

type Given = { points: number; why: string; of?: number };
type Give = (observations: Observations, numbers: Numbers, of: number) => Given;

const POINTS: Record<CriterionId, Give> = {
  opening: byChecks('opening'),
  needs: (observations, numbers, of) => {
    const { points, most } = LIMITS.questions;
    const asked = Math.min(most, observations.questions.length);
    const checked = byChecks('needs')(observations, numbers, of);
    return {
      points: points * asked + checked.points,
      why: `${counted(observations.questions.length, 'question')} that the customer answers (+${points * asked}); ${checked.why}`,
    };
  },
  presentation: byChecks('presentation'),
  closing: byChecks('closing'),
  objections: ({ objections }, _numbers, of) => {
    if (objections.length === 0) return { points: 0, of: 0, why: 'Not applicable: no objection was found.' };
    const answered = objections.filter((objection) => objection.answer !== null).length;
    return {
      points: Math.round((of * answered) / objections.length),
      why: `An answer was found to ${answered} of ${objections.length}.`,
    };
  },
  next_step: ({ nextStep, saleStatus }, _numbers, of) => {
    const { action, when } = LIMITS.nextStep;
    if (nextStep === null && saleStatus === 'not_sold')
      return { points: 0, of: 0, why: 'Not applicable: the customer declined.' };
    if (nextStep === null) return { points: 0, why: 'No agreed step was found.' };
    if (nextStep.when === null) return { points: action, why: `Agreed, but without a time (+${action} of ${of}).` };
    return { points: action + when, why: 'Agreed, with a time.' };
  },
  listening: (_observations, { customerLongTurns, longestMonologueSeconds }) => {
    const turns = LIMITS.longTurns;
    const explained = turns.points * Math.min(turns.most, customerLongTurns);
    const { full, half, points } = LIMITS.monologue;
    const longest = longestMonologueSeconds ?? 0;
    const pauses = longest <= full ? points : longest <= half ? points / 2 : 0;
    const stretch =
      longestMonologueSeconds === null ? '' : `; the manager's longest stretch was ${longest} s (+${pauses})`;
    return {
      points: explained + pauses,
      why: `${counted(customerLongTurns, 'turn')} of the customer with ${LONG_TURN} words or more (+${explained})${stretch}.`,
    };
  },
  conduct: ({ mistakes }, _numbers, of) => {
    const costly = [...new Set(mistakes.map(({ kind }) => mistakeOf(kind)))].filter(({ cost }) => cost > 0);
    const lost = costly.reduce((sum, { cost }) => sum + cost, 0);
    return {
      points: Math.max(0, of - lost),
      why:
        costly.length === 0
          ? 'No mistakes were found.'
          : costly.map(({ title, cost }) => `${title} (-${cost})`).join('; '),
    };
  },
};

function byChecks(criterion: CriterionId): Give {
  return ({ checks, missing }) => {
    const found = (id: CheckId) => {
      if (checks[id] !== null) return `yes (+${CHECKS[id].points})`;
      return missing.includes(id) ? 'no' : 'not found';
    };
    const own = CHECK_IDS.filter((id) => CHECKS[id].criterion === criterion);
    const points = own.reduce((sum, id) => sum + (checks[id] === null ? 0 : CHECKS[id].points), 0);
    return {
      points,
      why: own.map((id) => `${CHECKS[id].title}: ${found(id)}`).join('; '),
    };
  };
}

function counted(count: number, of: string): string {
  return `${count === 0 ? 'No' : count} ${of}${count > 1 ? 's' : ''}`;
}

/** The scoring rules as Markdown tables, for docs/scoring.md; a test compares the two. */
export function scoringTables(): string {
  const of = Object.fromEntries(CRITERIA.map((criterion) => [criterion.id, criterion.of]));
  const { questions, monologue, nextStep, longTurns } = LIMITS;
  const computed: Readonly<Record<string, string>> = {
    needs: `Each question about the situation or need that the customer answers, up to ${questions.most}: ${questions.points}. `,
    objections: `${of.objections} × addressed ÷ raised, rounded. Not applicable when none was found`,
    next_step: `Agreed: ${nextStep.action}. With a time: ${nextStep.when} more. Not applicable when the customer declined`,
    listening: [
      `Each turn of the customer with ${LONG_TURN} words or more, up to ${longTurns.most}: ${longTurns.points}.`,
      `Longest stretch of the manager up to ${monologue.full} s: ${monologue.points}; up to ${monologue.half} s: ${monologue.points / 2}; else 0`,
    ].join(' '),
    conduct: `${of.conduct} less what the mistakes below cost, each kind once, not below 0`,
  };
  const checks = Object.values(CHECKS);
  const criteria = CRITERIA.map(({ id, title, of }) => {
    const own = checks.filter(({ criterion }) => criterion === id).map((check) => `${check.title}: ${check.points}`);
    return `| ${title} | ${of} | ${computed[id] ?? ''}${own.join('. ')} |`;
  });
  const mistakes = [...Object.values(MISTAKES), mistakeOf(null)].map(
    ({ title, cost }) => `| ${title} | ${cost === 0 ? '0: lost elsewhere already' : cost} |`,
  );
  return [
    '| Criterion | Points | How they are given |',
    '| --- | --- | --- |',
    ...criteria,
    '',
    '| Mistake | Costs |',
    '| --- | --- |',
    ...mistakes,
  ].join('\n');
}
