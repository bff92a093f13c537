import { EventEmitter } from 'node:events';

const BUCKETS = 10;
const OUTCOMES_IN_BUCKET = 2;

/**
 * The outcomes that a circuit counts: the last 20 or so, and none older than `ms`; it needs no timer. opossum's own
 * window is one of time only: a thousand successes of a minute ago would outweigh the failures of a busy dependency,
 * and a slow one never has enough calls in ten seconds.
 */
export class OutcomeWindow {
  /** Given to opossum as `rotateBucketController`. */
  readonly rotations = new EventEmitter();
  readonly options: { rotateBucketController: EventEmitter; rollingCountBuckets: number };
  readonly #bucketMs: number;
  #since = performance.now();
  #inBucket = 0;

  constructor(ms: number) {
    this.#bucketMs = ms / BUCKETS;
    this.options = { rotateBucketController: this.rotations, rollingCountBuckets: BUCKETS };
  }

  /** Call this before each counted outcome. */
  makeRoom(): void {
    const now = performance.now();
    const over = Math.min(BUCKETS, Math.floor((now - this.#since) / this.#bucketMs));
    if (over > 0) this.#rotate(over, now);
    else if (this.#inBucket === OUTCOMES_IN_BUCKET) this.#rotate(1, now);
    this.#inBucket += 1;
  }

  /** For a circuit that closes: earlier outcomes count no more. */
  forget(): void {
    this.#rotate(BUCKETS, performance.now());
  }

  #rotate(times: number, now: number): void {
    for (let done = 0; done < times; done += 1) this.rotations.emit('rotate');
    this.#since = now;
    this.#inBucket = 0;
  }
}
