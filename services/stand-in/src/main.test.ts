import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { FILES } from './recordings.ts';
import { transcribe } from './requests.fixture.ts';

const started: ChildProcessWithoutNullStreams[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

function start(env: Record<string, string>): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], { env: { PATH: '', ...env } });
  started.push(child);
  return child;
}

/** @returns what was printed up to the match, or all of it when the process ends before */
async function printed(child: ChildProcessWithoutNullStreams, until: RegExp | null = null): Promise<string> {
  let text = '';
  const take = (chunk: Buffer) => {
    text += chunk.toString();
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  while (!until?.test(text) && child.exitCode === null)
    await Promise.race([once(child.stdout, 'data'), once(child, 'close')]);
  return text;
}

describe('npm run stand-in', () => {
  it('prints the two settings, says where its words come from, serves, and ends on SIGTERM', async () => {
    const child = start({ STAND_IN_PORT: '0' });
    const text = await printed(child, /npm start/);
    const [, url, key] = /OPENAI_BASE_URL=(\S+) OPENAI_API_KEY=(\S+)/.exec(text) ?? [];
    expect(text).toMatch(/Speech is NOT recognized/);
    expect((await fetch(`${url}/models`, { headers: { authorization: `Bearer ${key}` } })).status).toBe(200);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('takes as long for a transcription as STAND_IN_DELAY says', async () => {
    const child = start({ STAND_IN_PORT: '0', STAND_IN_DELAY: '300ms' });
    const [, url = '', key = ''] =
      /OPENAI_BASE_URL=(\S+) OPENAI_API_KEY=(\S+)/.exec(await printed(child, /npm start/)) ?? [];
    const began = performance.now();
    expect((await transcribe({ url, key }, await readFile(join(FILES, 'excerpt.mp3')))).status).toBe(200);
    expect(performance.now() - began).toBeGreaterThan(295);
  });

  it('names a wrong setting', async () => {
    expect(await printed(start({ STAND_IN_PORT: 'x' }))).toMatch(/STAND_IN_PORT is "x"/);
  });

  it('says that the port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    const child = start({ STAND_IN_PORT: String(port) });
    expect(await printed(child)).toMatch(/STAND_IN_PORT/);
    expect(child.exitCode).toBe(1);
    other.close();
  });
});
