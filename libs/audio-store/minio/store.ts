import { type FileHandle, open, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { circuitBreaker, type Logger, type Metrics, withCircuitBreaker } from '@call-analytics/service-kit';
import { z } from 'zod';
import {
  type AudioStore,
  checkedKey,
  DELETION_DENIED,
  deletionDenied,
  fileFailure,
  hasCode,
  type StoredAudio,
  storeUnavailable,
  UNAVAILABLE,
} from '../audio-store.ts';
import {
  audioOf,
  Bucket,
  folderOf,
  progressOf,
  readName,
  type S3Options,
  statOrNull,
  uploadsOf,
  versions,
  versionsBelow,
} from './bucket.ts';
import { type S3Client, s3Code, unlessGone } from './client.ts';
import { put, UploadMemory } from './upload.ts';

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html */
const BUCKET_NAME = /^(?!.*\.\.)(?!\d+\.\d+\.\d+\.\d+$)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
/** For requests that are no stream: looking a recording up, deleting it with its versions and parts. Milliseconds. */
const DEADLINE_MS = 30_000;

/** Where recordings are, for services that keep them in an S3-compatible store. */
export const audioStoreSettings = z.object({
  S3_URL: z
    .url({ protocol: /^https?$/ })
    .refine(hasOnlyHost, 'must be an address without a path, a query or credentials')
    .default('http://localhost:9000')
    .describe('an S3-compatible store, such as http://localhost:9000 or https://s3.eu-central-1.amazonaws.com'),
  S3_ACCESS_KEY: z.string().describe('the access key of the S3 store'),
  S3_SECRET_KEY: z.string().describe('the secret of that access key'),
  S3_BUCKET: z
    .string()
    .regex(BUCKET_NAME, 'must be a name that a bucket can have')
    .default('recordings')
    .describe('3 to 63 lower-case letters, digits, dots and hyphens; the bucket is created if missing'),
  S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]+$/, 'must be the name of a region')
    .default('us-east-1')
    .describe('the region of the bucket; us-east-1 for MinIO with default settings'),
});
type AudioStoreSettings = z.infer<typeof audioStoreSettings>;

/** The audio store that a service's settings name, behind its circuit breaker. */
export function connectAudioStore(
  settings: AudioStoreSettings,
  { log, metrics }: { log: Logger; metrics: Metrics },
): AudioStore {
  const store = minioAudioStore({ ...s3Options(settings), log });
  const breaker = circuitBreaker('audio store', {
    unavailable: UNAVAILABLE,
    deadlineMs: DEADLINE_MS,
    countsAsFailure: ({ kind, code }) => kind === 'transient' && code !== DELETION_DENIED,
    log,
    metrics,
  });
  // A transfer takes as long as its sender or the network takes. The adapter ends one that makes no progress.
  const transfer = { deadlineMs: null };
  return withCircuitBreaker(store, breaker, { put: transfer, fetch: transfer, list: 'direct', ready: 'direct' });
}

/** @returns the settings as `minioAudioStore` takes them */
export function s3Options(settings: AudioStoreSettings): S3Options {
  const { protocol, hostname, port } = new URL(settings.S3_URL);
  return {
    endPoint: hostname,
    ...(port === '' ? {} : { port: Number(port) }),
    useSSL: protocol === 'https:',
    accessKey: settings.S3_ACCESS_KEY,
    secretKey: settings.S3_SECRET_KEY,
    bucket: settings.S3_BUCKET,
    region: settings.S3_REGION,
  };
}

function hasOnlyHost(address: string): boolean {
  const url = URL.parse(address);
  return url?.pathname === '/' && `${url.search}${url.hash}${url.username}${url.password}` === '';
}

/** So that the sweep, which waits fifteen minutes, does not take a slow upload for dead. */
const SHOW_PROGRESS_EVERY_MS = 5 * 60_000;
const READY_WITHIN_MS = 5_000;
/** A fetch resumes after a broken connection this many times. Then its caller decides when to try again. */
const RESUMPTIONS = 5;
/** While a recording is deleted, a part in flight or a writer that does not know of it may bring something back. */
const DELETE_ROUNDS = 4;

interface MinioAudioStoreOptions extends S3Options {
  /** How often an upload that brings less than a part (5 MiB) in that time is saved. In ms, 5 minutes by default. */
  showProgressEveryMs?: number;
  log?: Logger;
}

/**
 * Recordings as objects of a bucket, in MinIO or another S3 store with multipart uploads, version listings and, for two
 * writers of one key, conditional writes. The access key may list, read, write and delete objects, versions and uploads
 * of the bucket, and create it if it is missing.
 */
export function minioAudioStore({
  log,
  showProgressEveryMs = SHOW_PROGRESS_EVERY_MS,
  ...options
}: MinioAudioStoreOptions): AudioStore {
  const bucket = new Bucket(options);
  const memory = new UploadMemory();
  return {
    put: (key, source, signal) => put({ bucket, memory, showProgressEveryMs, log }, key, source, signal),

    fetch: async (key, toFile, signal) => fetchTo(toFile, bucket, audioOf(checkedKey(key)), signal),

    stat: async (key) => {
      const name = audioOf(checkedKey(key));
      const found = await bucket.run((s3) => statOrNull(s3, bucket.name, name));
      return found === null ? null : { key, bytes: found.size, storedAt: found.lastModified };
    },

    delete: async (key) => deleteWhole(bucket, checkedKey(key)),

    async *list() {
      try {
        yield* list(await bucket.open(), bucket.name);
      } catch (error) {
        throw bucket.failure(error);
      }
    },

    ready: () =>
      bucket.check(AbortSignal.timeout(READY_WITHIN_MS)).then(
        () => null,
        ({ cause }: Error) =>
          cause instanceof Error ? cause.message : `the S3 store did not answer within ${READY_WITHIN_MS} ms`,
      ),
  };
}

