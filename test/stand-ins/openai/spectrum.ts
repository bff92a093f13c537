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

const window = Float32Array.from({ length: WINDOW }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / (WINDOW - 1)));
const cosines = Float64Array.from({ length: WINDOW / 2 }, (_, i) => Math.cos((2 * Math.PI * i) / WINDOW));
const sines = Float64Array.from({ length: WINDOW / 2 }, (_, i) => Math.sin((2 * Math.PI * i) / WINDOW));
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
  for (let row = 0; row < rows; row += 1) {
    const from = row * HOP - (WINDOW - HOP) / 2;
    let power = 0;
    for (let i = 0; i < WINDOW; i += 1) {
      const sample = (samples[from + i] ?? 0) / 32_768;
      power += sample * sample;
      re[i] = sample * (window[i] ?? 0);
      im[i] = 0;
    }
    fft(re, im);
    levels[row] = decibels(power / WINDOW);
    loudest = Math.max(loudest, levels[row] ?? loudest);
    for (let band = 0; band < BANDS; band += 1) {
      const low = edges[band] ?? 0;
      const high = Math.max(low + 1, edges[band + 1] ?? 0);
      let sum = 0;
      for (let bin = low; bin < high; bin += 1) sum += (re[bin] ?? 0) ** 2 + (im[bin] ?? 0) ** 2;
      values[row * BANDS + band] = decibels(sum / (WINDOW * WINDOW * 0.1875));
    }
  }
  const floor = loudest - DEPTH_DB;
  for (let i = 0; i < values.length; i += 1) values[i] = Math.max(0, (values[i] ?? 0) - floor);
  return { rows, values, levels, loudest };
}

function decibels(power: number): number {
  return 10 * Math.log10(power + 1e-12);
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
