import { type Analyst, analysisSettings, chooseAnalyst } from '@call-analytics/analysis';
import type { Analysis } from '@call-analytics/calls';
import { type CallSet, type WrittenCall, writtenCalls } from './calls.ts';
import { interval, type Measured, measure, type Share } from './measure.ts';

/** The rules read English, so other calls count only where a call must not get a score. */
export const RULES = analysisSettings.parse({ ANALYSIS_ENGINE: 'rules', ANALYSIS_TIMEOUT: '5m' });

export interface Quality {
  channels: Measured;
  unlabelled: Measured;
  /** English calls only, except with an engine that reads every language. */
  leftOut: number;
}

/** Analyzes all calls of a set and measures the analyses. */
export async function qualityOf(set: CallSet, analyst: Analyst = chooseAnalyst(RULES)): Promise<Quality> {
  const all = writtenCalls(set);
  const read = analyst.name === 'rules' ? all.filter(({ truth }) => truth.language === 'en') : all;
  const analyses = new Map<WrittenCall, Analysis>();
  for (const call of read)
    analyses.set(
      call,
      await analyst.analyze(call.transcript, { signal: new AbortController().signal, spent: () => {} }),
    );
  const of = (channels: 1 | 2) => {
    const calls = read.filter(({ truth }) => truth.channels === channels);
    return measure(
      calls,
      calls.map((call) => analyses.get(call) as Analysis),
    );
  };
  return { channels: of(2), unlabelled: of(1), leftOut: all.length - read.length };
}

const percent = (value: number) => `${Math.round(100 * value)}%`;

/** "80% (8 of 10; 49% to 94%)": the share, its counts and its 95% interval. */
export function shown(share: Share): string {
  if (share.of === 0) return 'none';
  const [low, high] = interval(share);
  return `${percent(share.holds / share.of)} (${share.holds} of ${share.of}; ${percent(low)} to ${percent(high)})`;
}

/** The measures as a Markdown table. */
export function tableOf({ fields, shares, rankCorrelation, scored, roles, calls }: Measured): string {
  const rows: [string, string, string][] = [
    ['Objections', shown(fields.objections.precision), shown(fields.objections.recall)],
    ['Mistakes', shown(fields.mistakes.precision), shown(fields.mistakes.recall)],
    ['Product', shown(fields.product.precision), shown(fields.product.recall)],
    ["Customer's questions", shown(fields.customerQuestions.precision), shown(fields.customerQuestions.recall)],
    ["Customer's questions said to be answered that are", shown(shares.customerAnswered), ''],
    ["Customer's questions said to be unanswered that are", shown(shares.customerUnanswered), ''],
    ['Kind of call', shown(shares.kind), shown(shares.kindNamed)],
    ['Sale status', shown(shares.saleStatus), ''],
    ['Next step wholly right', shown(shares.nextStep), ''],
    ['Who does it, where named', shown(shares.nextStepWho), ''],
    ['Objections said to be unanswered that are', shown(shares.unanswered), ''],
    ['What is said to be there, and is', shown(shares.checksFound), ''],
    ['What is said to be missing, and is', shown(shares.checksMissing), ''],
    ['Read-out script under 50', shown(shares.scriptsUnder50), ''],
    ['Other calls without a score', shown(shares.othersUnscored), ''],
    ['Sales calls with a score', shown(scored), ''],
    ['Words with the right role, where scored', roles === null ? 'none' : percent(roles.right), ''],
    ['Mean confidence of the roles, where scored', roles === null ? 'none' : percent(roles.confidence), ''],
    ['Rank correlation of the score', rankCorrelation === null ? 'none' : rankCorrelation.toFixed(2), ''],
  ];
  return [
    `| ${calls} calls | Precision or share right | Recall |`,
    '| --- | --- | --- |',
    ...rows.map((row) => `| ${row.join(' | ')} |`),
  ].join('\n');
}
