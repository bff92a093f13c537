import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, relative, sep } from 'node:path';
import { listening, type Part, SettingsError, serveBounded, wholeNumber } from '@call-analytics/service-kit';
import { z } from 'zod';
import { authPath, isAppPage, preloadedModule } from '../documents.ts';

/**
 * Responds to a GET or HEAD for a page or one of its files.
 * @returns false, without a response, for every other address
 */
type Pages = (req: IncomingMessage, res: ServerResponse) => boolean;

/**
 * The built pages: `docs.html` is the documentation, `auth.html` is for users who are not signed in, `index.html` is
 * the application. Every address without a file extension is a page; an unknown one is the application's "not found"
 * page with status 404.
 * @param dir where they were built
 * @returns null if there is no build
 */
export async function webPages({ dir }: { dir: string }): Promise<Pages | null> {
  const files = await readFiles(dir);
  const text = (path: string) => files.get(path)?.bytes.identity.toString();
  const [index, auth, docs] = [text('/index.html'), text('/auth.html'), text('/docs.html')];
  if (index === undefined || auth === undefined || docs === undefined) return null;
  const preloadLinks = await readPreloadLinks(dir);
  const documentOf = (path: string): Document | null => {
    if (/^\/docs(\/|\.html$|$)/.test(path)) return { html: docs, headers: DOCS_HEADERS };
    if (path === '/auth.html' || authPath(path) !== null) return withNonce(auth);
    if (extname(path) !== '' && path !== '/index.html') return null;
    const page = withNonce(index.replace('</head>', () => `${preloadLinks(path)}</head>`));
    return isAppPage(path) ? page : { ...page, status: 404 };
  };
  return (req, res) => {
    const path = pathOf(req);
    if (path === null) return false;
    const document = documentOf(path);
    const file = files.get(path);
    if (document !== null) sendDocument(req, res, document);
    else if (file !== undefined) sendFile(req, res, file);
    else return false;
    return true;
  };
}

function pathOf({ url = '/' }: IncomingMessage): string | null {
  try {
    return decodeURIComponent(url.split('?', 1)[0] ?? '');
  } catch {
    return null;
  }
}

interface Document {
  /** 200 if it is left out. */
  status?: number;
  html: string;
  headers: Readonly<Record<string, string>>;
}

/** Allows files of this origin and the named styles. No script inside a page; pictures may be data URLs. */
const contentSecurityPolicy = (styles: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' ${styles}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');

const DOCUMENT_HEADERS = { 'Referrer-Policy': 'no-referrer', 'X-Frame-Options': 'DENY' };
/** Scalar writes style elements and attributes that cannot carry a nonce. Scripts are still files of this origin. */
const DOCS_HEADERS = { 'Content-Security-Policy': contentSecurityPolicy("'unsafe-inline'"), ...DOCUMENT_HEADERS };

/** A new nonce for each response allows the style elements that components make. Vite reads it from the same place. */
function withNonce(html: string): Document {
  const nonce = randomBytes(16).toString('base64');
  return {
    html: html.replace('<head>', `<head><meta property="csp-nonce" nonce="${nonce}">`),
    headers: { 'Content-Security-Policy': contentSecurityPolicy(`'nonce-${nonce}'`), ...DOCUMENT_HEADERS },
  };
}

function sendDocument(req: IncomingMessage, res: ServerResponse, { status = 200, html, headers }: Document): void {
  const body = Buffer.from(html);
  res.writeHead(status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': body.length,
    // A cached page would have another nonce than the headers.
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...headers,
  });
  res.end(req.method === 'HEAD' ? undefined : body);
}

/** @returns links to the scripts and styles of the page at an address, so that they load together with its document */
async function readPreloadLinks(dir: string): Promise<(path: string) => string> {
  const text = await readFile(join(dir, '.vite/manifest.json'), 'utf8').catch(() => '{}');
  const manifest = JSON.parse(text) as Record<string, { file: string; imports?: string[]; css?: string[] }>;
  const linksOf = (module: string, links = new Set<string>()): Set<string> => {
    const chunk = manifest[module];
    const script = `<link rel="modulepreload" crossorigin href="/${chunk?.file}">`;
    if (chunk === undefined || links.has(script)) return links;
    links.add(script);
    for (const file of chunk.css ?? []) links.add(`<link rel="stylesheet" crossorigin href="/${file}">`);
    for (const imported of chunk.imports ?? []) linksOf(imported, links);
    return links;
  };
  const named = linksOf('index.html');
  return (path) => {
    const module = preloadedModule(path);
    const links = module === null ? [] : [...linksOf(module)].filter((link) => !named.has(link));
    return links.sort((a, b) => Number(a.includes('"stylesheet"')) - Number(b.includes('"stylesheet"'))).join('');
  };
}

