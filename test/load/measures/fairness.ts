import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Child } from '../harness/child.ts';
import { bounded, type Context, figure, type Measure, type Result } from '../harness/measure.ts';
import { seedBacklog } from '../seed/queued.ts';
import type { Newcomers, Waited } from '../servers/fairness.main.ts';

const RECORDING = fileURLToPath(new URL('../../../services/stand-in/recordings/excerpt.mp3', import.meta.url));

/** How long another account's call waits behind one account's thousands: in jobs, whatever a job takes. */
export const fairness: Measure = {
  name: 'fairness',
  async run({ workspace, quick, progress }: Context): Promise<Result[]> {
    const [queued, count, engineMs] = quick ? [1_000, 3, 300] : [10_000, 20, 1_000];
    const dataDir = join(workspace.folder('fairness'), 'data');
    await seedBacklog(dataDir, { calls: queued, recording: readFileSync(RECORDING) });
    progress(`${queued} calls queued`);
    const service = await Child.start<Newcomers, Waited[]>(
      workspace,
      new URL('../servers/fairness.main.ts', import.meta.url),
      { dataDir },
    );
    const waits = await service.ask({ count, engineMs, recording: RECORDING });
    await service.stop();
    const jobs = waits.map(({ ms, jobMs }) => ms / jobMs);
    return [
      bounded(
        `Wait of another account's call behind ${queued} of one account`,
        'jobs',
        jobs,
        { atMost: 1 },
        {
          value: Math.max(...jobs),
          notes: [
            `the longest wait is judged, against the longest of the jobs that ran when the call was accepted (median ${figure(waits.map(({ jobMs }) => jobMs)).median.toFixed(0)} ms)`,
            `calls of the other account that began in between: at most ${Math.max(...waits.map(({ othersBegan }) => othersBegan))}`,
          ],
        },
      ),
    ];
  },
};
