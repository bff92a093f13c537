import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { SharedAudio, Voices } from '../plan/planner.ts';
import { embeddingsOf, WindowAudio } from './embedding-process.ts';
import type { LabeledSpeech, Linked } from './link.ts';
import type { Speech } from './speech.ts';
import type { EmbeddedWindow } from './with-embeddings.ts';

/** What the worker thread is asked. */
export type Message =
  | SharedAudio
  /** At the end: whether the windows to embed are wanted. */
  | { windows: boolean }
  | { embeddings: readonly Float32Array[] }
  | { labels: readonly LabeledSpeech[]; speech: Speech | null };
export type Reply =
  | { taken: true }
  /** `speech` is what labels are linked by; null as long as there are windows to embed. */
  | { voices: Voices | null; windows: EmbeddedWindow[]; speech: Speech | null }
  | { linked: Linked | null };

/** It makes much garbage, and by default keeps 48 MB of it. */
const YOUNG_MB = 8;

/**
 * Tells the voices of one recording apart in a worker thread, which starts with the first audio and ends when they are
 * told apart: idle, it would keep up to 100 MB for hours of audio while the segments are sent.
 */
export class VoiceSeparator {
  readonly #signal: AbortSignal;
  readonly #model: string | null;
  #worker: Worker | null = null;
  #used = false;
  #windows: WindowAudio | null = null;
  #speech: Speech | null = null;

  /** @param model the file of a speaker embedding; null when there is none */
  constructor(signal: AbortSignal, model: string | null) {
    this.#signal = signal;
    this.#model = model;
  }

  /** Whether there was any audio. */
  get used(): boolean {
    return this.#used;
  }

  /** Whether `embed` can tell more, once all audio was pushed again. */
  get embeds(): boolean {
    return this.#windows !== null;
  }

  /** @param audio in order of time @throws when the thread fails, or the reason of the signal */
  async push(audio: readonly SharedAudio[]): Promise<void> {
    for (const part of audio) {
      // Handed over, not copied.
      if (this.#windows === null) await this.#ask(part, [part.samples.buffer as ArrayBuffer]);
      else this.#windows.push(part);
    }
  }

  /** @returns who speaks when; null when there was too little speech to tell @throws when the thread fails */
  async end(): Promise<Voices | null> {
    return this.#used ? await this.#told({ windows: this.#model !== null }) : null;
  }

  /**
   * Computes the embeddings of what was pushed since `end`.
   * @returns who speaks when, also by them @throws when their process or the thread fails, or the reason of the signal
   */
  async embed(): Promise<Voices | null> {
    if (this.#windows === null || this.#model === null) return null;
    return await this.#told({ embeddings: await embeddingsOf(this.#windows.samples, this.#model, this.#signal) });
  }

  async #told(question: Message): Promise<Voices | null> {
    const reply = await this.#ask(question);
    if (!('voices' in reply)) return null;
    if (reply.windows.length > 0) this.#windows = new WindowAudio(reply.windows);
    this.#speech = reply.speech;
    if (reply.speech !== null) await this.close();
    return reply.voices;
  }

  /** @returns which labels of an engine are one person; null when that cannot be told @throws when the thread fails */
  async link(labels: readonly LabeledSpeech[]): Promise<Linked | null> {
    if (!this.#used || labels.length === 0) return null;
    const reply = await this.#ask({ labels, speech: this.#speech });
    return 'linked' in reply ? reply.linked : null;
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
    this.#worker = null;
  }

  async #ask(message: Message, handedOver: readonly ArrayBuffer[] = []): Promise<Reply> {
    this.#used = true;
    this.#worker ??= new Worker(new URL('./voices.worker.ts', import.meta.url), {
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    });
    this.#worker.postMessage(message, handedOver);
    try {
      const [reply] = await once(this.#worker, 'message', { signal: this.#signal });
      return reply as Reply;
    } catch (error) {
      this.#signal.throwIfAborted();
      throw error;
    }
  }
}
