import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const HOME = fileURLToPath(new URL('../../', import.meta.url));
/** Where the pages are when they are built. */
export const PAGES_DIR = join(HOME, 'dist');

/** When it was built, by its time. */
const STAMP = '.built';
/** What the pages are made of. The server beside them is not. */
const SOURCES = [
  'index.html',
  'outside.html',
  'package.json',
  'vite.config.ts',
  'tsconfig.json',
  'public',
  'src/app',
  'src/docs',
  'src/server/docs-plugin.ts',
  'src/outside-paths.ts',
  '../../libs/contracts',
  '../../package-lock.json',
];

/**
 * Builds the pages, when their sources are newer than what is there.
 * @param say told what happens, in one line
 * @param home the folder with their sources, for tests of another
 * @returns whether they are there now
 */
export async function buildPages(say: (line: string) => void, home = HOME): Promise<boolean> {
  const place = join(home, 'dist');
  const builtAt = await changedAt(join(place, STAMP));
  const sources = await Promise.all(SOURCES.map((source) => changedAt(join(home, source))));
  if (builtAt > Math.max(...sources)) return true;
  const vite = viteCommand();
  if (vite === null) {
    say(
      'The pages are not built, and what builds them is not installed: npm ci brings it. The API works without them.',
    );
    return builtAt > 0;
  }
  say('building the pages (once)…');
  // Apart, and put in place when it is whole: others may be building too, or reading.
  const dir = `${place}-${process.pid}`;
  const startedAt = new Date();
  try {
    const failure = await run(vite, home, dir);
    if (failure !== null) {
      say(
        `The pages could not be built; the API works without them. npm run build -w services/web says more.\n${failure}`,
      );
      return builtAt > 0;
    }
    await compress(dir);
    await writeFile(join(dir, STAMP), '');
    // What was changed meanwhile may not be in it.
    await utimes(join(dir, STAMP), startedAt, startedAt);
    await putInPlace(dir, place);
    return true;
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

async function putInPlace(dir: string, place: string): Promise<void> {
  for (;;) {
    await rm(place, { recursive: true, force: true });
    try {
      return await rename(dir, place);
    } catch (error) {
      // Somebody else was a moment earlier.
      if (!['ENOTEMPTY', 'EEXIST'].includes(String((error as NodeJS.ErrnoException).code))) throw error;
    }
  }
}

/** @returns milliseconds since 1970 of the latest change in it; 0 when it is not there */
async function changedAt(path: string): Promise<number> {
  const found = await stat(path).catch(() => null);
  if (found === null) return 0;
  if (!found.isDirectory()) return found.mtimeMs;
  const inside = await readdir(path, { recursive: true, withFileTypes: true });
  const times = inside
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map(async ({ parentPath, name }) => (await stat(join(parentPath, name)).catch(() => found)).mtimeMs);
  return Math.max(0, ...(await Promise.all(times)));
}

/** Vite by its own file: there may be no npm on the PATH. */
function viteCommand(): string | null {
  try {
    return join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin/vite.js');
  } catch {
    return null;
  }
}

/** @returns what it said when it failed, otherwise null */
async function run(vite: string, home: string, dir: string): Promise<string | null> {
  const child = spawn(process.execPath, [vite, 'build', '--outDir', dir, '--emptyOutDir', '--logLevel', 'error'], {
    cwd: home,
    // Whoever asks may be a test: the pages are those of production all the same.
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  const [code] = await once(child, 'close');
  return code === 0 ? null : said.trim();
}

/** The smallest that brotli makes, which takes long. Larger files are those of the documentation. */
const BEST_UP_TO_BYTES = 800_000;

/** Puts a smaller form beside each text, so that serving it costs nothing. */
async function compress(dir: string): Promise<void> {
  const names = (await readdir(dir, { recursive: true })).filter((name) => /\.(js|css|svg|json|md)$/.test(name));
  for (const name of names) {
    const bytes = await readFile(join(dir, name));
    if (bytes.length < 1_000) continue;
    await writeFile(join(dir, `${name}.gz`), await promisify(gzip)(bytes, { level: 9 }));
    const params = { [constants.BROTLI_PARAM_QUALITY]: bytes.length <= BEST_UP_TO_BYTES ? 11 : 9 };
    await writeFile(join(dir, `${name}.br`), await promisify(brotliCompress)(bytes, { params }));
  }
}
