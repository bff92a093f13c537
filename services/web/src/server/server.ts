import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Part, SettingsError, serveBounded, wholeNumber } from '@call-analytics/service-kit';
import { z } from 'zod';
import { webPages } from './pages.ts';

export const webSettings = z.object({
  WEB_PORT: wholeNumber({ min: 0, max: 65_535 })
    .prefault('8081')
    .describe('where the pages are served, 0 to 65535; 0 takes any free port'),
  WEB_HOST: z.string().default('127.0.0.1').describe('the address to listen on; 0.0.0.0 for all'),
});

export interface WebServer extends Part {
  /** The address after `start`, such as `http://127.0.0.1:8081`. */
  url(): string;
}

/**
 * Serves the built pages to the gateway, which serves everything else itself.
 * @throws SettingsError from `start` if there is no build or the port is not free
 */
export function webServer({ dir, port, host }: { dir: string; port: number; host: string }): WebServer {
  // Longer than the gateway keeps an idle connection, so that no connection closes during a request.
  const server = createServer({ keepAliveTimeout: 75_000 });
  let drain = () => {};
  return {
    name: 'web server',
    async start() {
      const pages = await webPages({ dir });
      if (pages === null)
        throw new SettingsError(
          `There are no pages in ${dir}: build them with "node services/web/src/server/build.main.ts".`,
        );
      ({ drain } = serveBounded(server, (req, res) => {
        const readable = req.method === 'GET' || req.method === 'HEAD';
        if (!readable || !pages(req, res)) res.writeHead(readable ? 404 : 405).end();
      }));
      server.listen(port, host);
      await once(server, 'listening').catch(({ code }: NodeJS.ErrnoException) => {
        throw new SettingsError(`Cannot listen on ${host}, port ${port} (${code}): set another WEB_PORT or WEB_HOST.`);
      });
    },
    drain: () => drain(),
    async stop() {
      if (!server.listening) return;
      server.close();
      server.closeIdleConnections();
      // Responses are small and in memory, so they end soon.
      await once(server, 'close', { signal: AbortSignal.timeout(2_000) }).catch(() => server.closeAllConnections());
    },
    ready: () => (server.listening ? null : 'not listening'),
    url: () => `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`,
  };
}
