import { EigenvalueDecomposition, Matrix } from 'ml-matrix';
import { COEFFICIENTS, FRAME_MS } from './features.ts';
import type { Speech } from './speech.ts';

/** 1.5 s of speech, about which the voice is guessed before it is modeled. */
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
const MIN_FRAMES = 15;

/** @param hop frames from one window to the next, at most the length */
export function windowsOf({ runs, frames }: Speech, hop: number): Window[] {
  const windows: Window[] = [];
  const packed = (frame: number) => lowerBound(frames, frame);
  runs.forEach(({ from, to }, run) => {
    const add = (start: number, stop: number) => {
      const window = { run, from: start, to: stop, first: packed(start), end: packed(stop) };
      if (window.end - window.first >= MIN_FRAMES) windows.push(window);
    };
    if (to - from <= LENGTH * 1.3) {
      add(from, to);
      return;
    }
    let start = from;
    for (; start + LENGTH <= to; start += hop) add(start, start + LENGTH);
    if (start - hop + LENGTH < to - MIN_FRAMES) add(to - LENGTH, to);
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

// jest looks globals up slowly.
const { PI, cos, exp, min, sqrt } = Math;

export interface Spectrum {
  /** From 1 downwards. The value for so many clusters says how separate they are. */
  eigenvalues: number[];
  /** @returns the label of each window */
  labels(clusters: number): number[];
}

/** Spectral clustering of windows by the distance of their distributions. */
export function spectral(distances: Float64Array[]): Spectrum {
  const n = distances.length;
  const scales = distances.map((row) => sqrt(row.slice().sort()[min(10, n - 1)] as number) || 1e-9);
  const affinity = distances.map((row, i) =>
    row.map((apart, j) => (i === j ? 0 : exp(-apart / ((scales[i] as number) * (scales[j] as number))))),
  );
  const degrees = affinity.map((row) => row.reduce((sum, value) => sum + value, 1e-12));
  affinity.forEach((row, i) => {
    for (let j = 0; j < n; j += 1) row[j] = (row[j] as number) / sqrt((degrees[i] as number) * (degrees[j] as number));
  });
  const { vectors, values } = eigenvectors(affinity, degrees);
  const labels = (clusters: number) => {
    // The first eigenvector says nothing: it is the same for all windows.
    const used = vectors.slice(1, clusters);
    const positions = degrees.map((degree, i) => used.map((vector) => (vector[i] as number) / sqrt(degree)));
    return nearestMeans(positions, clusters);
  };
  return { eigenvalues: values, labels };
}

/** The largest eigenvalues and their vectors, by orthogonal iteration; the first vector is known. */
function eigenvectors(matrix: Float64Array[], degrees: number[]): { vectors: Float64Array[]; values: number[] } {
  const n = matrix.length;
  const count = min(6, n);
  let basis = Array.from({ length: count }, (_, k) =>
    Float64Array.from({ length: n }, (_, i) => (k === 0 ? sqrt(degrees[i] as number) : cos(((i + 0.5) * k * PI) / n))),
  );
  const orthonormalize = () => {
    for (let k = 0; k < count; k += 1) {
      const vector = basis[k] as Float64Array;
      for (let j = 0; j < k; j += 1) {
        const other = basis[j] as Float64Array;
        const along = dot(vector, other);
        for (let i = 0; i < n; i += 1) vector[i] = (vector[i] as number) - along * (other[i] as number);
      }
      const length = sqrt(dot(vector, vector)) || 1;
      for (let i = 0; i < n; i += 1) vector[i] = (vector[i] as number) / length;
    }
  };
  orthonormalize();
  for (let round = 0; round < 60; round += 1) {
    // The shift makes the largest eigenvalues also the largest in magnitude.
    basis = basis.map((vector) => Float64Array.from(matrix, (row, i) => dot(row, vector) + (vector[i] as number)));
    orthonormalize();
  }
  const small = new Matrix(count, count);
  const images = basis.map((vector) => Float64Array.from(matrix, (row) => dot(row, vector)));
  for (let i = 0; i < count; i += 1)
    for (let j = 0; j < count; j += 1) small.set(i, j, dot(basis[i] as Float64Array, images[j] as Float64Array));
  const { values, vectors } = eigenOf(small);
  const mixed = values.map((_, k) => {
    const weights = vectors.getColumn(k);
    return Float64Array.from({ length: n }, (_, i) =>
      basis.reduce((sum, vector, b) => sum + (weights[b] as number) * (vector[i] as number), 0),
    );
  });
  return { vectors: mixed, values };
}

/** @returns eigenvalues of a symmetric matrix, largest first, and their vectors as columns */
export function eigenOf(matrix: Matrix): { values: number[]; vectors: Matrix } {
  const symmetric = Matrix.add(matrix, matrix.transpose()).mul(0.5);
  const { realEigenvalues, eigenvectorMatrix } = new EigenvalueDecomposition(symmetric, { assumeSymmetric: true });
  const order = realEigenvalues
    .map((_, i) => i)
    .sort((a, b) => (realEigenvalues[b] as number) - (realEigenvalues[a] as number));
  const vectors = new Matrix(matrix.rows, matrix.rows);
  order.forEach((from, to) => void vectors.setColumn(to, eigenvectorMatrix.getColumn(from)));
  return { values: order.map((i) => realEigenvalues[i] as number), vectors };
}

export function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += (a[i] as number) * (b[i] as number);
  return sum;
}

/** Groups points by k-means, which starts from points that are far apart. */
export function nearestMeans(points: readonly number[][], groups: number): number[] {
  if (groups === 2 && points[0]?.length === 1) return twoMeans(points.map(([only = 0]) => only));
  let means = [furthest(points, [meanOf(points)])];
  while (means.length < groups) means.push(furthest(points, means));
  let labels: number[] = [];
  for (let round = 0; round < 30; round += 1) {
    labels = points.map((point) => {
      const distances = means.map((mean) => distance(point, mean));
      return distances.indexOf(Math.min(...distances));
    });
    means = means.map((mean, group) => {
      const own = points.filter((_, i) => labels[i] === group);
      return own.length === 0 ? mean : meanOf(own);
    });
  }
  return labels;
}

function meanOf(points: readonly number[][]): number[] {
  const sums = new Array<number>(points[0]?.length ?? 0).fill(0);
  for (const point of points)
    for (let d = 0; d < sums.length; d += 1) sums[d] = (sums[d] as number) + (point[d] as number);
  return sums.map((sum) => sum / points.length);
}

function distance(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, d) => sum + (value - (b[d] as number)) ** 2, 0);
}