/** Copies an object into a new file, all of it or nothing. */
async function fetchTo(toFile: string, bucket: Bucket, name: string, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  const file = await open(toFile, 'wx', 0o600).catch((error) => {
    throw hasCode(error, 'EEXIST') ? error : fileFailure(error);
  });
  try {
    const fetching = new Fetching(file);
    for (let left = RESUMPTIONS; !fetching.complete; left--) {
      const { received } = fetching;
      try {
        await bucket.run(
          async (s3) => fetching.receive(await s3.getPartialObject(bucket.name, name, received)),
          signal,
        );
      } catch (error) {
        // Without progress, another try would fail too.
        const stuck = fetching.received === received || left === 0;
        if (stuck || fetching.fileFailed || signal?.aborted === true) throw error;
      }
    }
    await file.close();
  } catch (error) {
    await file.close().catch(() => {});
    await rm(toFile, { force: true });
    signal?.throwIfAborted();
    throw error;
  }
}

class Fetching {
  complete = false;
  fileFailed = false;
  received = 0;
  readonly #file: FileHandle;
  /** Of the first response. A different one would be a different recording. */
  #object: { bytes: number; etag: string | undefined } | null = null;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  async receive(body: NodeJS.ReadableStream): Promise<void> {
    const { bytes } = this.#checkedObject(body as IncomingMessage);
    for await (const chunk of body as IncomingMessage) {
      await this.#file.appendFile(chunk as Buffer).catch((error) => {
        this.fileFailed = true;
        throw fileFailure(error);
      });
      this.received += (chunk as Buffer).length;
    }
    if (this.received !== bytes) throw new Error(`the response ended after ${this.received} of ${bytes} bytes`);
    this.complete = true;
  }

  #checkedObject({ headers: { etag, ...headers }, statusCode }: IncomingMessage): { bytes: number } {
    const bytes = this.received + Number(headers['content-length']);
    this.#object ??= { bytes, etag };
    const same = bytes === this.#object.bytes && etag === this.#object.etag;
    if (!same || (this.received > 0 && statusCode !== 206))
      throw storeUnavailable(new Error('the S3 store sent a different object'));
    return this.#object;
  }
}

/**
 * Deletes every version, delete marker and incomplete upload of a recording, and asks the store again until nothing is
 * left. It is an error when the store refuses, because an object is locked or the access key may not.
 */
async function deleteWhole(bucket: Bucket, key: string): Promise<void> {
  const name = audioOf(key);
  const work = async (s3: S3Client) => {
    // Usually this is all. With versions it would only hide one, which a store that locks it would then keep hidden.
    if (bucket.keepsVersions === false) await s3.removeObject(bucket.name, name);
    let hadUploads = false;
    for (let round = 1; round <= DELETE_ROUNDS; round++) {
      const left = await versionsBelow(s3, bucket.name, folderOf(key));
      bucket.learn(left);
      // An upload has its marker object here for as long as it runs.
      if (left.length === 0 && !hadUploads) return;
      const uploads = await uploadsOf(s3, bucket.name, name);
      for (const { uploadId } of uploads) await s3.abortMultipartUpload(bucket.name, name, uploadId).catch(unlessGone);
      hadUploads = uploads.length > 0;
      // The marker object sorts last: while anything else is left, the recording can be found by it.
      for (const version of left) await s3.removeObject(bucket.name, version.name, { versionId: version.versionId });
    }
    throw storeUnavailable(new Error('the S3 store still has what was deleted'));
  };
  await bucket.run((s3) =>
    work(s3).catch((error) => {
      throw s3Code(error) === 'AccessDenied' ? deletionDenied(bucket.failure(error)) : error;
    }),
  );
}

type Listed = StoredAudio & { incomplete: boolean };

/** Also lists what a delete marker hides. */
async function* list(s3: S3Client, bucket: string): AsyncGenerator<Listed> {
  let [lastName, lastWhole] = ['', ''];
  for await (const { name, bytes, lastModified, isDeleteMarker } of versions(s3, bucket)) {
    const read = readName(name);
    // The newest version comes first. The others are deleted with it.
    if (read === null || isDeleteMarker || name === lastName) continue;
    lastName = name;
    const { key, isAudio } = read;
    if (isAudio) {
      lastWhole = key;
      yield { key, bytes, storedAt: lastModified, incomplete: false };
    } else yield* listIncoming(s3, bucket, key, lastModified, lastWhole === key);
  }
}

/** @param isListed whether the recording was already listed as a whole one */
async function* listIncoming(
  s3: S3Client,
  bucket: string,
  key: string,
  startedAt: Date,
  isListed: boolean,
): AsyncGenerator<Listed> {
  let found = false;
  for (const upload of await uploadsOf(s3, bucket, audioOf(key))) {
    const progress = await progressOf(s3, bucket, audioOf(key), upload);
    if (progress === null) continue;
    found = true;
    yield { key, bytes: progress.bytes, storedAt: progress.at, incomplete: true };
  }
  if (found || isListed) return;
  // The upload was completed after the page was made, or it died before its first byte or after its last.
  const whole = await statOrNull(s3, bucket, audioOf(key));
  if (whole === null) yield { key, bytes: 0, storedAt: startedAt, incomplete: true };
  else yield { key, bytes: whole.size, storedAt: whole.lastModified, incomplete: false };
}
