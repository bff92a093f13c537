import { basename, dirname } from 'node:path';
import { startBare } from '../../sandbox/bare-process.ts';
import { watchMemory } from '../../sandbox/rss.ts';
import { failureOfExit, notStarted, outOfMemory, tooSlow } from './piece-failures.ts';

export interface PieceJob {
  modelFile: string;
  /** A code that whisper knows, or `auto`. */
  language: string;
  /** Mono, 16 kHz. */
  samples: Int16Array;
  threads: number;
  limits: { timeMs: number; memoryBytes: number };
  signal: AbortSignal;
  /** The process has begun, and again when it has loaded the model. */
  onProgress(step: 'started' | 'loaded', pid: number | undefined): void;
}

const HEAP_MIB = 64;
/** An hour of speech is a tenth of it. */
const OUTPUT_CHARS = 1_000_000;
const STDERR_CHARS = 2_000;

/**
 * Lets whisper listen to one piece in a process of its own, and returns when that is gone, whatever happens.
 * @returns what the process wrote
 * @throws WorkError `transient`: engine_crashed, engine_model_unreadable, engine_too_slow, engine_out_of_memory; the reason of `signal` when that aborts
 */
export async function listenToPiece(job: PieceJob): Promise<string> {
  const { modelFile, language, samples, threads, limits, signal, onProgress } = job;
  signal.throwIfAborted();
  const child = startBare({
    script: new URL('./whisper.child.ts', import.meta.url),
    args: [basename(modelFile), language, String(threads), String(limits.memoryBytes)],
    // The model by its name alone: on Windows whisper.cpp opens no path with letters beyond ASCII.
    directory: dirname(modelFile),
    stdin: 'pipe',
    heapMiB: HEAP_MIB,
  });
  const { stdin, stdout, stderr, pid } = child;
  if (stdin === null || stdout === null || stderr === null) throw new Error('whisper has no pipes');
  let killedFor: Error | null = null;
  const kill = (why: Error | null) => {
    killedFor ??= why;
    child.kill('SIGKILL');
  };
  const exit = new Promise<{ code: number | null; by: NodeJS.Signals | null }>((resolve) => {
    child.once('close', (code, by) => resolve({ code, by }));
    child.once('error', (error) => kill(notStarted(error)));
  });
  let output = '';
  stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (output.length > OUTPUT_CHARS) kill(outOfMemory());
  });
  let complaints = '';
  stderr.setEncoding('utf8').on('data', (text: string) => {
    if (complaints === '' && text.startsWith('loaded\n')) onProgress('loaded', pid);
    complaints = (complaints + text).slice(-STDERR_CHARS);
  });
  // A process that has died does not read: what became of it is seen at its end.
  stdin.on('error', () => {});
  stdin.end(Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength));

  const abort = () => kill(null);
  signal.addEventListener('abort', abort, { once: true });
  const deadline = setTimeout(() => kill(tooSlow()), limits.timeMs);
  const stopWatching = pid === undefined ? () => {} : watchMemory(pid, limits.memoryBytes, () => kill(outOfMemory()));
  onProgress('started', pid);
  const { code, by } = await exit;
  clearTimeout(deadline);
  stopWatching();
  signal.removeEventListener('abort', abort);
  signal.throwIfAborted();
  if (killedFor !== null) throw killedFor;
  if (code !== 0) throw failureOfExit(code, by, complaints);
  return output;
}
