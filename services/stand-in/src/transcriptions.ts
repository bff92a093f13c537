import { decodeAudio } from './decode.ts';
import { ApiError, invalidValue, missingParameter, unknownParameter, unsupportedParameter } from './faults.ts';
import type { Heard } from './known-text.ts';
import { RESPONSE_FORMATS, type ResponseFormat, SPEECH_MODELS, type SpeechModel, speechModel } from './models.ts';
import { acceptedFormat, type Upload } from './upload.ts';

const MIN_SECONDS = 0.1;
const ALWAYS = ['file', 'model', 'response_format'];
/** Sent as `name[]`; the others as `name`. */
const LISTS = [
  'include',
  'keywords',
  'languages',
  'known_speaker_names',
  'known_speaker_references',
  'timestamp_granularities',
];

interface TranscriptionRequest {
  model: SpeechModel;
  format: ResponseFormat;
  granularities: string[];
  samples: Int16Array;
  seconds: number;
}

/** Checks a request as strictly as the API does. @throws ApiError naming what is wrong with it */
export function checkTranscription({ fields, file }: Upload, today: Date): TranscriptionRequest {
  const value = (name: string) => fields.get(name)?.[0]?.value;
  const name = value('model');
  if (file === null) throw missingParameter('file');
  if (name === undefined || name === '') throw missingParameter('model');
  const model = speechModel(name, today);
  checkParameters(fields, model);
  const format = responseFormat(value('response_format') ?? 'json', name, model);
  const granularities = (fields.get('timestamp_granularities') ?? []).map((field) => field.value);
  checkValues(value, granularities, format);
  acceptedFormat(file.name, file.bytes, model);
  const decoded = decodeAudio(file.bytes, 'mono');
  const samples = decoded?.channels[0];
  if (decoded === null || samples === undefined) {
    throw new ApiError(400, 'Audio file might be corrupted or unsupported', { param: 'file', code: 'invalid_value' });
  }
  checkLength(decoded.seconds, model, fields.has('chunking_strategy'));
  return { model, format, granularities, samples, seconds: decoded.seconds };
}

function checkParameters(fields: Upload['fields'], model: SpeechModel): void {
  const known = new Set([...ALWAYS, ...Object.values(SPEECH_MODELS).flatMap(({ parameters }) => parameters)]);
  for (const [name, given] of fields) {
    const sent = given[0]?.sent ?? name;
    if (!known.has(name) || name === 'file') throw unknownParameter(sent);
    if (LISTS.includes(name) !== sent.endsWith('[]') && name !== 'chunking_strategy') throw unknownParameter(sent);
    if (ALWAYS.includes(name) || model.parameters.includes(name)) continue;
    throw unsupportedParameter(
      name,
      name === 'language' && model.parameters.includes('languages') ? " Use 'languages[]' instead." : '',
    );
  }
}

function responseFormat(asked: string, name: string, model: SpeechModel): ResponseFormat {
  const format = RESPONSE_FORMATS.find((candidate) => candidate === asked);
  if (format === undefined) throw invalidValue('response_format', asked, RESPONSE_FORMATS);
  if (model.formats.includes(format)) return format;
  const instead = model.formats.map((allowed) => `'${allowed}'`).join(' or ');
  throw new ApiError(
    400,
    `response_format '${format}' is not compatible with model '${name}'. Use ${instead} instead.`,
    { param: 'response_format', code: 'unsupported_value' },
  );
}

function checkValues(
  value: (name: string) => string | undefined,
  granularities: string[],
  format: ResponseFormat,
): void {
  const language = value('language');
  if (language !== undefined && !/^[a-z]{2,3}$/.test(language)) {
    throw new ApiError(
      400,
      `Invalid language '${language}'. Language parameter must be specified in ISO-639-1 format.`,
      { param: 'language', code: 'invalid_language_format' },
    );
  }
  const temperature = value('temperature');
  if (temperature !== undefined && !(Number(temperature) >= 0 && Number(temperature) <= 1)) {
    throw new ApiError(400, `Invalid 'temperature': ${temperature} is not between 0 and 1.`, {
      param: 'temperature',
      code: 'invalid_value',
    });
  }
  const strange = granularities.find((granularity) => granularity !== 'word' && granularity !== 'segment');
  if (strange !== undefined) throw invalidValue('timestamp_granularities', strange, ['word', 'segment']);
  if (granularities.length > 0 && format !== 'verbose_json') {
    throw new ApiError(400, "timestamp_granularities is only supported with response_format 'verbose_json'.", {
      param: 'timestamp_granularities',
      code: 'invalid_value',
    });
  }
  if (value('stream') === 'true') {
    throw new ApiError(400, 'This stand-in does not stream.', { param: 'stream', code: 'stand_in_cannot' });
  }
}

