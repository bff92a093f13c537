import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { FILES } from '@call-analytics/stand-in/recordings';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Installation } from '../e2e/installation.fixture.ts';
import { itNeeds, program } from '../requirements.fixture.ts';
import { until } from '../until.fixture.ts';

const run = promisify(execFile);
const SAMPLES = fileURLToPath(new URL('../../services/api-gateway/samples', import.meta.url));

describe('the samples of the documentation, as they stand', () => {
  let installation: Installation;
  let env: NodeJS.ProcessEnv;
  let cwd: string;

  beforeAll(async () => {
    installation = await Installation.withStandIn();
    await installation.start();
    const { key } = await installation.client();
    // What the guide tells the reader to export.
    env = { ...process.env, CALLS_URL: installation.url, CALLS_KEY: key };
  });
  afterAll(() => installation?.remove());

  beforeEach(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'samples-'));
    await copyFile(join(FILES, 'bundled-call.mp3'), join(cwd, 'call.mp3'));
    for (const file of ['report.sh', 'report.py', 'report.mts']) await copyFile(join(SAMPLES, file), join(cwd, file));
  });
  afterEach(() => rm(cwd, { recursive: true }));

  const report = (command: string, args: string[], key = env.CALLS_KEY) =>
    run(command, args, { cwd, env: { ...env, CALLS_KEY: key } });

  itNeeds(
    program('curl'),
    'curl: uploads, waits for its own call although a newer one came, and prints the report',
    async () => {
      const client = await installation.client('Own calls');
      const running = report('sh', ['report.sh', 'call.mp3'], client.key);
      await until(async () => (await client.calls()).total === 1, 'the call of the sample is there');
      await client.uploaded(join(FILES, 'bundled-call.mp3'), { name: 'newer.mp3' });
      expect(JSON.parse((await running).stdout)).toMatchObject({
        status: 'completed',
        fileName: 'call.mp3',
        score: expect.any(Number),
      });
    },
  );

  it('TypeScript: runs in a folder made by npm init -y', async () => {
    await run('npm', ['init', '-y'], { cwd });
    const { stdout, stderr } = await report(process.execPath, ['report.mts', 'call.mp3']);
    expect(stdout).toMatch(/^Score: \d+\n\S+/);
    expect(stderr).toBe('');
  });

  itNeeds(program('python3'), 'Python: uploads, waits and prints the report', async () => {
    const { stdout } = await report('python3', ['report.py', 'call.mp3']);
    expect(stdout).toMatch(/^Score: \d+\n\S+/);
  });

  for (const [needs, command, file] of [
    [program('curl'), 'sh', 'report.sh'],
    [program('python3'), 'python3', 'report.py'],
    [program('node'), process.execPath, 'report.mts'],
  ] as const)
    itNeeds(needs, `a wrong key ends the sample with the reason: ${file}`, async () => {
      await expect(report(command, [file, 'call.mp3'], 'aca_wrong')).rejects.toMatchObject({
        stderr: expect.stringMatching(/401|invalid_api_key/),
      });
    });
});
