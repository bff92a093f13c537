import type { CircuitBreaker } from '@call-analytics/service-kit';
import type { Piece } from '../plan/planner.ts';
import type { PieceLimits } from '../plan/shape.ts';

/** What turns speech into text. Knows nothing of calls. */
export interface SpeechEngine {
  readonly name: string;
  readonly model: string;
  readonly limits: PieceLimits & {
    /** Pieces that are worth giving it at a time, over all calls; it queues the rest itself. */
    concurrency: number;
  };
  /**
   * @param languages those that may be spoken (ISO 639-1); none when not known
   * @throws WorkError for what it could classify; the reason of `signal` when that aborts
   */
  transcribe(
    piece: Pick<Piece, 'samples'>,
    options: { signal: AbortSignal; languages?: readonly string[] },
  ): Promise<EngineAnswer>;
  /** @returns null when it can work, otherwise why not; asked for once, when the service starts */
  ready?(): Promise<string | null>;
  /** Behind a circuit breaker: whether the engine answers. */
  readonly health?: Pick<CircuitBreaker, 'state' | 'answeredAt'>;
  /** Ends what it still has in hand, and every process and thread of its own. */
  close(): Promise<void>;
}

export interface EngineAnswer {
  text: string;
  /** When it says what was said when: in order, milliseconds from the start of the piece. */
  utterances?: { startMs: number; endMs: number; text: string }[];
  /** BCP 47; null when it does not say. */
  language: string | null;
  /** What it charged for, where it says so. */
  tokens?: { input: number; output: number };
  /** US dollars that it is estimated to have charged; absent when its price is not known. */
  dollars?: number;
}
