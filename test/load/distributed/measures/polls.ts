import { isDeepStrictEqual } from 'node:util';
import type { Load, Loaded } from '../../clients/http.main.ts';
import { Child } from '../../harness/child.ts';
import { interleaved } from '../../harness/interleave.ts';
import { type Context, compared, figure, type Measure, type Result } from '../../harness/measure.ts';
import { canReadMemory, cpuSeconds } from '../../harness/memory.ts';
import { Installation } from '../environment/installation.ts';
import { seedFinishedCalls } from '../seed/finished.ts';

const CALLS = 100;
const CONNECTIONS = 8;

interface Run extends Loaded {
  /** Processor time of the server for each request, in microseconds. */
  serverMicros: number;
}

/**
 * Polls of finished calls through the gateway, against a bare Express handler that reads the same documents with
 * MongoDB's driver.
 */
export const polls: Measure = {
  name: 'polls',
  async run({ workspace, quick, progress }: Context): Promise<Result[]> {
    // Many short turns: what else the machine's host does comes and goes within seconds.
    const [runs, seconds, warmUps] = quick ? [3, 2, 1] : [31, 1, 6];
    const installation = await Installation.make(workspace);
    const accounts = await installation.start('accounts');
    const gateway = await installation.start('api-gateway');
    const { accountId, key } = await installation.account();
    const url = installation.environment.MONGODB_URL;
    await seedFinishedCalls(url, { accountId, count: CALLS, documents: true });
    const floor = await Child.start<null, number>(workspace, new URL('../floors/polls.main.ts', import.meta.url), {
      url,
      accountId,
    });
    const client = await Child.start<Load, Loaded>(
      workspace,
      new URL('../../clients/http.main.ts', import.meta.url),
      null,
    );
    const headers = { authorization: `Bearer ${key}` };
    const ours = { pid: gateway.pid, url: installation.url };
    const bare = { pid: floor.pid, url: `http://127.0.0.1:${await floor.ask(null)}` };

    const { calls } = (await get(ours.url, '/api/v1/calls?limit=100', headers)) as { calls: { id: string }[] };
    const paths = calls.map(({ id }) => `/api/v1/calls/${id}`);
    const [answer, bareAnswer] = [
      await get(ours.url, paths[0] ?? '', headers),
      await get(bare.url, paths[0] ?? '', headers),
    ];
    if (!isDeepStrictEqual(answer, bareAnswer))
      throw new Error('the two servers do not say the same: there is nothing to compare');

    const load = async (server: { pid: number; url: string }): Promise<Run> => {
      const before = canReadMemory ? cpuSeconds(server.pid) : Number.NaN;
      const loaded = await client.ask({ url: server.url, paths, headers, connections: CONNECTIONS, seconds });
      const used = (canReadMemory ? cpuSeconds(server.pid) : Number.NaN) - before;
      progress(`${server === ours ? 'ours' : 'bare'} ${loaded.requestsPerSecond.toFixed(0)}/s`);
      return { ...loaded, serverMicros: (used / (loaded.requestsPerSecond * seconds)) * 1e6 };
    };
    for (let warmUp = 0; warmUp < warmUps; warmUp += 1) {
      await load(ours);
      await load(bare);
    }
    const measured = await interleaved(
      runs,
      () => load(ours),
      () => load(bare),
    );
    await Promise.all([gateway.stop(), accounts.stop(), floor.stop(), client.stop()]);
    await installation.remove();

    const perSecond = (of: readonly Run[]) => of.map((run) => run.requestsPerSecond);
    const median = (of: readonly Run[], field: keyof Run) => figure(of.map((run) => run[field])).median.toFixed(2);
    return [
      compared(
        `GET /calls/:id, ${CONNECTIONS} connections`,
        'requests/s',
        { ours: perSecond(measured.ours), floor: perSecond(measured.floor) },
        { atLeast: 0.85 },
        [
          `answers of ${Buffer.byteLength(JSON.stringify(answer))} bytes, the same from both`,
          `p50 ${median(measured.ours, 'p50Ms')} ms against ${median(measured.floor, 'p50Ms')} ms, p99 ${median(measured.ours, 'p99Ms')} ms against ${median(measured.floor, 'p99Ms')} ms`,
          `processor time for each request: ours ${median(measured.ours, 'serverMicros')} µs, floor ${median(measured.floor, 'serverMicros')} µs; the client used ${median(measured.ours, 'cpuShare')} and ${median(measured.floor, 'cpuShare')} of a core`,
        ],
      ),
    ];
  },
};

async function get(url: string, path: string, headers: Record<string, string>): Promise<unknown> {
  const response = await fetch(`${url}${path}`, { headers });
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}`);
  return response.json();
}
