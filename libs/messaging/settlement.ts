import { backoffMs } from '@call-analytics/service-kit';
import type { Outcome } from './port.ts';

/** How handling a delivery ended: what the handler returned, what it threw, or that there was nothing to hand it because the message could not be read. */
export type Handled = Outcome | { kind: 'threw'; error: unknown } | { kind: 'unreadable'; reason: string };

/** What an adapter does with the delivery. */
export type Settlement =
  | { act: 'ack'; pauseUntil?: Date }
  | { act: 'redeliver'; afterMs: number }
  | { act: 'dead-letter'; reason: string };

/** A message whose handler throws is delivered this many times in all. Deliveries that a closing consumer gave back count, but are never the reason it dies. */
export const DELIVERY_LIMIT = 5;

/** The delay before the second delivery, in milliseconds; doubled for each one after it. */
export const REDELIVER_AFTER_MS = 1_000;
const REDELIVER_CAP_MS = 60_000;

/**
 * Ack, redeliver or reject: decided here for every adapter.
 * @param delivery the number of the delivery that ended, from 1
 * @param redeliverAfterMs the delay after the first one
 */
export function settle(handled: Handled, delivery: number, redeliverAfterMs = REDELIVER_AFTER_MS): Settlement {
  switch (handled.kind) {
    case 'done':
    case 'skipped':
      return { act: 'ack' };
    case 'retry':
      return handled.pauseUntil === undefined ? { act: 'ack' } : { act: 'ack', pauseUntil: handled.pauseUntil };
    case 'failed':
      return { act: 'dead-letter', reason: handled.reason };
    case 'unreadable':
      return { act: 'dead-letter', reason: handled.reason };
    case 'threw':
      if (delivery >= DELIVERY_LIMIT)
        return { act: 'dead-letter', reason: `threw at delivery ${delivery}: ${handled.error}` };
      return { act: 'redeliver', afterMs: backoffMs(delivery, { firstMs: redeliverAfterMs, capMs: REDELIVER_CAP_MS }) };
  }
}
