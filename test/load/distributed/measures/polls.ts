import { Child } from '../../harness/child.ts';
import { HttpLoad } from '../../harness/http-load.ts';
import type { Context, Measure, Result } from '../../harness/measure.ts';
import { Installation } from '../environment/installation.ts';
import { seedFinishedCalls } from '../seed/finished.ts';

const CALLS = 100;

/** Polls of finished calls, against a bare Express handler that reads the same documents with the driver of MongoDB. */
export const polls: Measure = {
  name: 'polls',
  async run({ workspace, quick, progress }: Context): Promise<Result[]> {
    // Many short turns: what else the machine's host does comes and goes within seconds.
    const turns = quick ? { runs: 3, seconds: 2, warmUps: 1 } : { runs: 31, seconds: 1, warmUps: 6 };
    const installation = await Installation.make(workspace);
    const accounts = await installation.start('accounts');
    const gateway = await installation.start('api-gateway');
    const { accountId, key } = await installation.account();
    const url = installation.environment.MONGODB_URL;
    await seedFinishedCalls(url, { accountId, count: CALLS, documents: true });
    const script = new URL('../floors/polls.main.ts', import.meta.url);
    const floor = await Child.start<null, number>(workspace, script, { url, accountId });
    const ours = { pid: gateway.pid, url: installation.url };
    const load = await HttpLoad.start({ workspace, progress }, { ours, floor, key });
    const result = await load.compare('GET /calls/:id', await load.callPaths(), turns);
    await Promise.all([gateway.stop(), accounts.stop(), floor.stop(), load.stop()]);
    await installation.remove();
    return [result];
  },
};
