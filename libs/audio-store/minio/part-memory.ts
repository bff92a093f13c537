/**
 * The size of a part in bytes: the least that S3 allows for all but the last, and so the least memory.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html
 */
export const PART_BYTES = 5 * 2 ** 20;
/** Parts that all uploads together may hold beyond one each, so that one is filled while others are on their way. 40 MiB. */
const SPARE = 8;
/** An upload has no more than this many at a time, so that the spare ones do for several. 20 MiB. */
const MOST_OF_ONE = 4;
/** How many are kept for later uploads, instead of being made anew. 40 MiB. */
const KEPT = 8;

/** The memory for recordings on their way, shared by all uploads: each has one part, and whoever is fast gets more. 50 uploads at once hold 290 MiB at the most. */
export class PartMemory {
  readonly #kept: Buffer[] = [];
  #spare = SPARE;

  /** Memory that is not written to costs nothing: a small recording takes its own size and no more. */
  buffer(): Buffer {
    return this.#kept.pop() ?? Buffer.allocUnsafeSlow(PART_BYTES);
  }

  keep(buffer: Buffer): void {
    if (this.#kept.length < KEPT) this.#kept.push(buffer);
  }

  takeSpare(): boolean {
    if (this.#spare === 0) return false;
    this.#spare -= 1;
    return true;
  }

  giveSpares(count: number): void {
    this.#spare += count;
  }
}

/** What one upload has of it. */
export class UploadMemory {
  readonly #shared: PartMemory;
  readonly #free: Buffer[] = [];
  #held = 0;

  constructor(shared: PartMemory) {
    this.#shared = shared;
  }

  /** @returns null when there is none before another is given back */
  take(): Buffer | null {
    const free = this.#free.pop();
    if (free !== undefined) return free;
    if (this.#held > 0 && (this.#held === MOST_OF_ONE || !this.#shared.takeSpare())) return null;
    this.#held += 1;
    return this.#shared.buffer();
  }

  /** @param buffer one that no request reads any more */
  giveBack(buffer: Buffer): void {
    this.#free.push(buffer);
  }

  /** What was not given back is left to the garbage collector: a request that failed may be reading it still. */
  close(): void {
    for (const buffer of this.#free.splice(0)) this.#shared.keep(buffer);
    this.#shared.giveSpares(Math.max(0, this.#held - 1));
    this.#held = 0;
  }
}
