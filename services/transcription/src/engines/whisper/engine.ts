import { availableParallelism } from 'node:os';
import { basename, dirname } from 'node:path';
import { speechLanguage } from '@call-analytics/contracts';
import { type Failure, type Logger, untilAborted, WorkError } from '@call-analytics/service-kit';
import { z } from 'zod';
import { SAMPLE_RATE } from '../../plan/frames.ts';
import { IsolatedProcess } from '../../sandbox/isolated-process.ts';
import { WHISPER_EXIT } from '../../sandbox/lock-down.ts';
import type { EngineAnswer, SpeechEngine } from '../engine.ts';
import { readModelFile } from './models.ts';

export interface WhisperEngineOptions {
  modelFile: string;
  /** Its name, for the record of the call. */
  model: string;
  /** For each 30 s of audio, in ms: whisper works in windows of that length, however short a segment is. */
  deadlineMs?: number;
  /** The resident memory that its process may use. */
  memoryBytes?: number;
  log?: Logger;
}

const WINDOW_SECONDS = 30;
/** A segment and a pack fit into one window: in longer audio whisper may hear the end of a window twice. */
const MAX_SECONDS = 28;
/** Measured with a model of the width and depth of `base`: 250 MiB beside the model. Larger models need more. */
const MEMORY_BESIDE_MODEL = 1.5 * 2 ** 30;

/**
 * Speech to text on this machine by whisper.cpp, as FFmpeg's filter; one segment uses all its cores, so segments queue.
 * Each segment runs in its own isolated process: a crash costs one segment, and a hung process can be killed.
 * @throws SettingsError when the file is not a whisper model
 */
export async function whisperEngine(options: WhisperEngineOptions): Promise<SpeechEngine> {
  const { modelFile, model, deadlineMs = 5 * 60_000, log } = options;
  const file = await readModelFile(modelFile);
  const memoryBytes = options.memoryBytes ?? 1.5 * file.bytes + MEMORY_BESIDE_MODEL;
  const threads = threadsFor(availableParallelism());
  const closing = new AbortController();
  let queue: Promise<unknown> = Promise.resolve();

  const transcribe = async (
    samples: Int16Array,
    languages: readonly string[],
    signal: AbortSignal,
  ): Promise<EngineAnswer> => {
    const seconds = samples.length / SAMPLE_RATE;
    const windows = 1 + Math.ceil(seconds / WINDOW_SECONDS);
    const language = whisperLanguage(languages, file.multilingual);
    const { words, language: detected } = await runWhisper({
      modelFile,
      language,
      samples,
      threads,
      limits: { timeMs: windows * deadlineMs, memoryBytes },
      signal,
      onProgress: (step, pid) => log?.debug({ pid, model, seconds, threads }, `whisper ${step}`),
    });
    const text = words.map((word) => word.text).join(' ');
    const [first, last] = [words[0], words.at(-1)];
    const utterances = first && last ? [{ startMs: first.startMs, endMs: last.endMs, text }] : [];
    return {
      text,
      utterances,
      words,
      wordTimesGuessed: true,
      language: languageTag(detected ?? language),
      dollars: 0,
    };
  };

  return {
    name: 'whisper',
    model,
    limits: { maxSeconds: MAX_SECONDS, packSeconds: MAX_SECONDS, timestamps: true, concurrency: 1 },
    transcribe: async ({ samples }, { signal, languages = [] }) => {
      const either = AbortSignal.any([signal, closing.signal]);
      const turn = queue.then(() => transcribe(samples, languages, either));
      queue = turn.catch(() => {});
      // Also for a segment that waits in the queue.
      return await untilAborted(turn, either);
    },
    close: async () => {
      closing.abort(
        new WorkError({ kind: 'unavailable', code: 'engine_stopped', message: 'The speech engine was stopped.' }),
      );
      await queue;
    },
  };
}

/**
 * One core is left to the rest of the service, and more than eight bring nothing: whisper's threads wait for each other
 * by spinning, so one that shares its core delays all. Measured on two busy cores with a model like `base`: 32 s with
 * one thread, 42 s with two, 158 s with three.
 */
function threadsFor(cores: number): number {
  return Math.min(8, Math.max(1, cores - 1));
}

/**
 * @param languages those that may be spoken, as BCP 47
 * @returns the code when there is only one language and whisper knows it, otherwise `auto`: whisper takes one or none
 */
export function whisperLanguage(languages: readonly string[], multilingual: boolean): string {
  if (!multilingual) return 'en';
  // With a code that it does not know, whisper.cpp would guess the language without an error.
  const [only = null, ...others] = new Set(languages.map((language) => speechLanguage(language)));
  if (only === null || others.length > 0) return 'auto';
  return only === 'jv' ? 'jw' : only;
}

/** @param code of whisper @returns BCP 47 */
export function languageTag(code: string): string | null {
  return speechLanguage(code);
}

interface WhisperJob {
  modelFile: string;
  /** A code that whisper knows, or `auto`. */
  language: string;
  /** Mono, 16 kHz. */
  samples: Int16Array;
  threads: number;
  limits: { timeMs: number; memoryBytes: number };
  signal: AbortSignal;
  onProgress(step: 'started' | 'loaded', pid: number | undefined): void;
}

/** Ten times the output for an hour of speech. */
const OUTPUT_CHARS = 1_000_000;

/**
 * Transcribes one segment in an isolated process, and returns when the process is gone.
 * @throws WorkError engine_crashed, engine_model_unreadable, engine_too_slow, engine_out_of_memory; the reason of
 *   `signal` when that aborts
 */
