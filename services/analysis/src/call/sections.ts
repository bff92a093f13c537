import type { Analysis, CustomerQuestion, Finding, Line, ReportSectionContent } from '@call-analytics/calls';
import { REPORT_SECTIONS, type ReportSectionId } from '@call-analytics/contracts';
import { OUTCOMES } from './catalogue.ts';
import type { Evidence, Observations } from './observations.ts';
import { isListed } from './rubric.ts';
import type { JudgedScorecard } from './scorecard.ts';

type Given = Omit<Analysis, 'sections'>;

const NOT_JUDGED = 'Not judged: the call is not scored.';

/** For parts that the account's own scorecard does not judge. */
const FOUND = 'Found in the call:';
const NOT_FOUND = 'Nothing was found.';

const TITLES: Readonly<Record<ReportSectionId, string>> = {
  overview: 'Overview',
  outcome: 'Outcome',
  customer_needs: 'What the customer wanted',
  opening: 'Opening',
  product_presentation: 'Presentation of the offer',
  objections: 'Objections',
  conversation_quality: 'Quality of the conversation',
  mistakes: 'Mistakes',
  next_steps: 'Next steps',
  recommendations: 'Recommendations',
};

/**
 * Makes all sections of a detailed report. Shorter report types show some of them.
 * @param observations null without speech, or for a language that is not supported
 */
export function sectionsOf(analysis: Given, observations: Observations | null): ReportSectionContent[] {
  return REPORT_SECTIONS.map((id) => {
    const { content, points } = BUILD[id](analysis, observations);
    return { id, title: TITLES[id], content: content || (points.length > 0 ? FOUND : NOT_FOUND), points };
  });
}

type Body = Pick<ReportSectionContent, 'content' | 'points'>;

const BUILD: Record<ReportSectionId, (analysis: Given, observations: Observations | null) => Body> = {
  overview: ({ summary, score, rubric, scorecard }) => ({
    content: summary,
    points:
      score === null
        ? []
        : isOwn(scorecard)
          ? [`Score: ${score} of 100, by version ${scorecard.version} of your scorecard`, ...judged(scorecard)]
          : [`Score: ${score} of 100`, ...rubric.map((criterion) => `${criterion.title}: ${outOf(criterion)}`)],
  }),
  outcome: ({ saleStatus, notScored }, observations) => ({
    content: (saleStatus === 'unclear' && isUnfit({ notScored }) ? notScored?.message : null) ?? OUTCOMES[saleStatus],
    points: observations?.outcome && saleStatus !== 'unclear' ? [quoted(observations.outcome.quote)] : [],
  }),
  customer_needs: ({ customerIntent, product, lines, evidence }, observations) => ({
    content: customerIntent ?? '',
    points: [
      ...(product === null ? [] : [`Product: ${product}`]),
      ...(observations?.questions ?? [])
        .filter(isListed)
        .map((asked) => `Asked: ${quoted(asked.quote)} – ${quoted(clipped(replyTo(asked, lines)))}`),
      ...checked(observations, ['confirmed_need']).map((summedUp) => `Summed up: ${summedUp}`),
      ...(evidence?.customerQuestions ?? []).map(customersQuestion),
    ],
  }),
  opening: (given, observations) => ({
    content: why(given, 'opening'),
    points: checked(observations, ['greeted', 'introduced', 'purpose']),
  }),
  product_presentation: (given, observations) => ({
    content: why(given, 'presentation'),
    points: checked(observations, ['named_offer', 'price_or_proof']),
  }),
  objections: (given, observations) => ({
    content: isUnfit(given)
      ? NOT_JUDGED
      : given.objections.length === 0
        ? 'No certain objection was found.'
        : why(given, 'objections'),
    points: given.objections.map((objection, index) => {
      const { answer, unanswered } = observations?.objections[index] ?? {};
      if (answer) return `${objection.text} Answer: ${quoted(answer.quote)}`;
      return unanswered ? `${objection.text} It was not addressed.` : objection.text;
    }),
  }),
  conversation_quality: (given) => ({
    content: why(given, 'listening'),
    points: [...measured(given), ...given.positives.map(({ text }) => text)],
  }),
  mistakes: ({ managerMistakes, issues, ...given }) => ({
    content: isUnfit(given)
      ? NOT_JUDGED
      : managerMistakes.length === 0
        ? 'No certain mistake was found.'
        : managerMistakes.length === 1
          ? 'One mistake was found.'
          : `${managerMistakes.length} mistakes were found.`,
    points: [...managerMistakes.map(shown), ...issues.map(shown)],
  }),
  next_steps: ({ nextStep, ...given }, observations) => ({
    content: nextStep ?? (isUnfit(given) ? 'No next step was found.' : 'No agreed next step was found.'),
    // With several steps, each has its time in the text.
    points:
      observations?.nextStep?.when && observations.nextStep.steps.length < 2
        ? [`When: ${observations.nextStep.when}`]
        : [],
  }),
  recommendations: ({ recommendations, ...given }) => ({
    content: isUnfit(given)
      ? NOT_JUDGED
      : recommendations.length === 0
        ? 'No advice follows from what was found.'
        : 'For the next call:',
    points: recommendations,
  }),
};

