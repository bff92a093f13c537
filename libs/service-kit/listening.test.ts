import { createServer, type Server } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { listening } from './listening.ts';
import { SettingsError } from './settings.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});
const listen = async (host: string, port: number) => {
  const server = createServer();
  servers.push(server);
  await listening(server, { host, port, settings: { host: 'WEB_HOST', port: 'WEB_PORT' } });
  return (server.address() as { port: number }).port;
};

it('a server that cannot listen says in one sentence which setting to change', async () => {
  const port = await listen('127.0.0.1', 0);
  await expect(listen('127.0.0.1', port)).rejects.toThrow(
    new SettingsError(
      `Cannot listen on 127.0.0.1, port ${port}: it is in use. Stop the program that listens there, or set another WEB_PORT.`,
    ),
  );
  // An address of documentation (RFC 5737), which no machine has.
  await expect(listen('192.0.2.1', 0)).rejects.toThrow(
    'port 0: this machine does not allow it (EADDRNOTAVAIL). Check WEB_HOST, or set another WEB_PORT.',
  );
});
