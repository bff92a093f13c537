import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Transcript } from '@call-analytics/calls';
import { afterEach, describe, expect, it } from '@jest/globals';
import { rulesAnalyst } from './analyst.ts';
import { analyzeByRules } from './analyze.ts';
import { transcriptOf, writtenDialogues } from './dialogues.fixture.ts';

const LONG_MS = 60_000;
const spent = () => {};
const never = () => ({ signal: new AbortController().signal, spent });
const [dialogue] = writtenDialogues();
if (dialogue === undefined) throw new Error('no dialogue');
const call = transcriptOf(dialogue, 'channels');

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

/** A thread that hangs or dies on a call in the language "xx", and answers any other. */
async function threadThat(does: string): Promise<URL> {
  const dir = await mkdtemp(join(tmpdir(), 'thread-'));
  cleanUps.push(() => rm(dir, { recursive: true, force: true }));
  const file = join(dir, 'worker.mjs');
  const source = `import { parentPort } from 'node:worker_threads';
parentPort.on('message', ({ transcript: { language } }) => { if (language === 'xx') { ${does} } parentPort.postMessage({ language }); });`;
  await writeFile(file, source);
  return pathToFileURL(file);
}
const bad: Transcript = { ...call, language: 'xx' };

describe('the rules in a thread', () => {
  it('give the same analysis as in place, for each of several calls at a time', async () => {
    const analyst = rulesAnalyst({ timeoutMs: LONG_MS });
    const found = await Promise.all([call, call, call].map((transcript) => analyst.analyze(transcript, never())));
    for (const analysis of found) expect(analysis).toEqual(await analyzeByRules(call));
    expect(await analyst.analyze(call, never())).toEqual(found[0]);
  });

  it('leave the thread that asked free while they work', async () => {
    const analyst = rulesAnalyst({ timeoutMs: LONG_MS });
    const text = 'that is too expensive '.repeat(20_000);
    const long: Transcript = { ...call, utterances: [{ speaker: null, startMs: 0, endMs: 1, text }] };
    let turns = 0;
    const counting = setInterval(() => {
      turns += 1;
    }, 1);
    await analyst.analyze(long, never());
    clearInterval(counting);
    expect(turns).toBeGreaterThan(5);
  });

  it('are ended at the time limit', async () => {
    const analyst = rulesAnalyst({ timeoutMs: 500, script: await threadThat('for (;;);') });
    await expect(analyst.analyze(bad, never())).rejects.toMatchObject({
      failure: { kind: 'rejected', code: 'analysis_timeout' },
    });
  });

  it('that die fail their call alone', async () => {
    const analyst = rulesAnalyst({ timeoutMs: LONG_MS, script: await threadThat('process.exit(1);') });
    await expect(analyst.analyze(bad, never())).rejects.toMatchObject({
      failure: { kind: 'bug', code: 'analysis_failed' },
    });
    expect(await analyst.analyze(call, never())).toEqual({ language: 'en' });
  });

  it('are left at once when the result is not wanted any more', async () => {
    const analyst = rulesAnalyst({ timeoutMs: LONG_MS, script: await threadThat('for (;;);') });
    const stop = new AbortController();
    const analysis = analyst.analyze(bad, { signal: stop.signal, spent });
    stop.abort(new Error('the service stops'));
    await expect(analysis).rejects.toThrow('the service stops');
  });
});
