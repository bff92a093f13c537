import type { Logger } from '@call-analytics/service-kit';
import { checkedKey } from '../keys.ts';
import type { AudioStore } from '../port.ts';
import { Bucket, type S3Options, statOrNull } from './bucket.ts';
import { deleteWhole } from './delete.ts';
import { fetchWhole } from './fetch.ts';
import { list } from './list.ts';
import { audioOf } from './objects.ts';
import { PartMemory } from './part-memory.ts';
import { put } from './put.ts';

/** So that a recording which comes in slowly is not taken for dead: the sweep gives it fifteen minutes. */
const SHOW_PROGRESS_EVERY_MS = 5 * 60_000;
/** Whoever asks whether it is ready does not wait for long. */
const READY_WITHIN_MS = 5_000;

export interface MinioAudioStoreOptions extends S3Options {
  /** How often the store hears of an upload that brings less than a part (5 MiB) in that time. Milliseconds, 5 minutes by default. */
  showProgressEveryMs?: number;
  log?: Logger;
}

/**
 * Recordings as objects of a bucket, in MinIO or any store that speaks S3 with multipart uploads, versions (if only to say that there are none) and, for two who store
 * under one key at once, conditional writes. Its account may list, read, write and delete objects, versions and uploads of the bucket, and make it if it is not there.
 */
export function minioAudioStore({
  log,
  showProgressEveryMs = SHOW_PROGRESS_EVERY_MS,
  ...options
}: MinioAudioStoreOptions): AudioStore {
  const bucket = new Bucket(options);
  const memory = new PartMemory();
  return {
    put: (key, source, signal) => put({ bucket, memory, showProgressEveryMs, log }, key, source, signal),

    fetch: async (key, toFile, signal) => fetchWhole(bucket, audioOf(checkedKey(key)), toFile, signal),

    stat: async (key) => {
      const name = audioOf(checkedKey(key));
      const found = await bucket.run((s3) => statOrNull(s3, bucket.name, name));
      return found === null ? null : { key, bytes: found.size, storedAt: found.lastModified };
    },

    delete: async (key) => deleteWhole(bucket, checkedKey(key)),

    list: () => list(bucket),

    ready: () =>
      bucket.check(AbortSignal.timeout(READY_WITHIN_MS)).then(
        () => null,
        (error: Error) =>
          error.cause instanceof Error
            ? error.cause.message
            : `the S3 store did not answer within ${READY_WITHIN_MS} ms`,
      ),
  };
}
