import {
  classifyOpenAiError,
  estimatedDollars,
  modelFacts,
  type OpenAI,
  openaiClient,
  type Price,
  TIMED_OUT,
  toFile,
  UNREADABLE,
} from '@call-analytics/openai';
import { type Clock, WorkError } from '@call-analytics/service-kit';
import { ZodError, z } from 'zod';
import { echoesVocabulary } from '../../join/hallucinations.ts';
import { SAMPLE_RATE } from '../../plan/frames.ts';
import type { EngineAnswer, SpeechEngine } from '../engine.ts';
import { Mp3Encoder } from './mp3.ts';

/**
 * For a model that is not in the table, such as those of self-hosted servers: the limits of the whole family, and the
 * parameters of whisper-1, which these servers imitate.
 */
const UNKNOWN = {
  safeSeconds: 8 * 60,
  languageParameter: 'language',
  diarizes: false,
  vocabulary: ['prompt'],
} as const;
/** A little less than the window of 30 s in which Whisper listens, however short the audio is. */
const WHISPER_WINDOW_SECONDS = 28;
/** A request gets this long, and this many times the length of its audio: a short one must not hold a server long. */
const DEADLINE = { minMs: 60_000, times: 10 };
/** The limit of the API is not documented. */
const MAX_KEYWORDS = 100;
/** Whisper takes 224 tokens of a prompt. Lists of names in six scripts had 2.1 bytes or more for a token. */
const MAX_PROMPT_BYTES = 448;
/** OpenAI refuses less than 0.1 s, some servers more. */
const MIN_SAMPLES = SAMPLE_RATE / 2;

interface OpenAiEngineOptions {
  model: string;
  apiKey: string;
  baseUrl?: string;
  /** For one request, in ms. */
  deadlineMs: number;
  clock: Clock;
  /** Instead of the one in the model table. */
  price?: Price | undefined;
}

/** Speech to text by any OpenAI-compatible endpoint. */
export function openaiEngine({ model, apiKey, baseUrl, deadlineMs, clock, price }: OpenAiEngineOptions): SpeechEngine {
  const client = openaiClient({ apiKey, ...(baseUrl === undefined ? {} : { baseUrl }), timeoutMs: deadlineMs });
  const known = modelFacts(model)?.transcription;
  const facts = known ?? UNKNOWN;
  const timestamps = facts.diarizes || model === 'whisper-1';
  let format: Format = facts.diarizes ? 'diarized_json' : timestamps || known === undefined ? 'verbose_json' : 'json';
  const encoder = new Mp3Encoder();

  const request = async (
    samples: Int16Array,
    signal: AbortSignal,
    languages: readonly string[],
    vocabulary: Vocabulary,
  ): Promise<EngineAnswer> => {
    const mp3 = await encoder.encode(padded(samples));
    signal.throwIfAborted();
    const seconds = samples.length / SAMPLE_RATE;
    const deadline = AbortSignal.timeout(requestDeadlineMs(seconds, deadlineMs));
    const options = { signal: AbortSignal.any([signal, deadline]) };
    // Bytes, not a stream: a stream cannot be sent again after a redirect or a retry.
    const file = await toFile(mp3, 'segment.mp3', { type: 'audio/mpeg' });
    const language = languageParameters(facts.languageParameter, languages);
    const create = (as: Format) =>
      client.audio.transcriptions.create(
        { file, model, ...formatParameters(as), ...language, ...vocabulary.parameters },
        options,
      );
    try {
      const asked = format;
      const answer = readAnswer(
        await create(asked).catch((error: unknown) => {
          if (known !== undefined || asked === 'json' || !isRefusedFormat(error)) throw error;
          format = 'json';
          return create(format);
        }),
      );
      const dollars = estimatedDollars(model, { ...answer, seconds }, price);
      return dollars === null ? answer : { ...answer, dollars };
    } catch (error) {
      signal.throwIfAborted();
      if (deadline.aborted) throw new WorkError(TIMED_OUT, { cause: error });
      throw new WorkError(error instanceof ZodError ? UNREADABLE : classifyOpenAiError(error, clock.now()), {
        cause: error,
      });
    }
  };

  return {
    name: 'openai',
    model,
    limits: {
      maxSeconds: facts.safeSeconds,
      timestamps,
      diarizes: facts.diarizes,
      concurrency: Number.POSITIVE_INFINITY,
      ...packing(known === undefined, model, facts.safeSeconds),
    },
    async transcribe({ samples }, { signal, languages = [], vocabulary = [] }) {
      const sent = vocabularyFor(facts.vocabulary, vocabulary);
      const answer = await request(samples, signal, languages, sent);
      if (!echoesVocabulary(answer.text, sent.terms)) return answer;
      const again = await request(samples, signal, languages, NO_VOCABULARY);
      return again.dollars === undefined ? again : { ...again, dollars: again.dollars + (answer.dollars ?? 0) };
    },
    close: () => encoder.close(),
  };
}

