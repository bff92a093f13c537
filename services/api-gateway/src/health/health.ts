import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Metrics } from '@call-analytics/service-kit';
import { send, sendJson } from '../http/send.ts';

/** One thing that must work for requests to be served. @returns null when it does, otherwise why not */
export type Check = () => Promise<string | null>;

const CHECK_TIMEOUT_MS = 2_000;

/** GET /healthz: the process answers. */
export function showHealth(_req: IncomingMessage, res: ServerResponse): void {
  sendJson(res, 200, { status: 'ok' });
}

/** GET /readyz: requests can be served, or why not. */
export function showReadiness(checks: readonly Check[]) {
  return async (_req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const answers = await Promise.all(checks.map(answerInTime));
    const reasons = answers.filter((reason) => reason !== null);
    if (reasons.length === 0) sendJson(res, 200, { status: 'ready' });
    else sendJson(res, 503, { status: 'not ready', reasons });
  };
}

/** GET /metrics, for Prometheus. */
export function showMetrics({ registry }: Metrics) {
  return async (_req: IncomingMessage, res: ServerResponse): Promise<void> => {
    send(res, 200, registry.contentType, await registry.metrics());
  };
}

async function answerInTime(check: Check): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`no answer within ${CHECK_TIMEOUT_MS} ms`), CHECK_TIMEOUT_MS);
  });
  try {
    return await Promise.race([check(), late]);
  } catch {
    return 'a check failed';
  } finally {
    clearTimeout(timer);
  }
}
