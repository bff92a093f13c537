import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Child } from '../harness/child.ts';
import { type Context, compared, figure, interleaved, type Measure, type Result } from '../harness/measure.ts';
import { seedQueuedCalls } from '../seed/queued.ts';
import type { Drain, Drained } from '../servers/drain.main.ts';

const ACCOUNTS = 10;
const RECORDING = new URL('../../../services/stand-in/recordings/excerpt.mp3', import.meta.url);

interface Case {
  what: string;
  calls: number;
  runs: number;
  decodes: boolean;
}

/** Queued calls until the last one is completed and its recording is gone, with engines that answer at once. */
export const pipeline: Measure = {
  name: 'pipeline',
  async run({ workspace, quick, progress }: Context): Promise<Result[]> {
    const ours = await Child.start<Drain, Drained>(
      workspace,
      new URL('../servers/drain.main.ts', import.meta.url),
      null,
    );
    const floor = await Child.start<Drain, Drained>(
      workspace,
      new URL('../floors/drain.main.ts', import.meta.url),
      null,
    );
    const recording = readFileSync(RECORDING);
    const measure = async ({ what, calls, runs, decodes }: Case): Promise<Result> => {
      let segments = 1;
      const drain = async (name: string, child: Child<Drain, Drained>): Promise<Drained> => {
        const dataDir = join(workspace.folder('pipeline'), 'data');
        await seedQueuedCalls(dataDir, { calls, accounts: ACCOUNTS, recording });
        workspace.settle();
        const drained = await child.ask({ dataDir, calls, decodes, segments });
        segments = drained.segments / calls;
        progress(`${name} ${((calls / drained.ms) * 1000).toFixed(0)} calls/s`);
        return drained;
      };
      const measured = await interleaved(
        runs,
        () => drain('ours', ours),
        () => drain('bare', floor),
      );
      const perSecond = (of: readonly Drained[]) => of.map(({ ms }) => (calls / ms) * 1000);
      const perCall = (of: readonly Drained[], field: keyof Drained) =>
        (figure(of.map((run) => run[field])).median / calls).toFixed(1);
      const rates = { ours: perSecond(measured.ours), floor: perSecond(measured.floor) };
      return compared(
        `${calls} queued calls of ${ACCOUNTS} accounts to the end, ${what}`,
        'calls/s',
        rates,
        { atLeast: 0.7 },
        [
          `processor time of the service's process for each call: ours ${perCall(measured.ours, 'cpuMs')} ms, floor ${perCall(measured.floor, 'cpuMs')} ms`,
          `for each call ${segments} segments; questions to the store: ours ${perCall(measured.ours, 'storeCalls')}, floor ${perCall(measured.floor, 'storeCalls')}`,
        ],
      );
    };
    const results = [
      await measure({ what: 'nothing to decode', calls: quick ? 50 : 300, runs: quick ? 2 : 9, decodes: false }),
      await measure({ what: 'decoding on both sides', calls: quick ? 20 : 60, runs: quick ? 2 : 5, decodes: true }),
    ];
    await Promise.all([ours.stop(), floor.stop()]);
    return results;
  },
};
