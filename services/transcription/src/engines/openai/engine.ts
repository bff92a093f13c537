import {
  classifyOpenAiError,
  estimatedDollars,
  modelFacts,
  type OpenAI,
  openaiClient,
  toFile,
} from '@call-analytics/openai';
import { type Clock, WorkError } from '@call-analytics/service-kit';
import { ZodError, z } from 'zod';
import { SAMPLE_RATE } from '../../plan/frames.ts';
import type { EngineAnswer, SpeechEngine } from '../engine.ts';
import { Mp3Encoder } from './mp3.ts';

/** For a model that is not in the table: the limits of the whole family. */
const UNKNOWN = { safeSeconds: 8 * 60, languageParameter: null, diarizes: false } as const;
/** Models that give times, and the response format that has them. */
const WITH_TIMES: Readonly<Record<string, 'verbose_json'>> = { 'whisper-1': 'verbose_json' };
/** OpenAI refuses less than 0.1 s, some servers more. */
const SHORTEST_SAMPLES = SAMPLE_RATE / 2;

export interface OpenAiEngineOptions {
  model: string;
  apiKey: string;
  baseUrl?: string;
  /** For one request, in ms. */
  deadlineMs: number;
  clock: Clock;
}

/** Speech to text by any OpenAI-compatible endpoint. */
export function openaiEngine({ model, apiKey, baseUrl, deadlineMs, clock }: OpenAiEngineOptions): SpeechEngine {
  const client = openaiClient({ apiKey, ...(baseUrl === undefined ? {} : { baseUrl }), timeoutMs: deadlineMs });
  const facts = modelFacts(model)?.transcription ?? UNKNOWN;
  const format = facts.diarizes ? 'diarized_json' : (WITH_TIMES[model] ?? 'json');
  const encoder = new Mp3Encoder();

  const request = async (
    samples: Int16Array,
    signal: AbortSignal,
    languages: readonly string[],
  ): Promise<EngineAnswer> => {
    const mp3 = await encoder.encode(padded(samples));
    signal.throwIfAborted();
    try {
      // Bytes, not a stream: a stream cannot be sent again after a redirect or a retry.
      const file = await toFile(mp3, 'segment.mp3', { type: 'audio/mpeg' });
      const answer = readAnswer(
        await client.audio.transcriptions.create(
          { file, model, ...formatParameters(format), ...languageParameters(facts.languageParameter, languages) },
          { signal },
        ),
      );
      const dollars = estimatedDollars(model, { ...answer, seconds: samples.length / SAMPLE_RATE });
      return dollars === null ? answer : { ...answer, dollars };
    } catch (error) {
      signal.throwIfAborted();
      throw new WorkError(error instanceof ZodError ? UNREADABLE_ANSWER : classifyOpenAiError(error, clock.now()), {
        cause: error,
      });
    }
  };

  return {
    name: 'openai',
    model,
    limits: { maxSeconds: facts.safeSeconds, timestamps: format !== 'json', concurrency: Number.POSITIVE_INFINITY },
    transcribe: ({ samples }, { signal, languages = [] }) => request(samples, signal, languages),
    close: () => encoder.close(),
  };
}

const UNREADABLE_ANSWER = {
  kind: 'unanswered',
  code: 'engine_answer_unreadable',
  message: 'The AI provider returned an unreadable answer.',
} as const;

type Params = OpenAI.Audio.TranscriptionCreateParamsNonStreaming;

function formatParameters(format: 'json' | 'verbose_json' | 'diarized_json'): Partial<Params> {
  if (format === 'verbose_json') return { response_format: format, timestamp_granularities: ['segment'] };
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
  if (samples.length >= SHORTEST_SAMPLES) return samples;
  const longer = new Int16Array(SHORTEST_SAMPLES);
  longer.set(samples);
  return longer;
}

const Segment = z.object({ start: z.number(), end: z.number(), text: z.string() });

/** One schema for json, verbose_json and diarized_json. Other servers than OpenAI's leave fields out. */
const Answer = z.object({
  text: z.string(),
  language: z.string().nullish(),
  languages: z.array(z.object({ code: z.string() })).nullish(),
  segments: z.array(Segment).nullish(),
  usage: z.looseObject({ input_tokens: z.number().optional(), output_tokens: z.number().optional() }).nullish(),
});

/** @throws ZodError when it is not the answer to a transcription */
export function readAnswer(answer: unknown): EngineAnswer {
  const { text, language, languages, segments, usage } = Answer.parse(answer);
  const said = languages?.[0]?.code ?? language ?? null;
  return {
    text: text.trim(),
    ...(segments === null || segments === undefined || segments.length === 0
      ? {}
      : { utterances: segments.map(asUtterance) }),
    language: said === null ? null : languageCode(said),
    ...(usage?.input_tokens === undefined
      ? {}
      : { tokens: { input: usage.input_tokens, output: usage.output_tokens ?? 0 } }),
  };
}

/** Drops the speaker of a diarized segment: labels restart in every request, so they do not hold for the call. */
function asUtterance({ start, end, text }: z.infer<typeof Segment>): { startMs: number; endMs: number; text: string } {
  return { startMs: Math.round(start * 1000), endMs: Math.round(end * 1000), text: text.trim() };
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
