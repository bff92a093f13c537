import {
  classifyOpenAiError,
  estimatedDollars,
  modelFacts,
  type OpenAI,
  openaiClient,
  toFile,
} from '@call-analytics/openai';
import { type Clock, WorkError } from '@call-analytics/service-kit';
import { ZodError } from 'zod';
import { SAMPLE_RATE } from '../../plan/frames.ts';
import type { EngineAnswer, SpeechEngine } from '../engine.ts';
import { readAnswer } from './answers.ts';
import { Mp3Encoder } from './mp3.ts';

/** For a model that is not in the table: what the whole family takes. */
const UNKNOWN = { safeSeconds: 8 * 60, languageParameter: null, diarizes: false } as const;
/** Models that say when things were said, and the shape that says it. */
const WITH_TIMES: Readonly<Record<string, 'verbose_json'>> = { 'whisper-1': 'verbose_json' };
/** The endpoint refuses what is shorter than 0.1 s; some servers more. */
const SHORTEST_SAMPLES = SAMPLE_RATE / 2;

export interface OpenAiEngineOptions {
  model: string;
  apiKey: string;
  baseUrl?: string;
  /** Of one request, in milliseconds. */
  deadlineMs: number;
  clock: Clock;
}

/** Speech to text by any endpoint that speaks OpenAI's API. */
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
      // toFile of bytes, not a stream: a stream could not be sent again by anyone in between.
      const file = await toFile(mp3, 'segment.mp3', { type: 'audio/mpeg' });
      const answer = readAnswer(
        await client.audio.transcriptions.create(
          { file, model, ...formatted(format), ...spoken(facts.languageParameter, languages) },
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

function formatted(format: 'json' | 'verbose_json' | 'diarized_json'): Partial<Params> {
  if (format === 'verbose_json') return { response_format: format, timestamp_granularities: ['segment'] };
  // Required for more than 30 s.
  if (format === 'diarized_json') return { response_format: format, chunking_strategy: 'auto' };
  return { response_format: format };
}

function spoken(parameter: 'language' | 'languages[]' | null, languages: readonly string[]): Partial<Params> {
  if (parameter === 'languages[]' && languages.length > 0) return { languages: [...languages] };
  // A parameter for one language can only say what is certain.
  const [only, ...others] = languages;
  return parameter === 'language' && only !== undefined && others.length === 0 ? { language: only } : {};
}

/** Silence after a very short piece. */
function padded(samples: Int16Array): Int16Array {
  if (samples.length >= SHORTEST_SAMPLES) return samples;
  const longer = new Int16Array(SHORTEST_SAMPLES);
  longer.set(samples);
  return longer;
}
