/** Everything after decoding is 16 kHz, the rate of speech engines. */
export const SAMPLE_RATE = 16_000;
/** The unit of planning: short enough to show a pause between words, long enough for a steady level. */
export const FRAME_MS = 20;
export const FRAME_SAMPLES = (SAMPLE_RATE * FRAME_MS) / 1000;

export function framesIn(ms: number): number {
  return Math.round(ms / FRAME_MS);
}

/** Level of digital silence, in dBFS. */
export const SILENCE_DB = -96;

/** In ms from the start of the recording. */
export interface Stretch {
  startMs: number;
  endMs: number;
}

/** The level of each frame of each channel in dBFS. Six hours of stereo take 13 MB, so all of it is kept. */
export class Levels {
  readonly channels: readonly GrowableFloats[];
  readonly #filters: readonly HighPass[];
  #frames = 0;

  constructor(channels: number) {
    this.channels = Array.from({ length: channels }, () => new GrowableFloats());
    this.#filters = Array.from({ length: channels }, () => new HighPass());
  }

  /** Frames measured so far. */
  get frames(): number {
    return this.#frames;
  }

  /** @param samples interleaved, a whole number of frames */
  push(samples: Int16Array): void {
    const count = this.channels.length;
    const frames = samples.length / (FRAME_SAMPLES * count);
    this.channels.forEach((levels, channel) => {
      const filter = this.#filters[channel] as HighPass;
      for (let frame = 0; frame < frames; frame += 1) {
        const power = filter.power(samples, frame * FRAME_SAMPLES * count + channel, count) / (32_768 * 32_768);
        levels.push(Math.max(SILENCE_DB, 10 * Math.log10(power + 1e-12)));
      }
    });
    this.#frames += frames;
  }
}

/** A first-order high-pass filter at about 130 Hz: removes mains hum, handling noise and a constant offset. */
class HighPass {
  #lastIn = 0;
  #lastOut = 0;

  /** @returns the mean power of a frame's filtered samples */
  power(samples: Int16Array, from: number, step: number): number {
    let lastIn = this.#lastIn;
    let lastOut = this.#lastOut;
    let sum = 0;
    for (let i = 0, at = from; i < FRAME_SAMPLES; i += 1, at += step) {
      const sample = samples[at] as number;
      lastOut = sample - lastIn + 0.95 * lastOut;
      lastIn = sample;
      sum += lastOut * lastOut;
    }
    this.#lastIn = lastIn;
    // A decaying tail would end in denormal numbers, which are slow to compute with.
    this.#lastOut = Math.abs(lastOut) < 1e-6 ? 0 : lastOut;
    return sum / FRAME_SAMPLES;
  }
}

/** The samples that segments may still need, by frame number from the start of the recording. */
export class SampleBuffer {
  readonly #channels: number;
  #chunks: { from: number; frames: number; samples: Int16Array }[] = [];
  #end = 0;

  constructor(channels: number) {
    this.#channels = channels;
  }

  /** @param samples interleaved, a whole number of frames; kept, not copied */
  push(samples: Int16Array): void {
    const frames = samples.length / (FRAME_SAMPLES * this.#channels);
    if (frames === 0) return;
    this.#chunks.push({ from: this.#end, frames, samples });
    this.#end += frames;
  }

  /** Drops everything before the frame. */
  forget(before: number): void {
    const keep = this.#chunks.findIndex((chunk) => chunk.from + chunk.frames > before);
    this.#chunks = keep === -1 ? [] : this.#chunks.slice(keep);
  }

  /** @param channel 0-based, or null for the mix @returns the samples of frames `from` up to, not including, `to` */
  read(channel: number | null, from: number, to: number): Int16Array {
    if (channel !== null || this.#channels === 1) return this.#one(channel ?? 0, from, to);
    return mixed(this.#one(0, from, to), this.#one(1, from, to));
  }

  #one(channel: number, from: number, to: number): Int16Array {
    const out = new Int16Array(Math.max(0, to - from) * FRAME_SAMPLES);
    for (const chunk of this.#chunks) {
      const first = Math.max(from, chunk.from);
      const last = Math.min(to, chunk.from + chunk.frames);
      let at = (first - chunk.from) * FRAME_SAMPLES * this.#channels + channel;
      for (let i = (first - from) * FRAME_SAMPLES; i < (last - from) * FRAME_SAMPLES; i += 1, at += this.#channels) {
        out[i] = chunk.samples[at] as number;
      }
    }
    return out;
  }
}

/** The mean of both channels; the louder one where they are in opposite phase and would cancel out. */
function mixed(left: Int16Array, right: Int16Array): Int16Array {
  let together = 0;
  let leftPower = 0;
  let rightPower = 0;
  for (let i = 0; i < left.length; i += 1) {
    const l = left[i] as number;
    const r = right[i] as number;
    together += l * r;
    leftPower += l * l;
    rightPower += r * r;
  }
  if (together < 0) return leftPower >= rightPower ? left : right;
  for (let i = 0; i < left.length; i += 1) left[i] = ((left[i] as number) + (right[i] as number)) / 2;
  return left;
}

/** A packed list of numbers that grows at its end: six hours have a million frames. */
export class GrowableFloats {
  #values = new Float32Array(4096);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length === this.#values.length)
      this.#values = larger(this.#values, new Float32Array(this.#values.length * 2));
    this.#values[this.#length] = value;
    this.#length += 1;
  }

  /** @param index from 0 to length - 1 */
  at(index: number): number {
    return this.#values[index] as number;
  }
}

/** One flag per frame, 0 until set. */
export class FrameFlags {
  #values = new Uint8Array(4096);

  at(index: number): number {
    return this.#values[index] ?? 0;
  }

  /** Sets the flags from `from` up to, not including, `to`. */
  set(from: number, to: number, flag: number): void {
    while (to > this.#values.length) this.#values = larger(this.#values, new Uint8Array(this.#values.length * 2));
    this.#values.fill(flag, Math.max(0, from), to);
  }
}

function larger<T extends Float32Array | Uint8Array>(values: T, room: T): T {
  room.set(values);
  return room;
}
