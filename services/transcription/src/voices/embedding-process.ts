import { fork } from 'node:child_process';
import { once } from 'node:events';
import { SAMPLE_RATE } from '../plan/frames.ts';
import type { SharedAudio } from '../plan/planner.ts';
import { FRAME_MS } from './features.ts';
import type { EmbeddedWindow } from './with-embeddings.ts';

const FRAME_SAMPLES = (SAMPLE_RATE * FRAME_MS) / 1000;

/** The samples of some windows of a recording, picked out while it is decoded again: 16 MB at most. */
export class WindowAudio {
  readonly samples: readonly Int16Array[];
  readonly #starts: readonly number[];

  constructor(windows: readonly EmbeddedWindow[]) {
    this.#starts = windows.map(({ from }) => from * FRAME_SAMPLES);
    this.samples = windows.map(({ from, to }) => new Int16Array((to - from) * FRAME_SAMPLES));
  }

  push({ startMs, samples }: SharedAudio): void {
    const from = (startMs * SAMPLE_RATE) / 1000;
    this.samples.forEach((window, index) => {
      const start = this.#starts[index] as number;
      const first = Math.max(start, from);
      const end = Math.min(start + window.length, from + samples.length);
      if (first < end) window.set(samples.subarray(first - from, end - from), first - start);
    });
  }
}

/** One process at a time, because each takes 141 MiB. */
let before: Promise<unknown> = Promise.resolve();

/** Ten times what the most windows take on one processor: a process that hangs must not hold up the calls behind it. */
const WITHIN_MS = 120_000;

/**
 * Computes speaker embeddings in a process of its own.
 * @param windows mono, 16 kHz
 * @param model the file of the network
 * @returns a vector of length 1 for each window
 * @throws when the process fails or takes longer than `withinMs`, or the reason of the signal
 */
export async function embeddingsOf(
  windows: readonly Int16Array[],
  model: string,
  signal: AbortSignal,
  withinMs = WITHIN_MS,
): Promise<Float32Array[]> {
  const own = before.then(() => compute(windows, model, AbortSignal.any([signal, AbortSignal.timeout(withinMs)])));
  before = own.catch(() => {});
  return await own;
}

async function compute(windows: readonly Int16Array[], model: string, signal: AbortSignal): Promise<Float32Array[]> {
  signal.throwIfAborted();
  // No environment: it holds keys, and the process needs none of it.
  const child = fork(new URL('./embedding.child.ts', import.meta.url), [model], {
    env: {},
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    signal,
  });
  const ended = once(child, 'exit').then(([code, by]) => {
    throw new Error(`the process of the speaker embedding ended with ${code ?? by}`);
  });
  try {
    const answer = async () => (await Promise.race([once(child, 'message'), ended]))[0];
    await answer();
    const embeddings: Float32Array[] = [];
    for (const window of windows) {
      child.send(window);
      embeddings.push(await answer());
    }
    return embeddings;
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    ended.catch(() => {});
    child.kill();
  }
}
