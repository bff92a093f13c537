import type { Analysis } from '@call-analytics/calls';
import type { Share } from './measure.ts';

/** How often several runs over the same calls give the same answer. */
export interface Agreement {
  runs: number;
  shares: Record<'status' | 'kind' | 'checks' | 'score', Share>;
  /** The mean difference between the highest and the lowest score of a call that all runs score; null without one. */
  scoreSpread: number | null;
}

/** What the runs have asked of the engine. */
export interface Spent {
  analyses: number;
  input: number;
  output: number;
  /** US dollars by list prices; null when the price of a request is not known. */
  dollars: number | null;
}

/** @param runs the analyses of each run, in the order of the calls. An answer is equal when all runs give it */
export function agreementOf(runs: readonly (readonly Analysis[])[]): Agreement {
  const share = (): Share => ({ of: 0, holds: 0 });
  const shares = { status: share(), kind: share(), checks: share(), score: share() };
  const spreads: number[] = [];
  const [first = []] = runs;
  first.forEach((_, call) => {
    const analyses = runs.flatMap((run) => run[call] ?? []);
    const count = (to: Share, answers: readonly unknown[]) => {
      to.of += 1;
      to.holds += new Set(answers).size === 1 ? 1 : 0;
    };
    const of = <T>(answer: (analysis: Analysis) => T) => analyses.map(answer);
    count(
      shares.status,
      of(({ saleStatus }) => saleStatus),
    );
    count(
      shares.kind,
      of(({ callKind }) => callKind?.kind ?? null),
    );
    const scores = of(({ score }) => score);
    count(shares.score, scores);
    if (scores.every((score) => score !== null)) spreads.push(Math.max(...scores) - Math.min(...scores));
    const asked = of(({ scorecard }) => scorecard?.questions ?? []);
    const longest = Math.max(...asked.map(({ length }) => length));
    for (let question = 0; question < longest; question += 1)
      count(
        shares.checks,
        asked.map((questions) => questions[question]?.answer ?? null),
      );
  });
  const spread = spreads.reduce((sum, each) => sum + each, 0) / spreads.length;
  return { runs: runs.length, shares, scoreSpread: spreads.length === 0 ? null : spread };
}
