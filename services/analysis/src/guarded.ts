import { circuitBreaker, type Logger, type Metrics } from '@call-analytics/service-kit';
import type { Analyst } from './analyst.ts';

/**
 * An analyst behind a circuit breaker: while it does not answer, no call is tried on it, and nothing is counted against the calls that wait. The analyst keeps its own
 * deadline.
 */
export function guardedAnalyst(analyst: Analyst, { log, metrics }: { log: Logger; metrics: Metrics }): Analyst {
  const unavailable = { code: 'engine_unavailable', message: 'The analysis engine does not answer at present.' };
  const breaker = circuitBreaker('analysis engine', { unavailable, deadlineMs: 60_000, log, metrics });
  return {
    name: analyst.name,
    model: analyst.model,
    health: breaker,
    analyse: (transcript, options) =>
      breaker.run((signal) => analyst.analyse(transcript, { ...options, signal }), {
        signal: options.signal,
        deadlineMs: null,
      }),
  };
}
