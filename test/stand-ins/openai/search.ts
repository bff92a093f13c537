import { BANDS, type Spectrum } from './spectrum.ts';

/** A spectrum that pieces are looked for in. */
export interface Searchable {
  spectrum: Spectrum;
  /** Its rows' means, once for each row that the first of them may begin at. */
  rough: Means[];
}

/** Where a piece is: row `query` of it is row `query + shift` of the spectrum that it was found in. */
export interface Place {
  shift: number;
  /** Pearson's correlation, 1 for a copy. */
  score: number;
}

/** Means of {@link MEAN_ROWS} rows each, with the sums of all values, and of their squares, before each of them. */
interface Means {
  rows: number;
  values: Float32Array;
  sums: Float64Array;
  squares: Float64Array;
}

/** A place is looked for among means of rows first, which costs an eighth, and then between the rows around the best of these. */
const MEAN_ROWS = 4;
const STEP_ROWS = 2;
const CANDIDATES = 8;

export function searchable(spectrum: Spectrum): Searchable {
  const rough: Means[] = [];
  for (let first = 0; first < MEAN_ROWS; first += STEP_ROWS) rough.push(meansOf(spectrum, first, spectrum.rows));
  return { spectrum, rough };
}

/** @returns where rows `from` to `to` of the query are most likely; null when the other is shorter */
export function bestPlaceIn(other: Searchable, query: Spectrum, from: number, to: number): Place | null {
  const piece = meansOf(query, from, to);
  const candidates = other.rough
    .flatMap((means, phase) =>
      Array.from(scan(piece, means), (score, at) => ({ score, shift: at * MEAN_ROWS + phase * STEP_ROWS - from })),
    )
    .sort((a, b) => b.score - a.score)
    .slice(0, CANDIDATES);
  let best: Place | null = null;
  for (const { shift: about } of candidates) {
    for (let shift = about - STEP_ROWS; shift <= about + STEP_ROWS; shift += 1) {
      const score = correlation(query, from, to, other.spectrum, shift);
      if (best === null || score > best.score) best = { shift, score };
    }
  }
  return best;
}

/** Pearson's correlation of rows `from` to `to` of one with the rows `shift` later of the other; what lies outside a recording is silence. */
export function correlation(query: Spectrum, from: number, to: number, other: Spectrum, shift: number): number {
  let sumA = 0;
  let sumB = 0;
  let sumAA = 0;
  let sumBB = 0;
  let sumAB = 0;
  for (let i = from * BANDS, j = (from + shift) * BANDS; i < to * BANDS; i += 1, j += 1) {
    const a = query.values[i] ?? 0;
    const b = other.values[j] ?? 0;
    sumA += a;
    sumB += b;
    sumAA += a * a;
    sumBB += b * b;
    sumAB += a * b;
  }
  return pearson((to - from) * BANDS, sumA, sumB, sumAA, sumBB, sumAB);
}

/** The correlation of the piece with every place of the other. */
function scan(piece: Means, other: Means): Float32Array {
  const scores = new Float32Array(Math.max(0, other.rows - piece.rows + 1));
  const length = piece.values.length;
  const [a, b] = [piece.values, other.values];
  const [sumA, sumAA] = [piece.sums[piece.rows] as number, piece.squares[piece.rows] as number];
  for (let at = 0; at < scores.length; at += 1) {
    const start = at * BANDS;
    let sumAB = 0;
    for (let i = 0; i < length; i += 1) sumAB += (a[i] as number) * (b[start + i] as number);
    const sumB = (other.sums[at + piece.rows] as number) - (other.sums[at] as number);
    const sumBB = (other.squares[at + piece.rows] as number) - (other.squares[at] as number);
    scores[at] = pearson(length, sumA, sumB, sumAA, sumBB, sumAB);
  }
  return scores;
}

function meansOf({ values }: Spectrum, from: number, to: number): Means {
  const rows = Math.floor((to - from) / MEAN_ROWS);
  const means = {
    rows,
    values: new Float32Array(rows * BANDS),
    sums: new Float64Array(rows + 1),
    squares: new Float64Array(rows + 1),
  };
  for (let row = 0; row < rows; row += 1) {
    let [sum, square] = [means.sums[row] as number, means.squares[row] as number];
    for (let band = 0; band < BANDS; band += 1) {
      let mean = 0;
      for (let i = 0; i < MEAN_ROWS; i += 1)
        mean += (values[(from + row * MEAN_ROWS + i) * BANDS + band] as number) / MEAN_ROWS;
      means.values[row * BANDS + band] = mean;
      sum += mean;
      square += mean * mean;
    }
    means.sums[row + 1] = sum;
    means.squares[row + 1] = square;
  }
  return means;
}

function pearson(n: number, sumA: number, sumB: number, sumAA: number, sumBB: number, sumAB: number): number {
  const spread = (sumAA - (sumA * sumA) / n) * (sumBB - (sumB * sumB) / n);
  return spread < 1 ? 0 : (sumAB - (sumA * sumB) / n) / Math.sqrt(spread);
}
