import type { IncomingMessage } from 'node:http';

const CHANGES_NOTHING = new Set(['GET', 'HEAD', 'OPTIONS']);
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/;

export function changesSomething({ method = '' }: IncomingMessage): boolean {
  return !CHANGES_NOTHING.has(method);
}

/**
 * Whether a request was made by a page of this service, as its browser says. Browsers send `Origin` with everything that is not GET or HEAD; where one does not, `Sec-Fetch-Site`
 * counts. Neither can be set by a page. A request without both is nobody's: it is refused too.
 * @param publicUrl where people reach this service, if that was said. Without it the name that the request came under counts, which is enough because the cookie belongs to
 *   that name. With it no other name does, but for the machine itself: not even one that somebody has made to lead here.
 */
export function isSameOrigin({ headers }: IncomingMessage, publicUrl: string | undefined): boolean {
  const { origin, host } = headers;
  if (origin === undefined) return headers['sec-fetch-site'] === 'same-origin';
  if (!URL.canParse(origin) || host === undefined) return false;
  const from = new URL(origin);
  if (publicUrl !== undefined && from.origin === new URL(publicUrl).origin) return true;
  if (publicUrl !== undefined && !LOOPBACK.test(host)) return false;
  // Without PUBLIC_URL it is not known whether TLS ended before this process: the scheme says nothing, host and port do.
  return /^https?:$/.test(from.protocol) && from.host === host.toLowerCase();
}
