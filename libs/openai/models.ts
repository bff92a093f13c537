import { SettingsError } from '@call-analytics/service-kit';

/** The known facts of a model of OpenAI: change this table, not the logic. A fact without a source is left out. */
interface ModelFacts {
  /** The day it stops answering, YYYY-MM-DD; absent when none is announced. */
  shutdown?: string;
  /** The model that OpenAI recommends in its place. */
  successor?: string;
  /** Asked at /audio/transcriptions. */
  transcription?: {
    maxBytes: number;
    maxSeconds: number;
    /** The answer is silently cut beyond this many seconds of speech. */
    safeSeconds: number;
    /** Tokens of an answer, after which it stops without an error. */
    maxOutputTokens?: number;
    /** The richest `response_format`. Speakers are in the segments of diarized_json. */
    responseFormat: 'json' | 'verbose_json' | 'diarized_json';
    /** What has times: words and segments, segments, or nothing. */
    timestamps: 'words' | 'segments' | null;
    diarizes: boolean;
    /** Parameter that names the expected languages. */
    languageParameter: 'language' | 'languages[]' | null;
    /** Parameters that name words to expect. */
    vocabulary: readonly ('prompt' | 'keywords[]')[];
  };
  /** Asked at /chat/completions. */
  chat?: {
    /** Tokens of prompt and answer together. */
    contextTokens: number;
    maxOutputTokens: number;
    /** Values of `reasoning_effort`, least first. */
    efforts: readonly string[];
    defaultEffort: string;
    structuredOutput: 'json_schema';
  };
  price?: Price;
  /** Where the facts stand; [shutdowns] for all days and successors. */
  source: Source;
}

/** The vendor's list price in US dollars, for minutes of audio or millions of tokens. */
export type Price =
  | { minute: number }
  | {
      millionInput: number;
      /** Input that the provider has cached, and input that it writes to its cache. */
      millionCached?: number;
      millionCacheWrite?: number;
      millionOutput: number;
      /** A request whose prompt is longer than this costs so many times as much. */
      long?: { beyondTokens: number; input: number; output: number };
    };

const DOLLARS = String.raw`\d+(\.\d+)?`;
/** `input=0.1 output=0.5`, with `cached=0.01` and `cache-write=0.125` where they differ: dollars per million tokens. */
export const TOKEN_PRICE = new RegExp(
  `^input=${DOLLARS} output=${DOLLARS}( cached=${DOLLARS})?( cache-write=${DOLLARS})?$`,
);

/** @param text that fits `TOKEN_PRICE` */
export function tokenPriceOf(text: string): Price {
  const given = Object.fromEntries(text.split(' ').map((part) => part.split('=')));
  return {
    millionInput: Number(given.input),
    millionOutput: Number(given.output),
    ...(given.cached !== undefined && { millionCached: Number(given.cached) }),
    ...(given['cache-write'] !== undefined && { millionCacheWrite: Number(given['cache-write']) }),
  };
}

/** Pages of developers.openai.com/api/docs, with the day they were read. */
const SOURCES = {
  shutdowns: 'deprecations, 2026-11-22',
  // 25 MB a file. The limit of 1400 s is in the response of the endpoint: "audio duration 1500.012 seconds is longer
  // than 1400 seconds which is the maximum for this model". Answers of the gpt-4o models end silently after 2,000
  // tokens.
  speech: 'guides/speech-to-text, 2026-11-21',
  'gpt-transcribe': 'models/gpt-transcribe, 2026-11-22',
  'gpt-5.6-luna': 'models/gpt-5.6-luna, 2026-11-22',
  'gpt-6-luna': 'models/gpt-6-luna, 2026-11-22',
} as const;
type Source = keyof typeof SOURCES;

