import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { ranAlone } from './terminal.fixture.ts';

const SCRIPTS = {
  'compose:init': 'deploy/compose/init.mjs',
  'compose:pin': 'deploy/compose/pin.mjs',
  'k8s:init': 'k8s/init.mjs',
  'k8s:check': 'k8s/check.mjs',
  'lock:complete': '.ci/complete-lock.mjs',
  train: 'test/quality/train/main.ts',
  audio: 'test/audio/make.ts',
  quality: 'test/quality/main.ts',
  transcripts: 'test/transcripts/main.ts',
  openapi: 'services/api-gateway/src/openapi/write.main.ts',
  chaos: 'test/chaos/main.ts',
  'stand-in': 'services/stand-in/src/main.ts',
};

it.each(Object.entries(SCRIPTS))('npm run %s refuses an unknown option, and does nothing', async (name, file) => {
  const main = fileURLToPath(new URL(`../${file}`, import.meta.url));
  const cwd = await mkdtemp(join(tmpdir(), 'scripts-'));
  const run = (...args: string[]) => ranAlone(main, args, { PATH: process.env.PATH ?? '' }, cwd);
  try {
    const wrong = await run('--unknown');
    expect(wrong).toMatchObject({ code: 2, out: '', err: expect.stringContaining("Unknown option '--unknown'") });
    expect(wrong.err).toContain(`npm run ${name}`);
    // The others read their options with the same two functions.
    if (name === 'compose:init' || name === 'openapi')
      expect(await run('--help')).toMatchObject({ code: 0, err: '', out: expect.stringContaining(`npm run ${name}`) });
    expect(await readdir(cwd)).toEqual([]);
  } finally {
    await rm(cwd, { recursive: true });
  }
});
