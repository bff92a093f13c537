import { availableParallelism } from 'node:os';
import type { Logger } from '@call-analytics/service-kit';
import { SAMPLE_RATE } from '../../plan/frames.ts';
import type { EngineAnswer, SpeechEngine } from '../engine.ts';
import { languageTag, whisperLanguage } from './languages.ts';
import { readModelFile } from './model-file.ts';
import { failureOfExit, stopped } from './piece-failures.ts';
import { listenToPiece } from './piece-process.ts';
import { readUtterances } from './utterances.ts';

export interface WhisperEngineOptions {
  modelFile: string;
  /** Its name, for the record of the call. */
  model: string;
  /** For each 30 s of audio, in milliseconds: whisper works in windows of that length, however short a piece is. */
  deadlineMs?: number;
  /** The most that its process may hold in memory. */
  memoryBytes?: number;
  log?: Logger;
}

const WINDOW_SECONDS = 30;
/** What a crash may cost; to whisper itself longer pieces mean nothing. */
const MAX_SECONDS = 5 * 60;
/** Measured with a model of the width and depth of `base`: 250 MiB beside the model. Larger ones need more. */
const MEMORY_BESIDE_MODEL = 1.5 * 2 ** 30;

/**
 * Speech to text on this machine: whisper.cpp, as FFmpeg's filter. It uses all the cores that it is given for one piece, so pieces wait for each other.
 * A piece has a process of its own, with nothing in its environment: native code that crashes costs that piece, and one that hangs can be killed.
 * @throws SettingsError when the file is not a whisper model
 */
export async function whisperEngine(options: WhisperEngineOptions): Promise<SpeechEngine> {
  const { modelFile, model, deadlineMs = 5 * 60_000, log } = options;
  const file = await readModelFile(modelFile);
  const memoryBytes = options.memoryBytes ?? 1.5 * file.bytes + MEMORY_BESIDE_MODEL;
  const threads = threadsFor(availableParallelism());
  const closing = new AbortController();
  let queue: Promise<unknown> = Promise.resolve();

  const listen = async (
    samples: Int16Array,
    languages: readonly string[],
    signal: AbortSignal,
  ): Promise<EngineAnswer> => {
    const seconds = samples.length / SAMPLE_RATE;
    const windows = 1 + Math.ceil(seconds / WINDOW_SECONDS);
    const output = await listenToPiece({
      modelFile,
      language: whisperLanguage(languages, file.multilingual),
      samples,
      threads,
      limits: { timeMs: windows * deadlineMs, memoryBytes },
      signal,
      onProgress: (step, pid) => log?.debug({ pid, model, seconds, threads }, `whisper ${step}`),
    });
    const heard = readUtterances(output, Math.round(seconds * 1000));
    if (heard === null) throw failureOfExit(0, null, 'its output has no end');
    const { utterances } = heard;
    const language = languageTag(heard.language ?? whisperLanguage(languages, file.multilingual));
    return { text: utterances.map(({ text }) => text).join(' '), utterances, language };
  };

  return {
    name: 'whisper',
    model,
    limits: { maxSeconds: MAX_SECONDS, timestamps: true, concurrency: 1 },
    transcribe: async ({ samples }, { signal, languages = [] }) => {
      const either = AbortSignal.any([signal, closing.signal]);
      const turn = queue.then(() => listen(samples, languages, either));
      queue = turn.catch(() => {});
      return await settledOrAborted(turn, either);
    },
    close: async () => {
      closing.abort(stopped());
      await queue;
    },
  };
}

/**
 * One core is left to the rest of the service: whisper's threads wait for each other by spinning, and one that has to share its core holds all of them up. Measured on two busy
 * cores with a model of the size of `base`: 32 s with one thread, 42 s with two, 158 s with three. More than eight bring nothing.
 */
function threadsFor(cores: number): number {
  return Math.min(8, Math.max(1, cores - 1));
}

/** A piece that waits its turn can be called off at once; one that is listened to, when its process is gone. */
function settledOrAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
