import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Part, SettingsError, serveBounded } from '@call-analytics/service-kit';
import { webPages } from './pages.ts';

export interface WebServer extends Part {
  /** Where it listens once it is started, e.g. `http://127.0.0.1:8081`. */
  url(): string;
}

/**
 * Serves the built pages, to the gateway alone: everything else is there.
 * @throws SettingsError from `start` when they are not built, or the port is not to be had
 */
export function webServer({ dir, port, host }: { dir: string; port: number; host: string }): WebServer {
  // Longer than the gateway keeps a connection that it does not use: none is closed under a request.
  const server = createServer({ keepAliveTimeout: 75_000 });
  return {
    name: 'web server',
    async start() {
      const pages = await webPages({ dir });
      if (pages === null)
        throw new SettingsError(
          `There are no pages in ${dir}: build them with "node services/web/src/server/build.main.ts".`,
        );
      serveBounded(server, (req, res) => {
        const readable = req.method === 'GET' || req.method === 'HEAD';
        if (!readable || !pages(req, res)) res.writeHead(readable ? 404 : 405).end();
      });
      server.listen(port, host);
      await once(server, 'listening').catch(({ code }: NodeJS.ErrnoException) => {
        throw new SettingsError(`Cannot listen on ${host}, port ${port} (${code}): set another WEB_PORT or WEB_HOST.`);
      });
    },
    async stop() {
      if (!server.listening) return;
      server.close();
      server.closeIdleConnections();
      // What is sent is in memory and small: nobody waits long for the rest of it.
      await once(server, 'close', { signal: AbortSignal.timeout(2_000) }).catch(() => server.closeAllConnections());
    },
    ready: () => (server.listening ? null : 'not listening'),
    url: () => `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`,
  };
}
