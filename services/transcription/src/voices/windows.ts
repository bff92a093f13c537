import { COEFFICIENTS, FRAME_MS } from './features.ts';
import type { Speech } from './speech.ts';

/** 1.5 s of speech, about which the voice is guessed before it is modelled. */
export interface Window {
  run: number;
  /** Frames of the recording. */
  from: number;
  to: number;
  /** Packed frames. */
  first: number;
  end: number;
}

const LENGTH = 1_500 / FRAME_MS;
const LEAST_FRAMES = 15;

/** @param hop frames from one window to the next, at most the length */
export function windowsOf({ runs, frames }: Speech, hop: number): Window[] {
  const windows: Window[] = [];
  const packed = (frame: number) => lowerBound(frames, frame);
  runs.forEach(({ from, to }, run) => {
    const add = (start: number, stop: number) => {
      const window = { run, from: start, to: stop, first: packed(start), end: packed(stop) };
      if (window.end - window.first >= LEAST_FRAMES) windows.push(window);
    };
    if (to - from <= LENGTH * 1.3) {
      add(from, to);
      return;
    }
    let start = from;
    for (; start + LENGTH <= to; start += hop) add(start, start + LENGTH);
    if (start - hop + LENGTH < to - LEAST_FRAMES) add(to - LENGTH, to);
  });
  return windows;
}

export const WINDOW_FRAMES = LENGTH;

/** @param values in order @returns the index of the first one that is not less */
export function lowerBound(values: Int32Array, value: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** @returns the label of each packed frame, by a vote of its windows weighted by nearness to their middle; -1: none */
export function labelsOfFrames(
  { frames }: Speech,
  windows: readonly Window[],
  labels: readonly number[],
  voices: number,
): Int8Array {
  const votes = new Float32Array(frames.length * voices);
  windows.forEach(({ from, to, first, end }, index) => {
    const middle = (from + to) / 2;
    const label = labels[index] as number;
    for (let i = first; i < end; i += 1) {
      const weight = 1.02 - Math.abs((frames[i] as number) - middle) / ((to - from) / 2);
      votes[i * voices + label] = (votes[i * voices + label] as number) + weight;
    }
  });
  return Int8Array.from(frames, (_, i) => {
    let best = -1;
    let most = 0;
    for (let voice = 0; voice < voices; voice += 1) {
      if ((votes[i * voices + voice] as number) <= most) continue;
      most = votes[i * voices + voice] as number;
      best = voice;
    }
    return best;
  });
}

/** Mean and deviation of each coefficient, and the median pitch, weighted by how much of it there is. */
export function windowVectors({ mfcc, pitch, voiced }: Speech, windows: readonly Window[]): Float64Array[] {
  const vectors = windows.map(({ first, end }) => {
    const vector = new Float64Array(2 * COEFFICIENTS + 1);
    const count = end - first;
    for (let c = 0; c < COEFFICIENTS; c += 1) {
      let sum = 0;
      let squares = 0;
      for (let i = first; i < end; i += 1) {
        const value = mfcc[i * COEFFICIENTS + c] as number;
        sum += value;
        squares += value * value;
      }
      vector[c] = sum / count;
      vector[COEFFICIENTS + c] = Math.sqrt(Math.max(0, squares / count - (sum / count) ** 2));
    }
    const known: number[] = [];
    for (let i = first; i < end; i += 1) if (voiced[i] === 1) known.push(pitch[i] as number);
    known.sort((a, b) => a - b);
    vector[2 * COEFFICIENTS] = (known.length / (known.length + 5)) * (known[known.length >> 1] ?? 0);
    return vector;
  });
  for (let d = 0; d < 2 * COEFFICIENTS + 1; d += 1) {
    const mean = vectors.reduce((sum, vector) => sum + (vector[d] as number), 0) / vectors.length;
    const variance = vectors.reduce((sum, vector) => sum + ((vector[d] as number) - mean) ** 2, 0) / vectors.length;
    for (const vector of vectors) vector[d] = ((vector[d] as number) - mean) / (Math.sqrt(variance) || 1);
  }
  return vectors;
}
