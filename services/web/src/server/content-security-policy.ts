import { randomBytes } from 'node:crypto';

/** Where the page finds its nonce: `document.querySelector('meta[property=csp-nonce]').nonce`, as Vite's own code does. */
const META = (nonce: string) => `<meta property="csp-nonce" nonce="${nonce}">`;

/**
 * Everything from this origin, and nothing else: no script and no style inside a page, but for the style elements that the components make, which name the nonce. Pictures may
 * be written out where they are used.
 */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/**
 * A page as it is sent once: with a nonce of its own, which nobody can know before.
 * @param html with a `<head>`
 */
export function withPolicy(html: string): { html: string; headers: Record<string, string> } {
  const nonce = randomBytes(16).toString('base64');
  return {
    html: html.replace('<head>', `<head>${META(nonce)}`),
    headers: { 'Content-Security-Policy': policy(nonce), 'Referrer-Policy': 'no-referrer', 'X-Frame-Options': 'DENY' },
  };
}
