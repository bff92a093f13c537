import { join } from 'node:path';
import { Child } from '../harness/child.ts';
import { startGateway } from '../harness/gateway.ts';
import { HttpLoad } from '../harness/http-load.ts';
import type { Context, Measure, Result } from '../harness/measure.ts';
import { seedFinishedCalls } from '../seed/calls.ts';

const CALLS = 1_000;

/** Reads over HTTP, against a bare Express handler that gives the same answers from the same file. */
export const reads: Measure = {
  name: 'reads',
  async run({ workspace, quick, progress }: Context): Promise<Result[]> {
    const turns = quick ? { runs: 2, seconds: 1 } : { runs: 9, seconds: 3 };
    const gateway = await startGateway(workspace);
    const { accountId, key, pid, port } = gateway;
    const file = join(gateway.dataDir, 'calls.sqlite');
    await seedFinishedCalls(file, { accountId, count: CALLS, documents: true });
    const script = new URL('../floors/reads.main.ts', import.meta.url);
    const floor = await Child.start<null, number>(workspace, script, { file, accountId });
    const ours = { pid, url: `http://127.0.0.1:${port}` };
    const load = await HttpLoad.start({ workspace, progress }, { ours, floor, key });
    const results = [
      await load.compare('GET /calls/:id', await load.callPaths(), turns),
      await load.compare('GET /calls', ['/api/v1/calls'], turns),
    ];
    await Promise.all([gateway.stop(), floor.stop(), load.stop()]);
    return results;
  },
};
