import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { startGateway } from '../harness/gateway.ts';
import { canReadMemory, peakBytes, resetPeak, residentBytes } from '../harness/machine.ts';
import { bounded, type Context, type Measure, type Result } from '../harness/measure.ts';
import { healthMs, sendUnread, type Unread } from './unread.ts';

const MiB = 2 ** 20;
const HEALTH_LIMIT_MS = 60_000;
/** The gateway gives an answer of this size a minute, and looks every 5 seconds. */
const LIMIT_S = 120;
const REQUEST = 'GET /app/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n';

/** Connections that ask again and again and read nothing, for as long as they are left open. */
export const slowAnswers: Measure = {
  name: 'abuse/slow-answers',
  async run({ workspace, quick, progress }: Context): Promise<Result[]> {
    const connections = quick ? 10 : 60;
    const gateway = await startGateway(workspace);
    await healthMs(gateway.port, HEALTH_LIMIT_MS);
    const before = canReadMemory ? residentBytes(gateway.pid) : 0;
    if (canReadMemory) resetPeak(gateway.pid);
    const began = performance.now();
    const open: Unread[] = [];
    for (let i = 0; i < connections; i += 1) open.push(await sendUnread(gateway.port, REQUEST));
    const health = await healthMs(gateway.port, HEALTH_LIMIT_MS);
    progress(`${connections} connections: /healthz after ${health.toFixed(0)} ms`);
    const ends: number[] = [];
    while (ends.length < connections && performance.now() - began < LIMIT_S * 1_000) {
      await delay(100);
      // The system's buffers take the first megabytes of answers; the server sees only then that nothing is read.
      for (const { socket } of open.filter(({ closed }) => !closed())) socket.write(REQUEST);
      const closed = open.filter((each) => each.closed()).length;
      while (ends.length < closed) ends.push((performance.now() - began) / 1_000);
    }
    while (ends.length < connections) ends.push(Number.POSITIVE_INFINITY);
    const grown = canReadMemory ? (peakBytes(gateway.pid) - before) / MiB : Number.NaN;
    for (const { socket } of open) socket.destroy();
    await gateway.stop();
    const what = `${connections} connections that ask again and again and read nothing`;
    return [
      canReadMemory
        ? bounded(`${what}: growth of the gateway's process`, 'MiB', [grown], { atMost: 96 })
        : { what: `${what}: growth of the gateway's process`, skipped: "needs Linux's /proc" },
      bounded(`${what}: /healthz meanwhile`, 'ms', [health], { atMost: 1_000 }),
      bounded(
        `${what}: until the last of them is closed`,
        's',
        ends,
        { atMost: LIMIT_S },
        { value: Math.max(...ends) },
      ),
    ];
  },
};
