import { readFileSync } from 'node:fs';
import { Child } from '../../harness/child.ts';
import { type Context, compared, interleaved, type Measure, type Result } from '../../harness/measure.ts';
import type { Workspace } from '../../harness/workspace.ts';
import { type Environment, Installation } from '../environment/installation.ts';
import { type Pipeline, startPipeline } from '../environment/pipeline.ts';
import { seedQueuedCalls } from '../seed/queued.ts';

const ACCOUNTS = 10;
const RECORDING = readFileSync(new URL('../../../../services/stand-in/recordings/excerpt.mp3', import.meta.url));

/** Queued calls until the last recording is gone, each service in its own process, and how that grows with workers. */
export const pipeline: Measure = {
  name: 'pipeline',
  async run(context: Context): Promise<Result[]> {
    return [await instantEngine(context), await fourWorkers(context)];
  },
};

async function instantEngine({ workspace, quick, progress }: Context): Promise<Result> {
  const [calls, runs] = quick ? [40, 1] : [200, 5];
  const ours = await Drain.start(workspace, { workers: 1, engineMs: 0 });
  const floor = await Child.start<{ environment: Environment; calls: number }, number>(
    workspace,
    new URL('../floors/drain.main.ts', import.meta.url),
    null,
  );
  const shown = (name: string, rate: number) => {
    progress(`${name} ${rate.toFixed(1)} calls/s`);
    return rate;
  };
  const measured = await interleaved(
    runs,
    async () => shown('ours', await ours.rate(calls)),
    async () => {
      const installation = await Installation.make(workspace);
      await seedQueuedCalls(installation.environment, { calls, accounts: ACCOUNTS, recording: RECORDING });
      const ms = await floor.ask({ environment: installation.environment, calls });
      await installation.remove();
      return shown('bare', (calls / ms) * 1_000);
    },
  );
  await Promise.all([ours.stop(), floor.stop()]);
  return compared(
    `${calls} queued calls to the end, engines that answer at once`,
    'calls/s',
    measured,
    { atLeast: 0.7 },
    ['ours: four services in processes of their own; floor: one process that grants every call at once'],
  );
}

async function fourWorkers({ workspace, quick, progress }: Context): Promise<Result> {
  // Both for about the same time.
  const perWorker = quick ? 20 : 60;
  const drain = await Drain.start(workspace, { workers: 4, engineMs: 200 });
  // Workers run for days, and what they pay until Node has optimised their code is not what is measured: without this a
  // call costs them half as much again.
  await drain.rate(perWorker * (quick ? 4 : 20));
  const measured = await interleaved(
    quick ? 1 : 5,
    () => drain.rate(perWorker * 4),
    () => drain.withOneWorker(() => drain.rate(perWorker)),
  );
  await drain.stop();
  progress(`${measured.ours.length} runs with 4 workers and with 1`);
  return compared('4 transcription workers with a 200 ms engine, against 1', 'calls/s', measured, { atLeast: 3.6 }, [
    'two calls at a time in each worker, which is the default; the same installation, in which three stop and start again; 1,200 calls before, to warm up',
  ]);
}

/** An installation whose services run all the while, and whose dispatcher begins when calls are queued. */
class Drain {
  readonly #installation: Installation;
  readonly #pipeline: Pipeline;
  #calls = 0;

  private constructor(installation: Installation, pipeline: Pipeline) {
    this.#installation = installation;
    this.#pipeline = pipeline;
  }

  static async start(
    workspace: Workspace,
    { workers, engineMs }: { workers: number; engineMs: number },
  ): Promise<Drain> {
    const installation = await Installation.make(workspace);
    return new Drain(
      installation,
      await startPipeline(workspace, { environment: installation.environment, engineMs, workers }),
    );
  }

  /** @returns calls each second, from the dispatcher's start to the last deleted recording */
  async rate(calls: number): Promise<number> {
    await seedQueuedCalls(this.#installation.environment, { calls, accounts: ACCOUNTS, recording: RECORDING });
    this.#calls += calls;
    const { dispatcher, cleanup } = this.#pipeline;
    const end = cleanup.ask({ untilDeleted: this.#calls });
    const began = await dispatcher.ask({ start: true });
    const ms = (await end) - began;
    await dispatcher.ask({ stop: true });
    return (calls / ms) * 1_000;
  }

  /** While `run` lasts, all but one of the workers rest. */
  async withOneWorker<T>(run: () => Promise<T>): Promise<T> {
    const [, ...others] = this.#pipeline.transcription;
    await Promise.all(others.map((worker) => worker.ask({ stop: true })));
    const result = await run();
    await Promise.all(others.map((worker) => worker.ask({ start: true })));
    return result;
  }

  async stop(): Promise<void> {
    await this.#pipeline.stop();
    await this.#installation.remove();
  }
}
