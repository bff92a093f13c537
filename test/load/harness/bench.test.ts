import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '../../until.fixture.ts';
import { bench, WrongOptions } from './bench.ts';
import { Child } from './child.ts';
import { bounded, type Context, compared, type Measure } from './measure.ts';

const met: Measure = {
  name: 'met',
  run: async () => [compared('faster', 'per second', { ours: [90, 95], floor: [100, 100] }, { atLeast: 0.85 })],
};
const missed: Measure = {
  name: 'missed',
  run: async () => [bounded('memory', 'MiB', [10, 70, 20], { atMost: 64 }, { value: 70 })],
};
const absent: Measure = { name: 'absent', run: async () => [{ what: 'decoding', skipped: 'needs ffmpeg' }] };
const thrown: Measure = {
  name: 'thrown',
  run: async () => {
    throw new Error('the server ended');
  },
};

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'bench-test-'));
});
afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});

async function run(args: string[], measures: Measure[]) {
  const printed: string[] = [];
  const progressed: string[] = [];
  const code = await bench(args, measures, {
    tmp: dir,
    print: (text) => printed.push(text),
    progress: (line) => progressed.push(line),
  });
  return { code, printed: printed.join('\n'), progressed: progressed.join('\n') };
}

describe('the bench', () => {
  it('ends with 0 when every target is met, and with 1 when one is missed', async () => {
    expect((await run([], [met])).code).toBe(0);
    expect((await run([], [met, missed])).code).toBe(1);
  });

  it('says what it could not measure here, and does not call it a miss', async () => {
    const { code, printed } = await run([], [met, absent]);
    expect(code).toBe(0);
    expect(printed).toContain('skipped: needs ffmpeg');
  });

  it('keeps the numbers of the others when a measure breaks, and ends with 1', async () => {
    const { code, printed, progressed } = await run([], [thrown, met]);
    expect(code).toBe(1);
    expect(printed).toContain('faster');
    expect(progressed).toContain('thrown: could not be measured: Error: the server ended');
  });

  it('runs only what the command line names, and refuses a name that is not there', async () => {
    expect((await run(['--only', 'met'], [met, missed])).code).toBe(0);
    await expect(run(['--only', 'mte'], [met])).rejects.toThrow(WrongOptions);
    await expect(run(['--fast'], [met])).rejects.toThrow(WrongOptions);
  });

  it('runs every measure of a group that the command line names', async () => {
    const [one, other] = [
      { ...met, name: 'abuse/one' },
      { ...missed, name: 'abuse/other' },
    ];
    expect((await run(['--only', 'abuse'], [one, other])).code).toBe(1);
    expect((await run(['--only', 'abuse/one'], [one, other])).code).toBe(0);
    await expect(run(['--only', 'abu'], [one, other])).rejects.toThrow(WrongOptions);
  });

  it('writes the JSON with the machine that the numbers are from', async () => {
    const file = join(dir, 'bench.json');
    await run(['--json', file, '--quick'], [met]);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      machine: { cores: expect.any(Number), node: process.version },
      quick: true,
      results: [{ what: 'faster', value: 0.925, ok: true, ours: { median: 92.5, min: 90, max: 95, runs: 2 } }],
    });
  });

  it('leaves no file and no process behind, whether a measure ends or breaks', async () => {
    let started: { dir: string; pid: number } | null = null;
    const untidy: Measure = {
      name: 'untidy',
      async run({ workspace }: Context) {
        const folder = workspace.folder('large');
        writeFileSync(join(folder, 'recording'), 'x');
        const child = await Child.start(workspace, new URL('./idle.fixture.ts', import.meta.url), null);
        started = { dir: workspace.dir, pid: child.pid };
        throw new Error('in the middle');
      },
    };
    await run([], [untidy]);
    const { dir: folder, pid } = started as unknown as { dir: string; pid: number };
    expect(existsSync(folder)).toBe(false);
    await until(() => !isAlive(pid), 'the process has ended');
  });

  it('removes what an earlier run left behind when it was killed, and nothing of a run that is still going', async () => {
    const ended = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
    await once(ended, 'exit');
    const [dead, alive] = [ended.pid, process.ppid].map((pid) => join(dir, `call-analytics-bench-${pid}-abcdef`)) as [
      string,
      string,
    ];
    for (const path of [dead, alive]) mkdirSync(path);
    await run([], [met]);
    expect([existsSync(dead), existsSync(alive)]).toEqual([false, true]);
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
