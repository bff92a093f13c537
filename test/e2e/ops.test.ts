import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FILES } from '@call-analytics/stand-in/recordings';
import { VOICE_MODEL } from '@call-analytics/transcription/voice-model';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ranAlone } from '../terminal.fixture.ts';
import { until } from '../until.fixture.ts';
import type { Client } from './client.fixture.ts';
import { Installation } from './installation.fixture.ts';

const CALL = join(FILES, 'excerpt.mp3');
const OPS = fileURLToPath(new URL('../../services/ops/src/main.ts', import.meta.url));

describe('an operator beside a running installation', () => {
  let installation: Installation;
  let client: Client;
  // One for all: each test has an account of its own, and leaves no call that is not finished.
  beforeAll(async () => {
    installation = await Installation.withStandIn({
      LEASE_DURATION: '1s',
      GRANT_DURATION: '1s',
    });
    await installation.start();
  });
  beforeEach(async () => {
    client = await installation.client();
  });
  afterEach(() => {
    installation.standIn.faults.length = 0;
    installation.standIn.requests.length = 0;
  });
  afterAll(() => installation.remove());

  const ops = (...args: string[]) => ranAlone(OPS, args, { DATA_DIR: installation.dataDir });
  const account = async () => ((await (await client.fetch('/me')).json()) as { id: string }).id;

  it('sees a call that waits for the engine, ends it with a reason, and retries it', async () => {
    await installation.standIn.close();
    const id = await client.uploaded(CALL, { name: 'Ana Petrov.mp3' });
    await until(async () => (await client.progress(id)).waitingFor !== null, 'it waits');
    expect((await ops('calls', 'show', id)).out).toContain('speech engine since');
    const queues = JSON.parse((await ops('queues', '--json')).out);
    expect(queues.waiting.speech_engine).toBe(1);
    expect((await ops('migrations')).out).toMatch(/^done +calls of earlier releases {2}All calls are rewritten/);
    const doctor = await ops('doctor');
    expect(doctor).toMatchObject({ code: 0, err: '' });
    expect(doctor.out).toMatch(/^warning +work +1 call waits for speech engine/m);

    const ended = await ops('calls', 'fail', id, 'The recording is not ours.');
    expect(ended).toMatchObject({ code: 0, err: '' });
    expect(await client.finished(id)).toMatchObject({ status: 'failed', errorMessage: 'The recording is not ours.' });
    expect((await ops('calls', 'fail', id)).err).toContain('already failed');
    const list = await ops('calls', 'list', '--account', await account(), '--status', 'failed');
    expect(list.out).toMatch(new RegExp(`^${id} .* failed +Ana Petrov.mp3$`, 'm'));

    await installation.restartStandIn();
    expect(await ops('calls', 'retry', id)).toMatchObject({ code: 0, err: '' });
    expect((await client.finished(id)).status).toBe('completed');
    const again = await ops('calls', 'retry', id);
    expect(again).toMatchObject({ code: 1, out: '' });
    expect(again.err).toContain('The call is completed. Only a failed call can be retried.');
    expect((await ops('calls', 'show', id)).out).not.toContain(
      String((await client.call(id)).transcript).slice(10, 40),
    );
  });

  it('takes a call away from its worker, whose work does not count', async () => {
    installation.standIn.faults.push({ endpoint: 'transcriptions', do: { kind: 'hang' } });
    const id = await client.uploaded(CALL);
    await until(() => installation.standIn.requests.length > 0, 'it is in work');
    expect((await ops('calls', 'show', id)).out).toContain('lease until');
    expect(await ops('calls', 'fail', id)).toMatchObject({ code: 0, err: '' });
    expect((await client.finished(id)).status).toBe('failed');
    await until(
      async () => (JSON.parse((await ops('queues', '--json')).out).stages[0].leased as number) === 0,
      'nobody works on it',
    );
    expect((await client.call(id)).errorMessage).toContain('An operator ended this call.');
  });

  it('drains a stage, whose calls wait uncounted through a restart, and resumes it', async () => {
    expect(await ops('drain', 'analysis')).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringContaining('Nothing is in work in analysis. Resume it with "npm run ops -- resume analysis".'),
    });
    const transcribed = async (id: string) => (await client.progress(id)).stage === 'analysis';
    const first = await client.uploaded(CALL);
    await until(() => transcribed(first), 'it is transcribed');
    await installation.kill('SIGTERM');
    await installation.start();
    // The dispatcher grants again, as this call shows.
    const second = await client.uploaded(CALL);
    await until(() => transcribed(second), 'the other one is transcribed too');
    for (const id of [first, second]) {
      expect((await ops('calls', 'show', id)).out).toMatch(/^attempts +1, 0 counted failures in this stage/m);
      expect(await client.progress(id)).toMatchObject({ status: 'analyzing', queue: { startsInSeconds: null } });
    }
    expect((await ops('queues')).out).toMatch(/^analysis is drained since .* Resume it with "npm run ops -- resume/m);
    const doctor = await ops('doctor');
    expect(doctor.out).toMatch(/^warning +work +analysis is drained since .*Z, and 2 calls wait\. Resume it with /m);
    expect(doctor.code).toBe(0);

    expect(await ops('resume', 'analysis')).toMatchObject({ code: 0, out: 'analysis begins calls again.\n', err: '' });
    for (const id of [first, second]) {
      expect((await client.finished(id)).status).toBe('completed');
      expect((await ops('calls', 'show', id)).out).toMatch(/^attempts +2, 0 counted failures/m);
    }
    expect((await ops('resume', 'analysis')).out).toBe('analysis was not drained.\n');
    expect((await ops('queues')).out).not.toContain('drained');
  });

  it('may end a drain that waits for a call, which is drained all the same', async () => {
    installation.standIn.faults.push({ endpoint: 'transcriptions', do: { kind: 'hang' } });
    const id = await client.uploaded(CALL);
    await until(() => installation.standIn.requests.length > 0, 'it is in work');
    const env = { DATA_DIR: installation.dataDir };
    const drain = spawn(process.execPath, [OPS, 'drain', 'transcription'], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let out = '';
    drain.stdout.setEncoding('utf8').on('data', (text) => (out += text));
    await until(() => out.includes('1 in work'), 'it says what is in work');
    drain.kill('SIGINT');
    expect(await once(drain, 'exit')).toEqual([null, 'SIGINT']);
    expect(JSON.parse((await ops('queues', '--json')).out).stages[0].drainedSince).toEqual(expect.any(String));
    expect(await ops('calls', 'fail', id)).toMatchObject({ code: 0, err: '' });
    expect((await ops('drain', 'transcription')).out).toContain('Nothing is in work in transcription.');
    expect((await ops('resume', 'transcription')).code).toBe(0);
  });

  it('is told what is wrong with an installation', async () => {
    await chmod(installation.dataDir, 0o755);
    const { code, out } = await ops('doctor');
    expect(code).toBe(1);
    expect(out).toContain(`Run: chmod 700 ${installation.dataDir}`);
    await chmod(installation.dataDir, 0o700);
    expect(await ops('doctor')).toMatchObject({ code: 0, out: expect.stringContaining('Nothing is wrong.') });
  });

  it('is told whether there is a speaker embedding, and whether it is the right one', async () => {
    const doctor = async (env: Record<string, string> = {}) => {
      const { code, out } = await ranAlone(OPS, ['doctor'], { DATA_DIR: installation.dataDir, ...env });
      return { code, line: out.split('\n').find((line) => line.includes('voice model')) };
    };
    expect(await doctor()).toEqual({
      code: 0,
      line: expect.stringMatching(
        /^ok +voice model +none: without it, voices are separated by spectrum only\. To download it: npm run/,
      ),
    });
    await mkdir(join(installation.dataDir, 'models'), { recursive: true });
    const file = join(installation.dataDir, 'models', VOICE_MODEL.file);
    await writeFile(file, 'half of it');
    expect(await doctor()).toEqual({
      code: 1,
      line: expect.stringMatching(
        /^wrong +voice model +.*\.onnx is damaged: without it, voices are separated by spectrum only\. Del/,
      ),
    });
    expect(await doctor({ VOICE_MODEL: file })).toEqual({
      code: 0,
      line: expect.stringMatching(
        /^not checked +voice model +.*\.onnx is not the published one, so its hash is not known/,
      ),
    });
    expect(await doctor({ VOICE_MODEL: join(installation.dataDir, 'none.onnx') })).toEqual({
      code: 1,
      line: expect.stringMatching(/^wrong +voice model +VOICE_MODEL: .*none\.onnx is not a file\.$/),
    });
    // The service says so too, and works.
    await installation.kill('SIGTERM');
    await installation.start();
    const readiness = (await (await fetch(`${installation.url}/readyz`)).json()) as { degraded: string[] };
    expect(readiness.degraded).toEqual([`${file} is damaged: without it, voices are separated by spectrum only`]);
    await rm(file);
  });

  it('gets a clear error for a call and a folder that do not exist, and creates nothing', async () => {
    expect((await ops('calls', 'show', 'call_none')).err).toContain('Call not found: call_none');
    const empty = join(installation.dataDir, 'elsewhere');
    const { code, err } = await ranAlone(OPS, ['queues'], { DATA_DIR: empty });
    expect(code).toBe(1);
    expect(err).toContain('Set DATA_DIR to the data folder');
    await expect(stat(empty)).rejects.toThrow('ENOENT');
  });
});
