import { setTimeout as delay } from 'node:timers/promises';
import type { Upload, Uploaded } from '../../clients/upload.main.ts';
import { Child } from '../../harness/child.ts';
import { canReadMemory, cpuSeconds, peakBytes, resetPeak, residentBytes } from '../../harness/machine.ts';
import {
  bounded,
  type Context,
  compared,
  figure,
  interleaved,
  type Measure,
  type Result,
} from '../../harness/measure.ts';
import { Installation } from '../environment/installation.ts';

const MiB = 2 ** 20;
const MB = 1e6;

interface Run {
  mibPerSecond: number;
  serverCpuMs: number;
  grownMiB: number;
}

interface Case {
  what: string;
  bytes: number;
  atOnce: number;
  runs: number;
  atLeast: number;
}

/**
 * Uploads through the gateway into MinIO, against a bare server that hands the same bytes from the socket to the minio
 * client's own streaming put.
 */
export const upload: Measure = {
  name: 'upload',
  async run({ workspace, quick, progress }: Context): Promise<Result[]> {
    const installation = await Installation.make(workspace);
    const accounts = await installation.start('accounts');
    const gateway = await installation.start('api-gateway');
    const { key } = await installation.account();
    const floor = await Child.start<null, number>(workspace, new URL('../floors/upload.main.ts', import.meta.url), {
      environment: installation.environment,
    });
    const client = await Child.start<Upload, Uploaded>(
      workspace,
      new URL('../../clients/upload.main.ts', import.meta.url),
      null,
    );
    const toOurs = {
      port: Number(new URL(installation.url).port),
      path: '/api/v1/calls',
      headers: { authorization: `Bearer ${key}` },
    };
    const toFloor = { port: await floor.ask(null), path: '/', headers: {} };

    const send = async (pid: number, to: Omit<Upload, 'bytes'>, { bytes, atOnce }: Case): Promise<Run> => {
      workspace.settle();
      await delay(200);
      const before = canReadMemory ? { cpu: cpuSeconds(pid), resident: residentBytes(pid) } : null;
      if (before !== null) resetPeak(pid);
      const began = performance.now();
      const answers = await Promise.all(Array.from({ length: atOnce }, () => client.ask({ ...to, bytes })));
      const ms = performance.now() - began;
      const refused = answers.find(({ status }) => status !== 202);
      if (refused !== undefined) throw new Error(`an upload was answered with ${refused.status}`);
      const run = {
        mibPerSecond: (atOnce * bytes) / MiB / (ms / 1_000),
        serverCpuMs: before === null ? Number.NaN : (cpuSeconds(pid) - before.cpu) * 1_000,
        grownMiB: before === null ? Number.NaN : (peakBytes(pid) - before.resident) / MiB,
      };
      await installation.removeRecordings();
      progress(`${to.path} ${run.mibPerSecond.toFixed(0)} MiB/s, grown by ${run.grownMiB.toFixed(0)} MiB`);
      return run;
    };

    const results: Result[] = [];
    const measure = async (one: Case): Promise<void> => {
      // The warming up too: a process grows most the first time.
      const grown: number[] = [];
      const ours = async () => {
        const run = await send(gateway.pid, toOurs, one);
        grown.push(run.grownMiB);
        return run;
      };
      const measured = await interleaved(one.runs, ours, () => send(floor.pid, toFloor, one));
      const speeds = (of: readonly Run[]) => of.map((run) => run.mibPerSecond);
      const cpu = (of: readonly Run[]) => figure(of.map((run) => run.serverCpuMs)).median.toFixed(0);
      const rates = { ours: speeds(measured.ours), floor: speeds(measured.floor) };
      results.push(
        compared(`${one.what}: speed`, 'MiB/s', rates, { atLeast: one.atLeast }, [
          `processor time: ours ${cpu(measured.ours)} ms, floor ${cpu(measured.floor)} ms`,
        ]),
      );
      const growth = `${one.what}: growth of the gateway's process`;
      if (!canReadMemory) {
        results.push({ what: growth, skipped: "needs Linux's /proc" });
        return;
      }
      const [first = Number.NaN, ...later] = grown;
      // One upload must not take much even the first time. Many take a part each (5 MiB) the first time, whatever they
      // bring; from then on it must stay flat.
      const judged = one.atOnce === 1 ? grown : later;
      results.push(
        bounded(
          growth,
          'MiB',
          judged,
          { atMost: 96 },
          {
            value: Math.max(...judged),
            notes: [
              `peak while it runs, less what the process held before; the largest is judged${one.atOnce === 1 ? ', the first of the process included' : ' from the second time on'}`,
              `the first time ${first.toFixed(0)} MiB; the floor's process: ${figure(measured.floor.map((run) => run.grownMiB)).max.toFixed(0)} MiB`,
            ],
          },
        ),
      );
    };
    const [large, atOnce] = quick ? [128 * MiB, 10] : [1024 * MiB, 50];
    await measure({
      what: `Upload of ${large / MiB} MiB`,
      bytes: large,
      atOnce: 1,
      runs: quick ? 2 : 5,
      atLeast: 0.85,
    });
    await measure({
      what: `${atOnce} uploads of 20 MB at once`,
      bytes: 20 * MB,
      atOnce,
      runs: quick ? 2 : 5,
      atLeast: 0.8,
    });
    await Promise.all([gateway.stop(), accounts.stop(), floor.stop(), client.stop()]);
    await installation.remove();
    return results;
  },
};
