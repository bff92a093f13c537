import type { Analysis, CustomerQuestion, Finding, Line, Transcript } from '@call-analytics/calls';
import { type CallKind, ROLES_SURE } from '@call-analytics/contracts';
import { CHECK_IDS, CHECKS, type CriterionId, MISTAKES, type MistakeKind, mistakeOf, OBJECTIONS } from './catalogue.ts';
import { whyNotScored, withoutJudgment, withoutRoles } from './not-scored.ts';
import { BACKCHANNEL_WORDS, type Numbers, recordingIssues } from './numbers.ts';
import type { Evidence, Labelled, Observations } from './observations.ts';
import { pointsForQuestions, type Rubric, rubricOf, scoreOf } from './rubric.ts';
import { defaultQuestions, judgedBy, type OwnJudgment, whyNothingJudged } from './scorecard.ts';
import { replyTo, sectionsOf, wordsOf } from './sections.ts';

/** Kinds of call in which a manager speaks with a customer; one of an unclear kind may be such a call. */
export const TWO_SIDED: ReadonlySet<CallKind | null> = new Set(['sales', 'service', null]);

type Missing = Observations['missing'][number];

/** The advice for a check that failed. */
const ADVICE: Readonly<Record<Missing, string>> = {
  question: MISTAKES.no_discovery.advice,
  greeted: 'Greet the customer before anything else.',
  introduced: 'Say your name and company in the first sentence.',
  purpose: 'Say in one sentence what the call is about, and ask whether the time suits.',
  confirmed_need: 'Sum up the need in your own words and let the customer confirm it.',
  named_offer: 'Call the offer by its name, so that the customer can ask for it.',
  price_or_proof: 'Bring a number, a price or a customer in the same situation.',
  courteous_end: 'End with thanks and a goodbye, also after a no.',
  next_step: 'Agree on what happens next, and by when, also after a yes.',
};

/** The advice for questions or a share of the talking that lost points. */
const FURTHER_ADVICE = {
  needs: 'Ask more about the situation before the offer: how it is done today, what was tried, what it costs.',
  listening: 'Let the customer explain: ask what cannot be answered with a yes or a no, and wait.',
} as const;

/** A third of the points for questions is so little that questions that were not found hardly make up for it. */
const LITTLE = 1 / 3;
/** More advice than this for one call is not followed. */
const MAX_ADVICE = 5;
const FLAWLESS = 'Every criterion has full points: use this call as an example for others.';

/**
 * Makes the analysis from the observations of an engine: the score, the lists and the sections.
 * @param own judges the call instead of the default rubric
 */
export function reportOf(
  transcript: Transcript,
  labelled: Labelled,
  numbers: Numbers,
  observed: Observations,
  engine: Analysis['engine'],
  language: string | null,
  own?: OwnJudgment,
): Analysis {
  const unfit = whyNotScored(observed, labelled, numbers);
  const answered = {
    ...observed,
    questions: observed.questions.filter((question) => isAnswered(question, labelled.lines)),
  };
  const observations = unfit === null ? answered : withoutJudgment(answered, labelled, unfit);
  const rubric = unfit === null ? rubricOf(observations, numbers) : [];
  const asked = unfit === null ? defaultQuestions(observations, numbers) : [];
  const scorecard = own === undefined ? { version: 0, questions: asked, failedBy: null } : judgedBy(own, asked, unfit);
  const notScored = unfit ?? whyNothingJudged(scorecard);
  const { kind, nextStep } = observations;
  const analysis: Omit<Analysis, 'sections'> = {
    engine,
    language,
    ...labelled,
    callKind: { kind: kind.kind, quote: kind.evidence?.quote ?? null },
    product: observations.product,
    customerIntent: observations.customerIntent?.text ?? null,
    nextStep: nextStep?.text ?? null,
    saleStatus: observations.saleStatus,
    summary: [unfit?.message, observations.summary].filter((part) => part).join(' '),
    positives: observations.positives.map(finding),
    issues: [
      ...observations.issues,
      ...recordingIssues(transcript),
      ...(unfit === null ? rolesIssue(labelled) : []),
      ...unanswered(observations),
    ].map(finding),
    objections: observations.objections.map(({ kind, text, evidence }) =>
      finding({ text: `${kind === null ? 'Objection' : OBJECTIONS[kind]}: ${text}`, evidence, kind }),
    ),
    managerMistakes: observations.mistakes.map(({ kind, text, evidence }) =>
      finding({ text: `${mistakeOf(kind).title}: ${text}`, evidence, kind }),
    ),
    recommendations: unfit === null ? recommendationsOf(observations, rubric, own !== undefined) : [],
    score: notScored === null ? (scorecard.failedBy === null ? scoreOf(scorecard.questions) : 0) : null,
    notScored,
    scorecard,
    rubric: own === undefined ? rubric : [],
    evidence: {
      kind: kind.evidence,
      product: placeOf(observations.product, labelled.lines),
      saleStatus: observations.outcome,
      customerIntent: observations.customerIntent?.evidence ?? null,
      nextSteps: nextStep === null ? [] : nextStep.steps,
      customerQuestions: customerQuestionsOf(observations),
    },
    numbers: labelled.rolesConfidence < ROLES_SURE || !TWO_SIDED.has(kind.kind) ? withoutRoles(numbers) : numbers,
  };
  return { ...analysis, sections: sectionsOf(analysis, observations) };
}

