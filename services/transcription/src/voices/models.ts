import { COEFFICIENTS, FRAME_MS } from './features.ts';
import type { Speech } from './speech.ts';

// jest looks globals up slowly, and these are asked for each frame.
const { PI, ceil, exp, floor, log, max, min, sqrt } = Math;

const D = COEFFICIENTS;
const COMPONENTS = 8;
const VARIANCE_FLOOR = 0.05;

/** A mixture of diagonal Gaussians. */
export interface Mixture {
  weights: Float64Array;
  means: Float64Array;
  variances: Float64Array;
}

/** Grows from one Gaussian by splitting each in two along its widest coefficient, so that no seed is needed. */
export function universalMixture(mfcc: Float32Array, frames: Int32Array): Mixture {
  let mixture: Mixture = {
    weights: Float64Array.of(1),
    means: new Float64Array(D),
    variances: new Float64Array(D).fill(1),
  };
  mixture = fit(mixture, mfcc, frames, 1);
  while (mixture.weights.length < COMPONENTS) {
    mixture = fit(split(mixture), mfcc, frames, 4);
  }
  return mixture;
}

function split({ weights, means, variances }: Mixture): Mixture {
  const n = weights.length;
  const out = {
    weights: new Float64Array(2 * n),
    means: new Float64Array(2 * n * D),
    variances: new Float64Array(2 * n * D),
  };
  for (let k = 0; k < n; k += 1) {
    let widest = 0;
    for (let c = 1; c < D; c += 1)
      if ((variances[k * D + c] as number) > (variances[k * D + widest] as number)) widest = c;
    for (const half of [0, 1]) {
      const to = 2 * k + half;
      out.weights[to] = (weights[k] as number) / 2;
      for (let c = 0; c < D; c += 1) {
        const shift = c === widest ? (half - 0.5) * sqrt(variances[k * D + c] as number) : 0;
        out.means[to * D + c] = (means[k * D + c] as number) + shift;
        out.variances[to * D + c] = variances[k * D + c] as number;
      }
    }
  }
  return out;
}

/** Expectation maximization. @param frames the packed frames to fit to */
export function fit(start: Mixture, mfcc: Float32Array, frames: Int32Array, steps: number): Mixture {
  let mixture = start;
  const n = start.weights.length;
  const logs = new Float64Array(n);
  for (let step = 0; step < steps; step += 1) {
    const ready = prepared(mixture);
    const counts = new Float64Array(n).fill(1e-6);
    const sums = new Float64Array(n * D);
    const squares = new Float64Array(n * D);
    for (let f = 0; f < frames.length; f += 1) {
      const at = (frames[f] as number) * D;
      const most = likelihoods(ready, mfcc, at, logs);
      let total = 0;
      for (let k = 0; k < n; k += 1) {
        const value = exp((logs[k] as number) - most);
        logs[k] = value;
        total += value;
      }
      for (let k = 0; k < n; k += 1) {
        const share = (logs[k] as number) / total;
        if (share < 1e-3) continue;
        counts[k] = (counts[k] as number) + share;
        for (let c = 0, m = k * D; c < D; c += 1, m += 1) {
          const value = mfcc[at + c] as number;
          const weighted = share * value;
          sums[m] = (sums[m] as number) + weighted;
          squares[m] = (squares[m] as number) + weighted * value;
        }
      }
    }
    const next = { weights: new Float64Array(n), means: new Float64Array(n * D), variances: new Float64Array(n * D) };
    for (let k = 0; k < n; k += 1) {
      const count = counts[k] as number;
      next.weights[k] = max(1e-4, count / max(1, frames.length));
      for (let m = k * D; m < (k + 1) * D; m += 1) {
        if (count < 2) {
          next.means[m] = mixture.means[m] as number;
          next.variances[m] = mixture.variances[m] as number;
          continue;
        }
        const mean = (sums[m] as number) / count;
        next.means[m] = mean;
        next.variances[m] = max(VARIANCE_FLOOR, (squares[m] as number) / count - mean * mean);
      }
    }
    mixture = next;
  }
  return mixture;
}

type Prepared = Record<'means' | 'precisions' | 'constants', Float64Array>;

function prepared({ weights, means, variances }: Mixture): Prepared {
  const precisions = variances.map((variance) => 0.5 / variance);
  const constants = weights.map((weight, k) => {
    let sum = log(weight) - (D / 2) * log(2 * PI);
    for (let m = k * D; m < (k + 1) * D; m += 1) sum -= 0.5 * log(variances[m] as number);
    return sum;
  });
  return { means, precisions, constants };
}

/** Sets the log-likelihood of a frame under each component. @returns the largest one */
function likelihoods(
  { means, precisions, constants }: Prepared,
  mfcc: Float32Array,
  at: number,
  logs: Float64Array,
): number {
  let most = Number.NEGATIVE_INFINITY;
  for (let k = 0; k < logs.length; k += 1) {
    let sum = constants[k] as number;
    for (let c = 0, m = k * D; c < D; c += 1, m += 1) {
      const apart = (mfcc[at + c] as number) - (means[m] as number);
      sum -= apart * apart * (precisions[m] as number);
    }
    logs[k] = sum;
    if (sum > most) most = sum;
  }
  return most;
}

