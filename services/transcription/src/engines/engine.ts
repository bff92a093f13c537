import { type CircuitBreaker, engineBreaker, type Logger, type Metrics } from '@call-analytics/service-kit';
import { SAMPLE_RATE } from '../plan/frames.ts';
import type { SegmentLimits } from '../plan/segment-cutter.ts';

/** Turns speech into text. It knows nothing of calls. */
export interface SpeechEngine {
  readonly name: string;
  readonly model: string;
  readonly limits: SegmentLimits & {
    /**
     * The length of audio that costs it no more than a short piece, or that it understands best: segments are packed up
     * to this, where it gives times. Missing when they are sent one by one.
     */
    packSeconds?: number;
    /** Whether it names the speakers of a request. Engines without it may do so too; their answers tell. */
    diarizes?: boolean;
    /** How many segments it should get at a time, over all calls. It queues more than that itself. */
    concurrency: number;
  };
  /**
   * @param segment mono, 16 kHz
   * @param options.languages those that may be spoken (ISO 639-1); none when not known, one when it is settled
   * @param options.vocabulary names and words to expect, the most important first; an engine may ignore them
   * @throws WorkError for a failure that it could classify; the reason of `signal` when that aborts
   */
  transcribe(
    segment: { samples: Int16Array },
    options: { signal: AbortSignal; languages?: readonly string[]; vocabulary?: readonly string[] },
  ): Promise<EngineAnswer>;
  /** @returns null when it can work, otherwise why not; called once, when the service starts */
  ready?(): Promise<string | null>;
  /** Set when the engine is behind a circuit breaker. */
  readonly health?: Pick<CircuitBreaker, 'state' | 'answeredAt'>;
  /** Ends its requests, processes and threads. */
  close(): Promise<void>;
}

export interface EngineAnswer {
  text: string;
  /**
   * When the engine gives times: in order, in milliseconds from the start of the segment. `confidence` is as below, and
   * `speaker` is the engine's name for who speaks, the same only within this answer.
   */
  utterances?: { startMs: number; endMs: number; text: string; confidence?: number; speaker?: string }[];
  /** Each word with its time, where the engine gives it: in order, in milliseconds from the start of the segment. */
  words?: { startMs: number; endMs: number; text: string }[];
  /** Set when it guesses the times of words from their length: they run over pauses. */
  wordTimesGuessed?: true;
  /** The mean logarithm of the probability of its words, where it says so. */
  confidence?: number;
  /** BCP 47; null when it does not say. */
  language: string | null;
  /** The tokens it charged for, where it says so. */
  tokens?: { input: number; output: number };
  /** The estimated price in US dollars, 0 on this machine; absent when it is not known. */
  dollars?: number;
}

/** What an engine gives times of, as its answers tell. Shared by the calls of a process. */
export class EngineTimes {
  #of: 'words' | 'lines' | null;
  #known: boolean;

  constructor({ timestamps, packSeconds }: SpeechEngine['limits']) {
    this.#of = !timestamps ? null : packSeconds === undefined ? 'lines' : 'words';
    this.#known = timestamps || packSeconds === undefined;
  }

  /** Null when it gives none, or that is not known. */
  get of(): 'words' | 'lines' | null {
    return this.#of;
  }

  /** False until the first answer of an engine that may give them: it tells whether silence may be left out. */
  get known(): boolean {
    return this.#known;
  }

  learn({ text, utterances, words }: EngineAnswer): void {
    if (utterances === undefined && text === '') return;
    this.#of = utterances === undefined ? null : words === undefined ? 'lines' : 'words';
    this.#known = true;
  }
}

/** Counts what one request took. */
export function countUsage(
  { samples }: { samples: Int16Array },
  { tokens, dollars = 0 }: EngineAnswer,
  { name: engine, model }: SpeechEngine,
  metrics: Metrics,
): void {
  metrics.engineSeconds.inc({ engine, model }, samples.length / SAMPLE_RATE);
  metrics.engineDollars.inc({ engine, model }, dollars);
  if (tokens === undefined) return;
  metrics.engineTokens.inc({ engine, model, direction: 'input' }, tokens.input);
  metrics.engineTokens.inc({ engine, model, direction: 'output' }, tokens.output);
}

/** @returns the engine behind a circuit breaker of its own, see `engineBreaker` */
export function speechEngineWithBreaker(
  engine: SpeechEngine,
  { log, metrics }: { log: Logger; metrics: Metrics },
): SpeechEngine {
  const message = 'The speech engine is not responding.';
  const { health, run } = engineBreaker('speech engine', { message, log, metrics });
  return {
    name: engine.name,
    model: engine.model,
    limits: engine.limits,
    health,
    transcribe: (segment, options) => run(options, (given) => engine.transcribe(segment, given)),
    ready: async () => (await engine.ready?.()) ?? null,
    close: () => engine.close(),
  };
}
