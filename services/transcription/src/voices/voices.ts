import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { SharedAudio, Voices } from '../plan/planner.ts';
import type { LabelledSpeech, Linked } from './link.ts';

type Message = SharedAudio | 'end' | readonly LabelledSpeech[];
type Reply = { taken: true } | { voices: Voices | null } | { linked: Linked | null };

/**
 * Tells the voices of one recording apart in a worker thread, which starts with the first audio. Before more than two
 * voices were counted, a process with three hours of audio peaked at 317 MB.
 */
export class VoiceSeparator {
  readonly #signal: AbortSignal;
  #worker: Worker | null = null;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** Whether there was any audio. */
  get used(): boolean {
    return this.#worker !== null;
  }

  /** @param audio in order of time @throws when the thread fails, or the reason of the signal */
  async push(audio: readonly SharedAudio[]): Promise<void> {
    for (const part of audio) await this.#ask(part);
  }

  /** @returns who speaks when; null when there was too little speech to tell @throws when the thread fails */
  async end(): Promise<Voices | null> {
    if (this.#worker === null) return null;
    const reply = await this.#ask('end');
    return 'voices' in reply ? reply.voices : null;
  }

  /** @returns which labels of an engine are one person; null when that cannot be told @throws when the thread fails */
  async link(labels: readonly LabelledSpeech[]): Promise<Linked | null> {
    if (this.#worker === null || labels.length === 0) return null;
    const reply = await this.#ask(labels);
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
