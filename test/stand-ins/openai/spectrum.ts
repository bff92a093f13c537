export const SAMPLE_RATE = 16_000;
/** One row of the spectrum every 20 ms. */
export const HOP_MS = 20;
export const BANDS = 12;

const HOP = (SAMPLE_RATE * HOP_MS) / 1000;
const WINDOW = 512;
/** Below the loudest row nothing more than this is looked at. Room noise and the losses of compression lie there. */
const DEPTH_DB = 45;
/** What telephones carry: bands between these survive any sample rate. Hz. */
const LOWEST = 200;
const HIGHEST = 3_600;

/** How loud each band is in each row, in dB above a floor that hangs on the loudest row: the same for a quiet and a loud copy of one recording. */
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
  // Two rows in one transform, as the real and the imaginary part of its input: what each of them gives is told apart by symmetry.
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
