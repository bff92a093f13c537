import type { CallSettings } from '@call-analytics/calls';
import {
  assertPriced,
  assertServed,
  DEFAULT_SPEECH_MODEL,
  endpointOf,
  priceWarning,
  shutdownWarning,
} from '@call-analytics/openai';
import {
  type CircuitBreaker,
  type Clock,
  circuitBreaker,
  type Logger,
  type Metrics,
  SettingsError,
  systemClock,
} from '@call-analytics/service-kit';
import { SAMPLE_RATE } from '../plan/frames.ts';
import type { SegmentLimits } from '../plan/segment-cutter.ts';
import type { TranscriptionSettings } from '../settings.ts';
import { openaiEngine } from './openai/engine.ts';
import { whisperEngine } from './whisper/engine.ts';
import { findWhisperModel, WHISPER_MODELS } from './whisper/models.ts';

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
   * When the engine gives times: in order, in milliseconds from the start of the segment. `confidence` is as below, of
   * this utterance. `speaker` is the engine's name for who speaks, the same only within this answer.
   */
  utterances?: { startMs: number; endMs: number; text: string; confidence?: number; speaker?: string }[];
  /** Each word with its time, where the engine gives it: in order, in milliseconds from the start of the segment. */
  words?: { startMs: number; endMs: number; text: string }[];
  /** The mean logarithm of the probability of its words, where it says so. */
  confidence?: number;
  /** BCP 47; null when it does not say. */
  language: string | null;
  /** The tokens it charged for, where it says so. */
  tokens?: { input: number; output: number };
  /** The estimated price in US dollars, 0 on this machine; absent when it is not known. */
  dollars?: number;
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

/** No speech engine can be used with these settings; the message lists the ways to get one. */
class NoSpeechEngine extends SettingsError {
  override name = 'NoSpeechEngine';
}

/**
 * Makes the speech engine that the settings ask for.
 * @param log gets a warning when the model is about to be shut down
 * @throws NoSpeechEngine with what to set or to run; SettingsError when the model is shut down, its file is no model,
 * or there is a spending limit and its price is not known
 */
export async function chooseSpeechEngine(
  settings: TranscriptionSettings & Partial<Pick<CallSettings, 'SPENDING_LIMIT_PER_DAY'>>,
  { clock = systemClock, log }: { clock?: Clock; log?: Logger } = {},
): Promise<SpeechEngine> {
  const deadlineMs = settings.TRANSCRIPTION_DEADLINE;
  const endpoint = endpointOf(
    { apiKey: settings.TRANSCRIPTION_API_KEY, baseUrl: settings.TRANSCRIPTION_BASE_URL },
    { apiKey: settings.OPENAI_API_KEY, baseUrl: settings.OPENAI_BASE_URL },
  );
  const name = settings.TRANSCRIPTION_ENGINE ?? (endpoint === null ? 'whisper' : 'openai');
  if (name === 'whisper') {
    const model = settings.TRANSCRIPTION_MODEL ?? 'base';
    const modelFile = await findWhisperModel(settings.WHISPER_MODELS_DIR, model);
    if (modelFile === null)
      throw new NoSpeechEngine(
        noEngineMessage(`The whisper model "${model}" is not in ${settings.WHISPER_MODELS_DIR}.`, model),
      );
    return whisperEngine({ modelFile, model, deadlineMs, ...(log === undefined ? {} : { log }) });
  }
  if (endpoint === null)
    throw new NoSpeechEngine(
      noEngineMessage('TRANSCRIPTION_ENGINE is openai, but there is neither a key nor a base URL.', 'base'),
    );
  const model = settings.TRANSCRIPTION_MODEL ?? DEFAULT_SPEECH_MODEL;
  assertServed(model, 'TRANSCRIPTION_MODEL', endpoint.baseUrl, clock.now());
  assertPriced(model, settings.TRANSCRIPTION_PRICE, settings.SPENDING_LIMIT_PER_DAY, {
    ...{ model: 'TRANSCRIPTION_MODEL', price: 'TRANSCRIPTION_PRICE' },
  });
  const price = priceWarning(model, settings.TRANSCRIPTION_PRICE, 'TRANSCRIPTION_PRICE');
  for (const warning of [shutdownWarning(model, clock.now()), price])
    if (warning !== null) log?.warn({ model }, warning);
  return openaiEngine({ ...endpoint, model, deadlineMs, clock, price: settings.TRANSCRIPTION_PRICE });
}

function noEngineMessage(what: string, model: string): string {
  const fetchable = WHISPER_MODELS.some(({ name }) => name === model) ? model : 'base';
  return [
    `No speech engine is available. ${what} Choose one of these:`,
    '  OPENAI_API_KEY=sk-...                     transcribe with OpenAI',
    '  OPENAI_BASE_URL=http://localhost:8000/v1  transcribe with any OpenAI-compatible endpoint',
    `  npm run whisper -- fetch ${fetchable.padEnd(17)}download a model once and transcribe on this machine (TRANSCRIPTION_ENGINE=whisper)`,
  ].join('\n');
}

/**
 * Puts a circuit breaker around a speech engine, which keeps its own deadline for each segment. While the circuit is
 * open, workers take no call, and no failure is counted against a call.
 */
export function withCircuitBreaker(
  engine: SpeechEngine,
  { log, metrics }: { log: Logger; metrics: Metrics },
): SpeechEngine {
  const unavailable = { code: 'engine_unavailable', message: 'The speech engine is not responding.' };
  const breaker = circuitBreaker('speech engine', { unavailable, deadlineMs: 60_000, log, metrics });
  return {
    name: engine.name,
    model: engine.model,
    limits: engine.limits,
    health: breaker,
    transcribe: (segment, options) =>
      breaker.run((signal) => engine.transcribe(segment, { ...options, signal }), {
        signal: options.signal,
        deadlineMs: null,
      }),
    ready: async () => (await engine.ready?.()) ?? null,
    close: () => engine.close(),
  };
}
