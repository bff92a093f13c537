import { GrowingFloats } from './growing.ts';

/** Everything after decoding is 16 kHz: what speech engines work at. */
export const SAMPLE_RATE = 16_000;
/** The planner's unit of time: short enough to see a pause between two words, long enough for a steady level. */
export const FRAME_MS = 20;
export const FRAME_SAMPLES = (SAMPLE_RATE * FRAME_MS) / 1000;

export function framesIn(ms: number): number {
  return Math.round(ms / FRAME_MS);
}

/** Level of digital silence, in dB below full scale. */
export const SILENCE_DB = -96;

/** The level of each frame of each channel in dBFS, from the first frame on. 13 MB for six hours of stereo, so nothing needs to be forgotten. */
export class Levels {
  readonly channels: readonly GrowingFloats[];
  readonly #filters: readonly HighPass[];
  #frames = 0;

  constructor(channels: number) {
    this.channels = Array.from({ length: channels }, () => new GrowingFloats());
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

/** Takes away what lies below the voice (mains hum, handling noise, a constant offset), so that it does not count as sound. First order, about 130 Hz. */
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
    // A decaying tail would end in denormal numbers, which are slow.
    this.#lastOut = Math.abs(lastOut) < 1e-6 ? 0 : lastOut;
    return sum / FRAME_SAMPLES;
  }
}
