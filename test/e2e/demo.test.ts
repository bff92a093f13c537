import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FILES } from '@call-analytics/stand-in/recordings';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { COMPILE_CACHE } from '../terminal.fixture.ts';

const DEMO = fileURLToPath(new URL('../../services/standalone/src/demo/main.ts', import.meta.url));

describe('npm run demo, on a machine without any speech engine', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'call-analytics-'));
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  // Nothing on the PATH: no pocketsphinx to be found.
  const started = (...args: string[]) =>
    spawn(process.execPath, ['--import', COMPILE_CACHE, DEMO, ...args], {
      env: { PATH: dataDir, DATA_DIR: dataDir, PORT: '0' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const demo = (...args: string[]) =>
    new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
      const child = started(...args);
      const texts = { out: '', err: '' };
      child.stdout.on('data', (chunk) => (texts.out += chunk));
      child.stderr.on('data', (chunk) => (texts.err += chunk));
      child.on('close', (code) => resolve({ code, ...texts }));
    });

  it('shows each state, prints the report of the bundled call, and says plainly that its transcript is replayed', async () => {
    const { code, out } = await demo('--once');
    expect(out).toMatch(/REPLAYED from its known text, not recognized/);
    expect(out).toMatch(/ s {2}queued\n.* s {2}transcribing\n.* s {2}analyzing\n.* s {2}completed/);
    expect(out).toMatch(/Manager: Good morning\./);
    expect(out).toMatch(/Next steps/);
    expect(code).toBe(0);
  });

  it('ends with a link that signs in once and leads to the report, and stays up', async () => {
    const child = started();
    let out = '';
    for await (const chunk of child.stdout) {
      out += chunk;
      if (/Ctrl\+C/.test(out)) break;
    }
    const link = new URL(/http:\S+\/link#\S+/.exec(out)?.[0] ?? '');
    const { token, next } = Object.fromEntries(new URLSearchParams(link.hash.slice(1)));
    expect((await fetch(link)).headers.get('content-type')).toMatch(/^text\/html/);
    const headers = { origin: link.origin, 'content-type': 'application/json' };
    const signIn = () =>
      fetch(new URL('/app/session/link', link), { method: 'POST', headers, body: JSON.stringify({ token }) });
    const signedIn = await signIn();
    expect(signedIn.status).toBe(200);
    const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
    const report = await fetch(new URL(`/api/v1${next}`, link), { headers: { cookie } });
    expect(await report.json()).toMatchObject({ status: 'completed', fileName: 'bundled-call.mp3' });
    expect((await signIn()).status).toBe(404);
    child.kill('SIGTERM');
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0);
  });

  it("never replays a transcript for the caller's own file: it says which two settings would make it work", async () => {
    const { code, out, err } = await demo('--once', join(FILES, 'excerpt.wav'));
    expect(err).toMatch(/OPENAI_API_KEY=[\s\S]*TRANSCRIPTION_ENGINE=whisper/);
    expect(out).not.toMatch(/Uploaded/);
    expect(code).toBe(1);
  });

  it('says so when there is no such file', async () => {
    expect(await demo('no-such-call.mp3')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/File not found: .*no-such-call\.mp3/),
    });
  });
});
