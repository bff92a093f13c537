import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';

/** A file as it is sent. */
export interface PageFile {
  contentType: string;
  etag: string;
  /** Its name changes with its content. */
  isHashed: boolean;
  /** By content coding; `identity` is there always. */
  bytes: { identity: Buffer; br?: Buffer; gzip?: Buffer };
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.md': 'text/markdown; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};
const CODINGS = { '.br': 'br', '.gz': 'gzip' } as const;

/**
 * Reads the built pages: a few files that are sent again and again. Nothing else can be asked for, whatever a path looks like.
 * @returns the files by their path, e.g. `/assets/index-Bx3f.js`; null when nothing is built there
 */
export async function readPageFiles(dir: string): Promise<Map<string, PageFile> | null> {
  const names = await namesIn(dir);
  if (!names.includes('index.html')) return null;
  const files = new Map<string, PageFile>();
  for (const name of names.filter((each) => CONTENT_TYPES[extname(each)] !== undefined))
    files.set(`/${name}`, await read(dir, name, names));
  return files;
}

async function read(dir: string, name: string, names: readonly string[]): Promise<PageFile> {
  const identity = await readFile(join(dir, name));
  const bytes: PageFile['bytes'] = { identity };
  for (const [extension, coding] of Object.entries(CODINGS)) {
    if (names.includes(name + extension)) bytes[coding] = await readFile(join(dir, name + extension));
  }
  return {
    contentType: CONTENT_TYPES[extname(name)] ?? 'application/octet-stream',
    etag: createHash('sha256').update(identity).digest('base64url').slice(0, 22),
    isHashed: name.startsWith('assets/'),
    bytes,
  };
}

/** With `/` between folders, without what begins with a dot: that is the build's own. */
async function namesIn(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(dir, join(parentPath, name)).split(sep).join('/'))
    .filter((name) => !/(^|\/)\./.test(name));
}