/** The terms of a request, in their order there. */
interface Vocabulary {
  terms: readonly string[];
  parameters: { keywords?: string[]; prompt?: string };
}
const NO_VOCABULARY: Vocabulary = { terms: [], parameters: {} };

/** @param takes parameters of the model @param terms the most important first; those that do not fit are left out */
function vocabularyFor(takes: readonly string[], terms: readonly string[]): Vocabulary {
  if (terms.length === 0) return NO_VOCABULARY;
  if (takes.includes('keywords[]')) {
    const keywords = terms.slice(0, MAX_KEYWORDS);
    return { terms: keywords, parameters: { keywords } };
  }
  if (!takes.includes('prompt')) return NO_VOCABULARY;
  let bytes = 0;
  const fitting = terms.filter((term) => {
    bytes += Buffer.byteLength(`${term}, `);
    return bytes <= MAX_PROMPT_BYTES;
  });
  // Whisper keeps the end of a prompt that is too long.
  const sent = fitting.toReversed();
  return { terms: sent, parameters: { prompt: `${sent.join(', ')}.` } };
}

/** Other servers answer with Whisper as a rule. Models without times get segments one by one, and so do those that tell
 * speakers apart: they break lines where they hear another voice. */
function packing(isUnknown: boolean, model: string, safeSeconds: number): { packSeconds?: number } {
  if (isUnknown) return { packSeconds: WHISPER_WINDOW_SECONDS };
  return model === 'whisper-1' ? { packSeconds: safeSeconds } : {};
}

/** @param maxMs the deadline of the operator @returns the deadline in ms of a request with so much audio */
export function requestDeadlineMs(seconds: number, maxMs: number): number {
  return Math.round(Math.min(maxMs, DEADLINE.minMs + DEADLINE.times * seconds * 1000));
}

type Format = 'json' | 'verbose_json' | 'diarized_json';

/** A server that gives no times refuses the format that has them. */
function isRefusedFormat(error: unknown): boolean {
  return error instanceof Error && 'status' in error && (error.status === 400 || error.status === 422);
}

type Params = OpenAI.Audio.TranscriptionCreateParamsNonStreaming;

function formatParameters(format: Format): Partial<Params> {
  if (format === 'verbose_json') return { response_format: format, timestamp_granularities: ['segment', 'word'] };
  // Required for more than 30 s of audio.
  if (format === 'diarized_json') return { response_format: format, chunking_strategy: 'auto' };
  return { response_format: format };
}

function languageParameters(
  parameter: 'language' | 'languages[]' | null,
  languages: readonly string[],
): Partial<Params> {
  if (parameter === 'languages[]' && languages.length > 0) return { languages: [...languages] };
  // A parameter for one language is only sent when there is only one.
  const [only, ...others] = languages;
  return parameter === 'language' && only !== undefined && others.length === 0 ? { language: only } : {};
}

/** Appends silence to a very short segment. */
function padded(samples: Int16Array): Int16Array {
  if (samples.length >= MIN_SAMPLES) return samples;
  const longer = new Int16Array(MIN_SAMPLES);
  longer.set(samples);
  return longer;
}

