import { EventEmitter } from 'node:events';

const BUCKETS = 10;
const OUTCOMES_IN_BUCKET = 2;

/**
 * Which outcomes the circuit looks at: the last 20 or so, and none that is older than `ms`. opossum's own window is of time alone, which fits no dependency for long: a busy
 * one that dies is forgiven by a thousand answers of a minute ago, a slow one never has enough calls in ten seconds. This also needs no timer.
 */
export class OutcomeWindow {
  /** Given to opossum as `rotateBucketController`. */
  readonly rotations = new EventEmitter();
  readonly options: { rotateBucketController: EventEmitter; rollingCountBuckets: number };
  readonly #bucketMs: number;
  #since = performance.now();
  #outcomes = 0;

  constructor(ms: number) {
    this.#bucketMs = ms / BUCKETS;
    this.options = { rotateBucketController: this.rotations, rollingCountBuckets: BUCKETS };
  }

  /** To be called before each outcome that is counted. */
  makeRoom(): void {
    const now = performance.now();
    const over = Math.min(BUCKETS, Math.floor((now - this.#since) / this.#bucketMs));
    if (over > 0) this.#rotate(over, now);
    else if (this.#outcomes === OUTCOMES_IN_BUCKET) this.#rotate(1, now);
    this.#outcomes += 1;
  }

  /** What was before a circuit closed says nothing of the time after. */
  forget(): void {
    this.#rotate(BUCKETS, performance.now());
  }

  #rotate(times: number, now: number): void {
    for (let done = 0; done < times; done += 1) this.rotations.emit('rotate');
    this.#since = now;
    this.#outcomes = 0;
  }
}
