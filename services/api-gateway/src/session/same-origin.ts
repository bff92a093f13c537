import type { IncomingMessage } from 'node:http';
import type { Request } from 'express';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/;
/** Headers by which a proxy announces itself. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'];

/** From where this service can be reached. */
export interface Reach {
  /** E.g. `https://calls.example.com`; undefined when it is not set. */
  publicUrl: string | undefined;
  /** All requests come from this machine, and no proxy is configured. */
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

/** @param host an address to listen on, or a host name */
export function isLoopback(host: string): boolean {
  return host === '::1' || LOOPBACK.test(host);
}

export function isUnsafe({ method = '' }: IncomingMessage): boolean {
  return !SAFE_METHODS.has(method);
}

/**
 * Whether a request comes from a page of this service. Browsers send `Origin` with every method but GET and HEAD,
 * otherwise
 * `Sec-Fetch-Site` decides; pages can set neither. The origin must be PUBLIC_URL or loopback, because an attacker can
 * point a host name of their own at this service.
 */
export function isSameOrigin({ headers }: IncomingMessage, { publicUrl }: Reach): boolean {
  const { origin, host } = headers;
  if (origin === undefined) return headers['sec-fetch-site'] === 'same-origin';
  if (!URL.canParse(origin) || host === undefined) return false;
  const from = new URL(origin);
  if (publicUrl !== undefined && from.origin === new URL(publicUrl).origin) return true;
  return LOOPBACK.test(host) && /^https?:$/.test(from.protocol) && from.host === host.toLowerCase();
}

/**
 * Whether a request was made on this machine. A proxy that does not announce itself is not detected: set PUBLIC_URL
 * behind one.
 */
export function isFromThisMachine({ headers, socket }: IncomingMessage, { onlyThisMachine }: Reach): boolean {
  return (
    onlyThisMachine &&
    isLoopback(withoutIpv6Prefix(socket.remoteAddress ?? '')) &&
    LOOPBACK.test(headers.host ?? '') &&
    FORWARDED.every((name) => headers[name] === undefined)
  );
}

/** The address of the client. Express finds it behind as many proxies as TRUSTED_PROXIES says. */
export function clientAddress({ ip = '' }: Request): string {
  return withoutIpv6Prefix(ip);
}

/** An IPv4 address as IPv6 sockets write it: https://www.rfc-editor.org/rfc/rfc4291#section-2.5.5.2 */
function withoutIpv6Prefix(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}
