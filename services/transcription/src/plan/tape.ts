import { FRAME_SAMPLES } from './frames.ts';

/** The samples that may still be needed, by frame number from the start of the recording. */
export class Tape {
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

  /** Lets go of everything before the frame. */
  forget(before: number): void {
    const keep = this.#chunks.findIndex((chunk) => chunk.from + chunk.frames > before);
    this.#chunks = keep === -1 ? [] : this.#chunks.slice(keep);
  }

  /** @param channel 0-based, or null for all channels as one @returns the samples of frames `from` up to, not including, `to` */
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

/** The mean of both; the louder one where they are in opposite phase and would cancel out. */
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
