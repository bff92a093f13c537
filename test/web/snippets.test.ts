import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { curlReport, curlUpload, python, tryKey, typescript } from '../../services/web/src/app/docs/snippets.ts';
import { FILES } from '../audio/manifest.ts';
import { Installation } from '../e2e/installation.ts';
import { itNeeds, program } from '../requirements.ts';
import { startStandIn } from '../stand-ins/openai/index.ts';

const run = promisify(execFile);

// The lines of "From zero to the first report", as somebody pastes them.
describe('the lines to paste', () => {
  let standIn: Awaited<ReturnType<typeof startStandIn>>;
  let installation: Installation;
  let place: Parameters<typeof curlUpload>[0];
  let cwd: string;

  beforeAll(async () => {
    standIn = await startStandIn({ speech: 'known-text' });
    installation = await Installation.make({ OPENAI_BASE_URL: standIn.url, OPENAI_API_KEY: standIn.key, ANALYSIS_ENGINE: 'rules' });
    await installation.start();
    const { key } = await installation.client();
    cwd = await mkdtemp(join(tmpdir(), 'snippets-'));
    await copyFile(join(FILES, 'bundled-call.mp3'), join(cwd, 'call.mp3'));
    place = { origin: installation.url, key, file: 'call.mp3' };
  });
  afterAll(async () => {
    await installation.remove();
    await standIn.close();
    await rm(cwd, { recursive: true });
  });

  itNeeds(program('curl'), 'curl: the key is that of the account', async () => {
    const { stdout } = await run('sh', ['-c', tryKey(place.origin, place.key)]);
    expect(JSON.parse(stdout)).toMatchObject({ name: 'Acme' });
  });

  itNeeds(program('curl'), 'curl: uploads, waits and reads the report', async () => {
    await run('sh', ['-c', `${curlUpload(place)}\n${curlReport()}`], { cwd });
    expect(JSON.parse(await readFile(join(cwd, 'report.json'), 'utf8'))).toMatchObject({ status: 'completed', score: expect.any(Number) });
  });

  it('TypeScript: uploads, waits and reads the report', async () => {
    // In a module, as in every project of today; elsewhere Node says that it had to find out.
    await writeFile(join(cwd, 'package.json'), '{"type":"module"}');
    await writeFile(join(cwd, 'report.ts'), typescript(place));
    const { stdout, stderr } = await run(process.execPath, ['report.ts'], { cwd });
    expect(stdout).toMatch(/^\d+ \S+/);
    expect(stderr).toBe('');
  });

  itNeeds(program('python3'), 'Python: uploads, waits and reads the report', async () => {
    await writeFile(join(cwd, 'report.py'), python(place));
    const { stdout } = await run('python3', ['report.py'], { cwd });
    expect(stdout).toMatch(/^\d+ \S+/);
  });
});