const Segment = z.object({
  start: z.number(),
  end: z.number(),
  text: z.string(),
  avg_logprob: z.number().nullish(),
  speaker: z.union([z.string(), z.number()]).nullish(),
  // The name that other providers give it.
  speaker_id: z.union([z.string(), z.number()]).nullish(),
});
const Word = z.object({ word: z.string(), start: z.number(), end: z.number() });

/** One schema for json, verbose_json and diarized_json. Other servers than OpenAI's leave fields out. */
const Answer = z.object({
  text: z.string(),
  language: z.string().nullish(),
  languages: z.array(z.object({ code: z.string() })).nullish(),
  segments: z.array(Segment).nullish(),
  words: z.array(Word).nullish(),
  usage: z.looseObject({ input_tokens: z.number().optional(), output_tokens: z.number().optional() }).nullish(),
});

/** @throws ZodError when it is not the answer to a transcription */
export function readAnswer(answer: unknown): EngineAnswer {
  const { text, language, languages, segments, words, usage } = Answer.parse(answer);
  const said = languages?.[0]?.code ?? language ?? null;
  const confidence = segments == null ? null : meanLogprob(segments);
  // Lines with speakers end where another one begins; their words alone would not.
  const isLabeled = segments?.some((segment) => speakerOf(segment) !== null) === true;
  return {
    text: text.trim(),
    ...(segments == null || segments.length === 0 ? {} : { utterances: segments.map(asLine) }),
    ...(words == null || words.length === 0 || isLabeled
      ? {}
      : { words: words.map(({ word, ...at }) => asUtterance({ ...at, text: word })) }),
    ...(confidence === null ? {} : { confidence }),
    language: said === null ? null : languageCode(said),
    ...(usage?.input_tokens === undefined
      ? {}
      : { tokens: { input: usage.input_tokens, output: usage.output_tokens ?? 0 } }),
  };
}

function asUtterance({ start, end, text }: Pick<z.infer<typeof Segment>, 'start' | 'end' | 'text'>): {
  startMs: number;
  endMs: number;
  text: string;
} {
  return { startMs: Math.round(start * 1000), endMs: Math.round(end * 1000), text: text.trim() };
}

function asLine(segment: z.infer<typeof Segment>): NonNullable<EngineAnswer['utterances']>[number] {
  const { avg_logprob: confidence } = segment;
  const speaker = speakerOf(segment);
  return {
    ...asUtterance(segment),
    ...(confidence == null ? {} : { confidence }),
    ...(speaker === null ? {} : { speaker }),
  };
}

function speakerOf({ speaker, speaker_id: id }: z.infer<typeof Segment>): string | null {
  const named = speaker ?? id ?? null;
  return named === null ? null : String(named);
}

/** @returns the mean over the time of the segments, null when the server does not say */
function meanLogprob(segments: readonly z.infer<typeof Segment>[]): number | null {
  let sum = 0;
  let seconds = 0;
  for (const { start, end, avg_logprob: logprob } of segments) {
    if (logprob == null) continue;
    sum += logprob * (end - start);
    seconds += end - start;
  }
  return seconds > 0 ? sum / seconds : null;
}

/** Two-letter codes by the English name of the language: whisper-1 answers "english" where others answer "en". */
const CODES = codesByName();

/** @param said a code or an English name of a language @returns BCP 47, or null when it is neither */
export function languageCode(said: string): string | null {
  const lower = said.trim().toLowerCase();
  if (/^[a-z]{2,3}(-[a-z0-9]{2,8})*$/.test(lower) && !CODES.has(lower))
    return Intl.getCanonicalLocales(lower)[0] ?? null;
  return CODES.get(lower) ?? null;
}

function codesByName(): Map<string, string> {
  const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });
  const letters = 'abcdefghijklmnopqrstuvwxyz';
  const codes = [...letters].flatMap((first) => [...letters].map((second) => first + second));
  return new Map(
    codes.flatMap((code) => {
      const name = names.of(code);
      return name === undefined ? [] : [[name.toLowerCase(), Intl.getCanonicalLocales(code)[0] ?? code] as const];
    }),
  );
}
