import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { buildPages, PAGES_DIR } from '@call-analytics/web/server';
import { beforeAll, describe, expect, it } from '@jest/globals';

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

  // As gzip makes it: browsers take the smaller coding, brotli, only over TLS and from this machine.
  it.each([
    ['of the sign-in page', 100_000, ['auth.html']],
    [
      'of the list of calls, with what uploads',
      200_000,
      ['index.html', 'src/app/calls/calls-page.tsx', 'src/app/calls/upload/tray.tsx'],
    ],
    // Without the library that draws charts, which is loaded when there is something to draw.
    ['of the overview', 190_000, ['index.html', 'src/app/overview/overview-page.tsx', 'src/app/calls/upload/tray.tsx']],
    ['of a report', 190_000, ['index.html', 'src/app/report/report-page.tsx', 'src/app/calls/upload/tray.tsx']],
  ])('%s has at most %d bytes of script as gzip makes it', async (what, most, parts) => {
    const scripts = new Set(parts.flatMap((part) => [...scriptsOf(part)]));
    const sizes = await Promise.all(
      [...scripts].map(async (file) => gzipSync(await readFile(join(PAGES_DIR, file)), { level: 9 }).length),
    );
    const bytes = sizes.reduce((sum, each) => sum + each, 0);
    process.stdout.write(`The first load ${what}: ${Math.round(bytes / 1000)} kB in ${scripts.size} scripts\n`);
    expect(bytes).toBeLessThanOrEqual(most);
  });

  it('has the styles of every component in use', async () => {
    const app = fileURLToPath(new URL('../../services/web/src/app/', import.meta.url));
    const styles = await readFile(join(app, 'theme/styles.ts'), 'utf8');
    const used = new Set<string>();
    for (const name of (await readdir(app, { recursive: true })).filter((each) => each.endsWith('.tsx'))) {
      const source = await readFile(join(app, name), 'utf8');
      for (const [, names = ''] of source.matchAll(/import \{([^}]*)\} from '@mantine\/core'/g))
        for (const each of names.split(',').map((part) => part.trim())) if (/^[A-Z]\w*$/.test(each)) used.add(each);
    }
    const core = fileURLToPath(import.meta.resolve('@mantine/core/styles.css'));
    const missing = [...used].filter((each) => {
      const file = `${each}.layer.css`;
      return existsSync(join(dirname(core), 'styles', file)) && !styles.includes(`/${file}'`);
    });
    expect([used.size > 20, missing]).toEqual([true, []]);
  });
});
