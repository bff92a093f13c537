import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { canReadMemory, cpuSecondsOfTree } from '../harness/machine.ts';
import { bounded, type Context, figure, type Measure, type Result } from '../harness/measure.ts';
import type { Workspace } from '../harness/workspace.ts';

const HOME = fileURLToPath(new URL('../../../', import.meta.url));
const WHAT = '`npm start` until ready: processor time';

/**
 * Everything that `npm start` runs: npm, the look at the pages, and the service with a new data folder, in the default
 * settings of a key.
 */
export const start: Measure = {
  name: 'start',
  async run({ workspace, quick, progress }: Context): Promise<Result[]> {
    if (!canReadMemory) return [{ what: WHAT, skipped: "needs Linux's /proc" }];
    // Builds the pages and fills the compile cache, as the first start after npm ci does.
    const first = await startOnce(workspace);
    progress(`first start: ${first.cpuSeconds.toFixed(2)} s`);
    const starts: Started[] = [];
    for (let run = 0; run < (quick ? 3 : 5); run += 1) starts.push(await startOnce(workspace));
    const wall = figure(starts.map(({ seconds }) => seconds)).median;
    return [
      bounded(
        WHAT,
        's',
        starts.map(({ cpuSeconds }) => cpuSeconds),
        { atMost: 1.5 },
        {
          notes: [
            `first start, with an empty compile cache or old pages: ${first.cpuSeconds.toFixed(2)} s`,
            `from command to ready: ${wall.toFixed(1)} s`,
          ],
        },
      ),
    ];
  },
};

interface Started {
  cpuSeconds: number;
  /** From the command to the log line "ready". */
  seconds: number;
}

async function startOnce(workspace: Workspace): Promise<Started> {
  const settings = {
    PORT: '0',
    OPS_PORT: '0',
    DATA_DIR: workspace.folder('start'),
    OPENAI_API_KEY: 'sk-bench',
    // Asked for nothing: no call is uploaded.
    OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
    LOG_LEVEL: 'info',
  };
  const began = performance.now();
  // A group of its own, so that a signal reaches the service behind npm and its shell.
  const child = spawn('npm', ['start'], {
    cwd: HOME,
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  workspace.adopt(child);
  const { pid } = child;
  if (pid === undefined) throw new Error('npm could not be started');
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      if (!line.includes('"msg":"ready"')) continue;
      return { cpuSeconds: cpuSecondsOfTree(pid), seconds: (performance.now() - began) / 1000 };
    }
    throw new Error('npm start ended before it was ready');
  } finally {
    if (child.exitCode === null) {
      process.kill(-pid, 'SIGTERM');
      await once(child, 'exit');
    }
  }
}
