import { circuitBreaker, type Logger, type Metrics } from '@call-analytics/service-kit';
import type { SpeechEngine } from './engine.ts';

/**
 * A speech engine behind a circuit breaker: while it does not answer, no call is tried on it, and nothing is counted against
 * the calls that wait. The engine keeps its own deadline for each piece.
 */
export function guardedEngine(engine: SpeechEngine, { log, metrics }: { log: Logger; metrics: Metrics }): SpeechEngine {
  const unavailable = { code: 'engine_unavailable', message: 'The speech engine is not responding.' };
  const breaker = circuitBreaker('speech engine', { unavailable, deadlineMs: 60_000, log, metrics });
  return {
    name: engine.name,
    model: engine.model,
    limits: engine.limits,
    health: breaker,
    transcribe: (piece, options) =>
      breaker.run((signal) => engine.transcribe(piece, { ...options, signal }), {
        signal: options.signal,
        deadlineMs: null,
      }),
    ready: async () => (await engine.ready?.()) ?? null,
    close: () => engine.close(),
  };
}
