import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Load, Loaded } from '../clients/http.main.ts';
import { Child } from '../harness/child.ts';
import { startGateway } from '../harness/gateway.ts';
import { interleaved } from '../harness/interleave.ts';
import { type Context, compared, figure, type Measure, type Result } from '../harness/measure.ts';
import { canReadMemory, cpuSeconds } from '../harness/memory.ts';
import { seedFinishedCalls } from '../seed/calls.ts';

const CALLS = 1_000;
/** So many that a server always has a request waiting, so few that this says nothing about queues. */
const CONNECTIONS = 8;
/** Different calls are asked for in turn, as clients do. */
const POLLED = 100;

interface Run extends Loaded {
  /** Processor time of the server for each request, in microseconds. */
  serverMicros: number;
}

/** Reads over HTTP, against a bare Express handler that gives the same answers from the same file. */
export const reads: Measure = {
  name: 'reads',
  async run({ workspace, quick, progress }: Context): Promise<Result[]> {
    const [runs, seconds] = quick ? [2, 1] : [9, 3];
    const gateway = await startGateway(workspace);
    const file = join(gateway.dataDir, 'calls.sqlite');
    await seedFinishedCalls(file, { accountId: gateway.accountId, count: CALLS, documents: true });
    const floor = await Child.start<null, number>(workspace, new URL('../floors/reads.main.ts', import.meta.url), {
      file,
      accountId: gateway.accountId,
    });
    const client = await Child.start<Load, Loaded>(
      workspace,
      new URL('../clients/http.main.ts', import.meta.url),
      null,
    );
    const headers = { authorization: `Bearer ${gateway.key}` };
    const servers = {
      ours: { pid: gateway.pid, url: `http://127.0.0.1:${gateway.port}` },
      floor: { pid: floor.pid, url: `http://127.0.0.1:${await floor.ask(null)}` },
    };

    const load = async (server: { pid: number; url: string }, paths: readonly string[]): Promise<Run> => {
      const usedBefore = canReadMemory ? cpuSeconds(server.pid) : Number.NaN;
      const loaded = await client.ask({ url: server.url, paths, headers, connections: CONNECTIONS, seconds });
      const used = (canReadMemory ? cpuSeconds(server.pid) : Number.NaN) - usedBefore;
      progress(`${paths[0]} ${loaded.requestsPerSecond.toFixed(0)}/s`);
      return { ...loaded, serverMicros: (used / (loaded.requestsPerSecond * seconds)) * 1e6 };
    };

    const list = (await get(servers.ours.url, '/api/v1/calls?limit=100', headers)) as { calls: { id: string }[] };
    const cases = [
      { what: 'GET /calls/:id', paths: list.calls.slice(0, POLLED).map(({ id }) => `/api/v1/calls/${id}`) },
      { what: 'GET /calls', paths: ['/api/v1/calls'] },
    ];
    const results: Result[] = [];
    for (const { what, paths } of cases) {
      const bytes = await sameAnswer(servers, paths[0] ?? '', headers);
      const { ours, floor: bare } = await interleaved(
        runs,
        () => load(servers.ours, paths),
        () => load(servers.floor, paths),
      );
      const perSecond = (of: readonly Run[]) => of.map((run) => run.requestsPerSecond);
      results.push(
        compared(
          `${what}, ${CONNECTIONS} connections`,
          'requests/s',
          { ours: perSecond(ours), floor: perSecond(bare) },
          { atLeast: 0.85 },
          [
            `answers of ${bytes} bytes, the same from both`,
            `p50 ${median(ours, 'p50Ms')} ms against ${median(bare, 'p50Ms')} ms, p99 ${median(ours, 'p99Ms')} ms against ${median(bare, 'p99Ms')} ms`,
            `processor time for each request: ours ${median(ours, 'serverMicros')} µs, floor ${median(bare, 'serverMicros')} µs; the client used ${median(ours, 'cpuShare')} and ${median(bare, 'cpuShare')} of a core`,
          ],
        ),
      );
    }
    await Promise.all([gateway.stop(), floor.stop(), client.stop()]);
    return results;
  },
};

function median(runs: readonly Run[], field: keyof Run): string {
  return figure(runs.map((run) => run[field])).median.toFixed(2);
}

async function get(url: string, path: string, headers: Record<string, string>): Promise<unknown> {
  const response = await fetch(`${url}${path}`, { headers });
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}`);
  return response.json();
}

/**
 * @returns the size of the answer, in bytes.
 * @throws Error when the two servers do not say the same: then there is nothing to compare
 */
async function sameAnswer(
  servers: Record<'ours' | 'floor', { url: string }>,
  path: string,
  headers: Record<string, string>,
): Promise<number> {
  const [ours, floor] = await Promise.all([
    get(servers.ours.url, path, headers),
    get(servers.floor.url, path, headers),
  ]);
  if (!isDeepStrictEqual(ours, floor))
    throw new Error(`${path}: the answers differ\n${JSON.stringify(ours)}\n${JSON.stringify(floor)}`);
  return Buffer.byteLength(JSON.stringify(ours));
}
