import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname } from 'node:path';
import { contentCoding } from '@call-analytics/service-kit';
import { outsidePath } from '../outside-paths.ts';
import { DOCS_HEADERS, withPolicy } from './content-security-policy.ts';
import { type PageFile, readPageFiles } from './files.ts';
import { type Preloads, readPreloads } from './preloads.ts';

/** Answers a GET or HEAD for a page or one of its files. @returns false when there is nothing at this address: nothing is answered then */
export type Pages = (req: IncomingMessage, res: ServerResponse) => boolean;

const A_YEAR = 'public, max-age=31536000, immutable';

/**
 * The built pages. Every address without a file extension is a page. There are three documents: `/docs` is the documentation, `outside.html` is for
 * people who are not signed in, and `index.html` is the application. What a page shows is decided in the browser.
 * @param dir where they were built
 * @returns null when nothing is built there
 */
export async function webPages({ dir }: { dir: string }): Promise<Pages | null> {
  const files = await readPageFiles(dir);
  const text = (path: string) => files?.get(path)?.bytes.identity.toString();
  const [index, outside, docs] = [text('/index.html'), text('/outside.html'), text('/docs.html')];
  if (files === null || index === undefined || outside === undefined || docs === undefined) return null;
  const preloads = await readPreloads(dir);
  const documentOf = (path: string) => {
    if (/^\/docs(\/|\.html$|$)/.test(path)) return { html: docs, headers: DOCS_HEADERS };
    if (path === '/outside.html' || outsidePath(path) !== null) return withPolicy(outside);
    return extname(path) === '' || path === '/index.html' ? withPolicy(withPreloads(index, preloads, path)) : null;
  };
  return (req, res) => {
    const path = pathOf(req);
    if (path === null) return false;
    const document = documentOf(path);
    const file = files.get(path);
    if (document !== null) sendPage(req, res, document);
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

/** The chunk of a page is loaded side by side with the scripts that will ask for it. */
function withPreloads(index: string, preloads: Preloads, path: string): string {
  const { scripts, styles } = preloads(path);
  const links = [
    ...scripts.map((href) => `<link rel="modulepreload" crossorigin href="${href}">`),
    ...styles.map((href) => `<link rel="stylesheet" crossorigin href="${href}">`),
  ];
  return index.replace('</head>', () => `${links.join('')}</head>`);
}

/** Never from a cache: pages of the application have a nonce of their own, which must be that of their headers. */
function sendPage(req: IncomingMessage, res: ServerResponse, { html, headers }: ReturnType<typeof withPolicy>): void {
  const body = Buffer.from(html);
  res.writeHead(200, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': body.length,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...headers,
  });
  res.end(req.method === 'HEAD' ? undefined : body);
}

function sendFile(req: IncomingMessage, res: ServerResponse, { contentType, etag, isHashed, bytes }: PageFile): void {
  // The smallest first.
  const there = (['br', 'gzip'] as const).filter((each) => bytes[each] !== undefined);
  const coding = contentCoding(req.headers['accept-encoding'], there) ?? 'identity';
  const body = bytes[coding] ?? bytes.identity;
  // Each coding is a representation of its own (RFC 9110, 8.8.3.3).
  const tag = `"${etag}${coding === 'identity' ? '' : `-${coding}`}"`;
  const headers = {
    ETag: tag,
    Vary: 'Accept-Encoding',
    'Cache-Control': isHashed ? A_YEAR : 'no-cache',
    'X-Content-Type-Options': 'nosniff',
    // A picture that is opened by itself may carry script.
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    'Referrer-Policy': 'no-referrer',
  };
  if (knows(req.headers['if-none-match'], tag)) {
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

function knows(ifNoneMatch: string | undefined, tag: string): boolean {
  return (ifNoneMatch ?? '').split(',').some((each) => each.trim().replace(/^W\//, '') === tag || each.trim() === '*');
}
