import { availableParallelism } from 'node:os';
import { speechLanguage } from '@call-analytics/contracts';
import { type Logger, WorkError } from '@call-analytics/service-kit';
import { SAMPLE_RATE } from '../../plan/frames.ts';
import type { EngineAnswer, SpeechEngine } from '../engine.ts';
import { readModelFile } from './models.ts';
import { runWhisper } from './process.ts';

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
    return { text, utterances, words, language: languageTag(detected ?? language), dollars: 0 };
  };

  return {
    name: 'whisper',
    model,
    limits: { maxSeconds: MAX_SECONDS, packSeconds: MAX_SECONDS, timestamps: true, concurrency: 1 },
    transcribe: async ({ samples }, { signal, languages = [] }) => {
      const either = AbortSignal.any([signal, closing.signal]);
      const turn = queue.then(() => transcribe(samples, languages, either));
      queue = turn.catch(() => {});
      return await settledOrAborted(turn, either);
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
 * One core is left to the rest of the service: whisper's threads wait for each other by spinning, so one that shares
 * its core delays all. Measured on two busy cores with a model like `base`: 32 s with one thread, 42 s with two, 158 s
 * with three. More than eight bring nothing.
 */
function threadsFor(cores: number): number {
  return Math.min(8, Math.max(1, cores - 1));
}

/** Rejects at once on abort, also for a segment that waits in the queue. */
function settledOrAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
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
