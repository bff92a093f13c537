import type { CallSettings } from '@call-analytics/calls';
import type { AnalysisEngine } from '@call-analytics/contracts';
import { assertPriced, assertServed, endpointOf, priceWarning } from '@call-analytics/openai';
import { type Clock, type Logger, SettingsError, systemClock } from '@call-analytics/service-kit';
import type { Analyst, Analysts } from './analyst.ts';
import { openaiAnalyst } from './openai/analyst.ts';
import { rulesAnalyst } from './rules/analyst.ts';
import type { AnalysisSettings } from './settings.ts';

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
  const names = { model: 'ANALYSIS_MODEL', price: 'ANALYSIS_PRICE' };
  assertPriced(model, settings.ANALYSIS_PRICE, settings.SPENDING_LIMIT_PER_DAY, names);
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
