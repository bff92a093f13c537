import { setTimeout as sleep } from 'node:timers/promises';
import { failureOf } from '@call-analytics/service-kit';
import type { Parts } from './parts.ts';

/** By then the answer has left, also through a gateway: work that is done for some emails only cannot delay it. */
const ANSWERED_WITHIN_MS = 100;

/**
 * Does something after the request was answered, so that neither the answer nor its time reveals whether a user exists.
 * @param failed the log line when it fails
 */
export function afterTheAnswer({ background, log }: Parts, failed: string, work: () => Promise<void>): void {
  const done = sleep(ANSWERED_WITHIN_MS)
    .then(work)
    .catch((error: unknown) => {
      const { code } = failureOf(error);
      log.error({ code, reason: (error as { code?: string }).code }, failed);
    })
    .finally(() => background.delete(done));
  background.add(done);
}
