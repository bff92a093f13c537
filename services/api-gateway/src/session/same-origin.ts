import type { IncomingMessage } from 'node:http';

const CHANGES_NOTHING = new Set(['GET', 'HEAD', 'OPTIONS']);
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/;
/** With any of these a proxy says that it passed a request on. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'];

/** From where this service can be reached. */
export interface Reach {
  /** Where people reach it, e.g. `https://calls.example.com`; undefined when that was not said. */
  publicUrl: string | undefined;
  /** Only requests from this machine arrive, and none through a proxy that was announced. */
  onlyThisMachine: boolean;
}

interface ReachSettings {
  PUBLIC_URL?: string | undefined;
  HOST: string;
  TRUSTED_PROXIES: number;
}

export function reachOf({ PUBLIC_URL: publicUrl, HOST: host, TRUSTED_PROXIES: proxies }: ReachSettings): Reach {
  const isPublic = publicUrl !== undefined && !LOOPBACK.test(new URL(publicUrl).host);
  return { publicUrl, onlyThisMachine: isLoopback(host) && !isPublic && proxies === 0 };
}

/** @param host an address to listen on, or a name */
export function isLoopback(host: string): boolean {
  return host === '::1' || LOOPBACK.test(host);
}

export function changesSomething({ method = '' }: IncomingMessage): boolean {
  return !CHANGES_NOTHING.has(method);
}

/**
 * Whether a request was made by a page of this service, as its browser says. Browsers send `Origin` with everything that is not
 * GET or HEAD; where one does not, `Sec-Fetch-Site` counts. Neither can be set by a page. A request without both is refused.
 *
 * The name in the request must be that of PUBLIC_URL or of this machine: anybody can make a name of their own lead here.
 */
export function isSameOrigin({ headers }: IncomingMessage, { publicUrl }: Reach): boolean {
  const { origin, host } = headers;
  if (origin === undefined) return headers['sec-fetch-site'] === 'same-origin';
  if (!URL.canParse(origin) || host === undefined) return false;
  const from = new URL(origin);
  if (publicUrl !== undefined && from.origin === new URL(publicUrl).origin) return true;
  return LOOPBACK.test(host) && /^https?:$/.test(from.protocol) && from.host === host.toLowerCase();
}

/** Whether a request was made on this machine. A proxy that hides that it is one cannot be told apart: set PUBLIC_URL behind it. */
export function isFromThisMachine({ headers, socket }: IncomingMessage, { onlyThisMachine }: Reach): boolean {
  const peer = (socket.remoteAddress ?? '').replace(/^::ffff:(?=\d+\.)/i, '');
  return (
    onlyThisMachine &&
    isLoopback(peer) &&
    LOOPBACK.test(headers.host ?? '') &&
    FORWARDED.every((name) => headers[name] === undefined)
  );
}
