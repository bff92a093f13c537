import { randomBytes } from 'node:crypto';

/** Where the page finds its nonce: `document.querySelector('meta[property=csp-nonce]').nonce`, as Vite's own code does. */
const META = (nonce: string) => `<meta property="csp-nonce" nonce="${nonce}">`;

/** Everything from this origin, and nothing else. No script inside a page; styles as named. Pictures may be written out where they are used. */
function policy(styles: string): string {
  return [
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
}

const FOR_EVERY_PAGE = { 'Referrer-Policy': 'no-referrer', 'X-Frame-Options': 'DENY' };

/** The documentation: its renderer writes style elements and attributes that cannot carry a nonce. Scripts stay bound to files of this origin. */
export const DOCS_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': policy("'unsafe-inline'"),
  ...FOR_EVERY_PAGE,
};

/**
 * A page of the web application as it is sent once. Its own nonce allows the style elements that the components make.
 * @param html with a `<head>`
 */
export function withPolicy(html: string): { html: string; headers: Record<string, string> } {
  const nonce = randomBytes(16).toString('base64');
  return {
    html: html.replace('<head>', `<head>${META(nonce)}`),
    headers: { 'Content-Security-Policy': policy(`'nonce-${nonce}'`), ...FOR_EVERY_PAGE },
  };
}
