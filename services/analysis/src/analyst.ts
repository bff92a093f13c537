import type { Analysis, CallSettings, Transcript } from '@call-analytics/calls';
import type { AnalysisEngine, OwnScorecard } from '@call-analytics/contracts';
import { assertPriced, assertServed, endpointOf, priceWarning } from '@call-analytics/openai';
import {
  type CircuitBreaker,
  type Clock,
  circuitBreaker,
  type Logger,
  type Metrics,
  SettingsError,
  systemClock,
} from '@call-analytics/service-kit';
import { openaiAnalyst } from './openai/analyst.ts';
import { rulesAnalyst } from './rules/analyst.ts';
import type { AnalysisSettings } from './settings.ts';

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
      scorecard?: OwnScorecard | undefined;
      spent(tokens: Tokens, dollars: number | null): void;
      dropped?(reason: string, items: number): void;
    },
  ): Promise<Analysis>;
}

type Settings = AnalysisSettings & Partial<Pick<CallSettings, 'SPENDING_LIMIT_PER_DAY'>>;

/**
 * Makes the analysts that the settings name, the usual one first: by default a language model where a key or an address
 * is set for it, else the rules.
 * @throws SettingsError when there is no endpoint, its model is shut down, or there is a spending limit and its price
 * is not known
 * @param log gets a warning when no spending limit counts the model
 */
export function analystsOf(settings: Settings, clock: Clock = systemClock, log?: Logger): Analysts {
  const { ANALYSIS_API_KEY, ANALYSIS_BASE_URL, OPENAI_API_KEY } = settings;
  const isSet = [ANALYSIS_API_KEY, ANALYSIS_BASE_URL, OPENAI_API_KEY].some((value) => value !== undefined);
  const [usual, ...others] = settings.ANALYSIS_ENGINE ?? [isSet ? 'openai' : 'rules'];
  const made = (engine: AnalysisEngine) =>
    engine === 'rules' ? rulesAnalyst({ timeoutMs: settings.ANALYSIS_TIMEOUT }) : languageModel(settings, clock, log);
  return [made(usual), ...others.map(made)];
}

/** The usual analyst. @throws SettingsError as `analystsOf` */
export function chooseAnalyst(settings: Settings, clock: Clock = systemClock): Analyst {
  return analystsOf(settings, clock)[0];
}

function languageModel(settings: Settings, clock: Clock, log: Logger | undefined): Analyst {
  const { ANALYSIS_API_KEY, ANALYSIS_BASE_URL, OPENAI_API_KEY, OPENAI_BASE_URL, ANALYSIS_MODEL: model } = settings;
  const endpoint = endpointOf(
    { apiKey: ANALYSIS_API_KEY, baseUrl: ANALYSIS_BASE_URL },
    { apiKey: OPENAI_API_KEY, baseUrl: OPENAI_BASE_URL },
  );
  if (endpoint === null) {
    throw new SettingsError(
      'Wrong settings:\n' +
        '  ANALYSIS_ENGINE names openai: it needs OPENAI_API_KEY, or OPENAI_BASE_URL or ANALYSIS_BASE_URL of a server ' +
        'that takes any key',
    );
  }
  assertServed(model, 'ANALYSIS_MODEL', endpoint.baseUrl, clock.now());
  assertPriced(model, settings.ANALYSIS_PRICE, settings.SPENDING_LIMIT_PER_DAY, {
    ...{ model: 'ANALYSIS_MODEL', price: 'ANALYSIS_PRICE' },
  });
  const warning = priceWarning(model, settings.ANALYSIS_PRICE, 'ANALYSIS_PRICE');
  if (warning !== null) log?.warn({ model }, warning);
  return openaiAnalyst({
    ...endpoint,
    model,
    timeoutMs: settings.ANALYSIS_TIMEOUT,
    verify: settings.ANALYSIS_VERIFICATION === 'on',
    price: settings.ANALYSIS_PRICE,
    contextTokens: settings.ANALYSIS_CONTEXT_TOKENS,
    clock,
  });
}

/** The engines of an installation, the usual one first. */
export type Analysts = readonly [Analyst, ...Analyst[]];

/**
 * Puts a circuit breaker around an analyst, which keeps its own deadline. While the circuit is open, workers take no
 * call, and no failure is counted against a call.
 */
export function withCircuitBreaker(
  analyst: Analyst,
  name: string,
  { log, metrics }: { log: Logger; metrics: Metrics },
): Analyst {
  const unavailable = { code: 'engine_unavailable', message: 'The analysis engine is not responding.' };
  const breaker = circuitBreaker(name, { unavailable, deadlineMs: 60_000, log, metrics });
  return {
    name: analyst.name,
    model: analyst.model,
    health: breaker,
    analyze: (transcript, options) =>
      breaker.run((signal) => analyst.analyze(transcript, { ...options, signal }), {
        signal: options.signal,
        deadlineMs: null,
      }),
  };
}
