import type { Analysis } from '@call-analytics/calls';
import { counted } from '@call-analytics/service-kit';
import { CHECK_IDS, CHECKS, type CheckId, CRITERIA, type CriterionId, MISTAKES, mistakeOf } from './catalogue.ts';
import { EXPLAINING_TURN, LONG_TURN, type Numbers } from './numbers.ts';
import type { Observations } from './observations.ts';

/** The thresholds of the criteria that are computed. */
export const LIMITS = {
  /** Points for each question about the situation or need that the customer answers, and how many count. */
  questions: { points: 1, most: 5 },
  /** More points for one that is asked before the manager presents the offer. */
  early: { points: 7, most: 4 },
  nextStep: { action: 2, when: 2, bought: 4 },
  /** Points for each turn in which the manager explains something. */
  explains: { points: 2, most: 3 },
  /** Points for each turn in which the customer explains something, and how many count. */
  longTurns: { points: 2, most: 3 },
  /** Seconds in which the customer says at most a word or two. */
  monologue: { full: 30, half: 60, points: 4 },
} as const;

export type Rubric = Analysis['rubric'];
/** Points, and those that could be had. */
export type Points = { points: number; of: number };

/**
 * @returns the points of each criterion and the reason (docs/scoring.md). A criterion that the call gave no occasion
 * for has 0 of 0 points. Deterministic.
 */
export function rubricOf(observations: Observations, numbers: Numbers): Rubric {
  return CRITERIA.map(({ id, title, of }) => {
    const given = POINTS[id](observations, numbers, of);
    return { id, title, of, ...given, why: given.why || 'Nothing was found for certain.' };
  });
}

/** @returns the points as a percentage of those that could be had, 0 to 100 */
export function scoreOf(parts: readonly Points[]): number {
  const sum = (which: 'points' | 'of') => parts.reduce((total, part) => total + part[which], 0);
  return Math.round((100 * sum('points')) / Math.max(1, sum('of')));
}

type Given = { points: number; why: string; of?: number };
type Give = (observations: Observations, numbers: Numbers, of: number) => Given;

const POINTS: Record<CriterionId, Give> = {
  opening: byChecks('opening'),
  needs: (observations, numbers, of) => {
    const asked = pointsForQuestions(observations);
    const checked = byChecks('needs')(observations, numbers, of);
    const listed = observations.questions.filter(isListed);
    const many = listed.length;
    const early = listed.filter((question) => isEarly(question, observations)).length;
    const why =
      many === 0
        ? `No certain question that the customer answers was found (+${asked.points})`
        : `At least ${counted(many, 'question')} that the customer answers, ` +
          `${early} before the offer (+${asked.points})`;
    return { points: asked.points + checked.points, why: joined(why, checked.why) };
  },
  presentation: (observations, numbers, of) => {
    const { points, of: most } = pointsForExplaining(numbers);
    const checked = byChecks('presentation')(observations, numbers, of - most);
    return {
      points: points + checked.points,
      why: joined(checked.why, `${turnsOf(numbers.managerLongTurns, 'manager', EXPLAINING_TURN)} (+${points})`),
    };
  },
  closing: byChecks('closing'),
  objections: ({ objections }, _numbers, of) => {
    if (objections.length === 0) return { points: 0, of: 0, why: 'Not counted: no certain objection was found.' };
    const answered = objections.filter((objection) => objection.answer !== null).length;
    const open = objections.filter(({ unanswered }) => unanswered).length;
    const repeated = objections.filter(({ answerRepeated }) => answerRepeated).length;
    if (open === 0 && answered + repeated < objections.length)
      return { points: 0, of: 0, why: 'Not counted: it is not certain whether the manager addressed each objection.' };
    const why = [
      ...(answered > 0 ? [`${counted(answered, 'objection')} addressed`] : []),
      ...(open > 0 ? [`${counted(open, 'objection')} not addressed`] : []),
      ...(repeated > 0 ? [`${counted(repeated, 'objection')} with an answer that was counted already`] : []),
    ];
    return { points: Math.round((of * answered) / (answered + open + repeated)), why: `${why.join('; ')}.` };
  },
  next_step: ({ nextStep, saleStatus }) => {
    const { action, when, bought } = LIMITS.nextStep;
    if (nextStep === null && saleStatus === 'not_sold')
      return { points: 0, of: 0, why: 'Not applicable: the customer declined.' };
    const step =
      nextStep === null
        ? { points: 0, why: 'No agreed step was found.' }
        : nextStep.when === null
          ? { points: action, why: `Agreed (+${action}).` }
          : { points: action + when, why: `Agreed, with a time (+${action + when}).` };
    if (saleStatus !== 'sold') return { ...step, why: `${step.why} No sale was found (+0).` };
    return { points: step.points + bought, why: `${step.why} The customer bought (+${bought}).` };
  },
  listening: (_observations, numbers) => {
    const { turns, stretch } = pointsForListening(numbers);
    const longest =
      stretch.of === 0
        ? ''
        : `; the manager's longest stretch was ${numbers.longestMonologueSeconds} s (+${stretch.points})`;
    return {
      points: turns.points + stretch.points,
      of: turns.of + stretch.of,
      why: `${turnsOf(numbers.customerLongTurns, 'customer', LONG_TURN)} (+${turns.points})${longest}.`,
    };
  },
  conduct: ({ mistakes }, _numbers, of) => {
    const costly = [...new Set(mistakes.map(({ kind }) => mistakeOf(kind)))].filter(({ cost }) => cost > 0);
    const lost = costly.reduce((sum, { cost }) => sum + cost, 0);
    const named = costly.map(({ title, cost }) => `${title} (-${cost})`);
    return {
      points: Math.max(0, of - lost),
      why: named.length === 0 ? 'No certain mistake was found.' : named.join('; '),
    };
  },
};

