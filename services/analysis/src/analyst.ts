import type { Analysis, Transcript } from '@call-analytics/calls';
import type { AccountScorecard } from '@call-analytics/contracts';
import { type CircuitBreaker, engineBreaker, type Logger, type Metrics } from '@call-analytics/service-kit';

export interface Tokens {
  input: number;
  output: number;
  /** The part of the input that the provider had cached. */
  cached?: number;
  /** The part of the input that the provider wrote to its cache. */
  cacheWrite?: number;
}

/** An analysis engine: turns a transcript into an analysis by a model or by rules. */
export interface Analyst {
  readonly name: string;
  readonly model: string;
  /** Set when the engine is behind a circuit breaker. */
  readonly health?: Pick<CircuitBreaker, 'state' | 'answeredAt'>;
  /**
   * @param options.signal aborted when the result is no longer needed
   * @param options.scorecard judges the call instead of the default rubric
   * @param options.spent called with the charged tokens and their estimated price in US dollars (null when unknown),
   *   also when the answer is unusable
   * @param options.dropped called with the number of items of an answer that were left out, by reason
   * @throws WorkError
   */
  analyze(
    transcript: Transcript,
    options: {
      signal: AbortSignal;
      scorecard?: AccountScorecard | undefined;
      spent(tokens: Tokens, dollars: number | null): void;
      dropped?(reason: string, items: number): void;
    },
  ): Promise<Analysis>;
}

/** The engines of an installation, the usual one first. */
export type Analysts = readonly [Analyst, ...Analyst[]];

/** @returns the analyst behind a circuit breaker of its own, see `engineBreaker`. @param name of the breaker */
export function analystWithBreaker(
  analyst: Analyst,
  name: string,
  { log, metrics }: { log: Logger; metrics: Metrics },
): Analyst {
  const { health, run } = engineBreaker(name, { message: 'The analysis engine is not responding.', log, metrics });
  return {
    name: analyst.name,
    model: analyst.model,
    health,
    analyze: (transcript, options) => run(options, (given) => analyst.analyze(transcript, given)),
  };
}
