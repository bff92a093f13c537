import { circuitBreaker, type Logger, type Metrics, withCircuitBreaker } from '@call-analytics/service-kit';
import { z } from 'zod';
import type { Messaging } from '../messaging.ts';
import { rabbitmqMessaging } from './messaging.ts';

/** Longer than the adapter waits for a confirm. */
const DEADLINE_MS = 15_000;

export const messagingSettings = z.object({
  RABBITMQ_URL: z
    .url({ protocol: /^amqps?$/, error: 'must be an address such as amqp://user:password@host:5672/virtual-host' })
    .describe('amqp:// or amqps://, with user, password and, when it is not /, the virtual host'),
});
type MessagingSettings = z.infer<typeof messagingSettings>;

/**
 * The broker that a service's settings name, behind its circuit breaker.
 * @param name the service, as operators see it in the broker's list of connections
 */
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
