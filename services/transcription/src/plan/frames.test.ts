import { describe, expect, it } from '@jest/globals';
import { FRAME_SAMPLES, SampleBuffer } from './frames.ts';

/** Every sample of the left channel says its frame; the right channel says its negative. */
function numbered(fromFrame: number, frames: number): Int16Array {
  return Int16Array.from({ length: frames * FRAME_SAMPLES * 2 }, (_, i) => {
    const frame = fromFrame + Math.floor(i / 2 / FRAME_SAMPLES);
    return i % 2 === 0 ? frame : -frame;
  });
}

function framesOf(samples: Int16Array): number[] {
  return Array.from(
    { length: samples.length / FRAME_SAMPLES },
    (_, frame) => samples[frame * FRAME_SAMPLES] ?? Number.NaN,
  );
}

describe('the tape', () => {
  it('gives back each channel, across the chunks it came in', () => {
    const tape = new SampleBuffer(2);
    tape.push(numbered(0, 3));
    tape.push(numbered(3, 4));
    expect(framesOf(tape.read(0, 1, 6))).toEqual([1, 2, 3, 4, 5]);
    expect(framesOf(tape.read(1, 2, 5))).toEqual([-2, -3, -4]);
  });

  it('still has what comes after the frame it was told to forget before', () => {
    const tape = new SampleBuffer(2);
    tape.push(numbered(0, 3));
    tape.push(numbered(3, 3));
    tape.forget(4);
    expect(framesOf(tape.read(0, 4, 6))).toEqual([4, 5]);
  });

  it('gives the louder channel where the two would cancel each other out', () => {
    const tape = new SampleBuffer(2);
    tape.push(Int16Array.from({ length: FRAME_SAMPLES * 2 }, (_, i) => (i % 2 === 0 ? 1_000 : -800)));
    expect(tape.read(null, 0, 1)).toEqual(new Int16Array(FRAME_SAMPLES).fill(1_000));
  });

  it('gives the mean of both where they agree', () => {
    const tape = new SampleBuffer(2);
    tape.push(Int16Array.from({ length: FRAME_SAMPLES * 2 }, (_, i) => (i % 2 === 0 ? 1_000 : 600)));
    expect(tape.read(null, 0, 1)).toEqual(new Int16Array(FRAME_SAMPLES).fill(800));
  });
});
