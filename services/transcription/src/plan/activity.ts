import { framesIn } from './frames.ts';
import { type GrowingFloats, Marks } from './growing.ts';

// Who makes a sound when: voice activity by energy, over a threshold that follows each channel's own noise and loudness.

/** The threshold is set anew for each block, from the levels around it: what came before and a little of what comes. */
const BLOCK = framesIn(5_000);
const BLOCKS_BEFORE = 3;
const BLOCKS_AFTER = 2;

const OVER_NOISE_DB = 9;
/** The range of a voice: what is this far below the loud syllables is breath or the room. */
const UNDER_LOUD_DB = 32;
/** Below this nobody speaks into a working microphone; it keeps the hiss of an idle line out. */
const LEAST_DB = -56;
/** Speech goes on while the level is not this far below the threshold that it began at. */
const HYSTERESIS_DB = 3;
/** The stop inside a word. */
const STOP = framesIn(80);
/** Shorter sounds are clicks. */
const SHORTEST = framesIn(120);
/** Soft beginnings and ends of words. */
const LEAD = framesIn(60);
const TRAIL = framesIn(100);
/** Between two close words. */
const FILL = framesIn(240);

/**
 * Marks the frames of one channel that hold speech. Works in a stream: `settled` says up to where the marks will not change, whatever comes; the marks do not depend on
 * how the recording was handed over.
 */
export class Activity {
  readonly #levels: GrowingFloats;
  readonly #marks = new Marks();
  #seen = 0;
  #settled = 0;
  #threshold = 0;
  /** Start of the sound that may become speech; null in silence. */
  #begun: number | null = null;
  #lastLoud = -1;
  /** End of the last marked speech. */
  #end = 0;

  constructor(levels: GrowingFloats) {
    this.#levels = levels;
  }

  get settled(): number {
    return this.#settled;
  }

  at(frame: number): boolean {
    return this.#marks.at(frame) === 1;
  }

  /** Decides on as much as the known levels allow. @param ended no more levels will come */
  advance(ended: boolean): void {
    const known = this.#levels.length;
    while (this.#seen < known) {
      if (this.#seen % BLOCK === 0) {
        if (!ended && known < this.#seen + (BLOCKS_AFTER + 1) * BLOCK) break;
        this.#threshold = thresholdAt(this.#levels, this.#seen);
      }
      this.#look(this.#seen);
      this.#seen += 1;
    }
    if (ended && this.#seen === known) this.#settled = known;
  }

  #look(frame: number): void {
    const sounding = this.#begun !== null && frame - this.#lastLoud < STOP;
    if (this.#levels.at(frame) > this.#threshold - (sounding ? HYSTERESIS_DB : 0)) {
      if (this.#begun === null || !sounding) this.#begun = frame;
      this.#lastLoud = frame;
      if (frame - this.#begun + 1 >= SHORTEST) this.#mark(this.#begun - LEAD, frame + TRAIL + 1);
    } else if (!sounding) {
      this.#begun = null;
    }
    const open = Math.min(this.#begun ?? frame + 1, frame + 1);
    this.#settled = Math.max(this.#settled, Math.min(frame + 1, Math.max(this.#end, open - LEAD - FILL)));
  }

  #mark(from: number, to: number): void {
    const joined = this.#end > 0 && from - this.#end <= FILL ? this.#end : from;
    this.#marks.set(joined, to, 1);
    this.#end = to;
  }
}

/** @returns the level that a sound must pass to count as speech, for the block that begins at `frame` */
function thresholdAt(levels: GrowingFloats, frame: number): number {
  const from = Math.max(0, frame - BLOCKS_BEFORE * BLOCK);
  const to = Math.min(levels.length, frame + (BLOCKS_AFTER + 1) * BLOCK);
  const histogram = new Uint32Array(100);
  for (let i = from; i < to; i += 1) {
    const bin = Math.min(99, Math.round(-levels.at(i)));
    histogram[Math.max(0, bin)] = (histogram[Math.max(0, bin)] as number) + 1;
  }
  const noise = -loudestBin(histogram, (to - from) * 0.9);
  const loud = -loudestBin(histogram, (to - from) * 0.05);
  return Math.max(noise + OVER_NOISE_DB, loud - UNDER_LOUD_DB, LEAST_DB);
}

/** @returns the bin, counted from the loud end, by which `count` frames have been seen */
function loudestBin(histogram: Uint32Array, count: number): number {
  let seen = 0;
  for (let bin = 0; bin < histogram.length; bin += 1) {
    seen += histogram[bin] as number;
    if (seen >= count) return bin;
  }
  return histogram.length - 1;
}
