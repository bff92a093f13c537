/** Examples as rows of sparse features: row `i` has the entries from `starts[i]` to `starts[i + 1]`. */
export interface Examples {
  starts: Uint32Array;
  columns: Uint32Array;
  values: Float32Array;
  width: number;
}

const MEMORY = 8;
const MAX_STEPS = 80;
/** The gradient at which the minimum is found, relative to that of the start. */
const PRECISION = 1e-3;

/**
 * Logistic regression with L2: minimizes cost × Σ weight·log(1 + e^(−y·f)) + |w|² ÷ 2 by L-BFGS (Nocedal and Wright, Numerical
 * Optimization, algorithm 7.4). Deterministic.
 * @param wanted for each example 1 (yes), -1 (no) or 0 (left out)
 * @param cost how much an error costs, against large weights
 * @returns the weights of the columns, and the bias last
 */
export function fit(examples: Examples, wanted: Int8Array, cost: number): Float64Array {
  const { starts, columns, values, width } = examples;
  const gradient = new Float64Array(width + 1);
  const at = (weights: Float64Array): number => {
    gradient.set(weights);
    gradient[width] = 0;
    let loss = 0;
    for (let column = 0; column < width; column += 1) loss += (weights[column] as number) ** 2 / 2;
    for (let row = 0; row < wanted.length; row += 1) {
      const y = wanted[row] as number;
      if (y === 0) continue;
      const [from, to] = [starts[row] as number, starts[row + 1] as number];
      let score = weights[width] as number;
      for (let entry = from; entry < to; entry += 1)
        score += (weights[columns[entry] as number] as number) * (values[entry] as number);
      const odds = Math.exp(-Math.abs(score));
      loss += cost * (Math.log1p(odds) + Math.max(0, -y * score));
      const wrong = y * score > 0 ? odds / (1 + odds) : 1 / (1 + odds);
      const slope = -cost * y * wrong;
      for (let entry = from; entry < to; entry += 1)
        gradient[columns[entry] as number] =
          (gradient[columns[entry] as number] as number) + slope * (values[entry] as number);
      gradient[width] = (gradient[width] as number) + slope;
    }
    return loss;
  };
  return minimize(at, gradient);
}

/** @param at sets `gradient` for these weights and returns the loss */
function minimize(at: (weights: Float64Array) => number, gradient: Float64Array): Float64Array {
  let weights: Float64Array = new Float64Array(gradient.length);
  let loss = at(weights);
  let slope: Float64Array = gradient.slice();
  const first = Math.sqrt(product(slope, slope));
  const past: { moved: Float64Array; turned: Float64Array; scale: number }[] = [];
  for (let step = 0; step < MAX_STEPS && Math.sqrt(product(slope, slope)) > PRECISION * first; step += 1) {
    const direction = slope.map((value) => -value);
    const alphas = past.map(() => 0);
    for (let index = past.length - 1; index >= 0; index -= 1) {
      const { moved, turned, scale } = past[index] as (typeof past)[number];
      alphas[index] = product(moved, direction) / scale;
      add(direction, turned, -(alphas[index] as number));
    }
    const last = past.at(-1);
    const size = last === undefined ? 1 / Math.max(1, first) : last.scale / product(last.turned, last.turned);
    for (let index = 0; index < direction.length; index += 1) direction[index] = (direction[index] as number) * size;
    past.forEach(({ moved, turned, scale }, index) => {
      add(direction, moved, (alphas[index] as number) - product(turned, direction) / scale);
    });
    const descent = product(slope, direction);
    let length = 1;
    let next = moveBy(weights, direction, length);
    let nextLoss = at(next);
    while (nextLoss > loss + 1e-4 * length * descent && length > 1e-8) {
      length /= 2;
      next = moveBy(weights, direction, length);
      nextLoss = at(next);
    }
    const moved = next.map((value, index) => value - (weights[index] as number));
    const turned = gradient.map((value, index) => value - (slope[index] as number));
    const scale = product(moved, turned);
    if (scale > 1e-12) past.push({ moved, turned, scale });
    if (past.length > MEMORY) past.shift();
    [weights, loss, slope] = [next, nextLoss, gradient.slice()];
  }
  return weights;
}

function product(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index += 1) sum += (a[index] as number) * (b[index] as number);
  return sum;
}

function add(to: Float64Array, values: Float64Array, times: number): void {
  for (let index = 0; index < to.length; index += 1)
    to[index] = (to[index] as number) + times * (values[index] as number);
}

function moveBy(from: Float64Array, direction: Float64Array, length: number): Float64Array {
  return from.map((value, index) => value + length * (direction[index] as number));
}