interface PageFile {
  contentType: string;
  etag: string;
  /** Whether the name changes with the content. */
  isHashed: boolean;
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

/**
 * Reads all files of the build into memory: a new build may replace them while this process runs, and no path can
 * lead to another file. Files with a leading dot belong to the build itself.
 */
async function readFiles(dir: string): Promise<Map<string, PageFile>> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true }).catch(() => []);
  const names = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(dir, join(parentPath, name)).split(sep).join('/'))
    .filter((name) => !/(^|\/)\./.test(name));
  const files = new Map<string, PageFile>();
  for (const name of names) {
    const contentType = CONTENT_TYPES[extname(name)];
    if (contentType === undefined) continue;
    const identity = await readFile(join(dir, name));
    const bytes: PageFile['bytes'] = { identity };
    if (names.includes(`${name}.br`)) bytes.br = await readFile(join(dir, `${name}.br`));
    if (names.includes(`${name}.gz`)) bytes.gzip = await readFile(join(dir, `${name}.gz`));
    const etag = createHash('sha256').update(identity).digest('base64url').slice(0, 22);
    files.set(`/${name}`, { contentType, etag, isHashed: name.startsWith('assets/'), bytes });
  }
  return files;
}

function sendFile(req: IncomingMessage, res: ServerResponse, { contentType, etag, isHashed, bytes }: PageFile): void {
  // The smallest coding first.
  const available = (['br', 'gzip'] as const).filter((each) => bytes[each] !== undefined);
  const coding = contentCoding(req.headers['accept-encoding'], available) ?? 'identity';
  const body = bytes[coding] ?? bytes.identity;
  // Each coding is a representation of its own (RFC 9110, 8.8.3.3).
  const tag = `"${etag}${coding === 'identity' ? '' : `-${coding}`}"`;
  const headers = {
    ETag: tag,
    Vary: 'Accept-Encoding',
    'Cache-Control': isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    'X-Content-Type-Options': 'nosniff',
    // An SVG that is opened as a page may contain script.
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    'Referrer-Policy': 'no-referrer',
  };
  const known = (req.headers['if-none-match'] ?? '').split(',').map((each) => each.trim().replace(/^W\//, ''));
  if (known.includes(tag) || known.includes('*')) {
    res.writeHead(304, headers).end();
    return;
  }
  res.writeHead(200, {
    ...headers,
    'Content-Type': contentType,
    'Content-Length': body.length,
    ...(coding === 'identity' ? {} : { 'Content-Encoding': coding }),
  });
  res.end(req.method === 'HEAD' ? undefined : body);
}

/**
 * The first of the codings that the client accepts. Weights are not compared, except for 0, which is a refusal
 * (RFC 9110, 12.5.3).
 * @param accepted the header `Accept-Encoding`
 * @param available in the order of preference
 * @returns null when the answer must be sent as it is
 */
function contentCoding<C extends string>(accepted: string | undefined, available: readonly C[]): C | null {
  const wanted = new Map(
    (accepted ?? '').split(',').map((each) => {
      const [name = '', ...parameters] = each.split(';').map((part) => part.trim().toLowerCase());
      return [name, !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))] as const;
    }),
  );
  return available.find((coding) => wanted.get(coding) === true) ?? null;
}

export const webSettings = z.object({
  WEB_PORT: wholeNumber({ min: 0, max: 65_535 })
    .prefault('8081')
    .describe('the port of the pages, 0 to 65535; 0 takes any free port'),
  WEB_HOST: z.string().default('127.0.0.1').describe('the address to listen on; 0.0.0.0 for all'),
});

export interface WebServer extends Part {
  /** The address after `start`, such as `http://127.0.0.1:8081`. */
  url(): string;
}

/**
 * Serves the built pages to the gateway, which serves everything else itself.
 * @throws SettingsError from `start` if there is no build or the port is not free
 */
export function webServer({ dir, port, host }: { dir: string; port: number; host: string }): WebServer {
  // Longer than the gateway keeps an idle connection, so that no connection closes during a request.
  const server = createServer({ keepAliveTimeout: 75_000 });
  let drain = () => {};
  return {
    name: 'web server',
    async start() {
      const pages = await webPages({ dir });
      if (pages === null)
        throw new SettingsError(
          `There are no pages in ${dir}: build them with "node services/web/src/server/build.main.ts".`,
        );
      ({ drain } = serveBounded(server, (req, res) => {
        const readable = req.method === 'GET' || req.method === 'HEAD';
        if (!readable || !pages(req, res)) res.writeHead(readable ? 404 : 405).end();
      }));
      await listening(server, { host, port, settings: { host: 'WEB_HOST', port: 'WEB_PORT' } });
    },
    drain: () => drain(),
    async stop() {
      if (!server.listening) return;
      server.close();
      server.closeIdleConnections();
      // Responses are small and in memory, so they end soon.
      await once(server, 'close', { signal: AbortSignal.timeout(2_000) }).catch(() => server.closeAllConnections());
    },
    ready: () => (server.listening ? null : 'not listening'),
    url: () => `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`,
  };
}
