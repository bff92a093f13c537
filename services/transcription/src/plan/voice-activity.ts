import { FRAME_MS, FrameFlags, framesIn, type GrowableFloats, SILENCE_DB } from './frames.ts';

// Voice activity by energy, over a threshold that follows the noise and loudness of each channel.

/** Each block has its own threshold, computed from the levels of the blocks around it. */
const BLOCK = framesIn(5_000);
const BLOCKS_BEFORE = 3;
const BLOCKS_AFTER = 2;

const OVER_NOISE_DB = 6;
/** The range of a voice: a sound this far below the loud syllables is breath or the room. */
const UNDER_LOUD_DB = 32;
/** No voice on a working microphone is below this; it excludes the hiss of an idle line. */
const MIN_DB = -56;
/** Speech ends when its level falls this far below the threshold. */
const HYSTERESIS_DB = 3;
/** The longest stop inside a word. */
const STOP = framesIn(80);
/** Shorter sounds are clicks. */
const MIN_VOICE_FRAMES = framesIn(120);
/** Added before and after speech for soft beginnings and ends of words. */
const LEAD = framesIn(60);
const TRAIL = framesIn(100);
/** Shorter gaps between words are filled. */
const FILL = framesIn(240);
/** A sound this far below the threshold is no voice. */
const SILENT_DB = 5;
/** Noise is steady: what stays this close to its softest moments, the softest 2%, holds no word that can be heard. */
const OVER_FLOOR_DB = 2.5;
const FLOOR_SHARE = 0.02;
const STEADY = framesIn(100);
/** Both hold where the softest moments are this far below the loud syllables. In more noise soft words lie in it. */
const CLEAR_DB = 20;

/**
 * Marks the frames of one channel that hold speech, as a stream: before `settled` the marks no longer change. They do
 * not depend on the chunks in which the recording arrives.
 */
export class VoiceActivity {
  readonly #levels: GrowableFloats;
  readonly #marks = new FrameFlags();
  readonly #quiet = new FrameFlags();
  readonly #noise = new FrameFlags();
  #seen = 0;
  #settled = 0;
  #thresholds: Thresholds = { speech: 0, quiet: SILENCE_DB, noise: SILENCE_DB };
  /** Start of the current sound, which may become speech; null in silence. */
  #begun: number | null = null;
  #lastLoud = -1;
  /** End of the last marked speech. */
  #end = 0;

  constructor(levels: GrowableFloats) {
    this.#levels = levels;
  }

  get settled(): number {
    return this.#settled;
  }

  at(frame: number): boolean {
    return this.#marks.at(frame) === 1;
  }

  /** @returns whether the frame is so soft, or so much like the noise around it, that it is no part of a word */
  silentAt(frame: number): boolean {
    return this.#quiet.at(frame) === 1 || (this.#noise.at(frame) === 1 && !this.at(frame));
  }

  /** Marks as far as the known levels allow. @param ended no more levels will come */
  advance(ended: boolean): void {
    const known = this.#levels.length;
    while (this.#seen < known) {
      if (this.#seen % BLOCK === 0) {
        if (!ended && known < this.#seen + (BLOCKS_AFTER + 1) * BLOCK) break;
        this.#thresholds = thresholdsAt(this.#levels, this.#seen);
      }
      this.#look(this.#seen);
      this.#seen += 1;
    }
    if (ended && this.#seen === known) this.#settled = known;
  }

  #look(frame: number): void {
    const level = this.#levels.at(frame);
    const { speech, quiet, noise } = this.#thresholds;
    if (level <= quiet) this.#quiet.set(frame, frame + 1, 1);
    if (level <= noise && this.#meanUpTo(frame) <= noise) this.#noise.set(frame, frame + 1, 1);
    const sounding = this.#begun !== null && frame - this.#lastLoud < STOP;
    if (level > speech - (sounding ? HYSTERESIS_DB : 0)) {
      if (this.#begun === null || !sounding) this.#begun = frame;
      this.#lastLoud = frame;
      if (frame - this.#begun + 1 >= MIN_VOICE_FRAMES) this.#mark(this.#begun - LEAD, frame + TRAIL + 1);
    } else if (!sounding) {
      this.#begun = null;
    }
    const open = Math.min(this.#begun ?? frame + 1, frame + 1);
    this.#settled = Math.max(this.#settled, Math.min(frame + 1, Math.max(this.#end, open - LEAD - FILL)));
  }

  #meanUpTo(frame: number): number {
    const from = Math.max(0, frame + 1 - STEADY);
    let sum = 0;
    for (let i = from; i <= frame; i += 1) sum += this.#levels.at(i);
    return sum / (frame + 1 - from);
  }

  #mark(from: number, to: number): void {
    const joined = this.#end > 0 && from - this.#end <= FILL ? this.#end : from;
    this.#marks.set(joined, to, 1);
    this.#end = to;
  }
}

/** Levels above which a sound counts as speech, and up to which it is silence, by itself or as steady noise. In dBFS. */
interface Thresholds {
  speech: number;
  quiet: number;
  noise: number;
}

/** @returns those for the block that begins at `frame` */
function thresholdsAt(levels: GrowableFloats, frame: number): Thresholds {
  const from = Math.max(0, frame - BLOCKS_BEFORE * BLOCK);
  const to = Math.min(levels.length, frame + (BLOCKS_AFTER + 1) * BLOCK);
  const sorted = new Float32Array(to - from);
  const histogram = new Uint32Array(100);
  for (let i = from; i < to; i += 1) {
    sorted[i - from] = levels.at(i);
    const bin = Math.min(99, Math.round(-levels.at(i)));
    histogram[Math.max(0, bin)] = (histogram[Math.max(0, bin)] as number) + 1;
  }
  sorted.sort();
  const noise = -loudestBin(histogram, (to - from) * 0.9);
  const loud = -loudestBin(histogram, (to - from) * 0.05);
  const floor = sorted[Math.floor(FLOOR_SHARE * sorted.length)] ?? SILENCE_DB;
  const speech = Math.max(noise + OVER_NOISE_DB, loud - UNDER_LOUD_DB, MIN_DB);
  if (loud - floor < CLEAR_DB) return { speech, quiet: Number.NEGATIVE_INFINITY, noise: Number.NEGATIVE_INFINITY };
  return { speech, quiet: speech - SILENT_DB, noise: floor + OVER_FLOOR_DB };
}

/** @returns the first bin, from the loud end, at which `count` frames are reached */
function loudestBin(histogram: Uint32Array, count: number): number {
  let seen = 0;
  for (let bin = 0; bin < histogram.length; bin += 1) {
    seen += histogram[bin] as number;
    if (seen >= count) return bin;
  }
  return histogram.length - 1;
}

/** A shorter pause counts as speech. */
const BRIDGED = framesIn(500);

/** Adds up how long someone speaks. */
export class SpeechTimer {
  #frames = 0;
  #last = -1;

  /** @param frame with speech; frames come in order, each at most once */
  at(frame: number): void {
    const pause = frame - this.#last - 1;
    this.#frames += 1 + (this.#last >= 0 && pause <= BRIDGED ? pause : 0);
    this.#last = frame;
  }

  get seconds(): number {
    return (this.#frames * FRAME_MS) / 1000;
  }
}
