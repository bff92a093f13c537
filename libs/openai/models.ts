/** The known facts of a model. Change the table, not the logic. */
export interface ModelFacts {
  /** The day it stops answering, YYYY-MM-DD; absent when none is announced. */
  shutdown?: string;
  transcription?: {
    maxBytes: number;
    maxSeconds: number;
    /** The answer is silently cut beyond this many seconds of speech. */
    safeSeconds: number;
    /** Parameter that names the expected languages. */
    languageParameter: 'language' | 'languages[]' | null;
    diarizes: boolean;
  };
  chat?: {
    /** Tokens of prompt and answer together. */
    contextTokens: number;
    maxOutputTokens: number;
    /** Values of `reasoning_effort`, least first; absent when not known. */
    efforts?: readonly string[];
  };
  price?: Price;
}

/** The vendor's list price in US dollars, for minutes of audio or millions of tokens. */
export type Price =
  | { minute: number }
  | {
      millionInput: number;
      millionOutput: number;
      /** A request whose prompt is longer than this costs so many times as much. */
      long?: { beyondTokens: number; input: number; output: number };
    };

// Sources, all read on 2026-11-21:
// [deprecations] developers.openai.com/api/docs/deprecations
// [speech]       developers.openai.com/api/docs/guides/speech-to-text (25 MB a file) and api/docs/models/gpt-transcribe
// [models]       developers.openai.com/api/docs/models/gpt-5.6-luna
// [prices]       developers.openai.com/api/docs/models/<model>; most models that will be shut down have none here
// [1400 s]       the response of the endpoint: "audio duration 1500.012 seconds is longer than 1400 seconds which is the
//                maximum for this model"
// [2000 tokens]  the gpt-4o transcription models return at most 2,000 tokens and then stop without an error: about
//                12 minutes of English, 8 of Russian
const FILE_BYTES = 25_000_000; // [speech]; the server itself says 26214400, so the stricter reading is safe
const SAFE_SECONDS = 8 * 60; // [2000 tokens]
const GPT_4O_SPEECH = {
  maxBytes: FILE_BYTES,
  maxSeconds: 1400, // [1400 s]
  safeSeconds: SAFE_SECONDS,
  languageParameter: 'language',
  diarizes: false,
} as const;
const SPEECH_2027 = '2027-02-26';
const OCTOBER_2026 = '2026-10-23';
const DECEMBER_2026 = '2026-12-11';
const JANUARY_2027 = '2027-01-14';
const APRIL_2027 = '2027-04-01';

const MODELS: Readonly<Record<string, ModelFacts>> = {
  // Its documentation has no limit in seconds. Segments are far shorter than the limit of its predecessors.
  'gpt-transcribe': {
    transcription: { ...GPT_4O_SPEECH, languageParameter: 'languages[]' },
    price: { minute: 0.0045 },
  }, // [prices]
  'gpt-4o-transcribe': {
    shutdown: SPEECH_2027,
    transcription: GPT_4O_SPEECH,
    price: { millionInput: 2.5, millionOutput: 10 },
  }, // [prices]
  'gpt-4o-mini-transcribe': { shutdown: SPEECH_2027, transcription: GPT_4O_SPEECH },
  'gpt-4o-transcribe-diarize': { shutdown: SPEECH_2027, transcription: { ...GPT_4O_SPEECH, diarizes: true } },
  // Limited by bytes alone; the seconds are those of 25 MB at 32 kbit/s.
  'whisper-1': { shutdown: SPEECH_2027, transcription: { ...GPT_4O_SPEECH, maxSeconds: 6_000 } },

  'gpt-5.6-luna': {
    chat: { contextTokens: 1_050_000, maxOutputTokens: 128_000 }, // [models]
    price: { millionInput: 0.2, millionOutput: 1.2, long: { beyondTokens: 272_000, input: 2, output: 1.5 } }, // [prices]
  },
  'gpt-6-luna': {},
  'gpt-5.1': { shutdown: APRIL_2027 },
  'gpt-5.4-nano': { shutdown: APRIL_2027 },
  'gpt-4o': { shutdown: JANUARY_2027 },
  'gpt-4o-mini': { shutdown: JANUARY_2027 },
  'gpt-4.1': { shutdown: JANUARY_2027 },
  'gpt-4.1-mini': { shutdown: JANUARY_2027 },
  'gpt-5': { shutdown: DECEMBER_2026 },
  'gpt-5-mini': { shutdown: DECEMBER_2026 },
  'gpt-5-nano': { shutdown: DECEMBER_2026 },
  'gpt-5-pro': { shutdown: DECEMBER_2026 },
  o3: { shutdown: DECEMBER_2026 },
  'o3-pro': { shutdown: DECEMBER_2026 },
  'gpt-3.5-turbo': { shutdown: OCTOBER_2026 },
  'gpt-4': { shutdown: OCTOBER_2026 },
  'gpt-4-turbo': { shutdown: OCTOBER_2026 },
  'gpt-4.1-nano': { shutdown: OCTOBER_2026 },
  o1: { shutdown: OCTOBER_2026 },
  'o3-mini': { shutdown: OCTOBER_2026 },
  'o4-mini': { shutdown: OCTOBER_2026 },
};

/** @returns null for a model that is not in the table. A dated snapshot (`gpt-4o-2024-11-20`) has the facts of its model. */
export function modelFacts(model: string): ModelFacts | null {
  const name = Object.hasOwn(MODELS, model) ? model : model.replace(/-\d{4}-\d{2}-\d{2}$/, '');
  return (Object.hasOwn(MODELS, name) ? MODELS[name] : undefined) ?? null;
}

const DAY_MS = 86_400_000;
const WARN_DAYS = 60;

/** @returns a sentence for the log when the model is past its shutdown or within 60 days of it, otherwise null */
export function shutdownWarning(model: string, today: Date): string | null {
  const shutdown = modelFacts(model)?.shutdown;
  if (shutdown === undefined) return null;
  const days = Math.ceil((Date.parse(shutdown) - today.getTime()) / DAY_MS);
  if (days > WARN_DAYS) return null;
  return days <= 0
    ? `The model ${model} was shut down on ${shutdown}: choose another one.`
    : `The model ${model} shuts down on ${shutdown}, in ${days} ${days === 1 ? 'day' : 'days'}: choose another one.`;
}

/**
 * The probable cost of a request: the list price of a model of that name, without discounts for cached prompts or batches.
 * @param used seconds of audio and tokens, as far as they are known
 * @returns US dollars; null when the price of the model, or what it is charged by, is not known
 */
export function estimatedDollars(
  model: string,
  used: { seconds?: number; tokens?: { input: number; output: number } },
): number | null {
  const price = modelFacts(model)?.price;
  if (price === undefined) return null;
  if ('minute' in price) return used.seconds === undefined ? null : (used.seconds / 60) * price.minute;
  if (used.tokens === undefined) return null;
  const { input, output } = used.tokens;
  const times = price.long !== undefined && input > price.long.beyondTokens ? price.long : { input: 1, output: 1 };
  return (input * price.millionInput * times.input + output * price.millionOutput * times.output) / 1e6;
}
