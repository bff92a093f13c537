import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** @returns the files of the page at a path that the document itself does not name */
export type Preloads = (path: string) => { scripts: readonly string[]; styles: readonly string[] };

interface Chunk {
  file: string;
  imports?: string[];
  css?: string[];
}

const PAGES: readonly (readonly [path: RegExp, source: string])[] = [
  [/^\/(calls\/?)?$/, 'src/app/calls/calls-page.tsx'],
  [/^\/calls\/[^/]+\/?$/, 'src/app/report/report-page.tsx'],
  [/^\/overview\/?$/, 'src/app/overview/overview-page.tsx'],
];

/** By the build's own manifest. @param dir where the pages were built; without a manifest nothing is preloaded */
export async function readPreloads(dir: string): Promise<Preloads> {
  const manifest = await readManifest(dir);
  const first = filesOf(manifest, 'index.html');
  const pages = PAGES.map(([path, source]) => {
    const files = filesOf(manifest, source);
    return {
      path,
      scripts: [...files.scripts].filter((file) => !first.scripts.has(file)),
      styles: [...files.styles].filter((file) => !first.styles.has(file)),
    };
  });
  return (path) => pages.find((page) => page.path.test(path)) ?? { scripts: [], styles: [] };
}

async function readManifest(dir: string): Promise<Record<string, Chunk>> {
  const text = await readFile(join(dir, '.vite/manifest.json'), 'utf8').catch(() => '{}');
  return JSON.parse(text) as Record<string, Chunk>;
}

function filesOf(manifest: Record<string, Chunk>, name: string) {
  const scripts = new Set<string>();
  const styles = new Set<string>();
  const add = (each: string) => {
    const chunk = manifest[each];
    if (chunk === undefined || scripts.has(`/${chunk.file}`)) return;
    scripts.add(`/${chunk.file}`);
    for (const file of chunk.css ?? []) styles.add(`/${file}`);
    for (const imported of chunk.imports ?? []) add(imported);
  };
  add(name);
  return { scripts, styles };
}
