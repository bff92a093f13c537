import type { Role } from '@call-analytics/calls';
import type { OwnScorecard } from '@call-analytics/contracts';
import type { Evidence } from '../call/evidence.ts';
import { type Answered, NOT_JUDGED } from '../call/scorecard.ts';
import type { Answer } from './answer.ts';

type ScorecardItem = NonNullable<Answer['scorecard']>[number];

/** @returns the questions for the model, each with its number and whose words answer it */
export function scorecardAsked({ questions }: OwnScorecard): string {
  const about = { manager: 'the manager', customer: 'the customer', anyone: 'manager or customer' };
  const asked = questions.map(({ question, who }, index) => `Q${index + 1} (${about[who]}): ${question}`);
  return `Scorecard questions. Answer each in "scorecard", by its number, from words of the person in brackets. "yes" and "no": the quote alone shows it; what is only missing is no "no". "not_applicable": the call gives no occasion for it. "not_judged": anything else.
${asked.join('\n')}
The transcript:
`;
}

/**
 * Keeps the answers that words of the right person prove. Two windows of a call, or two items, that prove yes and no
 * prove nothing.
 * @param prove finds a quote in the call; null when the call does not say it
 */
export function answersIn(
  { questions }: OwnScorecard,
  answers: readonly Answer[],
  prove: (item: { line: number; quote: string } | null, by: Role | undefined) => Evidence | null,
  unproven: () => void,
): Answered[] {
  const items = Map.groupBy(
    answers.flatMap(({ scorecard = [] }) => scorecard),
    ({ question }) => question - 1,
  );
  const proven = (item: ScorecardItem, by: Role | undefined): Answered => {
    if (item.answer === 'not_applicable') return { answer: item.answer, evidence: null };
    if (item.answer === 'not_judged') return NOT_JUDGED;
    if (item.evidence === null) unproven();
    const evidence = prove(item.evidence, by);
    return evidence === null ? NOT_JUDGED : { answer: item.answer, evidence };
  };
  return questions.map(({ who }, index) => {
    const found = (items.get(index) ?? []).map((item) => proven(item, who === 'anyone' ? undefined : who));
    const [yes, no] = (['yes', 'no'] as const).map((answer) => found.find((each) => each.answer === answer));
    if (yes !== undefined || no !== undefined)
      return yes === undefined ? (no ?? NOT_JUDGED) : no === undefined ? yes : NOT_JUDGED;
    const applies = found.some(({ answer }) => answer !== 'not_applicable');
    return applies ? NOT_JUDGED : (found[0] ?? NOT_JUDGED);
  });
}

/** "Hi, Emma from Brightbooks, is it a good time to talk about your order?" answers three questions with yes. */
const YES_OF_ONE_SENTENCE = 3;

/** Limits what one sentence can prove, so that a call that praises itself gains little. @param sentenceOf names a sentence */
export function withinSentences(answers: readonly Answered[], sentenceOf: (evidence: Evidence) => string): Answered[] {
  const times = new Map<string, number>();
  return answers.map((answered) => {
    if (answered.answer !== 'yes' || answered.evidence === null) return answered;
    const sentence = sentenceOf(answered.evidence);
    times.set(sentence, (times.get(sentence) ?? 0) + 1);
    return (times.get(sentence) ?? 0) > YES_OF_ONE_SENTENCE ? NOT_JUDGED : answered;
  });
}
