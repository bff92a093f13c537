/**
 * The size of a part in bytes: the minimum of S3 for all parts but the last, and so the least memory.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html
 */
export const PART_BYTES = 5 * 2 ** 20;
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
export class PartBuffers {
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