/** @returns the points for questions: each counts by how likely it is one, more before the offer */
export function pointsForQuestions(observations: Observations): Points {
  const { questions, early } = LIMITS;
  const sum = (of: Observations['questions'], most: number) =>
    Math.min(
      most,
      of.reduce((total, { likely = 1 }) => total + likely, 0),
    );
  const first = observations.questions.filter((question) => isEarly(question, observations));
  return {
    points: Math.round(
      questions.points * sum(observations.questions, questions.most) + early.points * sum(first, early.most),
    ),
    of: questions.points * questions.most + early.points * early.most,
  };
}

/** Whether a question is certain enough to be shown; of points it brings its share in any case. */
export function isListed({ likely = 1 }: Observations['questions'][number]): boolean {
  return likely >= 0.6;
}

function isEarly({ line }: { line: number }, { offeredAt, checks }: Observations): boolean {
  return line <= (offeredAt ?? checks.named_offer?.line ?? Number.POSITIVE_INFINITY);
}

/** @returns the points for turns in which the manager explains something */
export function pointsForExplaining({ managerLongTurns }: Numbers): Points {
  const { points, most } = LIMITS.explains;
  return { points: points * Math.min(most, managerLongTurns), of: points * most };
}

/**
 * @returns the points for turns in which the customer explains something, and for the manager's longest stretch: 0 of 0
 *   where times are not known
 */
export function pointsForListening({
  customerLongTurns,
  longestMonologueSeconds,
}: Pick<Numbers, 'customerLongTurns' | 'longestMonologueSeconds'>): Record<'turns' | 'stretch', Points> {
  const { longTurns, monologue } = LIMITS;
  const turns = {
    points: longTurns.points * Math.min(longTurns.most, customerLongTurns),
    of: longTurns.points * longTurns.most,
  };
  if (longestMonologueSeconds === null) return { turns, stretch: { points: 0, of: 0 } };
  const isShort = longestMonologueSeconds <= monologue.full;
  const points = isShort ? monologue.points : longestMonologueSeconds <= monologue.half ? monologue.points / 2 : 0;
  return { turns, stretch: { points, of: monologue.points } };
}

/** @returns the points for a check that was found: those for what is hard to tell by how likely it is */
export function pointsForCheck(id: CheckId, { likelySumUp = 1 }: Pick<Observations, 'likelySumUp'>): number {
  const { points } = CHECKS[id];
  return id === 'confirmed_need' ? Math.round(points * likelySumUp) : points;
}

function turnsOf(turns: number, role: 'manager' | 'customer', words: number): string {
  return `${turns === 0 ? 'No turn' : counted(turns, 'turn')} of the ${role} with ${words} words or more`;
}

function byChecks(criterion: CriterionId): Give {
  return (observations) => {
    const { checks, missing } = observations;
    const pointsOf = (id: CheckId) => (checks[id] === null ? 0 : pointsForCheck(id, observations));
    // Of what was not found nothing is said: half of it is there, in words that the engine does not know.
    const found = (id: CheckId): string[] => {
      const { title, points } = CHECKS[id];
      if (checks[id] !== null && pointsOf(id) < points) return [`${title}: probably (+${pointsOf(id)} of ${points})`];
      if (checks[id] !== null) return [`${title}: yes (+${points})`];
      return missing.includes(id) ? [`${title}: no`] : [];
    };
    const own = CHECK_IDS.filter((id) => CHECKS[id].criterion === criterion);
    const points = own.reduce((sum, id) => sum + pointsOf(id), 0);
    return {
      points,
      why: own.flatMap(found).join('; '),
    };
  };
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('; ');
}

/** The scoring rules as Markdown tables, for docs/scoring.md; a test compares the two. */
export function scoringTables(): string {
  const of = Object.fromEntries(CRITERIA.map((criterion) => [criterion.id, criterion.of]));
  const { questions, early, monologue, nextStep, explains, longTurns } = LIMITS;
  const computed: Readonly<Record<string, string>> = {
    needs: [
      'Each question about the situation or need that the customer answers,',
      `up to ${questions.most}: ${questions.points}.`,
      `Each of them before the offer, up to ${early.most}: ${early.points} more. `,
    ].join(' '),
    presentation:
      `Each turn of the manager with ${EXPLAINING_TURN} words or more, ` +
      `up to ${explains.most}: ${explains.points}. `,
    objections:
      `${of.objections} × addressed ÷ those that certainly were or were not, rounded. ` +
      'Not counted when there is none, or when it is not certain for each',
    next_step: [
      `Agreed: ${nextStep.action}. With a time: ${nextStep.when} more. The customer bought: ${nextStep.bought} more.`,
      'Not applicable when the customer declined',
    ].join(' '),
    listening: [
      `Each turn of the customer with ${LONG_TURN} words or more, up to ${longTurns.most}: ${longTurns.points}.`,
      `Longest stretch of the manager up to ${monologue.full} s: ${monologue.points};`,
      `up to ${monologue.half} s: ${monologue.points / 2}; else 0. Not counted where times are not known`,
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
