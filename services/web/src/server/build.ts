import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const HOME = fileURLToPath(new URL('../../', import.meta.url));
/** Where the build is. */
export const PAGES_DIR = join(HOME, 'dist');

/** The pages are built from these. The server is not among them. */
const SOURCES = [
  'index.html',
  'auth.html',
  'package.json',
  'vite.config.ts',
  'tsconfig.json',
  'public',
  'src/app',
  'src/docs',
  'src/documents.ts',
  '../../libs/contracts',
  '../../package-lock.json',
];

/**
 * Builds the pages if their sources are newer than the build that exists. The time of its index.html says when that
 * build began.
 * @param say called with one line for each thing that happens
 * @param home the folder of the sources; tests use another one
 * @returns whether there is a build now
 */
export async function buildPages(say: (line: string) => void, home = HOME): Promise<boolean> {
  const dist = join(home, 'dist');
  const builtAt = await changedAt(join(dist, 'index.html'));
  const sources = await Promise.all(SOURCES.map((source) => changedAt(join(home, source))));
  if (builtAt > Math.max(...sources)) return true;
  const vite = viteCommand();
  if (vite === null) {
    say('The pages are not built and Vite is not installed. Run npm ci. The API works without the pages.');
    return builtAt > 0;
  }
  say('building the pages (once)…');
  // In a folder of its own, moved when it is complete: other processes may build or read at the same time.
  const dir = `${dist}-${process.pid}`;
  const startedAt = new Date();
  try {
    const failure = await run(vite, home, dir);
    if (failure !== null) {
      say(
        'The pages could not be built; the API works without them. npm run build -w services/web says ' +
          `more.\n${failure}`,
      );
      return builtAt > 0;
    }
    await compress(dir);
    // Sources that change during the build may not be in it.
    await utimes(join(dir, 'index.html'), startedAt, startedAt);
    await replace(dist, dir);
    return true;
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

async function replace(dist: string, dir: string): Promise<void> {
  for (;;) {
    await rm(dist, { recursive: true, force: true });
    try {
      return await rename(dir, dist);
    } catch (error) {
      // Another process was faster.
      if (!['ENOTEMPTY', 'EEXIST'].includes(String((error as NodeJS.ErrnoException).code))) throw error;
    }
  }
}

/** @returns milliseconds since 1970 of the latest change to a file or to a file in a folder; 0 if there is none */
async function changedAt(path: string): Promise<number> {
  const found = await stat(path).catch(() => null);
  if (found === null) return 0;
  if (!found.isDirectory()) return found.mtimeMs;
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const times = entries
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map(async ({ parentPath, name }) => (await stat(join(parentPath, name)).catch(() => found)).mtimeMs);
  return Math.max(0, ...(await Promise.all(times)));
}

/** Vite's own file: npm may not be on the PATH. */
function viteCommand(): string | null {
  try {
    return join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin/vite.js');
  } catch {
    return null;
  }
}

/** @returns the output of a build that failed, otherwise null */
async function run(vite: string, home: string, dir: string): Promise<string | null> {
  const child = spawn(process.execPath, [vite, 'build', '--outDir', dir, '--emptyOutDir', '--logLevel', 'error'], {
    cwd: home,
    // Tests call this too and need the pages of production.
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'close');
  return code === 0 ? null : output.trim();
}

/** Brotli's best quality takes long. Only files of the documentation are larger. */
const BEST_QUALITY_UP_TO_BYTES = 800_000;

/** Writes each text file also in gzip and Brotli, so that the server compresses nothing. */
async function compress(dir: string): Promise<void> {
  const names = (await readdir(dir, { recursive: true })).filter((name) => /\.(js|css|svg|json|md)$/.test(name));
  for (const name of names) {
    const bytes = await readFile(join(dir, name));
    if (bytes.length < 1_000) continue;
    await writeFile(join(dir, `${name}.gz`), await promisify(gzip)(bytes, { level: 9 }));
    const params = { [constants.BROTLI_PARAM_QUALITY]: bytes.length <= BEST_QUALITY_UP_TO_BYTES ? 11 : 9 };
    await writeFile(join(dir, `${name}.br`), await promisify(brotliCompress)(bytes, { params }));
  }
}
