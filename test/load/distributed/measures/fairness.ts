import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { Calls } from '@call-analytics/calls';
import { openMongoCallStore } from '@call-analytics/calls/mongo';
import { bounded, type Context, figure, type Measure, type Result } from '../../harness/measure.ts';
import { Installation } from '../environment/installation.ts';
import { startService } from '../environment/pipeline.ts';
import { queuedCall, seedBacklog } from '../seed/queued.ts';

const RECORDING = new URL('../../../../services/stand-in/recordings/excerpt.mp3', import.meta.url);

/** How long another account's call waits behind one account's thousands: in jobs, whatever a job takes. */
export const fairness: Measure = {
  name: 'fairness',
  async run({ workspace, quick, progress }: Context): Promise<Result[]> {
    const [queued, count, engineMs] = quick ? [1_000, 3, 300] : [10_000, 20, 1_000];
    const recording = readFileSync(RECORDING);
    const installation = await Installation.make(workspace);
    const { environment } = installation;
    await seedBacklog(environment, { calls: queued, recording });
    progress(`${queued} calls queued`);
    const start = async (service: 'transcription' | 'dispatcher') => {
      const child = await startService(workspace, { service, environment, engineMs });
      await child.ask({ start: true });
      return child;
    };
    const [transcription, dispatcher] = [await start('transcription'), await start('dispatcher')];
    const store = await openMongoCallStore({ url: environment.MONGODB_URL });
    const calls = new Calls(store);
    const waits: { ms: number; jobMs: number }[] = [];
    let idle = 0;
    for (let n = 0; n < count; n += 1) {
      // At another moment of the running jobs each time.
      await delay(engineMs * (2 + n / count));
      const { leased } = (await store.queues(new Date())).inFlight.transcription;
      // For some milliseconds between two jobs nothing is leased; more often, the newcomers had nobody to wait for.
      if (leased === 0) idle += 1;
      if (idle > Math.max(1, count / 10)) throw new Error('the workers are not busy');
      const { call } = await calls.accept(queuedCall(`newcomer-${n}`, 'recording', recording));
      const accepted = performance.timeOrigin + performance.now();
      const claimed = await transcription.ask({ when: 'stage.claimed', callId: call.id });
      const ended = await transcription.ask({ when: 'transcript.committed', callId: call.id });
      waits.push({ ms: claimed - accepted, jobMs: ended - claimed });
    }
    await Promise.all([transcription.stop(), dispatcher.stop()]);
    await store.close();
    await installation.remove();
    const jobMs = Math.max(...waits.map((wait) => wait.jobMs));
    const jobs = waits.map(({ ms }) => ms / jobMs);
    return [
      bounded(
        `Wait of another account's call behind ${queued} of one account`,
        'jobs',
        jobs,
        { atMost: 1 },
        {
          value: Math.max(...jobs),
          notes: [
            `the longest wait is judged, against the longest of the newcomers' own jobs, which are like the others' (median ${figure(waits.map((wait) => wait.jobMs)).median.toFixed(0)} ms)`,
            'one transcription worker, two calls at a time',
          ],
        },
      ),
    ];
  },
};
