import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Pages } from './pages.ts';

const STYLE =
  'body{font:1rem/1.5 system-ui,sans-serif;max-width:36rem;margin:20vh auto;padding:0 1rem;color-scheme:light dark}';
const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; frame-ancestors 'none'`;

/**
 * Says why there are no pages, in place of each.
 * @param what happened and what to do, in sentences; `…` marks code
 */
export function noPages(title: string, what: string): Pages {
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${prose(title)}</title><style>${STYLE}</style></head>
<body><h1>${prose(title)}</h1><p>${prose(what)}</p><p>The API works: <a href="/api/v1/openapi.json">OpenAPI document</a>.</p></body></html>
`;
  return (req: IncomingMessage, res: ServerResponse) => {
    res.writeHead(503, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Length': Buffer.byteLength(html),
      'Content-Security-Policy': POLICY,
      'Cache-Control': 'no-store',
      'Retry-After': '10',
      'X-Content-Type-Options': 'nosniff',
    });
    res.end(req.method === 'HEAD' ? undefined : html);
    return true;
  };
}

export const pagesNotBuilt: Pages = noPages(
  'The pages are not built',
  'Build them with `npm run pages`, then start the service again.',
);

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text in which `…` marks code, as HTML. */
function prose(text: string): string {
  const escaped = text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char);
  return escaped.replace(/`([^`]+)`/g, '<code>$1</code>');
}
