/** So far back the speed looks: long enough to be calm, short enough to notice a change. */
const WINDOW_MS = 5_000;
/** Before this nothing is known yet: the first bytes only fill the buffers of the system. */
const SETTLED_MS = 1_000;

/** How fast an upload goes, by its latest seconds. */
export class Speed {
  #samples: { at: number; sent: number }[] = [];

  /** @param at in ms @param sent all bytes sent so far */
  add(at: number, sent: number): void {
    this.#samples.push({ at, sent });
    while (this.#samples.length > 2 && at - (this.#samples[1]?.at ?? at) >= WINDOW_MS) this.#samples.shift();
  }

  /** @returns null until something can be said */
  bytesPerSecond(): number | null {
    const first = this.#samples[0];
    const last = this.#samples.at(-1);
    if (first === undefined || last === undefined || last.at - first.at < SETTLED_MS) return null;
    return ((last.sent - first.sent) * 1_000) / (last.at - first.at);
  }

  /** @returns null when it is not known, or nothing moves */
  secondsLeft(total: number): number | null {
    const speed = this.bytesPerSecond();
    const sent = this.#samples.at(-1)?.sent ?? 0;
    return speed === null || speed <= 0 ? null : Math.ceil((total - sent) / speed);
  }
}