function checkLength(seconds: number, { maxSeconds, unchunkedSeconds }: SpeechModel, chunked: boolean): void {
  if (seconds < MIN_SECONDS) {
    throw new ApiError(400, `Audio file is too short. Minimum audio length is ${MIN_SECONDS} seconds.`, {
      param: 'file',
      code: 'audio_too_short',
    });
  }
  if (maxSeconds !== null && seconds > maxSeconds) {
    throw new ApiError(
      400,
      `audio duration ${seconds.toFixed(3)} seconds is longer than ${maxSeconds} seconds which is the maximum for ` +
        'this model',
      { param: 'file', code: 'invalid_value' },
    );
  }
  if (unchunkedSeconds !== null && seconds > unchunkedSeconds && !chunked) {
    throw new ApiError(400, 'chunking_strategy is required for diarization models', {
      param: 'chunking_strategy',
      code: 'invalid_value',
    });
  }
}

/** @returns the body and its type, in the shape that was asked for */
export function transcriptionAnswer(request: TranscriptionRequest, heard: Heard): { type: string; body: string } {
  const words = withinTokens(heard.words, request.model.maxOutputTokens);
  const text = words.map((word) => word.text).join(' ');
  const segments = segmentsOf(words);
  const usage = usageOf(request, text);
  const json = (body: unknown) => ({ type: 'application/json', body: JSON.stringify(body) });
  switch (request.format) {
    case 'text':
      return { type: 'text/plain; charset=utf-8', body: `${text}\n` };
    case 'srt':
      return { type: 'text/plain; charset=utf-8', body: subtitles(segments, ',', true) };
    case 'vtt':
      return { type: 'text/plain; charset=utf-8', body: `WEBVTT\n\n${subtitles(segments, '.', false)}` };
    case 'verbose_json':
      return json({
        task: 'transcribe',
        language: new Intl.DisplayNames(['en'], { type: 'language' }).of(heard.language)?.toLowerCase(),
        duration: request.seconds,
        text,
        ...(request.granularities.includes('word')
          ? { words: words.map((word) => ({ word: word.text, start: word.startMs / 1000, end: word.endMs / 1000 })) }
          : {}),
        ...(request.granularities.length === 0 || request.granularities.includes('segment')
          ? {
              segments: segments.map(({ start, end, text }, id) => ({
                id,
                seek: 0,
                start,
                end,
                text: ` ${text}`,
                tokens: [],
                temperature: 0,
                avg_logprob: -0.2,
                compression_ratio: 1.2,
                no_speech_prob: 0.01,
              })),
            }
          : {}),
        usage,
      });
    case 'diarized_json':
      return json({
        task: 'transcribe',
        duration: request.seconds,
        text,
        segments: segments.map(({ start, end, text, speaker }, index) => ({
          type: 'transcript.text.segment',
          id: `seg_${index}`,
          start,
          end,
          text: ` ${text}`,
          speaker,
        })),
        usage,
      });
    default:
      return json({
        text,
        ...(request.model.parameters.includes('languages')
          ? { languages: text === '' ? [] : [{ code: heard.language }] }
          : {}),
        usage,
      });
  }
}

/** About four bytes to a token. What is beyond the limit is missing, and nothing says so. */
function withinTokens(words: Heard['words'], limit: number | null): Heard['words'] {
  let tokens = 0;
  return words.filter((word) => {
    tokens += Math.max(1, Buffer.byteLength(word.text) / 4);
    return limit === null || tokens <= limit;
  });
}

interface Segment {
  start: number;
  end: number;
  text: string;
  speaker: string;
}

/** Speakers are named in the order of their first word, anew in each request. */
function segmentsOf(words: Heard['words']): Segment[] {
  const labels = [...new Set(words.map(({ speaker }) => speaker))];
  const turns = Map.groupBy(words, ({ turn }) => turn);
  return [...turns.values()].map((spoken) => ({
    start: (spoken[0]?.startMs ?? 0) / 1000,
    end: (spoken.at(-1)?.endMs ?? 0) / 1000,
    text: spoken.map(({ text }) => text).join(' '),
    speaker: String.fromCharCode(65 + labels.indexOf(spoken[0]?.speaker ?? '')),
  }));
}

function usageOf({ model, seconds }: TranscriptionRequest, text: string): unknown {
  if (model.usage === 'seconds') return { type: 'duration', seconds: Math.ceil(seconds) };
  const input = Math.ceil(seconds * 10);
  const output = Math.ceil(Buffer.byteLength(text) / 4) + 1;
  return {
    type: 'tokens',
    input_tokens: input,
    input_token_details: { text_tokens: 0, audio_tokens: input },
    output_tokens: output,
    total_tokens: input + output,
  };
}

function subtitles(segments: Segment[], point: ',' | '.', numbered: boolean): string {
  const time = (seconds: number) =>
    new Date(Math.round(seconds * 1000)).toISOString().slice(11, 23).replace('.', point);
  return segments
    .map(
      ({ start, end, text }, index) =>
        `${numbered ? `${index + 1}\n` : ''}${time(start)} --> ${time(end)}\n${text}\n\n`,
    )
    .join('');
}
