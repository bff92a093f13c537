import { modelFacts } from '@call-analytics/openai';
import { ApiError, unknownModel } from './faults.ts';

/** What a speech model takes and gives (developers.openai.com/api/reference, audio/transcriptions; read 2026-11-21). */
export interface SpeechModel {
  formats: readonly ResponseFormat[];
  parameters: readonly string[];
  /** Seconds in one request; null: bytes are the only limit. */
  maxSeconds: number | null;
  /** Tokens after which the text stops without an error; null: none. */
  maxOutputTokens: number | null;
  usage: 'tokens' | 'seconds';
  /** Seconds beyond which `chunking_strategy` must be given; null: never. */
  unchunkedSeconds: number | null;
  /** Opus in Ogg is refused by all but the oldest model, as far as users tell. */
  opus: boolean;
}

export const RESPONSE_FORMATS = ['json', 'text', 'srt', 'verbose_json', 'vtt', 'diarized_json'] as const;
export type ResponseFormat = (typeof RESPONSE_FORMATS)[number];

const GPT_4O: SpeechModel = {
  formats: ['json', 'text'],
  parameters: ['language', 'prompt', 'temperature', 'include', 'chunking_strategy', 'stream'],
  maxSeconds: 1400,
  maxOutputTokens: 2_000,
  usage: 'tokens',
  unchunkedSeconds: null,
  opus: false,
};

export const SPEECH_MODELS: Readonly<Record<string, SpeechModel>> = {
  'gpt-transcribe': { ...GPT_4O, parameters: ['languages', 'keywords', 'prompt', 'stream'], usage: 'seconds' },
  'gpt-4o-transcribe': GPT_4O,
  'gpt-4o-mini-transcribe': GPT_4O,
  'gpt-4o-transcribe-diarize': {
    ...GPT_4O,
    formats: ['json', 'text', 'diarized_json'],
    parameters: [
      'language',
      'temperature',
      'chunking_strategy',
      'known_speaker_names',
      'known_speaker_references',
      'stream',
    ],
    unchunkedSeconds: 30,
  },
  'whisper-1': {
    formats: ['json', 'text', 'srt', 'verbose_json', 'vtt'],
    parameters: ['language', 'prompt', 'temperature', 'timestamp_granularities', 'stream'],
    maxSeconds: null,
    maxOutputTokens: null,
    usage: 'seconds',
    unchunkedSeconds: null,
    opus: true,
  },
};

/** Text models. Those that reason refuse some parameters that the others take. */
const CHAT_MODELS: Readonly<Record<string, { reasons: boolean }>> = {
  'gpt-5.6-luna': { reasons: true },
  'gpt-6-luna': { reasons: true },
  'gpt-5.1': { reasons: true },
  'gpt-5.4-nano': { reasons: true },
  'gpt-5': { reasons: true },
  'gpt-5-mini': { reasons: true },
  'gpt-5-nano': { reasons: true },
  o3: { reasons: true },
  'gpt-4o': { reasons: false },
  'gpt-4o-mini': { reasons: false },
  'gpt-4.1': { reasons: false },
  'gpt-4.1-mini': { reasons: false },
};

/** @throws ApiError as the API answers for a model that never was, is shut down, or does something else */
export function speechModel(name: string, today: Date): SpeechModel {
  const known = find(SPEECH_MODELS, name, today);
  if (known !== null) return known;
  if (find(CHAT_MODELS, name, today) !== null) {
    throw new ApiError(400, `The model \`${name}\` does not support audio transcription.`, { param: 'model' });
  }
  throw unknownModel(name);
}

/** @throws ApiError as the API answers for a model that never was, is shut down, or does something else */
export function chatModel(name: string, path: string, today: Date): { reasons: boolean } {
  const known = find(CHAT_MODELS, name, today);
  if (known !== null) return known;
  if (find(SPEECH_MODELS, name, today) !== null) {
    throw new ApiError(404, `This is not a chat model and thus not supported in the ${path} endpoint.`, {
      param: 'model',
    });
  }
  throw unknownModel(name);
}

/** @returns the names of the models that answer on that day */
export function livingModels(today: Date): string[] {
  return [...Object.keys(SPEECH_MODELS), ...Object.keys(CHAT_MODELS)].filter((name) => lives(name, today));
}

function find<M>(table: Readonly<Record<string, M>>, name: string, today: Date): M | null {
  const family = name.replace(/-\d{4}-\d{2}-\d{2}$/, '');
  const model = Object.hasOwn(table, family) ? table[family] : undefined;
  return model !== undefined && lives(name, today) ? model : null;
}

function lives(name: string, today: Date): boolean {
  const shutdown = modelFacts(name)?.shutdown;
  return shutdown === undefined || today.getTime() < Date.parse(shutdown);
}
