import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveBounded } from './bounded-connections.ts';
import { shownDegraded } from './lifecycle.ts';
import { listening } from './listening.ts';
import type { Metrics } from './metrics.ts';

interface OpsServer {
  /** E.g. `http://127.0.0.1:9090`. */
  url: string;
  close(): void;
}

/**
 * The HTTP server for operators and their machines: `/healthz` (the process is alive), `/readyz` (it can work, or why
 * not), `/metrics` (for Prometheus).
 * @param whyNotReady gives the reasons; empty when it can work
 * @param degraded says what does not answer although the process can work; that is no reason to take it out of service
 * @throws SettingsError when the port is in use or not allowed
 */
export async function startOpsServer(
  { host, port }: { host: string; port: number },
  {
    metrics,
    whyNotReady,
    degraded = () => [],
  }: { metrics: Metrics; whyNotReady: () => Promise<string[]>; degraded?: () => readonly string[] },
): Promise<OpsServer> {
  const scrape = atMostOnceASecond(() => metrics.registry.metrics());
  const answers: Record<string, (res: ServerResponse) => Promise<void>> = {
    '/healthz': async (res) => sendJson(res, 200, { status: 'ok' }),
    '/readyz': async (res) => {
      const reasons = await whyNotReady();
      if (reasons.length === 0) sendJson(res, 200, { status: 'ready', ...shownDegraded(degraded()) });
      else sendJson(res, 503, { status: 'not ready', reasons });
    },
    '/metrics': async (res) => {
      const text = await scrape();
      res.writeHead(200, { 'Content-Type': metrics.registry.contentType }).end(text);
    },
  };
  const server = createServer();
  serveBounded(server, (req, res) => {
    const answer = answers[req.url?.split('?')[0] ?? ''];
    if (answer === undefined) sendJson(res, 404, { status: 'not found', paths: Object.keys(answers) });
    else answer(res).catch(() => res.destroy());
  });
  await listening(server, { host, port, settings: { host: 'OPS_HOST', port: 'OPS_PORT' } });
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Making the text costs milliseconds, and the port has no authentication. */
function atMostOnceASecond(make: () => Promise<string>): () => Promise<string> {
  let latest: { text: Promise<string>; at: number } | null = null;
  return () => {
    const at = performance.now();
    if (latest === null || at - latest.at >= 1_000) latest = { text: make(), at };
    return latest.text;
  };
}

function sendJson(res: ServerResponse, status: number, body: object): void {
  res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}
