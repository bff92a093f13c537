export const SAMPLE_RATE = 16_000;
/** One row of the spectrum every 20 ms. */
export const HOP_MS = 20;
const BANDS = 12;

const HOP = (SAMPLE_RATE * HOP_MS) / 1000;
const WINDOW = 512;
/** Below the loudest row nothing more than this is looked at. Room noise and the losses of compression lie there. */
const DEPTH_DB = 45;
/** What telephones carry: bands between these survive any sample rate. Hz. */
const LOWEST = 200;
const HIGHEST = 3_600;

/**
 * How loud each band is in each row, in dB above a floor that hangs on the loudest row: the same for a quiet and a loud
 * copy of one recording.
 */
export interface Spectrum {
  rows: number;
  /** `rows` times {@link BANDS}. */
  values: Float32Array;
  /** dB below full scale of each row. */
  levels: Float32Array;
  loudest: number;
}

/** A global that is looked up millions of times costs as much as the rest where tests run. */
const { log10 } = Math;

const window = Float32Array.from({ length: WINDOW }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / (WINDOW - 1)));
const cosines = Float64Array.from({ length: WINDOW / 2 }, (_, i) => Math.cos((2 * Math.PI * i) / WINDOW));
const sines = Float64Array.from({ length: WINDOW / 2 }, (_, i) => Math.sin((2 * Math.PI * i) / WINDOW));
/** Each band has one bin at least. */
const edges = Array.from({ length: BANDS + 1 }, (_, i) =>
  Math.round(((LOWEST * (HIGHEST / LOWEST) ** (i / BANDS)) / SAMPLE_RATE) * WINDOW),
);

/** @param samples 16 kHz, one channel */
export function spectrumOf(samples: Int16Array): Spectrum {
  const rows = Math.ceil(samples.length / HOP);
  const values = new Float32Array(rows * BANDS);
  const levels = new Float32Array(rows);
  const re = new Float64Array(WINDOW);
  const im = new Float64Array(WINDOW);
  let loudest = Number.NEGATIVE_INFINITY;
  const fill = (part: Float64Array, row: number): number => {
    const from = row * HOP - (WINDOW - HOP) / 2;
    let power = 0;
    for (let i = 0; i < WINDOW; i += 1) {
      const sample = (samples[from + i] ?? 0) / 32_768;
      power += sample * sample;
      part[i] = sample * (window[i] as number);
    }
    return power;
  };
  // Two rows in one transform, as the real and the imaginary part of its input: what each of them gives is told apart
  // by symmetry.
  for (let row = 0; row < rows; row += 2) {
    const powers = [fill(re, row), fill(im, row + 1)];
    fft(re, im);
    for (const half of row + 1 < rows ? [0, 1] : [0]) {
      const level = decibels((powers[half] as number) / WINDOW);
      levels[row + half] = level;
      if (level > loudest) loudest = level;
      for (let band = 0; band < BANDS; band += 1) {
        const low = edges[band] as number;
        const high = edges[band + 1] as number;
        let sum = 0;
        for (let bin = low; bin < high; bin += 1) sum += powerOf(half, bin, re, im);
        values[(row + half) * BANDS + band] = decibels(sum / (WINDOW * WINDOW * 0.1875));
      }
    }
  }
  const floor = loudest - DEPTH_DB;
  for (let i = 0; i < values.length; i += 1) values[i] = Math.max(0, (values[i] ?? 0) - floor);
  return { rows, values, levels, loudest };
}

function decibels(power: number): number {
  return 10 * log10(power + 1e-12);
}

/** @returns the power of one bin, of the real part of what was transformed (`half` 0) or of the imaginary part (1) */
function powerOf(half: number, bin: number, re: Float64Array, im: Float64Array): number {
  const mirror = WINDOW - bin;
  const [a, b, c, d] = [re[bin] as number, im[bin] as number, re[mirror] as number, im[mirror] as number];
  return half === 0 ? ((a + c) ** 2 + (b - d) ** 2) / 4 : ((b + d) ** 2 + (c - a) ** 2) / 4;
}

/** In place, radix 2, {@link WINDOW} points. */
function fft(re: Float64Array, im: Float64Array): void {
  for (let i = 1, j = 0; i < WINDOW; i += 1) {
    let bit = WINDOW >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) {
      [re[i], re[j]] = [re[j] ?? 0, re[i] ?? 0];
      [im[i], im[j]] = [im[j] ?? 0, im[i] ?? 0];
    }
  }
  for (let size = 2; size <= WINDOW; size *= 2) {
    const half = size / 2;
    const step = WINDOW / size;
    for (let start = 0; start < WINDOW; start += size) {
      for (let k = 0; k < half; k += 1) {
        const cos = cosines[k * step] ?? 0;
        const sin = sines[k * step] ?? 0;
        const a = start + k;
        const b = a + half;
        const bRe = (re[b] ?? 0) * cos + (im[b] ?? 0) * sin;
        const bIm = (im[b] ?? 0) * cos - (re[b] ?? 0) * sin;
        re[b] = (re[a] ?? 0) - bRe;
        im[b] = (im[a] ?? 0) - bIm;
        re[a] = (re[a] ?? 0) + bRe;
        im[a] = (im[a] ?? 0) + bIm;
      }
    }
  }
}

/** A spectrum that pieces are looked for in. */
export interface Searchable {
  spectrum: Spectrum;
  /** Its rows' means, once for each row that the first of them may begin at. */
  rough: Means[];
}

/** Where a piece is: row `query` of it is row `query + shift` of the spectrum that it was found in. */
interface Place {
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

/**
 * A place is looked for among means of rows first, which costs an eighth, and then between the rows around the best of
 * these.
 */
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

/**
 * Pearson's correlation of rows `from` to `to` of one with the rows `shift` later of the other; what lies outside a
 * recording is silence.
 */
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
