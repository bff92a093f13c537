import type { CallSettings } from '@call-analytics/calls';
import {
  assertPriced,
  assertServed,
  DEFAULT_SPEECH_MODEL,
  endpointOf,
  priceWarning,
  shutdownWarning,
} from '@call-analytics/openai';
import { type Clock, type Logger, SettingsError, systemClock } from '@call-analytics/service-kit';
import type { TranscriptionSettings } from '../settings.ts';
import type { SpeechEngine } from './engine.ts';
import { openaiEngine } from './openai/engine.ts';
import { whisperEngine } from './whisper/engine.ts';
import { findWhisperModel, WHISPER_MODELS } from './whisper/models.ts';

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
  const names = { model: 'TRANSCRIPTION_MODEL', price: 'TRANSCRIPTION_PRICE' };
  assertPriced(model, settings.TRANSCRIPTION_PRICE, settings.SPENDING_LIMIT_PER_DAY, names);
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
