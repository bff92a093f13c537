import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Check, shownDegraded, whyNotReady } from '@call-analytics/service-kit';
import { sendJson } from '../http/send.ts';

/** GET /healthz: the process answers. */
export function showHealth(_req: IncomingMessage, res: ServerResponse): void {
  sendJson(res, 200, { status: 'ok' });
}

/**
 * GET /readyz: requests can be served, or why not. An engine that is away is no reason: uploads are accepted and wait, and
 * taking the gateway out of service would refuse them. It is named as `degraded`.
 */
export function showReadiness(checks: readonly Check[], degraded: () => readonly string[] = () => []) {
  return async (_req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const reasons = await whyNotReady(checks);
    if (reasons.length === 0) sendJson(res, 200, { status: 'ready', ...shownDegraded(degraded()) });
    else sendJson(res, 503, { status: 'not ready', reasons });
  };
}
