import type { IncomingMessage } from 'node:http';

const CHANGES_NOTHING = new Set(['GET', 'HEAD', 'OPTIONS']);
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/;

/** From where this service can be reached. */
export interface Reach {
  /** Where people reach it, e.g. `https://calls.example.com`; undefined when that was not said. */
  publicUrl: string | undefined;
  /** It listens for this machine alone. */
  onlyThisMachine: boolean;
}

/** @param host what HOST is set to */
export function reachOf({ PUBLIC_URL: publicUrl, HOST: host }: { PUBLIC_URL?: string | undefined; HOST: string }): Reach {
  return { publicUrl, onlyThisMachine: LOOPBACK.test(host) || host === '::1' };
}

export function changesSomething({ method = '' }: IncomingMessage): boolean {
  return !CHANGES_NOTHING.has(method);
}

/**
 * Whether a request was made by a page of this service, as its browser says. Browsers send `Origin` with everything that is not GET or HEAD; where one does not, `Sec-Fetch-Site`
 * counts. Neither can be set by a page. A request without both is nobody's: it is refused too.
 *
 * The name that the request came under must be ours too: anybody may make a name of their own lead here. Ours are that of PUBLIC_URL, and those of the machine itself; any other only
 * where nobody said which there are and others can reach this service at all.
 */
export function isSameOrigin({ headers }: IncomingMessage, { publicUrl, onlyThisMachine }: Reach): boolean {
  const { origin, host } = headers;
  if (origin === undefined) return headers['sec-fetch-site'] === 'same-origin';
  if (!URL.canParse(origin) || host === undefined) return false;
  const from = new URL(origin);
  if (publicUrl !== undefined && from.origin === new URL(publicUrl).origin) return true;
  if ((publicUrl !== undefined || onlyThisMachine) && !LOOPBACK.test(host)) return false;
  // Without PUBLIC_URL it is not known whether TLS ended before this process: the scheme says nothing, host and port do.
  return /^https?:$/.test(from.protocol) && from.host === host.toLowerCase();
}