/** Blocks of 0.1 s along the runs: what the likelihoods are added up for. */
export interface Blocks {
  /** The block of each packed frame; -1 outside the runs. */
  ofFrame: Int32Array;
  count: number;
  /** 1 for the first block of a run. */
  begins: Uint8Array;
  /** The first frame of the recording in each block, and the one after its last. */
  from: Int32Array;
  to: Int32Array;
}

const BLOCK = 100 / FRAME_MS;

export function blocksOf({ runs, frames }: Pick<Speech, 'runs' | 'frames'>): Blocks {
  const count = runs.reduce((sum, { from, to }) => sum + ceil((to - from) / BLOCK), 0);
  const begins = new Uint8Array(count);
  const from = new Int32Array(count);
  const to = new Int32Array(count);
  const ofFrame = new Int32Array(frames.length).fill(-1);
  let block = 0;
  let packed = 0;
  for (const run of runs) {
    begins[block] = 1;
    while (packed < frames.length && (frames[packed] as number) < run.from) packed += 1;
    for (let start = run.from; start < run.to; start += BLOCK, block += 1) {
      from[block] = start;
      to[block] = min(run.to, start + BLOCK);
      for (; packed < frames.length && (frames[packed] as number) < (to[block] as number); packed += 1)
        ofFrame[packed] = block;
    }
  }
  return { ofFrame, count, begins, from, to };
}

/** Adds to `scores`, which are new by default. @returns the log-likelihood of each block under the mixture */
export function score(
  mixture: Mixture,
  mfcc: Float32Array,
  blocks: Pick<Blocks, 'ofFrame' | 'count'>,
  scores = new Float64Array(blocks.count),
): Float64Array {
  const ready = prepared(mixture);
  const n = mixture.weights.length;
  const logs = new Float64Array(n);
  for (let f = 0; f < blocks.ofFrame.length; f += 1) {
    const block = blocks.ofFrame[f] as number;
    if (block < 0) continue;
    const most = likelihoods(ready, mfcc, f * D, logs);
    let total = 0;
    for (let k = 0; k < n; k += 1) total += exp((logs[k] as number) - most);
    scores[block] = (scores[block] as number) + most + log(total);
  }
  return scores;
}

const MIN_BLOCKS = 7;
const CHANGE_WITHIN_RUN = 30;
const CHANGE_IN_PAUSE = 10;

/** The most likely sequence of voices (Viterbi): a voice lasts 0.7 s at least, and a change has its price. */
export function decode(
  scores: readonly Float64Array[],
  { count, begins }: Blocks,
): { labels: Int8Array; score: number } {
  const voices = scores.length;
  const states = voices * MIN_BLOCKS;
  let before = new Float64Array(states).fill(Number.NEGATIVE_INFINITY);
  let now = new Float64Array(states);
  const from = new Uint8Array(count * states);
  for (let voice = 0; voice < voices; voice += 1) before[voice * MIN_BLOCKS + MIN_BLOCKS - 1] = 0;
  for (let block = 0; block < count; block += 1) {
    const change = begins[block] === 1 ? CHANGE_IN_PAUSE : CHANGE_WITHIN_RUN;
    for (let voice = 0; voice < voices; voice += 1) {
      const gain = (scores[voice] as Float64Array)[block] as number;
      const first = voice * MIN_BLOCKS;
      const last = first + MIN_BLOCKS - 1;
      // A voice is left when it has lasted long enough, or in a pause, where a short "yes" is a turn of its own.
      let entered = Number.NEGATIVE_INFINITY;
      let source = first;
      for (
        let state = begins[block] === 1 ? 0 : MIN_BLOCKS - 1;
        state < states;
        state += begins[block] === 1 ? 1 : MIN_BLOCKS
      ) {
        if (floor(state / MIN_BLOCKS) === voice || (before[state] as number) - change <= entered) continue;
        entered = (before[state] as number) - change;
        source = state;
      }
      now[first] = entered + gain;
      from[block * states + first] = source;
      for (let age = 1; age < MIN_BLOCKS; age += 1) {
        now[first + age] = (before[first + age - 1] as number) + gain;
        from[block * states + first + age] = first + age - 1;
      }
      if ((before[last] as number) + gain > (now[last] as number)) {
        now[last] = (before[last] as number) + gain;
        from[block * states + last] = last;
      }
    }
    [before, now] = [now, before];
  }
  let state = 0;
  for (let s = 1; s < states; s += 1) if ((before[s] as number) > (before[state] as number)) state = s;
  const best = before[state] as number;
  const labels = new Int8Array(count);
  for (let block = count - 1; block >= 0; block -= 1) {
    labels[block] = floor(state / MIN_BLOCKS);
    state = from[block * states + state] as number;
  }
  return { labels, score: best };
}
