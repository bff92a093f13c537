import { CholeskyDecomposition, inverse, Matrix } from 'ml-matrix';
import { dot, eigenOf, twoMeans, type Window, windowVectors } from './clusters.ts';
import { COEFFICIENTS } from './features.ts';
import type { Speech } from './speech.ts';

// jest looks globals up slowly, and these are asked for each frame.
const { abs, exp, log, max, min } = Math;

// What first guesses at which windows are the same voice are made from. Each guess fails on some recordings, so all are
// tried and the models decide between them.

/** Symmetric Kullback-Leibler divergence of diagonal Gaussians over all coefficients. */
export function diagonalDistances({ mfcc }: Speech, windows: readonly Window[]): Float64Array[] {
  const D = COEFFICIENTS;
  const means: Float64Array[] = [];
  const variances: Float64Array[] = [];
  for (const { first, end } of windows) {
    const n = end - first;
    const mean = new Float64Array(D);
    const variance = new Float64Array(D);
    const own = n / (n + 30);
    for (let c = 0; c < D; c += 1) {
      let sum = 0;
      let squares = 0;
      for (let i = first; i < end; i += 1) {
        const value = mfcc[i * D + c] as number;
        sum += value;
        squares += value * value;
      }
      mean[c] = sum / n;
      variance[c] = own * max(0, squares / n - (sum / n) ** 2) + (1 - own) + 0.05;
    }
    means.push(mean);
    variances.push(variance);
  }
  return pairs(windows.length, (i, j) => {
    let sum = 0;
    const [m, v] = [means[i] as Float64Array, variances[i] as Float64Array];
    const [m2, v2] = [means[j] as Float64Array, variances[j] as Float64Array];
    for (let c = 0; c < D; c += 1) {
      const a = v[c] as number;
      const b = v2[c] as number;
      const apart = (m[c] as number) - (m2[c] as number);
      sum += a / b + b / a - 2 + apart * apart * (1 / a + 1 / b);
    }
    return 0.5 * sum;
  });
}

/** The same with full covariance over coefficients 1 to 12 and the smoothed pitch. */
export function fullDistances(speech: Speech, windows: readonly Window[]): Float64Array[] {
  const values = withPitch(speech);
  const gaussians = windows.map(({ first, end }) => {
    const { mean, covariance } = gaussianOf(values, first, end);
    const own = (end - first) / (end - first + 30);
    for (let i = 0; i < FULL; i += 1)
      for (let j = 0; j < FULL; j += 1)
        covariance.set(i, j, own * covariance.get(i, j) + (i === j ? 1 - own + 0.05 : 0));
    return {
      mean,
      covariance: Float64Array.from(covariance.to1DArray()),
      inverse: Float64Array.from(inverse(covariance).to1DArray()),
    };
  });
  return pairs(windows.length, (i, j) => {
    const a = gaussians[i] as (typeof gaussians)[number];
    const b = gaussians[j] as (typeof gaussians)[number];
    let sum = dot(a.covariance, b.inverse) + dot(b.covariance, a.inverse) - 2 * FULL;
    for (let r = 0; r < FULL; r += 1) {
      const apart = (a.mean[r] as number) - (b.mean[r] as number);
      let row = 0;
      for (let c = 0; c < FULL; c += 1)
        row +=
          ((a.inverse[r * FULL + c] as number) + (b.inverse[r * FULL + c] as number)) *
          ((a.mean[c] as number) - (b.mean[c] as number));
      sum += apart * row;
    }
    return 0.5 * sum;
  });
}

const FULL = 13;

function withPitch({ mfcc, pitch, voiced, frames }: Speech): Float32Array {
  const values = new Float32Array(frames.length * FULL);
  for (let i = 0; i < frames.length; i += 1) {
    for (let c = 0; c < FULL - 1; c += 1) values[i * FULL + c] = mfcc[i * COEFFICIENTS + c] as number;
    let sum = 0;
    let count = 0;
    for (let k = max(0, i - 12); k <= min(frames.length - 1, i + 12); k += 1) {
      if (voiced[k] === 0 || abs((frames[k] as number) - (frames[i] as number)) > 25) continue;
      sum += pitch[k] as number;
      count += 1;
    }
    values[i * FULL + FULL - 1] = count === 0 ? 0 : sum / count;
  }
  return values;
}

function gaussianOf(values: Float32Array, first: number, end: number) {
  const n = end - first;
  const mean = new Float64Array(FULL);
  for (let i = first; i < end; i += 1)
    for (let c = 0; c < FULL; c += 1) mean[c] = (mean[c] as number) + (values[i * FULL + c] as number) / n;
  const sums = new Float64Array(FULL * FULL);
  for (let i = first; i < end; i += 1) {
    for (let r = 0; r < FULL; r += 1) {
      const a = (values[i * FULL + r] as number) - (mean[r] as number);
      for (let c = 0; c <= r; c += 1)
        sums[r * FULL + c] =
          (sums[r * FULL + c] as number) + a * ((values[i * FULL + c] as number) - (mean[c] as number));
    }
  }
  const covariance = new Matrix(FULL, FULL);
  for (let r = 0; r < FULL; r += 1) {
    for (let c = 0; c <= r; c += 1) {
      covariance.set(r, c, (sums[r * FULL + c] as number) / n);
      covariance.set(c, r, (sums[r * FULL + c] as number) / n);
    }
  }
  return { mean, covariance };
}