async function runWhisper(job: WhisperJob): Promise<WhisperOutput> {
  const { modelFile, language, samples, threads, limits, signal, onProgress } = job;
  signal.throwIfAborted();
  const whisper = new IsolatedProcess(
    {
      script: new URL('./whisper.child.ts', import.meta.url),
      args: [basename(modelFile), language, String(threads), String(limits.memoryBytes)],
      // The model by its name alone: on Windows whisper.cpp opens no path with letters beyond ASCII.
      directory: dirname(modelFile),
      stdin: 'pipe',
    },
    {
      memoryBytes: limits.memoryBytes,
      signal,
      outOfMemory: () => new WorkError(OUT_OF_MEMORY),
      notStarted: (cause) => new WorkError(CRASHED, { cause }),
    },
  );
  let output = '';
  whisper.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (output.length > OUTPUT_CHARS) whisper.kill(new WorkError(OUT_OF_MEMORY));
  });
  whisper.stderr.once('data', (text: string) => {
    if (text.startsWith('loaded\n')) onProgress('loaded', whisper.pid);
  });
  // A dead process does not read; its exit tells why.
  whisper.stdin.on('error', () => {});
  whisper.stdin.end(Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength));
  const deadline = setTimeout(() => whisper.kill(new WorkError(TOO_SLOW)), limits.timeMs);
  onProgress('started', whisper.pid);
  const { code, signal: endedBy } = await whisper.exit;
  clearTimeout(deadline);
  await whisper.close();
  signal.throwIfAborted();
  if (whisper.killedFor !== null) throw whisper.killedFor;
  const read = code === 0 ? readOutput(output, Math.round((samples.length / SAMPLE_RATE) * 1000)) : null;
  if (read !== null) return read;
  // Standard error goes to the log as the cause, never to the owner of the call.
  const cause = new Error(`whisper ended with ${endedBy ?? code}: ${whisper.lastErrors || 'incomplete output'}`);
  throw new WorkError(code === WHISPER_EXIT.model ? MODEL_UNREADABLE : CRASHED, { cause });
}

interface WhisperOutput {
  /** In order. In a language that is written without spaces, a word is a whole line. */
  words: { startMs: number; endMs: number; text: string }[];
  /** The language that whisper detected; null when it was told the language. */
  language: string | null;
}

const Done = z.object({ done: z.literal(true), language: z.string().nullable() });

/** FFmpeg's filter writes what looks like JSON, but it does not escape the text. */
const LINE = /\{"start":(-?\d+),"end":(-?\d+),"text":"([\s\S]*?)"\}\n(?=\{"(?:start|done)":)/g;
/** `[MUSIC]`, `(door slams)`, `*sighs*`, `♪ la la ♪`: what whisper writes where nobody speaks. */
const ANNOTATIONS = /\[[^\]]{0,60}\]|\([^)]{0,60}\)|\*[^*]{0,60}\*|♪[^♪]{0,200}♪?/gu;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/**
 * Reads the output of the whisper process.
 * @param segmentMs the length of the segment; whisper pads its last window of 30 s with silence and may add words there
 * @returns null when the output is incomplete
 */
export function readOutput(output: string, segmentMs: number): WhisperOutput | null {
  const last = output.slice(output.lastIndexOf('\n', output.length - 2) + 1);
  const done = Done.safeParse(parseJson(last));
  if (!done.success) return null;
  const lines = [...output.matchAll(LINE)].map(([, start, end, raw]) => {
    // Without half characters, which the end of a line can cut.
    const text = (raw ?? '').replaceAll('\uFFFD', '').replace(/\s+/g, ' ').trim();
    return { startMs: Math.max(0, Number(start)), endMs: Number(end), text };
  });
  const spoken = withoutAnnotations(lines.map(({ text }) => text));
  const words = lines
    .filter(({ startMs }, index) => spoken[index] === true && startMs < segmentMs)
    .map(({ startMs, endMs, text }) => ({ startMs, endMs: Math.max(startMs, Math.min(endMs, segmentMs)), text }));
  return { words, language: done.data.language };
}

/** @returns which of the texts hold more than (a part of) an annotation */
function withoutAnnotations(texts: readonly string[]): boolean[] {
  const masked = texts.join(' ').replace(ANNOTATIONS, (annotation) => ' '.repeat(annotation.length));
  let at = 0;
  return texts.map((text) => {
    const rest = masked.slice(at, at + text.length);
    at += text.length + 1;
    return LETTER_OR_DIGIT.test(rest);
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const SMALLER_MODEL = 'Contact the operator of the service, who can choose a smaller model.';
const unanswered = (code: string, message: string): Failure => ({ kind: 'unanswered', code, message });

const CRASHED = unanswered(
  'engine_crashed',
  'The speech engine on this machine crashed while it transcribed the call.',
);
const TOO_SLOW = unanswered('engine_too_slow', `The speech engine on this machine took too long. ${SMALLER_MODEL}`);
const OUT_OF_MEMORY = unanswered(
  'engine_out_of_memory',
  `The speech engine on this machine ran out of memory. ${SMALLER_MODEL}`,
);
const MODEL_UNREADABLE: Failure = {
  kind: 'unavailable',
  code: 'engine_model_unreadable',
  message:
    'The speech model on this machine could not be loaded. ' +
    'Contact the operator of the service, who can download it again.',
};
