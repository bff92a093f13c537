import type { Activity } from './activity.ts';
import type { Copies } from './copies.ts';
import { framesIn } from './frames.ts';

// Whether the two channels are two people, decided all along the recording and not once at its start: an announcement heard on both sides, a late second person or
// a conference that joins halfway would prove any single decision wrong.

/** Decided for each block from the sound around it. */
const BLOCK = framesIn(5_000);
const AROUND = framesIn(30_000);
/** So much of the sound must be equal on both channels to mix them, and so little to part them again; between the two nothing changes. */
const MIX_ABOVE = 0.7;
const PART_BELOW = 0.4;
/** Less sound than this around a block says nothing. */
const LEAST_SOUND = framesIn(1_000);

export type Layout = 'apart' | 'mixed';

/** Tells for each block of a two-channel recording whether its channels are kept apart (two people) or mixed (both hold the same). In a stream, like Activity. */
export class Layouts {
  readonly #activity: readonly [Activity, Activity];
  readonly #copies: Copies;
  readonly #blocks: Layout[] = [];

  constructor(activity: readonly [Activity, Activity], copies: Copies) {
    this.#activity = activity;
    this.#copies = copies;
  }

  get settled(): number {
    return Math.min(this.#copies.settled, this.#blocks.length * BLOCK);
  }

  at(frame: number): Layout {
    return this.#blocks[Math.floor(frame / BLOCK)] ?? 'apart';
  }

  advance(ended: boolean): void {
    const known = this.#copies.settled;
    while (this.#blocks.length * BLOCK < known && (ended || known >= (this.#blocks.length + 1) * BLOCK + AROUND)) {
      this.#blocks.push(this.#decide(this.#blocks.length * BLOCK, known));
    }
  }

  #decide(block: number, known: number): Layout {
    let sound = 0;
    let equal = 0;
    for (let i = Math.max(0, block - AROUND); i < Math.min(known, block + BLOCK + AROUND); i += 1) {
      if (!this.#activity[0].at(i) && !this.#activity[1].at(i)) continue;
      sound += 1;
      if (this.#copies.equalAt(i)) equal += 1;
    }
    const before = this.#blocks.at(-1) ?? 'apart';
    if (sound < LEAST_SOUND) return before;
    const share = equal / sound;
    if (share >= MIX_ABOVE) return 'mixed';
    return share <= PART_BELOW ? 'apart' : before;
  }
}
