import { setTimeout as delay } from 'node:timers/promises';
import { startGateway } from '../harness/gateway.ts';
import { canReadMemory, peakBytes, resetPeak, residentBytes } from '../harness/machine.ts';
import { bounded, type Context, type Measure, type Result } from '../harness/measure.ts';
import { healthMs, sendUnread } from './unread.ts';

const MiB = 2 ** 20;
/** As many as fit into the 64 KiB that Node reads at a time. */
const REQUESTS = 1_524;
const REQUEST = 'GET /app/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n';
const HEALTH_LIMIT_MS = 60_000;

/** Thousands of requests on a few connections, without a credential, whose answers are not read. */
export const pipelining: Measure = {
  name: 'abuse/pipelining',
  async run({ workspace, quick, progress }: Context): Promise<Result[]> {
    const connections = quick ? 3 : 60;
    const gateway = await startGateway(workspace);
    await healthMs(gateway.port, HEALTH_LIMIT_MS);
    const before = canReadMemory ? residentBytes(gateway.pid) : 0;
    if (canReadMemory) resetPeak(gateway.pid);
    const health: number[] = [];
    // Three at a time, as they were found to be enough; the next follow while those before are still open.
    for (let sent = 0; sent < connections; sent += 3) {
      await Promise.all([1, 2, 3].map(() => sendUnread(gateway.port, REQUEST.repeat(REQUESTS))));
      health.push(await healthMs(gateway.port, HEALTH_LIMIT_MS));
      progress(`${sent + 3} connections: /healthz after ${health.at(-1)?.toFixed(0)} ms`);
      if (health.at(-1) === Number.POSITIVE_INFINITY) break;
    }
    await delay(500);
    const grown = canReadMemory ? (peakBytes(gateway.pid) - before) / MiB : Number.NaN;
    await gateway.stop();
    const what = `${connections} connections with ${REQUESTS} unread requests each`;
    return [
      canReadMemory
        ? bounded(`${what}: growth of the gateway's process`, 'MiB', [grown], { atMost: 96 })
        : { what: `${what}: growth of the gateway's process`, skipped: "needs Linux's /proc" },
      bounded(`${what}: slowest /healthz meanwhile`, 'ms', health, { atMost: 1_000 }, { value: Math.max(...health) }),
    ];
  },
};
