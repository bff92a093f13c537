import type { Clock } from '@call-analytics/service-kit';
import { tooManyAttempts } from './refusals.ts';

/** Hashing a password keeps a thread and 16 MiB busy for some 50 ms. Two leave threads to whoever else reads files in this process. */
const AT_ONCE = 2;
/** What is waited for stays well below the time after which callers give up. */
const WAITING = 16;
const COME_BACK_MS = 2_000;

/** Lets a few passwords be hashed at a time, so that a flood of sign-ins costs the others nothing but their turn. */
export class Hashing {
  readonly #clock: Clock;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @throws WorkError `rate-limited` `too_many_attempts` when too many wait already; what `work` throws */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < AT_ONCE) this.#running += 1;
    else await this.#turn();
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }

  #turn(): Promise<void> {
    if (this.#waiting.length >= WAITING) throw tooManyAttempts(new Date(this.#clock.now().getTime() + COME_BACK_MS));
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
