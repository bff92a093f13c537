import type { Readable } from 'node:stream';

export interface StoredAudio {
  key: string;
  bytes: number;
  storedAt: Date;
}

/**
 * Where recordings wait until their call is done. A key is opaque and says nothing of the caller's file name.
 * Every method throws WorkError: `transient` with code `audio_store_unavailable` (unreachable) or `audio_store_full` (no room) for what may pass.
 */
export interface AudioStore {
  /**
   * Streams a recording in, without holding it in memory. It becomes visible all at once, when it is whole and safe on disk; when the source errors, the signal
   * aborts or storing fails, nothing of it stays, and the error is thrown.
   * @param key a fresh key; an existing one is never overwritten (it is an error)
   */
  put(key: string, source: Readable, signal?: AbortSignal): Promise<StoredAudio>;

  /**
   * Brings a recording into a local file that must not exist yet. The caller owns the file and must not write to it (it may share its bytes with the store).
   * @throws WorkError `rejected` with code `audio_missing` when there is no such recording
   */
  fetch(key: string, toFile: string, signal?: AbortSignal): Promise<void>;

  /** @returns null when the store says that it is not there */
  stat(key: string): Promise<StoredAudio | null>;

  /** Deletes a recording with everything the store keeps of it, and returns only when the store says that it is gone. Deleting what is not there is fine. */
  delete(key: string): Promise<void>;

  /**
   * Everything there is, whole or incomplete (an incomplete upload is audio too), in pages that the adapter chooses. For the sweep that looks for orphans.
   * `storedAt` of an incomplete one is when its last bytes came, so that one which still grows is known from one which is dead.
   */
  list(): AsyncIterable<StoredAudio & { incomplete: boolean }>;

  /** @returns null when it can store and read, otherwise why not */
  ready(): Promise<string | null>;
}
