import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Upload, Uploaded } from '../clients/upload.main.ts';
import { Child } from '../harness/child.ts';
import { startGateway } from '../harness/gateway.ts';
import { canReadMemory, cpuSeconds, peakBytes, resetPeak, residentBytes } from '../harness/machine.ts';
import { bounded, type Context, compared, figure, interleaved, type Measure, type Result } from '../harness/measure.ts';

const MiB = 2 ** 20;

interface Run {
  mibPerSecond: number;
  serverCpuMs: number;
  clientCpuMs: number;
  grownMiB: number;
}

/** A large upload, against a server that only writes it to a file. */
export const upload: Measure = {
  name: 'upload',
  async run({ workspace, quick, progress }: Context): Promise<Result[]> {
    const bytes = quick ? 64 * MiB : 1024 * MiB;
    const runs = quick ? 2 : 7;
    const gateway = await startGateway(workspace);
    const dir = workspace.folder('floor');
    const floor = await Child.start<null, number>(workspace, new URL('../floors/upload.main.ts', import.meta.url), {
      dir,
    });
    const floorPort = await floor.ask(null);
    const client = await Child.start<Upload, Uploaded>(
      workspace,
      new URL('../clients/upload.main.ts', import.meta.url),
      null,
    );

    const send = async (pid: number, to: Omit<Upload, 'bytes'>): Promise<Run> => {
      workspace.settle();
      await delay(200);
      const before = canReadMemory ? { cpu: cpuSeconds(pid), resident: residentBytes(pid) } : null;
      if (before !== null) resetPeak(pid);
      const { ms, cpuMs, status } = await client.ask({ ...to, bytes });
      if (status !== 202) throw new Error(`the upload was answered with ${status}`);
      const run = {
        mibPerSecond: bytes / MiB / (ms / 1000),
        clientCpuMs: cpuMs,
        serverCpuMs: before === null ? Number.NaN : (cpuSeconds(pid) - before.cpu) * 1000,
        grownMiB: before === null ? Number.NaN : (peakBytes(pid) - before.resident) / MiB,
      };
      progress(`${to.path} ${run.mibPerSecond.toFixed(0)} MiB/s`);
      return run;
    };
    const toOurs = async () => {
      const run = await send(gateway.pid, {
        port: gateway.port,
        path: '/api/v1/calls',
        headers: { authorization: `Bearer ${gateway.key}` },
      });
      await gateway.removeRecordings();
      return run;
    };
    const toFloor = async () => {
      const run = await send(floor.pid, { port: floorPort, path: '/', headers: {} });
      for (const name of await readdir(dir)) await rm(join(dir, name));
      return run;
    };

    const first = await toOurs();
    const measured = await interleaved(runs, toOurs, toFloor);
    const discarded = await send(floor.pid, { port: floorPort, path: '/discard', headers: {} });
    await Promise.all([gateway.stop(), floor.stop(), client.stop()]);

    const what = `Upload of ${bytes / MiB} MiB`;
    const median = (of: readonly Run[], field: keyof Run) => figure(of.map((run) => run[field])).median.toFixed(0);
    const speed = compared(
      `${what}: speed`,
      'MiB/s',
      { ours: measured.ours.map((run) => run.mibPerSecond), floor: measured.floor.map((run) => run.mibPerSecond) },
      { atLeast: 0.85 },
      [
        `processor time: ours ${median(measured.ours, 'serverCpuMs')} ms, floor ${median(measured.floor, 'serverCpuMs')} ms, the client ${median(measured.floor, 'clientCpuMs')} ms`,
        `client and connection alone, to a server that throws the body away: ${discarded.mibPerSecond.toFixed(0)} MiB/s`,
      ],
    );
    const grown = [first, ...measured.ours].map((run) => run.grownMiB);
    const memory: Result = canReadMemory
      ? bounded(
          `${what}: growth of the gateway's process`,
          'MiB',
          grown,
          { atMost: 64 },
          {
            value: Math.max(...grown),
            notes: [
              'peak while it runs, less what the process held before; judged by the largest, the first upload of the process included',
              `the floor's process: ${figure(measured.floor.map((run) => run.grownMiB)).max.toFixed(0)} MiB`,
            ],
          },
        )
      : { what: `${what}: growth of the gateway's process`, skipped: "needs Linux's /proc" };
    return [speed, memory];
  },
};