const GPT_4O_SPEECH = {
  // The server itself says 26214400, so the stricter reading of 25 MB is safe.
  maxBytes: 25_000_000,
  maxSeconds: 1400,
  // 2,000 tokens are about 12 minutes of English, 8 of Russian.
  safeSeconds: 8 * 60,
  maxOutputTokens: 2_000,
  responseFormat: 'json',
  timestamps: null,
  diarizes: false,
  languageParameter: 'language',
  vocabulary: ['prompt'],
} as const;
const LUNA = {
  contextTokens: 1_050_000,
  maxOutputTokens: 128_000,
  efforts: ['none', 'low', 'medium', 'high', 'xhigh', 'max'],
  defaultEffort: 'medium',
  structuredOutput: 'json_schema',
} as const;
const LONG_PROMPT = { beyondTokens: 272_000, input: 2, output: 1.5 };
const SPEECH_2027 = { shutdown: '2027-02-26', successor: 'gpt-transcribe', source: 'speech' } as const;

const ends = (shutdown: string, successor: string | null, ...names: string[]): [string, ModelFacts][] =>
  names.map((name) => [name, { shutdown, ...(successor !== null && { successor }), source: 'shutdowns' }]);

export const MODELS: Readonly<Record<string, ModelFacts>> = {
  // Its documentation has no limit in seconds or tokens. Segments are far shorter than the limits of its predecessors.
  'gpt-transcribe': {
    transcription: { ...GPT_4O_SPEECH, languageParameter: 'languages[]', vocabulary: ['prompt', 'keywords[]'] },
    price: { minute: 0.0045 },
    source: 'gpt-transcribe',
  },
  'gpt-4o-transcribe': {
    ...SPEECH_2027,
    transcription: GPT_4O_SPEECH,
    price: { millionInput: 2.5, millionOutput: 10 },
  },
  'gpt-4o-mini-transcribe': { ...SPEECH_2027, transcription: GPT_4O_SPEECH },
  'gpt-4o-transcribe-diarize': {
    ...SPEECH_2027,
    transcription: {
      ...GPT_4O_SPEECH,
      responseFormat: 'diarized_json',
      timestamps: 'segments',
      diarizes: true,
      vocabulary: [],
    },
  },
  // Limited by bytes alone; the seconds are those of 25 MB at 32 kbit/s.
  'whisper-1': {
    ...SPEECH_2027,
    transcription: { ...GPT_4O_SPEECH, maxSeconds: 6_000, responseFormat: 'verbose_json', timestamps: 'words' },
  },

  'gpt-6-luna': {
    chat: LUNA,
    price: { millionInput: 0.1, millionCached: 0.01, millionCacheWrite: 0.125, millionOutput: 0.5, long: LONG_PROMPT },
    source: 'gpt-6-luna',
  },
  'gpt-5.6-luna': {
    chat: LUNA,
    price: { millionInput: 0.2, millionCached: 0.02, millionCacheWrite: 0.25, millionOutput: 1.2, long: LONG_PROMPT },
    source: 'gpt-5.6-luna',
  },
  ...Object.fromEntries([
    ...ends('2027-04-01', null, 'gpt-5.1', 'gpt-5.4-nano'),
    ...ends('2027-01-14', 'gpt-6-luna', 'gpt-4o', 'gpt-4o-mini', 'gpt-4.1', 'gpt-4.1-mini'),
    ...ends('2026-12-11', 'gpt-6.1-sol', 'gpt-5'),
    ...ends('2026-12-11', 'gpt-6.1-terra', 'gpt-5-mini'),
    ...ends('2026-12-11', null, 'gpt-5-nano', 'gpt-5-pro', 'o3', 'o3-pro'),
    ...ends('2026-10-23', null, 'gpt-3.5-turbo', 'gpt-4', 'gpt-4-turbo', 'gpt-4.1-nano', 'o1', 'o3-mini', 'o4-mini'),
  ]),
};

export const DEFAULT_SPEECH_MODEL = 'gpt-transcribe';
/**
 * The rule: of the chat models in the table with structured outputs, a known price and no announced shutdown, the
 * cheapest for one call. A test fails when the table says otherwise.
 */
