import { circuitBreaker, type Logger, type Metrics, withCircuitBreaker } from '@call-analytics/service-kit';
import { Calls } from '../calls.ts';
import { type CallSettings, policyOf } from '../settings.ts';
import type { CallStore } from '../store.ts';
import type { CallStoreSettings } from './settings.ts';
import { openMongoCallStore } from './store.ts';

/** Longer than the driver takes to find that no server answers. */
const DEADLINE_MS = 10_000;

/** The calls in the database that a service's settings name, behind its circuit breaker. @throws WorkError `transient` `store_unavailable` when it is not there now */
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