/** @returns the point whose nearest mean is furthest away */
function furthest(points: readonly number[][], means: readonly number[][]): number[] {
  const apart = points.map((point) => Math.min(...means.map((mean) => distance(point, mean))));
  return points[apart.indexOf(Math.max(...apart))] ?? [];
}

/** Splits numbers in two by least squares. */
export function twoMeans(values: readonly number[]): number[] {
  const sorted = [...values].sort((a, b) => a - b);
  const n = sorted.length;
  let total = 0;
  for (const value of sorted) total += value;
  let best = Number.NEGATIVE_INFINITY;
  let threshold = 0;
  let left = 0;
  for (let i = 1; i < n; i += 1) {
    left += sorted[i - 1] as number;
    const between = left ** 2 / i + (total - left) ** 2 / (n - i);
    if (between <= best) continue;
    best = between;
    threshold = ((sorted[i - 1] as number) + (sorted[i] as number)) / 2;
  }
  return values.map((value) => (value > threshold ? 1 : 0));
}

/** @returns the ways to put `length` of these in a row */
export function orders(of: readonly number[], length = of.length): number[][] {
  if (length === 0) return [[]];
  return of.flatMap((one) => {
    const others = of.filter((other) => other !== one);
    return orders(others, length - 1).map((rest) => [one, ...rest]);
  });
}
