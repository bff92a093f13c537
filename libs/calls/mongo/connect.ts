import { circuitBreaker, type Logger, type Metrics, withCircuitBreaker } from '@call-analytics/service-kit';
import { z } from 'zod';
import { Calls } from '../calls.ts';
import { type CallSettings, policyOf } from '../settings.ts';
import type { CallStore } from '../store.ts';
import { openMongoCallStore } from './store.ts';

/** Longer than the driver takes to notice that no server answers. */
const DEADLINE_MS = 10_000;

/** Where calls are, for services that keep them in MongoDB. */
export const callStoreSettings = z.object({
  MONGODB_URL: z
    .string()
    .regex(
      /^mongodb(\+srv)?:\/\/[^/]+\/[^/?]+/,
      'must be an address that names a database, such as mongodb://localhost:27017/call_analytics',
    )
    .describe('where the calls are kept: a replica set, of one member at least'),
});

type CallStoreSettings = z.infer<typeof callStoreSettings>;

/** @returns the calls in the database of a service's settings, and their store behind its circuit breaker */
export async function connectCalls(
  settings: CallSettings & CallStoreSettings,
  { log, metrics }: { log: Logger; metrics: Metrics },
): Promise<{ calls: Calls; store: CallStore }> {
  const unavailable = { code: 'store_unavailable', message: 'The call store does not answer.' };
  const breaker = circuitBreaker('call store', { unavailable, deadlineMs: DEADLINE_MS, log, metrics });
  const direct = { watch: 'direct', ready: 'direct', close: 'direct' } as const;
  const store = withCircuitBreaker(openMongoCallStore({ url: settings.MONGODB_URL, log }), breaker, direct);
  return { calls: new Calls(store, { policy: policyOf(settings) }), store };
}
