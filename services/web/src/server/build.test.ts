import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { buildPages } from './build.ts';

const SCRIPT = `document.title = ${JSON.stringify('x'.repeat(2_000))} + process.env.NODE_ENV;`;

let home: string;
let said: string[];

beforeEach(async () => {
  // Two folders deep: what is beside the services counts as a source too.
  home = join(await mkdtemp(join(tmpdir(), 'build-')), 'services/web');
  said = [];
  await mkdir(join(home, 'src/app'), { recursive: true });
  const page =
    '<!doctype html><html><head></head><body><script type="module" src="/src/app/main.js"></script></body></html>';
  for (const name of ['index.html', 'auth.html']) await writeFile(join(home, name), page);
  await writeFile(join(home, 'src/app/main.js'), SCRIPT);
});
afterEach(() => rm(join(home, '../..'), { recursive: true }));

const build = () => buildPages((line) => said.push(line), home);
const changed = (file: string, at: Date) => utimes(join(home, file), at, at);

describe('building the pages', () => {
  it('happens once, says so in one line, and again when a source has changed', async () => {
    expect(await build()).toBe(true);
    expect(said).toEqual(['building the pages (once)…']);
    expect(await build()).toBe(true);
    expect(said).toHaveLength(1);
    await changed('src/app/main.js', new Date(Date.now() + 1_000));
    expect(await build()).toBe(true);
    expect(said).toHaveLength(2);
    expect((await readdir(home)).sort()).toEqual(['auth.html', 'dist', 'index.html', 'src']);
  });

  it('makes those of production, whoever asks, with a smaller form beside each text', async () => {
    expect(process.env.NODE_ENV).toBe('test');
    await build();
    const assets = join(home, 'dist/assets');
    const name = (await readdir(assets)).find((each) => each.endsWith('.js')) ?? '';
    const script = await readFile(join(assets, name));
    expect(script.toString()).toContain('production');
    expect(brotliDecompressSync(await readFile(join(assets, `${name}.br`)))).toEqual(script);
    expect(gunzipSync(await readFile(join(assets, `${name}.gz`)))).toEqual(script);
  });

  it('leaves what was built before in its place when it fails, and says why', async () => {
    await build();
    await writeFile(join(home, 'src/app/main.js'), 'this is no script');
    await changed('src/app/main.js', new Date(Date.now() + 1_000));
    expect(await build()).toBe(true);
    expect(said.at(-1)).toMatch(/^The pages could not be built; the API works without them.*main\.js/s);
    expect(await readdir(join(home, 'dist'))).toContain('index.html');
    expect((await readdir(home)).sort()).toEqual(['auth.html', 'dist', 'index.html', 'src']);
  });

  it('fails softly when there was nothing before', async () => {
    await rm(join(home, 'src/app/main.js'));
    expect(await build()).toBe(false);
    expect(await readdir(home)).toEqual(['auth.html', 'index.html', 'src']);
  });
});
