import { Child } from '../harness/child.ts';
import { bounded, type Context, type Measure, type Result } from '../harness/measure.ts';
import type { Load, Simulated } from '../simulation/simulation.main.ts';

/**
 * `shares`: with three places a call of ten minutes holds half of what the imports may use, and the kept place goes to
 * neither of them twice, so short calls cannot catch up.
 */
const LOADS: { full: Load; quick: Load; shares: number }[] = [
  {
    shares: 0.7,
    full: { callsPerDay: 1_000, accounts: 10, seconds: 7_200, imported: 10_000 },
    quick: { callsPerDay: 1_000, accounts: 10, seconds: 1_200, imported: 1_000 },
  },
  {
    shares: 0.9,
    full: { callsPerDay: 100_000, accounts: 300, seconds: 1_800, imported: 10_000 },
    quick: { callsPerDay: 100_000, accounts: 300, seconds: 180, imported: 1_000 },
  },
  {
    shares: 0.9,
    full: { callsPerDay: 10_000_000, accounts: 3_000, seconds: 75, imported: 50_000 },
    quick: { callsPerDay: 1_000_000, accounts: 1_000, seconds: 50, imported: 10_000 },
  },
];

/** Fairness and the cost of dispatching in the busiest hour of large installations: real code, a simulated clock. */
export const scale: Measure = {
  name: 'scale',
  async run({ workspace, quick, progress }: Context): Promise<Result[]> {
    const results: Result[] = [];
    for (const { shares, ...loads } of LOADS) {
      const load = quick ? loads.quick : loads.full;
      const main = new URL('../simulation/simulation.main.ts', import.meta.url);
      const child = await Child.start<Load, Simulated>(workspace, main, null);
      const found = await child.ask(load);
      await child.stop();
      const at = `At ${load.callsPerDay.toLocaleString('en-US')} calls a day`;
      progress(`${at}: ${found.accepted} calls in ${load.seconds} s, ${found.roundMs.length} rounds`);
      results.push(
        bounded(
          `${at}, wait of a new account's call during imports`,
          'jobs',
          found.newcomers,
          { atMost: 1 },
          {
            value: Math.max(...found.newcomers),
            notes: [
              'the longest wait is judged, against the longest of the jobs that ran when the call was accepted',
              `${found.places} places, at most ${found.inFlightPerAccount} calls of one account at a time`,
              `an import of ${load.imported} calls of 1 min and one of ${load.imported / 10} calls of 10 min`,
              `${(100 * found.utilization).toFixed(1)}% of the places worked`,
            ],
          },
        ),
        bounded(
          '… wait of the other calls',
          'jobs',
          found.others,
          { atMost: 1 },
          {
            value: share(found.others, 0.9),
            notes: [
              `90 of 100 waited no longer, 99 of 100 at most ${share(found.others, 0.99).toFixed(2)} jobs`,
              'an account that asks for more than an equal share waits behind its own calls',
            ],
          },
        ),
        bounded('… time of workers for the two imports, the smaller for the larger', '', [found.shares], {
          atLeast: shares,
        }),
        bounded(
          '… the dispatcher computes',
          '% of the time',
          [100 * found.busy],
          { atMost: 50 },
          {
            notes: [
              `${found.callsPerSecond.toFixed(0)} calls for each second of its processor time`,
              `a round: median ${share(found.roundMs, 0.5).toFixed(1)} ms`,
              `99 of 100 rounds: at most ${share(found.roundMs, 0.99).toFixed(1)} ms`,
            ],
          },
        ),
      );
    }
    return results;
  },
};

function share(values: readonly number[], of: number): number {
  return [...values].sort((a, b) => a - b)[Math.ceil(of * values.length) - 1] ?? Number.NaN;
}
