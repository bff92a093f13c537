import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { AudioStore } from '@call-analytics/audio-store';
import type { AudioFormat } from '@call-analytics/contracts';
import type { Logger } from '@call-analytics/service-kit';
import type { StorageEngine } from 'multer';
import { HttpProblem } from '../http/problem.ts';
import { keptFileName } from './file-name.ts';
import { Recording } from './recording.ts';

export interface StoredRecording {
  /** Where the recording is in the audio store. */
  key: string;
  bytes: number;
  format: AudioFormat;
  /** Estimated from size and format. */
  seconds: number;
  /** Of the file's bytes, in hex, if it was asked for. */
  sha256: string | null;
  fileName: string;
}

/** Streams the one file of one upload into the audio store, without holding it. */
export class RecordingEngine implements StorageEngine {
  /** Set once a file has come. */
  stored: Promise<StoredRecording> | null = null;
  /** Why it could not be stored. */
  failure: unknown = null;
  readonly #audioStore: AudioStore;
  readonly #options: { maxBytes: number; hashed: boolean; signal: AbortSignal };

  /** @param options.signal aborted when the upload is given up */
  constructor(audioStore: AudioStore, options: { maxBytes: number; hashed: boolean; signal: AbortSignal }) {
    this.#audioStore = audioStore;
    this.#options = options;
  }

  _handleFile(
    _req: unknown,
    { stream, originalname }: Express.Multer.File,
    done: (error?: unknown, info?: object) => void,
  ): void {
    this.stored = this.#store(stream, originalname);
    this.stored.then(
      () => done(null, {}),
      (error) => {
        this.failure = error;
        done(error);
      },
    );
  }

  /** multer calls this for some failures and at its own time; `undo` is called for all of them. */
  _removeFile(_req: unknown, _file: unknown, done: (error: Error | null) => void): void {
    done(null);
  }

  /** After a failure: waits until nothing is being stored any more, and deletes what was. */
  async undo(log: Logger): Promise<void> {
    const stored = await this.stored?.catch(() => null);
    if (stored) await discard(this.#audioStore, stored.key, log);
  }

  async #store(file: Readable, originalName: string): Promise<StoredRecording> {
    const { signal, ...limits } = this.#options;
    const recording = new Recording(limits);
    file.once('error', () => recording.destroy(brokenForm()));
    file.pipe(recording);
    await recording.acceptable;
    const key = `rec_${randomUUID()}`;
    await this.#audioStore.put(key, recording, signal);
    return { key, ...recording.result(), fileName: keptFileName(originalName) };
  }
}

export function brokenForm(): HttpProblem {
  return new HttpProblem(
    'invalid_multipart',
    'The multipart body is malformed or incomplete. Nothing was stored. Create it again and resend it.',
  );
}

/** Deletes a recording that no call refers to. When that fails too, the sweep for recordings without a call will find it. */
export async function discard(audioStore: AudioStore, key: string, log: Logger): Promise<void> {
  try {
    await audioStore.delete(key);
  } catch (error) {
    log.warn({ err: error, key }, 'a recording without a call stays until the sweep');
  }
}
