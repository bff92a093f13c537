import { tmpdir } from 'node:os';
import { byteSize, duration, wholeNumber } from '@call-analytics/service-kit';
import { z } from 'zod';

/** Model names of an endpoint may contain slashes, as in `Systran/faster-whisper-small`. */
const MODEL_NAME = /^[a-z0-9][a-z0-9._:-]*(\/[a-z0-9][a-z0-9._:-]*)*$/i;

/** The settings of the transcription service, one entry per environment variable. */
export const transcriptionSettings = z.object({
  TRANSCRIPTION_ENGINE: z
    .enum(['openai', 'whisper'])
    .optional()
    .describe(
      'openai (any OpenAI-compatible endpoint) or whisper (on this machine); openai when a key or a base URL is set, else whisper',
    ),
  TRANSCRIPTION_MODEL: z
    .string()
    .regex(MODEL_NAME, 'must be the name of a model')
    .optional()
    .describe('a speech model of the endpoint (gpt-transcribe by default), or of whisper (base by default)'),
  TRANSCRIPTION_PRICE: z
    .string()
    .regex(/^\d+(\.\d+)?$/, 'must be an amount such as 0.0045')
    .transform((dollars) => ({ minute: Number(dollars) }))
    .optional()
    .describe('US dollars per minute of audio; set it for a model whose list price is unknown or wrong'),
  TRANSCRIPTION_LANGUAGES: z
    .string()
    .regex(/^[a-z]{2}(,[a-z]{2})*$/, 'must be codes such as en or en,de')
    .transform((text) => text.split(','))
    .optional()
    .describe('the languages of calls, as ISO 639-1 codes; the engine detects the language when not set'),
  TRANSCRIPTION_API_KEY: z
    .string()
    .optional()
    .describe('the key of the server at TRANSCRIPTION_BASE_URL, if it needs one'),
  TRANSCRIPTION_BASE_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('an OpenAI-compatible endpoint for speech, ending in /v1; OPENAI_BASE_URL when not set'),
  OPENAI_API_KEY: z.string().optional().describe('the key of the OpenAI-compatible endpoint'),
  OPENAI_BASE_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('an OpenAI-compatible endpoint ending in /v1; OpenAI when not set'),
  TRANSCRIPTION_CONCURRENCY: wholeNumber({ min: 1, max: 64 })
    .prefault('3')
    .describe('calls transcribed in parallel; from 2 on, the last free place is kept for another account'),
  SEGMENT_CONCURRENCY: wholeNumber({ min: 1, max: 64 })
    .prefault('4')
    .describe('segments of one call that are transcribed in parallel'),
  TRANSCRIPTION_DEADLINE: duration({ min: '1s', max: '24h' })
    .prefault('5m')
    .describe('the timeout of one request to the engine, such as 5m'),
  DECODE_TIME_LIMIT: duration({ min: '1s', max: '24h' })
    .prefault('10m')
    .describe('the longest time for decoding a recording, such as 10m; smaller recordings get less'),
  DECODE_MEMORY_LIMIT: byteSize()
    .prefault('512MiB')
    .describe('the memory limit of the process that decodes a recording, such as 512MiB'),
  DECODER_ISOLATION: z
    .enum(['required', 'preferred'])
    .default('preferred')
    .describe(
      'required: the service does not start unless seccomp isolates the decoder, which needs Linux on x64 or arm64; ' +
        'preferred: it starts, and logs which isolation there is',
    ),
  MAX_AUDIO_DURATION: duration({ min: '1s', max: '24h' }).prefault('6h').describe('the longest recording, such as 6h'),
  WORK_DIR: z.string().default(tmpdir()).describe('a folder for temporary files, which no other machine uses'),
  WHISPER_MODELS_DIR: z
    .string()
    .default('./data/models')
    .describe('the folder of downloaded models: those of whisper, and campplus'),
  VOICE_MODEL: z
    .string()
    .optional()
    .describe(
      'the file of the speaker embedding model, an ONNX export of CAM++; unset: campplus in WHISPER_MODELS_DIR',
    ),
});
export type TranscriptionSettings = z.infer<typeof transcriptionSettings>;
