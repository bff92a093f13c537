import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildPages, PAGES_DIR } from '@call-analytics/web/server';
import { beforeAll, describe, expect, it } from '@jest/globals';

const MOST_BYTES = 250_000;

interface Chunk {
  file: string;
  imports?: string[];
}

describe('the first load', () => {
  let manifest: Record<string, Chunk>;
  beforeAll(async () => {
    const said: string[] = [];
    if (!(await buildPages((line) => said.push(line)))) throw new Error(said.join('\n'));
    manifest = JSON.parse(await readFile(join(PAGES_DIR, '.vite/manifest.json'), 'utf8'));
  });

  /** The scripts that a part brings, and what it needs of others. */
  const scriptsOf = (name: string, seen = new Set<string>()): Set<string> => {
    const chunk = manifest[name];
    if (chunk === undefined) throw new Error(`the build has no ${name}`);
    if (seen.has(chunk.file)) return seen;
    seen.add(chunk.file);
    for (const each of chunk.imports ?? []) scriptsOf(each, seen);
    return seen;
  };

  it.each([
    ['of the sign-in page', ['index.html', 'src/app/session/sign-in-page.tsx']],
    [
      'of the list of calls, with what uploads',
      ['index.html', 'src/app/calls/calls-page.tsx', 'src/app/calls/upload/tray.tsx'],
    ],
    ['of a report', ['index.html', 'src/app/report/report-page.tsx', 'src/app/calls/upload/tray.tsx']],
  ])('%s has at most 250 kB of script as gzip makes it', async (what, parts) => {
    const scripts = new Set(parts.flatMap((part) => [...scriptsOf(part)]));
    const sizes = await Promise.all(
      [...scripts].map(async (file) => gzipSync(await readFile(join(PAGES_DIR, file)), { level: 9 }).length),
    );
    const bytes = sizes.reduce((sum, each) => sum + each, 0);
    process.stdout.write(`The first load ${what}: ${Math.round(bytes / 1000)} kB in ${scripts.size} scripts\n`);
    expect(bytes).toBeLessThanOrEqual(MOST_BYTES);
  });
});
