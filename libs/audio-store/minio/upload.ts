import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { type Logger, WorkError } from '@call-analytics/service-kit';
import { audioExists, checkedKey, type StoredAudio, storeUnavailable } from '../audio-store.ts';
import { audioOf, type Bucket, incomingOf, statOrNull, uploadsOf, versionsBelow } from './bucket.ts';
import { unlessGone } from './client.ts';

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html */
const MAX_PARTS = 10_000;
/** A failed upload waits no longer than this for the store to remove it. Milliseconds. */
const UNDO_WITHIN_MS = 10_000;

interface UploadOptions {
  bucket: Bucket;
  memory: UploadMemory;
  /** How often an upload that brings less than a part in that time is saved. Milliseconds. */
  showProgressEveryMs: number;
  log: Logger | undefined;
}

/** Stores a recording. The first failure, of the source, the store or the signal, ends the rest and is thrown. */
export async function put(
  options: UploadOptions,
  key: string,
  source: Readable,
  signal: AbortSignal | undefined,
): Promise<StoredAudio> {
  // An error of the source while nobody reads from it would end the process. The reader gets it again.
  source.on('error', () => {});
  const ended = new AbortController();
  const fail = (error: unknown) => {
    if (ended.signal.aborted) return;
    ended.abort(error);
    source.destroy();
  };
  const abort = () => fail(signal?.reason);
  try {
    checkedKey(key);
    signal?.throwIfAborted();
  } catch (error) {
    source.destroy();
    throw error;
  }
  signal?.addEventListener('abort', abort, { once: true });
  const upload = new Upload(options, key, ended.signal, fail);
  try {
    for await (const chunk of source) await upload.write(Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk));
    return await upload.finish();
  } catch (error) {
    fail(error);
    await upload.undo();
    throw ended.signal.reason;
  } finally {
    signal?.removeEventListener('abort', abort);
    upload.close();
  }
}

/** One recording on its way into the store: in one request if it is no larger than a part, otherwise in parts. */
class Upload {
  readonly #options: UploadOptions;
  readonly #key: string;
  readonly #signal: AbortSignal;
  readonly #fail: (error: unknown) => void;
  readonly #buffers: PartBuffers;
  readonly #multipart: Multipart;
  /** Tells this object from one that another writer stored under the same key. */
  readonly #headers = { 'content-type': 'application/octet-stream', 'x-amz-meta-put': randomUUID() };
  readonly #absent: Promise<void>;
  readonly #inFlight = new Set<Promise<void>>();
  #buffer: Buffer | null = null;
  #filled = 0;
  #parts = 0;
  #bytes = 0;
  #lastSent = performance.now();
  #finishing = false;

