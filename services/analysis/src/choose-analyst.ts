import { SettingsError } from '@call-analytics/service-kit';
import type { Analyst } from './analyst.ts';
import { openaiAnalyst } from './openai/analyst.ts';
import { rulesAnalyst } from './rules/analyst.ts';
import type { AnalysisSettings } from './settings.ts';

/**
 * The analyst that the settings ask for: OpenAI where there is a key, else the rules, which need nothing.
 * @throws SettingsError when OpenAI is asked for and there is neither a key nor a server of one's own
 */
export function chooseAnalyst(settings: AnalysisSettings): Analyst {
  const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseUrl } = settings;
  const engine = settings.ANALYSIS_ENGINE ?? (apiKey === undefined ? 'rules' : 'openai');
  if (engine === 'rules') return rulesAnalyst({ timeoutMs: settings.ANALYSIS_TIMEOUT });
  if (apiKey === undefined && baseUrl === undefined) {
    throw new SettingsError(
      'Wrong settings:\n  ANALYSIS_ENGINE is "openai": it needs OPENAI_API_KEY, or OPENAI_BASE_URL of a server that takes any key',
    );
  }
  // A server of one's own often wants no key; the SDK wants some text.
  return openaiAnalyst({
    apiKey: apiKey ?? 'none',
    model: settings.ANALYSIS_MODEL,
    timeoutMs: settings.ANALYSIS_TIMEOUT,
    ...(baseUrl && { baseUrl }),
  });
}