/** The label of each number. Unknown numbers are left out, and that no interruption was heard is no proof of none. */
const LABELS: Readonly<Record<string, (value: number) => string>> = {
  managerTalkPercent: (value) => `The manager spoke ${value}% of the time`,
  longestMonologueSeconds: (value) => `Longest stretch of the manager: ${value} s`,
  interruptions: (value) => `Interruptions by the manager: ${value}`,
  managerQuestions: (value) => `Questions of the manager: ${value}`,
  customerQuestions: (value) => `Questions of the customer: ${value}`,
  managerWordsPerMinute: (value) => `Words per minute, manager: ${value}`,
  customerWordsPerMinute: (value) => `Words per minute, customer: ${value}`,
  silenceSeconds: (value) => `Silence: ${value} s`,
};

/** The share of the talking is that of manager and customer alone, so with others it is not one of the time. */
function measured({ numbers, lines }: Pick<Given, 'numbers' | 'lines'>): string[] {
  const hasOthers = lines.some(({ role }) => role === 'other');
  return Object.entries(LABELS).flatMap(([name, label]) => {
    const value = numbers[name];
    if (value === null || value === undefined || (value === 0 && name === 'interruptions')) return [];
    return hasOthers && name === 'managerTalkPercent' ? [] : [label(value)];
  });
}

function isOwn(scorecard: Given['scorecard']): scorecard is JudgedScorecard {
  return (scorecard?.version ?? 0) > 0;
}

/** Whether the call cannot be judged. A call whose scorecard got no answer is judged in all else. */
function isUnfit({ notScored }: Pick<Given, 'notScored'>): boolean {
  return notScored !== null && notScored?.code !== 'nothing_judged';
}

const ANSWERS = { yes: 'yes', no: 'no', not_applicable: 'not applicable', not_judged: 'not judged' } as const;

function judged({ questions, failedBy }: JudgedScorecard): string[] {
  return [
    ...(failedBy === null ? [] : [`The score is 0, because the answer to “${failedBy}” is no`]),
    ...questions.map(
      ({ question, answer, points, of }) => `${question} ${ANSWERS[answer]}${of === 0 ? '' : `, ${points} of ${of}`}`,
    ),
  ];
}

function why({ rubric, scorecard, ...given }: Pick<Given, 'rubric' | 'scorecard' | 'notScored'>, id: string): string {
  const entry = rubric.find((criterion) => criterion.id === id);
  if (entry === undefined) return isOwn(scorecard) && !isUnfit(given) ? '' : NOT_JUDGED;
  return entry.of === 0 ? entry.why : `${outOf(entry)} points. ${entry.why}`.trim();
}

function outOf({ points, of }: Given['rubric'][number]): string {
  return of === 0 ? 'not counted' : `${points} of ${of}`;
}

function checked(observations: Observations | null, ids: (keyof Observations['checks'])[]): string[] {
  // One line can greet, introduce and say the purpose.
  const quotes = ids.flatMap((id) => observations?.checks[id]?.quote ?? []);
  return [...new Set(quotes)].map(quoted);
}

function customersQuestion({ quote, answer, unanswered }: CustomerQuestion): string {
  const reply = answer === null ? '' : ` – ${quoted(clipped(answer.quote))}`;
  return `The customer asked: ${quoted(quote)}${reply}${unanswered ? ' It was not answered.' : ''}`;
}

function shown({ text, quote }: Finding): string {
  return quote === null || text.includes(quote) ? text : `${text} ${quoted(quote)}`;
}

/** @returns what the customer says before the manager speaks again; empty when that is nothing */
export function replyTo({ line }: Evidence, lines: readonly Line[]): string {
  const next = lines.findIndex(({ role }, at) => at > line && role === 'manager');
  const until = next < 0 ? lines.length : next;
  return lines
    .slice(line + 1, until)
    .flatMap(({ role, text }) => (role === 'customer' ? text : []))
    .join(' ');
}

export function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

/** A reply is shown with this many words at most: the transcript has it whole. */
const MAX_REPLY = 30;

function clipped(text: string): string {
  const words = wordsOf(text);
  return words.length > MAX_REPLY ? `${words.slice(0, MAX_REPLY).join(' ')} …` : text;
}

function quoted(text: string): string {
  return `“${text}”`;
}