/** The manager passes over a question at most this many lines after it. */
const PASSED_OVER_WITHIN = 3;

/** A question is unanswered only where the manager is found to pass over it: that no answer was found is no proof. */
function customerQuestionsOf({ customerQuestions, mistakes }: Observations): CustomerQuestion[] {
  const passedOver = mistakes.flatMap(({ kind, evidence }) => (kind === 'unanswered' && evidence ? evidence.line : []));
  return customerQuestions.map(({ evidence, answer }, index) => {
    const next = customerQuestions[index + 1]?.evidence.line ?? Number.POSITIVE_INFINITY;
    const isPassedOver = passedOver.some(
      (line) => line > evidence.line && line <= evidence.line + PASSED_OVER_WITHIN && line < next,
    );
    return { ...evidence, answer: isPassedOver ? null : answer, unanswered: isPassedOver };
  });
}

/** Where a product is first named. */
function placeOf(product: string | null, lines: readonly Line[]): Evidence | null {
  if (product === null) return null;
  const words = product.toLowerCase();
  const line = lines.findIndex(({ text }) => text.toLowerCase().includes(words));
  const start = lines[line]?.text.toLowerCase().indexOf(words) ?? 0;
  return line < 0 ? null : { quote: lines[line]?.text.slice(start, start + product.length) ?? '', line };
}

/** Below this, words may be those of the other person. */
const ROLES_CERTAIN = 0.9;

function rolesIssue({ rolesConfidence }: Labelled): { text: string; evidence: null }[] {
  if (rolesConfidence >= ROLES_CERTAIN) return [];
  const percent = Math.floor(100 * rolesConfidence);
  const text = `It is only ${percent}% sure who is the manager and who is the customer: check the speakers of each quote.`;
  return [{ text, evidence: null }];
}

function finding({ text, evidence, kind }: { text: string; evidence: Evidence | null; kind?: string | null }): Finding {
  return { text, quote: evidence?.quote ?? null, line: evidence?.line ?? null, ...(kind && { kind }) };
}

function unanswered({ objections }: Observations): { text: string; evidence: Evidence }[] {
  return objections
    .filter((objection) => objection.unanswered)
    .map(({ kind, evidence }) => ({
      text: `An objection was not addressed${kind === null ? '' : `: ${OBJECTIONS[kind].toLowerCase()}`}.`,
      evidence,
    }));
}

/**
 * Gives advice for what certainly lost points, at most five: the engine's own first, then what cost most. Empty when
 * nothing is certain.
 */
function recommendationsOf(observations: Observations, rubric: Rubric, isOwn: boolean): string[] {
  const { mistakes, missing, objections, nextStep, saleStatus, recommendations } = observations;
  const asked = pointsForQuestions(observations);
  /** Those who got most of the points need no advice. */
  const lost = (id: CriterionId) => rubric.some(({ points, of, ...entry }) => entry.id === id && points <= of / 2);
  const has = (...kinds: MistakeKind[]) => mistakes.some(({ kind }) => kind !== null && kinds.includes(kind));
  // Certain kinds first: their advice says what to do.
  const byMistake = [...mistakes].sort((a, b) => Number(a.kind === null) - Number(b.kind === null));
  const byObjection = objections.some(({ unanswered }) => unanswered)
    ? ['Address each objection: show that you heard it, ask for the reason, then answer with a fact.']
    : [];
  const byStep =
    nextStep === null && missing.includes('next_step') && saleStatus !== 'not_sold' && !has('no_next_step')
      ? [ADVICE.next_step]
      : [];
  const most = (id: Exclude<Missing, 'next_step'>) => (id === 'question' ? asked.of : CHECKS[id].points);
  const byCheck = missing
    .filter((id) => id !== 'next_step')
    .sort((a, b) => most(b) - most(a))
    .map((id) => ADVICE[id]);
  const few =
    asked.points <= LITTLE * asked.of && lost('needs') && !missing.includes('question') && !has('no_discovery');
  const byQuestions = few ? [FURTHER_ADVICE.needs] : [];
  const byListening = lost('listening') && !has('monologue') ? [FURTHER_ADVICE.listening] : [];
  const all = new Set([
    ...recommendations,
    ...byMistake.map(({ kind }) => mistakeOf(kind).advice),
    ...byObjection,
    ...byStep,
    ...byQuestions,
    ...byCheck,
    ...byListening,
  ]);
  const isFlawless = rubric.every(({ points, of }) => points === of) && objections.every(({ answer }) => answer);
  if (all.size === 0 && !isOwn && isFlawless) return [FLAWLESS];
  return [...all].slice(0, MAX_ADVICE);
}

/** What went well according to the checks, for engines that do not report it. */
export function positivesByChecks(checks: Observations['checks']): Observations['positives'] {
  return CHECK_IDS.flatMap((id) =>
    checks[id] === null ? [] : [{ text: `${CHECKS[id].title}.`, evidence: checks[id] }],
  );
}

/** A question counts when the customer replies with more than a word or two: a script asks and reads on. */
function isAnswered(question: Evidence, lines: readonly Line[]): boolean {
  return wordsOf(replyTo(question, lines)).length > BACKCHANNEL_WORDS;
}
