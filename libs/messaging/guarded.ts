import { type CircuitBreaker, guarded, type Routes } from '@call-analytics/service-kit';
import type { Messaging } from './port.ts';

const ROUTES: Routes<Messaging> = {
  publish: {},
  // Consumers and subscriptions come back by themselves when the broker does.
  consume: 'straight',
  subscribe: 'straight',
  depth: 'straight',
  deadLetters: 'straight',
  replay: 'straight',
  ready: 'straight',
  close: 'straight',
};

/** Messaging behind a circuit breaker: while the broker takes nothing, or too slowly, nobody waits for it. */
export function guardedMessaging(messaging: Messaging, breaker: CircuitBreaker): Messaging {
  return guarded(messaging, breaker, ROUTES);
}
