import type { Analysis } from '@call-analytics/calls';
import { MISTAKES, type MistakeKind } from './catalogue.ts';
import type { Numbers } from './numbers.ts';
import type { Observations } from './observations.ts';

/** What a listener checks: yes with a quote, or no. The points of a criterion's checks add up to its own, and those of all criteria to 100. */
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
  /** Percent of the talking that is the manager's. */
  talkShare: { full: [30, 60], half: [20, 80], points: 6 },
  /** Seconds without the customer saying more than a word or two. */
  monologue: { full: 60, half: 120, points: 4 },
  nextStep: { action: 9, when: 6 },
  /** When none was raised: most of them when the call led on all the same, few when it led nowhere. Full points are for objections that were taken up. */
  objections: { unneeded: 12, unheard: 5 },
} as const;

export type Rubric = Analysis['rubric'];

/**
 * The points of each criterion and why. The same observations and numbers always give the same points.
 * @returns what adds up to the score (docs/scoring.md)
 */
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
      // A call that led nowhere without an objection never got to what held the customer back.
      const led = saleStatus === 'sold' || saleStatus === 'follow_up';
      return {
        points: led ? LIMITS.objections.unneeded : LIMITS.objections.unheard,
        why: `The customer raised none${led ? '' : ', and the call had no result'}.`,
      };
    }
    const answered = objections.filter((objection) => objection.answer !== null).length;
    return {
      points: Math.round((of * answered) / objections.length),
      why: `${answered} of ${objections.length} addressed.`,
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
    return { points: talk + pauses, why: `${spoke}; the longest stretch was ${longest} s.` };
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
  return ({ checks }) => {
    const own = CHECK_IDS.filter((id) => CHECKS[id].criterion === criterion);
    const points = own.reduce((sum, id) => sum + (checks[id] === null ? 0 : CHECKS[id].points), 0);
    return {
      points,
      why: own
        .map((id) => `${CHECKS[id].title}: ${checks[id] === null ? 'no' : `yes (+${CHECKS[id].points})`}`)
        .join('; '),
    };
  };
}

function within(percent: number, { full, half, points }: typeof LIMITS.talkShare): number {
  if (percent >= full[0] && percent <= full[1]) return points;
  return percent >= half[0] && percent <= half[1] ? points / 2 : 0;
}
