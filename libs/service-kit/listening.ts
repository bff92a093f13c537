import { once } from 'node:events';
import type { Server } from 'node:net';
import { SettingsError } from './settings.ts';

/** @param host an address or a host name, of a header or a URL also with a port and IPv6 in brackets */
export function isLoopback(host: string): boolean {
  return host === '::1' || /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/.test(host);
}

/** Where a server listens, and the settings that say so. */
interface Address {
  host: string;
  port: number;
  settings: { host: string; port: string };
}

/**
 * Listens, and waits until it does.
 * @throws SettingsError that says what to do when the address cannot be used
 */
export async function listening(server: Server, address: Address): Promise<void> {
  server.listen(address.port, address.host);
  await once(server, 'listening').catch(({ code }: NodeJS.ErrnoException) => {
    throw cannotListen(address, code);
  });
}

/** @param code of the error of the system, such as `EADDRINUSE` */
export function cannotListen({ host, port, settings }: Address, code = 'unknown error'): SettingsError {
  const why =
    code === 'EADDRINUSE'
      ? 'it is in use. Stop the program that listens there'
      : `this machine does not allow it (${code}). Check ${settings.host}`;
  return new SettingsError(`Cannot listen on ${host}, port ${port}: ${why}, or set another ${settings.port}.`);
}
