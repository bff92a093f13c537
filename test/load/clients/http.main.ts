import { cpuUsage } from 'node:process';
import autocannon from 'autocannon';
import { obey } from '../harness/child.ts';

export interface Load {
  url: string;
  /** Asked for in turn. */
  paths: readonly string[];
  headers: Record<string, string>;
  connections: number;
  seconds: number;
}

export interface Loaded {
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Share of one processor core that this client used, 0 to 1 and above. */
  cpuShare: number;
}

await obey<null, Load, Loaded>(async () => load);

async function load({ url, paths, headers, connections, seconds }: Load): Promise<Loaded> {
  const before = cpuUsage();
  const began = performance.now();
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    requests: paths.map((path) => ({ method: 'GET', path, headers })),
  });
  const wallMs = performance.now() - began;
  const cpu = cpuUsage(before);
  const bad = result.non2xx + result.errors + result.timeouts;
  if (bad > 0 || result['2xx'] === 0)
    throw new Error(`${bad} of ${result['2xx'] + bad} requests were not answered with 2xx`);
  return {
    requestsPerSecond: result['2xx'] / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    cpuShare: (cpu.user + cpu.system) / 1000 / wallMs,
  };
}