export const DEFAULT_CHAT_MODEL = 'gpt-6-luna';
/** @returns null for a model that is not in the table. A snapshot (`gpt-4o-2024-11-20`) has the facts of its model. */
export function modelFacts(model: string): ModelFacts | null {
  const name = Object.hasOwn(MODELS, model) ? model : model.replace(/-\d{4}-\d{2}-\d{2}$/, '');
  return (Object.hasOwn(MODELS, name) ? MODELS[name] : undefined) ?? null;
}

const DAY_MS = 86_400_000;
const WARN_DAYS = 60;

/** @returns a sentence for the operator when the model is past its shutdown or within 60 days of it, otherwise null */
export function shutdownWarning(model: string, today: Date): string | null {
  const facts = modelFacts(model);
  if (facts?.shutdown === undefined) return null;
  const { shutdown, successor, transcription } = facts;
  const days = Math.ceil((Date.parse(shutdown) - today.getTime()) / DAY_MS);
  if (days > WARN_DAYS) return null;
  const other = successor ?? (transcription === undefined ? DEFAULT_CHAT_MODEL : DEFAULT_SPEECH_MODEL);
  return days <= 0
    ? `The model ${model} was shut down on ${shutdown}: use ${other}.`
    : `The model ${model} shuts down on ${shutdown}, in ${days} ${days === 1 ? 'day' : 'days'}: use ${other}.`;
}

/**
 * @param setting the setting that names the model
 * @param baseUrl the endpoint; undefined for OpenAI's own. Others may serve a model for longer.
 * @throws SettingsError with the name of the successor when OpenAI has shut the model down
 */
export function assertServed(model: string, setting: string, baseUrl: string | undefined, today: Date): void {
  const shutdown = modelFacts(model)?.shutdown;
  if (baseUrl !== undefined || shutdown === undefined || today.getTime() < Date.parse(shutdown)) return;
  throw new SettingsError(`Wrong settings:\n  ${setting} is "${model}". ${shutdownWarning(model, today)}`);
}

/**
 * @param settings the names of those for the model and its price
 * @param limit the spending limit of the installation
 * @throws SettingsError when there is a limit, which would not count a model without a price
 */
export function assertPriced(
  model: string,
  price: Price | undefined,
  limit: number | undefined,
  settings: { model: string; price: string },
): void {
  if (limit === undefined || priceWarning(model, price, settings.price) === null) return;
  throw new SettingsError(
    `Wrong settings:\n  SPENDING_LIMIT_PER_DAY is ${limit}, but the price of ${settings.model} "${model}" is not ` +
      `known: set ${settings.price}`,
  );
}

/** @returns for the operator, that no spending limit counts the model, whose price is not known; otherwise null */
export function priceWarning(model: string, price: Price | undefined, setting: string): string | null {
  if ((price ?? modelFacts(model)?.price) !== undefined) return null;
  return `The price of the model ${model} is unknown, so the limits that accounts set do not count it. Set ${setting}.`;
}

/**
 * The probable cost of a request: the list price of a model of that name, without discounts for batches.
 * @param used seconds of audio and tokens, as far as they are known; `cached` and `cacheWrite` are parts of `input`
 * @param price instead of the one in the table
 * @returns US dollars; null when the price of the model, or what it is charged by, is not known
 */
export function estimatedDollars(
  model: string,
  used: { seconds?: number; tokens?: { input: number; output: number; cached?: number; cacheWrite?: number } },
  price = modelFacts(model)?.price,
): number | null {
  if (price === undefined) return null;
  if ('minute' in price) return used.seconds === undefined ? null : (used.seconds / 60) * price.minute;
  if (used.tokens === undefined) return null;
  const { input, output, cached = 0, cacheWrite = 0 } = used.tokens;
  const times = price.long !== undefined && input > price.long.beyondTokens ? price.long : { input: 1, output: 1 };
  const read =
    (input - cached - cacheWrite) * price.millionInput +
    cached * (price.millionCached ?? price.millionInput) +
    cacheWrite * (price.millionCacheWrite ?? price.millionInput);
  return (read * times.input + output * price.millionOutput * times.output) / 1e6;
}
