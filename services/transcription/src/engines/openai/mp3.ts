import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

interface Waiting {
  resolve(mp3: Uint8Array<ArrayBuffer>): void;
  reject(error: Error): void;
}

/**
 * Encodes PCM as MP3 in a worker thread that starts on first use, one segment after another, about 450 times faster
 * than real time. Its input is PCM of our decoder, so it needs no isolation.
 */
export class Mp3Encoder {
  readonly #waiting = new Map<number, Waiting>();
  /** 1 stops the current segment between two frames: ending a thread inside FFmpeg's code crashes the process. */
  readonly #closed = new Int32Array(new SharedArrayBuffer(4));
  #worker: Worker | null = null;
  #nextId = 0;

  /** @param samples mono, 16 kHz */
  encode(samples: Int16Array): Promise<Uint8Array<ArrayBuffer>> {
    this.#worker ??= this.#start();
    const id = this.#nextId++;
    const encoded = new Promise<Uint8Array<ArrayBuffer>>((resolve, reject) =>
      this.#waiting.set(id, { resolve, reject }),
    );
    this.#worker.postMessage({ id, samples });
    return encoded;
  }

  async close(): Promise<void> {
    Atomics.store(this.#closed, 0, 1);
    const worker = this.#worker;
    if (worker === null) return;
    // It was unref'ed and must now be awaited.
    worker.ref();
    worker.postMessage('close');
    await once(worker, 'exit');
  }

  #start(): Worker {
    const worker = new Worker(new URL('./mp3.worker.ts', import.meta.url), { workerData: this.#closed });
    worker.unref();
    worker.on('message', ({ id, mp3, error }: { id: number; mp3?: Uint8Array<ArrayBuffer>; error?: string }) => {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (mp3 !== undefined) waiting?.resolve(mp3);
      else waiting?.reject(new Error(error));
    });
    worker.on('error', (error) => this.#end(error instanceof Error ? error : new Error(String(error))));
    worker.on('exit', () => this.#end(new Error('the encoder ended')));
    return worker;
  }

  /** The next segment starts another thread. */
  #end(error: Error): void {
    this.#worker = null;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