function pairs(n: number, distance: (i: number, j: number) => number): Float64Array[] {
  const rows = Array.from({ length: n }, () => new Float64Array(n));
  for (let i = 0; i < n; i += 1) {
    for (let j = 0; j < i; j += 1) {
      const value = max(0, distance(i, j));
      (rows[i] as Float64Array)[j] = value;
      (rows[j] as Float64Array)[i] = value;
    }
  }
  return rows;
}

/**
 * Directions in which windows differ more than neighbors do (whitened by the variation within a voice).
 * @returns the windows in these directions
 */
export function whitened(speech: Speech, windows: readonly Window[], directions: number): number[][] {
  const vectors = windowVectors(speech, windows);
  const D = vectors[0]?.length ?? 0;
  const within = new Matrix(D, D);
  let count = 0;
  for (let i = 0; i + 2 < windows.length; i += 1) {
    if (windows[i]?.run !== windows[i + 2]?.run) continue;
    count += 1;
    for (let r = 0; r < D; r += 1) {
      const a = ((vectors[i] as Float64Array)[r] as number) - ((vectors[i + 2] as Float64Array)[r] as number);
      for (let c = 0; c < D; c += 1)
        within.set(
          r,
          c,
          within.get(r, c) +
            0.5 * a * (((vectors[i] as Float64Array)[c] as number) - ((vectors[i + 2] as Float64Array)[c] as number)),
        );
    }
  }
  within.mul(1 / max(1, count));
  const diagonal = within.diagonal();
  const mean = diagonal.reduce((sum, value) => sum + value, 0) / D || 1;
  within.mul(0.7);
  for (let i = 0; i < D; i += 1)
    within.set(i, i, within.get(i, i) + 0.3 * (diagonal[i] as number) + 0.03 * mean + 1e-6);
  const all = new Matrix(D, D);
  for (const vector of vectors)
    for (let r = 0; r < D; r += 1)
      for (let c = 0; c < D; c += 1)
        all.set(r, c, all.get(r, c) + ((vector[r] as number) * (vector[c] as number)) / vectors.length);
  const unwhiten = inverse(new CholeskyDecomposition(within).lowerTriangularMatrix);
  const { vectors: eigen } = eigenOf(unwhiten.mmul(all).mmul(unwhiten.transpose()));
  const axes = Array.from({ length: directions }, (_, k) =>
    unwhiten
      .transpose()
      .mmul(Matrix.columnVector(eigen.getColumn(k)))
      .to1DArray(),
  );
  return vectors.map((vector) => axes.map((axis) => dot(vector, axis)));
}

/** Two Gaussians with a common covariance, fitted by expectation maximization from a split in the first direction. */
export function tiedMixture(points: readonly number[][]): number[] {
  const D = points[0]?.length ?? 1;
  let shares = twoMeans(points.map(([first = 0]) => first));
  for (let round = 0; round < 30; round += 1) {
    const second = shares.reduce((a, b) => a + b, 0) / shares.length;
    const weights = [1 - second, second].map((w) => max(w, 1e-3));
    const means = [0, 1].map((k) => {
      const mean = new Array<number>(D).fill(0);
      let total = 1e-9;
      points.forEach((point, i) => {
        const share = k === 1 ? (shares[i] as number) : 1 - (shares[i] as number);
        total += share;
        for (let d = 0; d < D; d += 1) mean[d] = (mean[d] as number) + share * (point[d] as number);
      });
      return mean.map((value) => value / total);
    });
    const covariance = Matrix.eye(D, D).mul(1e-3);
    points.forEach((point, i) => {
      for (const k of [0, 1]) {
        const share = (k === 1 ? (shares[i] as number) : 1 - (shares[i] as number)) / points.length;
        const apart = point.map((value, d) => value - (means[k]?.[d] ?? 0));
        for (let r = 0; r < D; r += 1)
          for (let c = 0; c < D; c += 1)
            covariance.set(r, c, covariance.get(r, c) + share * (apart[r] as number) * (apart[c] as number));
      }
    });
    const precision = inverse(covariance);
    const likelihood = (point: readonly number[], k: number) => {
      const apart = point.map((value, d) => value - (means[k]?.[d] ?? 0));
      let sum = 0;
      for (let r = 0; r < D; r += 1)
        for (let c = 0; c < D; c += 1) sum += (apart[r] as number) * precision.get(r, c) * (apart[c] as number);
      return log(weights[k] as number) - 0.5 * sum;
    };
    shares = points.map((point) => 1 / (1 + exp(likelihood(point, 0) - likelihood(point, 1))));
  }
  return shares.map((share) => (share > 0.5 ? 1 : 0));
}
