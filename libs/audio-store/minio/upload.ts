import { randomUUID } from 'node:crypto';
import type { Logger } from '@call-analytics/service-kit';
import { audioExists, storeUnavailable } from '../failures.ts';
import type { StoredAudio } from '../port.ts';
import { type Bucket, statIfAny } from './bucket.ts';
import { Multipart, UNLESS_THERE } from './multipart.ts';
import { audioOf } from './objects.ts';
import { PART_BYTES, type PartMemory, UploadMemory } from './part-memory.ts';

/** An upload that failed is not held up for longer than this by the store that it is to be removed from. Milliseconds. */
const UNDO_WITHIN_MS = 10_000;

/** One recording on its way into the store: in one request when it is no larger than a part, otherwise in parts. */
export class Upload {
  readonly #bucket: Bucket;
  readonly #key: string;
  readonly #signal: AbortSignal;
  readonly #fail: (error: unknown) => void;
  readonly #showProgressEveryMs: number;
  readonly #memory: UploadMemory;
  readonly #multipart: Multipart;
  /** Known from another's under the same key by this. */
  readonly #mark = { 'content-type': 'application/octet-stream', 'x-amz-meta-put': randomUUID() };
  readonly #absent: Promise<void>;
  readonly #inFlight = new Set<Promise<void>>();
  #buffer: Buffer | null = null;
  #filled = 0;
  #parts = 0;
  #bytes = 0;
  #lastSent = performance.now();
  #finishing = false;

  /**
   * @param signal aborted when it has failed, by `fail` or otherwise
   * @param fail called with what went wrong while nobody waited for it
   */
  constructor(
    bucket: Bucket,
    memory: PartMemory,
    key: string,
    {
      signal,
      fail,
      showProgressEveryMs,
    }: { signal: AbortSignal; fail: (error: unknown) => void; showProgressEveryMs: number },
  ) {
    this.#bucket = bucket;
    this.#key = key;
    this.#signal = signal;
    this.#fail = fail;
    this.#showProgressEveryMs = showProgressEveryMs;
    this.#memory = new UploadMemory(memory);
    this.#multipart = new Multipart(bucket, key, this.#mark);
    // Stores that do not know conditional writes overwrite: for them this comes before, which is all that can be done.
    this.#absent = bucket.run(async (s3) => {
      if ((await statIfAny(s3, bucket.name, audioOf(key))) !== null) throw audioExists();
    }, signal);
    this.#absent.catch(fail);
  }

  /** Resolves when there is room for more. The chunk is copied: many small ones would hold far more memory than their bytes. */
  async write(chunk: Buffer): Promise<void> {
    this.#bytes += chunk.length;
    for (let rest = chunk; rest.length > 0; ) {
      if (this.#filled === PART_BYTES) this.#sendPart();
      this.#buffer ??= await this.#freeBuffer();
      const copied = rest.copy(this.#buffer, this.#filled);
      this.#filled += copied;
      rest = rest.subarray(copied);
    }
    if (this.#multipart.begun && performance.now() - this.#lastSent > this.#showProgressEveryMs)
      await this.#showProgress();
  }

  /** @throws WorkError; then nothing is known of what the store did, and `undo` finds out */
  async finish(log?: Logger): Promise<StoredAudio> {
    await this.#absent;
    if (this.#multipart.begun) {
      this.#sendPart();
      await Promise.all(this.#inFlight);
      this.#signal.throwIfAborted();
      this.#finishing = true;
      await this.#multipart.complete(this.#signal);
    } else {
      this.#finishing = true;
      await this.#putWhole(this.#buffer ?? Buffer.alloc(0));
    }
    const [stored] = await Promise.all([
      this.#bucket.run((s3) => statIfAny(s3, this.#bucket.name, audioOf(this.#key)), this.#signal),
      this.#multipart
        .removeSign(this.#signal)
        .catch((err) =>
          log?.warn({ err, key: this.#key }, 'the sign of a recording that came in stays until its deletion'),
        ),
    ]);
    if (stored?.size !== this.#bytes)
      throw storeUnavailable(new Error(`the S3 store has ${stored?.size} bytes of ${this.#bytes}`));
    return { key: this.#key, bytes: stored.size, storedAt: stored.lastModified };
  }

  /** After a failure: removes what the store has of it. When that fails too, the sweep for recordings without a call will find it. */
  async undo(log?: Logger): Promise<void> {
    const signal = AbortSignal.timeout(UNDO_WITHIN_MS);
    try {
      await Promise.allSettled([this.#absent, ...this.#inFlight]);
      await this.#multipart.abandon(signal);
      if (this.#finishing) await this.#removeOurs(signal);
      await this.#multipart.removeSign(signal);
    } catch (err) {
      log?.warn({ err, key: this.#key }, 'an incomplete recording stays for the sweep');
    }
  }

  close(): void {
    this.#memory.close();
  }

  async #freeBuffer(): Promise<Buffer> {
    for (;;) {
      const buffer = this.#memory.take();
      if (buffer !== null) return buffer;
      await Promise.race(this.#inFlight);
      this.#signal.throwIfAborted();
    }
  }

  #sendPart(): void {
    const buffer = this.#buffer ?? Buffer.alloc(0);
    const bytes = buffer.subarray(0, this.#filled);
    this.#parts += 1;
    const sending = this.#send(this.#parts, bytes)
      .then(() => this.#memory.giveBack(buffer), this.#fail)
      .finally(() => this.#inFlight.delete(sending));
    this.#inFlight.add(sending);
    this.#buffer = null;
    this.#filled = 0;
  }

  /** Stores what there is of the next part, which then takes its place: the store knows when the last bytes came. */
  async #showProgress(): Promise<void> {
    await this.#send(this.#parts + 1, (this.#buffer ?? Buffer.alloc(0)).subarray(0, this.#filled));
  }

  async #send(number: number, bytes: Buffer): Promise<void> {
    this.#lastSent = performance.now();
    await this.#absent;
    await this.#multipart.send(number, bytes, this.#signal);
  }

  async #putWhole(buffer: Buffer): Promise<void> {
    const object = {
      method: 'PUT',
      bucketName: this.#bucket.name,
      objectName: audioOf(this.#key),
      headers: { ...this.#mark, ...UNLESS_THERE },
    };
    // minio's own `putObject` makes the condition a piece of metadata.
    await this.#bucket.run((s3) => s3.makeRequestAsyncOmit(object, buffer.subarray(0, this.#filled)), this.#signal);
    if (this.#buffer !== null) this.#memory.giveBack(this.#buffer);
  }

  /** The last request failed, which says nothing of whether the store obeyed. */
  async #removeOurs(signal: AbortSignal): Promise<void> {
    const name = audioOf(this.#key);
    await this.#bucket.run(async (s3) => {
      const stored = await statIfAny(s3, this.#bucket.name, name);
      if (stored?.metaData.put !== this.#mark['x-amz-meta-put']) return;
      await s3.removeObject(this.#bucket.name, name, stored.versionId == null ? {} : { versionId: stored.versionId });
    }, signal);
  }
}