  /**
   * @param signal aborted when the upload has failed, by `fail` or otherwise
   * @param fail called with an error that nobody waits for
   */
  constructor(options: UploadOptions, key: string, signal: AbortSignal, fail: (error: unknown) => void) {
    this.#options = options;
    this.#key = key;
    this.#signal = signal;
    this.#fail = fail;
    this.#buffers = new PartBuffers(options.memory);
    this.#multipart = new Multipart(options.bucket, key, this.#headers);
    // Stores without conditional writes overwrite. This check before the write is all that can be done for them.
    this.#absent = options.bucket.run(async (s3) => {
      if ((await statOrNull(s3, options.bucket.name, audioOf(key))) !== null) throw audioExists();
    }, signal);
    this.#absent.catch(fail);
  }

  /** Resolves when there is room for more. Copies the chunk: small ones would hold far more memory than their bytes. */
  async write(chunk: Buffer): Promise<void> {
    this.#bytes += chunk.length;
    for (let rest = chunk; rest.length > 0; ) {
      if (this.#filled === PART_BYTES) this.#sendPart();
      this.#buffer ??= await this.#freeBuffer();
      const copied = rest.copy(this.#buffer, this.#filled);
      this.#filled += copied;
      rest = rest.subarray(copied);
    }
    // What there is of the next part, which then replaces it: the store knows when the last bytes came.
    if (this.#multipart.started && performance.now() - this.#lastSent > this.#options.showProgressEveryMs)
      await this.#send(this.#parts + 1, this.#filledPart());
  }

  /** @throws WorkError; then it is unknown what the store did, and `undo` finds out */
  async finish(): Promise<StoredAudio> {
    const { bucket, log } = this.#options;
    const name = audioOf(this.#key);
    await this.#absent;
    if (this.#multipart.started) {
      this.#sendPart();
      await Promise.all(this.#inFlight);
      this.#signal.throwIfAborted();
      this.#finishing = true;
      await this.#multipart.complete(this.#signal);
    } else {
      this.#finishing = true;
      await bucket.run((s3) => s3.putIfAbsent(bucket.name, name, this.#filledPart(), this.#headers), this.#signal);
      if (this.#buffer !== null) this.#buffers.release(this.#buffer);
    }
    const [stored] = await Promise.all([
      bucket.run((s3) => statOrNull(s3, bucket.name, name), this.#signal),
      this.#multipart
        .removeMarker(this.#signal)
        .catch((err) =>
          log?.warn(
            { err, key: this.#key },
            'could not delete the marker of an upload; it is deleted with the recording',
          ),
        ),
    ]);
    if (stored?.size !== this.#bytes)
      throw storeUnavailable(new Error(`the S3 store has ${stored?.size} bytes of ${this.#bytes}`));
    return { key: this.#key, bytes: stored.size, storedAt: stored.lastModified };
  }

  /** Removes a failed upload from the store. If that fails too, the sweep for recordings without a call removes it. */
  async undo(): Promise<void> {
    const signal = AbortSignal.timeout(UNDO_WITHIN_MS);
    try {
      await Promise.allSettled([this.#absent, ...this.#inFlight]);
      await this.#multipart.abort(signal);
      if (this.#finishing) await this.#removeObject(signal);
      await this.#multipart.removeMarker(signal);
    } catch (err) {
      this.#options.log?.warn(
        { err, key: this.#key },
        'could not delete an incomplete recording; the orphan sweep will',
      );
    }
  }

  close(): void {
    this.#buffers.close();
  }

  async #freeBuffer(): Promise<Buffer> {
    for (;;) {
      const buffer = this.#buffers.take();
      if (buffer !== null) return buffer;
      await Promise.race(this.#inFlight);
      this.#signal.throwIfAborted();
    }
  }

  #filledPart(): Buffer {
    return (this.#buffer ?? Buffer.alloc(0)).subarray(0, this.#filled);
  }

  #sendPart(): void {
    const buffer = this.#buffer;
    this.#parts += 1;
    const sending = this.#send(this.#parts, this.#filledPart())
      .then(() => buffer !== null && this.#buffers.release(buffer), this.#fail)
      .finally(() => this.#inFlight.delete(sending)) as Promise<void>;
    this.#inFlight.add(sending);
    this.#buffer = null;
    this.#filled = 0;
  }

  async #send(number: number, bytes: Buffer): Promise<void> {
    this.#lastSent = performance.now();
    await this.#absent;
    await this.#multipart.send(number, bytes, this.#signal);
  }

  /** The last request failed, but the store may have carried it out. */
  async #removeObject(signal: AbortSignal): Promise<void> {
    const { bucket } = this.#options;
    const name = audioOf(this.#key);
    await bucket.run(async (s3) => {
      const stored = await s3.statObject(bucket.name, name).catch(unlessGone);
      if (stored?.metaData.put !== this.#headers['x-amz-meta-put']) return;
      await s3.removeObject(bucket.name, name, stored.versionId == null ? {} : { versionId: stored.versionId });
    }, signal);
  }
}

/** A recording in parts. It cannot be read before `complete`. */
class Multipart {
  readonly #bucket: Bucket;
  readonly #key: string;
  readonly #headers: Record<string, string>;
  readonly #etags = new Map<number, string>();
  #uploadId: Promise<string> | null = null;
  /** In a bucket with versions, removing the marker object by name would leave it behind a delete marker. */
  #markerVersion: { versionId: string | null } | null = null;

  /** @param headers of the finished object */
  constructor(bucket: Bucket, key: string, headers: Record<string, string>) {
    this.#bucket = bucket;
    this.#key = key;
    this.#headers = headers;
  }

  get started(): boolean {
    return this.#uploadId !== null;
  }

  /** @param number from 1. A part that is sent again with the same number replaces the one before. */
  async send(partNumber: number, bytes: Buffer, signal: AbortSignal): Promise<void> {
    if (partNumber > MAX_PARTS) throw tooLarge();
    this.#uploadId ??= this.#start(signal);
    const part = { bucketName: this.#bucket.name, objectName: audioOf(this.#key), partNumber, headers: {} };
    const uploadID = await this.#uploadId;
    const { etag } = await this.#bucket.run((s3) => s3.uploadPart({ ...part, uploadID }, bytes), signal);
    this.#etags.set(partNumber, etag);
  }

  async complete(signal: AbortSignal): Promise<void> {
    const uploadId = (await this.#uploadId) ?? '';
    const [bucket, name] = [this.#bucket.name, audioOf(this.#key)];
    await this.#bucket.run((s3) => s3.completeIfAbsent(bucket, name, uploadId, this.#etags), signal);
  }

  /** Removes the parts, at any stage of the upload. */
  async abort(signal: AbortSignal): Promise<void> {
    if (this.#uploadId === null) return;
    const known = await this.#uploadId.catch(() => null);
    const [bucket, name] = [this.#bucket.name, audioOf(this.#key)];
    await this.#bucket.run(async (s3) => {
      // If the response to the first request was lost, the upload may exist. A key has one upload, so it is ours.
      const uploads = known === null ? await uploadsOf(s3, bucket, name) : [{ uploadId: known }];
      for (const { uploadId } of uploads) await s3.abortMultipartUpload(bucket, name, uploadId).catch(unlessGone);
    }, signal);
  }

  /** Call this when the upload has ended, well or not. */
  async removeMarker(signal: AbortSignal): Promise<void> {
    if (this.#uploadId === null) return;
    const [bucket, name] = [this.#bucket.name, incomingOf(this.#key)];
    await this.#bucket.run(async (s3) => {
      const markers = this.#markerVersion === null ? await versionsBelow(s3, bucket, name) : [this.#markerVersion];
      for (const { versionId } of markers) await s3.removeObject(bucket, name, versionId === null ? {} : { versionId });
    }, signal);
  }

  async #start(signal: AbortSignal): Promise<string> {
    return this.#bucket.run(async (s3) => {
      this.#markerVersion = await s3.putObject(this.#bucket.name, incomingOf(this.#key), '');
      return s3.initiateNewMultipartUpload(this.#bucket.name, audioOf(this.#key), this.#headers);
    }, signal);
  }
}

function tooLarge(): WorkError {
  const message = 'The recording is larger than can be stored, which is 48 GiB.';
  return new WorkError({ kind: 'rejected', code: 'audio_too_large', message });
}

/**
 * The size of a part in bytes: the minimum of S3 for all parts but the last, and so the least memory.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html
 */
const PART_BYTES = 5 * 2 ** 20;
/** Parts that all uploads together may hold beyond one each: one is filled while others are sent. 40 MiB. */
const SPARE_PARTS = 8;
/** The most parts of one upload, so that the spare ones are enough for several uploads. 20 MiB. */
const MAX_PARTS_OF_UPLOAD = 4;
/** Parts kept for later uploads. 40 MiB. */
const KEPT_PARTS = 8;

/**
 * The memory for uploads, shared by all of them: each has one part, and fast uploads get more. 50 uploads at once hold
 * 290 MiB at most.
 */
export class UploadMemory {
  readonly #kept: Buffer[] = [];
  #spare = SPARE_PARTS;

  /** Memory that is not written to costs nothing: a small recording takes its own size and no more. */
  buffer(): Buffer {
    return this.#kept.pop() ?? Buffer.allocUnsafeSlow(PART_BYTES);
  }

  keep(buffer: Buffer): void {
    if (this.#kept.length < KEPT_PARTS) this.#kept.push(buffer);
  }

  takeSpare(): boolean {
    if (this.#spare === 0) return false;
    this.#spare -= 1;
    return true;
  }

  returnSpares(count: number): void {
    this.#spare += count;
  }
}

/** The share of one upload. */
class PartBuffers {
  readonly #shared: UploadMemory;
  readonly #free: Buffer[] = [];
  #held = 0;

  constructor(shared: UploadMemory) {
    this.#shared = shared;
  }

  /** @returns null when there is none until another is released */
  take(): Buffer | null {
    const free = this.#free.pop();
    if (free !== undefined) return free;
    if (this.#held > 0 && (this.#held === MAX_PARTS_OF_UPLOAD || !this.#shared.takeSpare())) return null;
    this.#held += 1;
    return this.#shared.buffer();
  }

  /** @param buffer one that no request reads any more */
  release(buffer: Buffer): void {
    this.#free.push(buffer);
  }

  /** Buffers that were not released are left to the garbage collector: a failed request may still read them. */
  close(): void {
    for (const buffer of this.#free.splice(0)) this.#shared.keep(buffer);
    this.#shared.returnSpares(Math.max(0, this.#held - 1));
    this.#held = 0;
  }
}
