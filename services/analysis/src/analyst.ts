import type { Analysis, Transcript } from '@call-analytics/calls';
import type { CircuitBreaker } from '@call-analytics/service-kit';

export interface Tokens {
  input: number;
  output: number;
}

/** What turns a transcript into an analysis: a vendor's model or rules. */
export interface Analyst {
  readonly name: string;
  readonly model: string;
  /** Behind a circuit breaker: whether the engine answers. */
  readonly health?: Pick<CircuitBreaker, 'state' | 'answeredAt'>;
  /**
   * @param options.signal aborted when the result is not wanted any more
   * @param options.spent called with the tokens that were charged for, also when the answer is of no use, and the US dollars that they are estimated to cost; null when the
   *   price is not known
   * @throws WorkError for what went wrong, classified
   */
  analyse(
    transcript: Transcript,
    options: { signal: AbortSignal; spent(tokens: Tokens, dollars: number | null): void },
  ): Promise<Analysis>;
}
