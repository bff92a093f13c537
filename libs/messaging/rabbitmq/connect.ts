import { circuitBreaker, type Logger, type Metrics, withCircuitBreaker } from '@call-analytics/service-kit';
import type { Messaging } from '../port.ts';
import { rabbitmqMessaging } from './messaging.ts';
import type { MessagingSettings } from './settings.ts';

/** Longer than the adapter waits for a confirm. */
const DEADLINE_MS = 15_000;

/** The broker that a service's settings name, behind its circuit breaker. @param name the service, as operators see it in the broker's list of connections */
export async function connectMessaging(
  settings: MessagingSettings,
  { name, log, metrics }: { name: string; log: Logger; metrics: Metrics },
): Promise<Messaging> {
  const unavailable = { code: 'broker_unavailable', message: 'The broker is not available.' };
  const breaker = circuitBreaker('broker', { unavailable, deadlineMs: DEADLINE_MS, log, metrics });
  const messaging = await rabbitmqMessaging({ url: settings.RABBITMQ_URL, name, log, metrics });
  // Consumers and subscriptions recover by themselves.
  return withCircuitBreaker(messaging, breaker, {
    consume: 'direct',
    subscribe: 'direct',
    depth: 'direct',
    deadLetters: 'direct',
    replay: 'direct',
    ready: 'direct',
    close: 'direct',
  });
}
