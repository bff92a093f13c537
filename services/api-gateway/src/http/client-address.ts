import type { IncomingMessage } from 'node:http';

/**
 * Where a request came from. Each proxy adds the address that it was asked from at the end of `X-Forwarded-For`; what stands before those of our own may be anything.
 * @param trustedProxies how many of our own are in front
 */
export function clientAddress({ headers, socket }: IncomingMessage, trustedProxies: number): string {
  const direct = socket.remoteAddress ?? '';
  const forwarded = trustedProxies === 0 ? [] : String(headers['x-forwarded-for'] ?? '').split(',');
  const address = forwarded.at(-trustedProxies)?.trim() || direct;
  // An IPv4 address as IPv6 sockets write it: https://www.rfc-editor.org/rfc/rfc4291#section-2.5.5.2
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}
