import type { Analysis } from '@call-analytics/calls';
import { MISTAKES, type MistakeKind } from './catalogue.ts';
import type { Numbers } from './numbers.ts';
import type { Observations } from './observations.ts';

/** The checks, each yes with a quote or no. Their points add up to those of the criterion, and all criteria to 100. */
export const CHECKS = {
  greeted: { criterion: 'opening', points: 3, title: 'Greets the customer' },
  introduced: { criterion: 'opening', points: 4, title: 'Says their name or company' },
  purpose: { criterion: 'opening', points: 3, title: 'Says what the call is about, or asks how to help' },
  asked_situation: { criterion: 'needs', points: 6, title: 'Asks about the situation or need' },
  asked_more: { criterion: 'needs', points: 5, title: 'Asks at least two such questions' },
  confirmed_need: { criterion: 'needs', points: 5, title: 'Sums up the need in own words' },
  asked_decision: { criterion: 'needs', points: 4, title: 'Asks who decides, by when, or with what budget' },
  named_offer: { criterion: 'presentation', points: 5, title: 'Names the offer' },
  benefit: { criterion: 'presentation', points: 5, title: 'Says what the customer gains by it' },
  price_or_proof: { criterion: 'presentation', points: 5, title: 'Gives a price, a number or a reference' },
  asked_commitment: { criterion: 'closing', points: 3, title: 'Asks for a decision or a date' },
  courteous_end: { criterion: 'closing', points: 2, title: 'Ends the call with thanks or a goodbye' },
} as const;
export type CheckId = keyof typeof CHECKS;
export const CHECK_IDS = Object.keys(CHECKS) as CheckId[];

export const CRITERIA = [
  { id: 'opening', title: 'Opening', of: 10 },
  { id: 'needs', title: 'Finding out the need', of: 20 },
  { id: 'presentation', title: 'Presenting the offer', of: 15 },
  { id: 'objections', title: 'Handling objections', of: 15 },
  { id: 'next_step', title: 'Next step', of: 15 },
  { id: 'closing', title: 'Closing', of: 5 },
  { id: 'listening', title: 'Listening', of: 10 },
  { id: 'conduct', title: 'Conduct', of: 10 },
] as const;
export type CriterionId = (typeof CRITERIA)[number]['id'];

/** The thresholds of the criteria that are computed. */
export const LIMITS = {
  /** The manager's share of the speech, in percent. */
  talkShare: { full: [30, 60], half: [20, 80], points: 6 },
  /** Seconds in which the customer says at most a word or two. */
  monologue: { full: 60, half: 120, points: 4 },
  nextStep: { action: 9, when: 6 },
  /** Points without objections: most when the call had a result, few otherwise. Full points are for answered ones. */
  objections: { unneeded: 12, unheard: 5 },
} as const;

export type Rubric = Analysis['rubric'];

/** @returns the points of each criterion and the reason; they add up to the score (docs/scoring.md). Deterministic. */
export function rubricOf(observations: Observations, numbers: Numbers): Rubric {
  return CRITERIA.map(({ id, title, of }) => ({ id, title, of, ...POINTS[id](observations, numbers, of) }));
}

/** @returns 0 to 100 */
export function scoreOf(rubric: Rubric): number {
  return rubric.reduce((sum, { points }) => sum + points, 0);
}

type Given = { points: number; why: string };
type Give = (observations: Observations, numbers: Numbers, of: number) => Given;

const POINTS: Record<CriterionId, Give> = {
  opening: byChecks('opening'),
  needs: byChecks('needs'),
  presentation: byChecks('presentation'),
  closing: byChecks('closing'),
  objections: ({ objections, saleStatus }, _numbers, of) => {
    if (objections.length === 0) {
      // A call without objections and without a result never reached what held the customer back.
      const led = saleStatus === 'sold' || saleStatus === 'follow_up';
      return {
        points: led ? LIMITS.objections.unneeded : LIMITS.objections.unheard,
        why: `None was found${led ? '' : ', and the call had no result'}.`,
      };
    }
    const answered = objections.filter((objection) => objection.answer !== null).length;
    return {
      points: Math.round((of * answered) / objections.length),
      why: `An answer was found to ${answered} of ${objections.length}.`,
    };
  },
  next_step: ({ nextStep }, _numbers, of) => {
    const { action, when } = LIMITS.nextStep;
    if (nextStep === null) return { points: 0, why: 'None was agreed.' };
    if (nextStep.when === null) return { points: action, why: `Agreed, but without a time (+${action} of ${of}).` };
    return { points: action + when, why: 'Agreed, with a time.' };
  },
  listening: (_observations, { managerTalkPercent, longestMonologueSeconds }) => {
    const share = LIMITS.talkShare;
    const talk = managerTalkPercent === null ? share.points : within(managerTalkPercent, share);
    const { full, half, points } = LIMITS.monologue;
    const longest = longestMonologueSeconds ?? 0;
    const pauses = longest <= full ? points : longest <= half ? points / 2 : 0;
    const spoke =
      managerTalkPercent === null
        ? 'It is not known who spoke how much'
        : `The manager spoke ${managerTalkPercent}% of the time`;
    const stretch = longestMonologueSeconds === null ? '' : `; the longest stretch was ${longest} s`;
    return { points: talk + pauses, why: `${spoke}${stretch}.` };
  },
  conduct: ({ mistakes }, _numbers, of) => {
    const kinds = [...new Set(mistakes.map(({ kind }) => kind))].filter((kind: MistakeKind) => MISTAKES[kind].cost > 0);
    const lost = kinds.reduce((sum, kind) => sum + MISTAKES[kind].cost, 0);
    return {
      points: Math.max(0, of - lost),
      why:
        kinds.length === 0
          ? 'No mistakes were found.'
          : kinds.map((kind) => `${MISTAKES[kind].title} (-${MISTAKES[kind].cost})`).join('; '),
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

function within(percent: number, { full, half, points }: typeof LIMITS.talkShare): number {
  if (percent >= full[0] && percent <= full[1]) return points;
  return percent >= half[0] && percent <= half[1] ? points / 2 : 0;
}

/** The scoring rules as Markdown tables, for docs/scoring.md; a test compares the two. */
export function scoringTables(): string {
  const { talkShare, monologue, nextStep, objections } = LIMITS;
  const computed: Readonly<Record<string, string>> = {
    objections: `15 × addressed ÷ raised, rounded. None raised: ${objections.unneeded} when the call led to a sale or a next step, else ${objections.unheard}`,
    next_step: `Agreed: ${nextStep.action}. With a time: ${nextStep.when} more`,
    listening: [
      `Manager's share of the talking ${talkShare.full.join(' to ')}%: ${talkShare.points}; ${talkShare.half.join(' to ')}%: ${talkShare.points / 2}; else 0.`,
      `Longest stretch of the manager up to ${monologue.full} s: ${monologue.points}; up to ${monologue.half} s: ${monologue.points / 2}; else 0`,
    ].join(' '),
    conduct: '10 less what the mistakes below cost, each kind once, not below 0',
  };
  const checks = Object.values(CHECKS);
  const criteria = CRITERIA.map(({ id, title, of }) => {
    const own = checks.filter(({ criterion }) => criterion === id).map((check) => `${check.title}: ${check.points}`);
    return `| ${title} | ${of} | ${computed[id] ?? own.join('. ')} |`;
  });
  const mistakes = Object.values(MISTAKES).map(
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
