import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { SharedAudio, Voices } from '../plan/planner.ts';
import { embeddingsOf, WindowAudio } from './embedding-process.ts';
import type { LabelledSpeech, Linked } from './link.ts';
import type { EmbeddedWindow } from './with-embeddings.ts';

/** What the worker thread is asked. */
export type Message =
  | SharedAudio
  | 'end'
  | { embeddings: readonly Float32Array[] }
  | { labels: readonly LabelledSpeech[] };
export type Reply = { taken: true } | { voices: Voices | null; windows: EmbeddedWindow[] } | { linked: Linked | null };

/**
 * Tells the voices of one recording apart in a worker thread, which starts with the first audio. Before more than two
 * voices were counted, a process with three hours of audio peaked at 317 MB.
 */
export class VoiceSeparator {
  readonly #signal: AbortSignal;
  readonly #model: string | null;
  #worker: Worker | null = null;
  #windows: WindowAudio | null = null;

  /** @param model the file of a speaker embedding; null when there is none */
  constructor(signal: AbortSignal, model: string | null) {
    this.#signal = signal;
    this.#model = model;
  }

  /** Whether there was any audio. */
  get used(): boolean {
    return this.#worker !== null;
  }

  /** Whether `embed` can tell more, once all audio was pushed again. */
  get embeds(): boolean {
    return this.#windows !== null;
  }

  /** @param audio in order of time @throws when the thread fails, or the reason of the signal */
  async push(audio: readonly SharedAudio[]): Promise<void> {
    for (const part of audio) {
      if (this.#windows === null) await this.#ask(part);
      else this.#windows.push(part);
    }
  }

  /** @returns who speaks when; null when there was too little speech to tell @throws when the thread fails */
  async end(): Promise<Voices | null> {
    if (this.#worker === null) return null;
    const reply = await this.#ask('end');
    if (!('voices' in reply)) return null;
    if (this.#model !== null && reply.windows.length > 0) this.#windows = new WindowAudio(reply.windows);
    return reply.voices;
  }

  /**
   * Computes the embeddings of what was pushed since `end`.
   * @returns who speaks when, also by them @throws when their process or the thread fails, or the reason of the signal
   */
  async embed(): Promise<Voices | null> {
    if (this.#windows === null || this.#model === null) return null;
    const embeddings = await embeddingsOf(this.#windows.samples, this.#model, this.#signal);
    const reply = await this.#ask({ embeddings });
    return 'voices' in reply ? reply.voices : null;
  }

  /** @returns which labels of an engine are one person; null when that cannot be told @throws when the thread fails */
  async link(labels: readonly LabelledSpeech[]): Promise<Linked | null> {
    if (this.#worker === null || labels.length === 0) return null;
    const reply = await this.#ask({ labels });
    return 'linked' in reply ? reply.linked : null;
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
    this.#worker = null;
  }

  async #ask(message: Message): Promise<Reply> {
    this.#worker ??= new Worker(new URL('./voices.worker.ts', import.meta.url));
    this.#worker.postMessage(message);
    try {
      const [reply] = await once(this.#worker, 'message', { signal: this.#signal });
      return reply as Reply;
    } catch (error) {
      this.#signal.throwIfAborted();
      throw error;
    }
  }
}
