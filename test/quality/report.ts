import { type Analyst, analysisSettings, chooseAnalyst } from '@call-analytics/analysis';
import type { Analysis } from '@call-analytics/calls';
import { type Agreement, agreementOf, type Spent } from './agreement.ts';
import { type CallSet, writtenCalls } from './corpus.ts';
import { interval, type Measured, measure, type Share } from './measure.ts';

/** The rules read English, so other calls count only where a call must not get a score. */
export const RULES = analysisSettings.parse({ ANALYSIS_ENGINE: 'rules', ANALYSIS_TIMEOUT: '5m' });

export interface Quality {
  channels: Measured;
  unlabelled: Measured;
  /** English calls only, except with an engine that reads every language. */
  leftOut: number;
  /** Between the runs; null with one. */
  agreement: Agreement | null;
  spent: Spent;
}

/** Analyzes all calls of a set and measures the analyses of the first run. @param options.only a part of their names */
export async function qualityOf(
  set: CallSet,
  analyst: Analyst = chooseAnalyst(RULES),
  { runs = 1, only = '' }: { runs?: number; only?: string } = {},
): Promise<Quality> {
  const all = writtenCalls(set).filter(({ name }) => name.includes(only));
  const read = analyst.name === 'rules' ? all.filter(({ truth }) => truth.language === 'en') : all;
  const spent: Spent = { analyses: runs * read.length, input: 0, output: 0, dollars: 0 };
  const ofRuns: Analysis[][] = [];
  while (ofRuns.length < runs) {
    const analyses: Analysis[] = [];
    for (const { transcript } of read)
      analyses.push(
        await analyst.analyze(transcript, {
          signal: new AbortController().signal,
          spent({ input, output }, dollars) {
            spent.input += input;
            spent.output += output;
            spent.dollars = spent.dollars === null || dollars === null ? null : spent.dollars + dollars;
          },
        }),
      );
    ofRuns.push(analyses);
  }
  const first = new Map(read.map((call, index) => [call, ofRuns[0]?.[index] as Analysis]));
  const of = (channels: 1 | 2) => {
    const calls = read.filter(({ truth }) => truth.channels === channels);
    return measure(
      calls,
      calls.map((call) => first.get(call) as Analysis),
    );
  };
  const agreement = runs === 1 ? null : agreementOf(ofRuns);
  return { channels: of(2), unlabelled: of(1), leftOut: all.length - read.length, agreement, spent };
}

/** What several runs agree on, as a Markdown table. */
export function agreementTable({ runs, shares, scoreSpread }: Agreement): string {
  return [
    `| Equal in ${runs} runs | |`,
    '| --- | --- |',
    `| Sale status | ${shown(shares.status)} |`,
    `| Kind of call | ${shown(shares.kind)} |`,
    `| Answers of the scorecard | ${shown(shares.checks)} |`,
    `| Score | ${shown(shares.score)} |`,
    `| Mean spread of the score | ${scoreSpread === null ? 'none' : scoreSpread.toFixed(1)} |`,
  ].join('\n');
}

export function spentShown({ analyses, input, output, dollars }: Spent): string {
  const each = (sum: number) => (analyses === 0 ? 0 : sum / analyses);
  const money =
    dollars === null ? 'the price is not known' : `$${dollars.toFixed(4)}, $${each(dollars).toFixed(6)} an analysis`;
  return `${analyses} analyses: ${input} tokens read, ${output} written; ${money}`;
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
