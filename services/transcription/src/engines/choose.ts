import { shutdownWarning } from '@call-analytics/openai';
import { type Clock, type Logger, SettingsError, systemClock } from '@call-analytics/service-kit';
import type { TranscriptionSettings } from '../settings.ts';
import type { SpeechEngine } from './engine.ts';
import { openaiEngine } from './openai/engine.ts';
import { findWhisperModel, WHISPER_MODELS, whisperEngine } from './whisper/index.ts';

/** No speech engine can be used with these settings; the message lists the ways out. */
export class NoSpeechEngine extends SettingsError {
  override name = 'NoSpeechEngine';
}

/**
 * The speech engine that the settings ask for.
 * @param log gets a warning when the model is about to be shut down
 * @throws SettingsError: NoSpeechEngine listing what to set or to run, or what is wrong with the model's file
 */
export async function chooseSpeechEngine(
  settings: TranscriptionSettings,
  { clock = systemClock, log }: { clock?: Clock; log?: Logger } = {},
): Promise<SpeechEngine> {
  const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseUrl, TRANSCRIPTION_DEADLINE: deadlineMs } = settings;
  const reachable = apiKey !== undefined || baseUrl !== undefined;
  const name = settings.TRANSCRIPTION_ENGINE ?? (reachable ? 'openai' : 'whisper');
  if (name === 'whisper') {
    const model = settings.TRANSCRIPTION_MODEL ?? 'base';
    const modelFile = await findWhisperModel(settings.WHISPER_MODELS_DIR, model);
    if (modelFile === null)
      throw new NoSpeechEngine(
        waysOut(`The whisper model "${model}" is not in ${settings.WHISPER_MODELS_DIR}.`, model),
      );
    return whisperEngine({ modelFile, model, deadlineMs, ...(log === undefined ? {} : { log }) });
  }
  if (!reachable)
    throw new NoSpeechEngine(
      waysOut('TRANSCRIPTION_ENGINE is openai, but there is neither a key nor a base URL.', 'base'),
    );
  const model = settings.TRANSCRIPTION_MODEL ?? 'gpt-transcribe';
  const warning = shutdownWarning(model, clock.now());
  if (warning !== null) log?.warn({ model }, warning);
  // An endpoint of one's own may need no key; the client insists on one.
  return openaiEngine({
    model,
    apiKey: apiKey ?? 'none',
    ...(baseUrl === undefined ? {} : { baseUrl }),
    deadlineMs,
    clock,
  });
}

function waysOut(what: string, model: string): string {
  const fetchable = WHISPER_MODELS.some(({ name }) => name === model) ? model : 'base';
  return [
    `There is no speech engine to use. ${what} One of these makes it work:`,
    '  OPENAI_API_KEY=sk-...                     transcribe with OpenAI',
    '  OPENAI_BASE_URL=http://localhost:8000/v1  transcribe with any OpenAI-compatible endpoint',
    `  npm run whisper -- fetch ${fetchable.padEnd(17)}fetch a model once and transcribe on this machine (TRANSCRIPTION_ENGINE=whisper)`,
  ].join('\n');
}
