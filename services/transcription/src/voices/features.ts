import FFT from 'fft.js';

// jest looks globals up slowly, and these are asked for each frame.
const { PI, ceil, cos, floor, log, log10, log2, max, round, sin, sqrt } = Math;

// What a voice sounds like, every 10 ms: the shape of the spectrum (MFCC), the pitch, and the level. Everything is
// computed at 8 kHz, the rate of telephones, so that recordings of any rate are judged alike.

export const FRAME_MS = 10;
/** Coefficients 1 to 19; coefficient 0 is the loudness, which says nothing about the voice. */
export const COEFFICIENTS = 19;

const RATE = 8_000;
const HOP = (RATE * FRAME_MS) / 1000;
const WINDOW = 200;
const SPECTRUM = 256;
const BANDS = 24;
const MIN_HZ = 120;
const MAX_HZ = 3_700;
const PRE_EMPHASIS = 0.97;

/** Pitch is measured every second frame, from 60 to 400 Hz. */
const PITCH_EVERY = 2;
const PITCH_WINDOW = 320;
const PITCH_SPECTRUM = 512;
const MIN_LAG = 20;
const MAX_LAG = 133;
const MIN_PERIODIC = 0.6;
/** Softer frames hold no voice; their features are not computed. */
export const QUIET_DB = -65;

/** Coefficients are stored in 16 bit, at most ±256 each, so that three hours take 41 MB. */
const STORED_SCALE = 128;
/**
 * An hour. The C library maps blocks that large by themselves, so that they take no memory before they are written to,
 * and give it back when they are freed.
 */
const BLOCK_FRAMES = 360_000;
/** Samples at 16 kHz that are measured at a time. */
const SLICE = 16_000;

interface Block {
  mfcc: Int16Array;
  db: Float32Array;
  pitch: Float32Array;
}

/** The features of a recording, collected as it is decoded. */
export class VoiceFeatures {
  #frames = 0;
  readonly #blocks: Block[] = [];
  readonly #halver = new Halver();
  /** Samples at 8 kHz that the next frames need. One array for all, because garbage of this kind is collected late. */
  readonly #waiting = new Float32Array(PITCH_WINDOW + SLICE);
  #waitingCount = 0;
  readonly #mfcc = new Mfcc();
  readonly #pitch = new PitchTracker();

  get frames(): number {
    return this.#frames;
  }

  /** @param samples mono, 16 kHz */
  push(samples: Int16Array): void {
    for (let at = 0; at < samples.length; at += SLICE) this.#take(samples.subarray(at, at + SLICE));
  }

  #take(samples: Int16Array): void {
    const waiting = this.#waiting;
    const count = this.#waitingCount + this.#halver.halve(samples, waiting, this.#waitingCount);
    let at = 0;
    for (; at + PITCH_WINDOW <= count; at += HOP) this.#measure(waiting, at);
    waiting.copyWithin(0, at, count);
    this.#waitingCount = count - at;
  }

  #measure(samples: Float32Array, at: number): void {
    const index = this.#frames % BLOCK_FRAMES;
    if (index === 0) {
      this.#blocks.push({
        mfcc: new Int16Array(BLOCK_FRAMES * COEFFICIENTS),
        db: new Float32Array(BLOCK_FRAMES),
        pitch: new Float32Array(BLOCK_FRAMES),
      });
    }
    const block = this.#blocks[this.#blocks.length - 1] as Block;
    let power = 0;
    for (let i = 0; i < WINDOW; i += 1) power += (samples[at + i] as number) ** 2;
    const db = 10 * log10(power / WINDOW / 32_768 ** 2 + 1e-12);
    block.db[index] = db;
    if (db > QUIET_DB) {
      const coefficients = this.#mfcc.of(samples, at);
      for (let c = 0; c < COEFFICIENTS; c += 1)
        block.mfcc[index * COEFFICIENTS + c] = round((coefficients[c] as number) * STORED_SCALE);
      if (this.#frames % PITCH_EVERY === 0) block.pitch[index] = this.#pitch.of(samples, at);
      else block.pitch[index] = index > 0 ? (block.pitch[index - 1] as number) : 0;
    }
    this.#frames += 1;
  }

  /** @returns the level in dBFS */
  db(frame: number): number {
    return this.#blockOf(frame).db[frame % BLOCK_FRAMES] as number;
  }

  /** @returns the pitch as the natural logarithm of Hz; 0 where the sound has none */
  pitch(frame: number): number {
    return this.#blockOf(frame).pitch[frame % BLOCK_FRAMES] as number;
  }

  coefficient(frame: number, index: number): number {
    return (this.#blockOf(frame).mfcc[(frame % BLOCK_FRAMES) * COEFFICIENTS + index] as number) / STORED_SCALE;
  }

  #blockOf(frame: number): Block {
    return this.#blocks[floor(frame / BLOCK_FRAMES)] as Block;
  }
}

/** Halves the sample rate with a half-band low-pass filter (windowed sinc), of which every second tap is zero. */
class Halver {
  static readonly #reach = 15;
  readonly #taps = Float32Array.from({ length: Halver.#reach + 1 }, (_, k) =>
    k === 0 ? 0.5 : (sin((PI * k) / 2) / (PI * k)) * (0.54 + 0.46 * cos((PI * k) / 16)),
  );
  readonly #input = new Float32Array(3 * Halver.#reach + SLICE);
  /** Samples in the input that the next ones need. */
  #rest = Halver.#reach;

  /** @param samples at most SLICE @param out is written to from `from` on @returns how many samples that are */
  halve(samples: Int16Array, out: Float32Array, from: number): number {
    const reach = Halver.#reach;
    const input = this.#input;
    input.set(samples, this.#rest);
    const length = this.#rest + samples.length;
    const count = max(0, floor((length - 2 * reach + 1) / 2));
    for (let i = 0; i < count; i += 1) {
      const center = reach + 2 * i;
      let sum = 0.5 * (input[center] as number);
      for (let k = 1; k <= reach; k += 2)
        sum += (this.#taps[k] as number) * ((input[center - k] as number) + (input[center + k] as number));
      out[from + i] = sum;
    }
    input.copyWithin(0, 2 * count, length);
    this.#rest = length - 2 * count;
    return count;
  }
}

/** Mel-frequency cepstral coefficients. */
class Mfcc {
  readonly #fft = new FFT(SPECTRUM);
  readonly #input = new Float64Array(SPECTRUM);
  readonly #spectrum = new Float64Array(2 * SPECTRUM);
  readonly #power = new Float64Array(SPECTRUM / 2 + 1);
  readonly #logs = new Float64Array(BANDS);
  readonly #out = new Float64Array(COEFFICIENTS);
  readonly #window = Float64Array.from({ length: WINDOW }, (_, i) => 0.54 - 0.46 * cos((2 * PI * i) / (WINDOW - 1)));
  readonly #bands = melBands();
  readonly #cosines = Float64Array.from({ length: BANDS * COEFFICIENTS }, (_, i) => {
    const coefficient = floor(i / BANDS) + 1;
    return sqrt(2 / BANDS) * cos((PI * coefficient * ((i % BANDS) + 0.5)) / BANDS);
  });

  of(samples: Float32Array, at: number): Float64Array {
    for (let i = 0; i < WINDOW; i += 1) {
      const before = i === 0 ? (samples[at] as number) : (samples[at + i - 1] as number);
      this.#input[i] = ((samples[at + i] as number) - PRE_EMPHASIS * before) * (this.#window[i] as number);
    }
    this.#fft.realTransform(this.#spectrum, this.#input);
    for (let bin = 0; bin <= SPECTRUM / 2; bin += 1)
      this.#power[bin] = (this.#spectrum[2 * bin] as number) ** 2 + (this.#spectrum[2 * bin + 1] as number) ** 2;
    this.#bands.forEach(({ from, weights }, band) => {
      let energy = 0;
      for (let i = 0; i < weights.length; i += 1) energy += (weights[i] as number) * (this.#power[from + i] as number);
      this.#logs[band] = log(energy + 1);
    });
    for (let c = 0; c < COEFFICIENTS; c += 1) {
      let sum = 0;
      for (let band = 0; band < BANDS; band += 1)
        sum += (this.#cosines[c * BANDS + band] as number) * (this.#logs[band] as number);
      this.#out[c] = sum;
    }
    return this.#out;
  }
}

/** Triangular filters, evenly spaced on the mel scale. */
function melBands(): { from: number; weights: Float64Array }[] {
  const mel = (hertz: number) => 2_595 * log10(1 + hertz / 700);
  const hertz = (mels: number) => 700 * (10 ** (mels / 2_595) - 1);
  const edge = (i: number) => {
    const mels = mel(MIN_HZ) + ((mel(MAX_HZ) - mel(MIN_HZ)) * i) / (BANDS + 1);
    return (hertz(mels) * SPECTRUM) / RATE;
  };
  return Array.from({ length: BANDS }, (_, band) => {
    const [low, middle, high] = [edge(band), edge(band + 1), edge(band + 2)];
    const from = ceil(low);
    const weights = Float64Array.from({ length: max(1, floor(high) - from + 1) }, (_, i) => {
      const bin = from + i;
      return max(0, bin <= middle ? (bin - low) / (middle - low) : (high - bin) / (high - middle));
    });
    return { from, weights };
  });
}

/** Pitch by autocorrelation, divided by that of the window (Boersma 1993). */
class PitchTracker {
  readonly #fft = new FFT(PITCH_SPECTRUM);
  readonly #input = new Float64Array(PITCH_SPECTRUM);
  readonly #spectrum = new Float64Array(2 * PITCH_SPECTRUM);
  readonly #correlation = new Float64Array(2 * PITCH_SPECTRUM);
  readonly #scores = new Float64Array(MAX_LAG + 2);
  readonly #window = Float64Array.from(
    { length: PITCH_WINDOW },
    (_, i) => 0.5 - 0.5 * cos((2 * PI * (i + 0.5)) / PITCH_WINDOW),
  );
  readonly #ofWindow: Float64Array;

  constructor() {
    this.#input.set(this.#window);
    this.#correlate();
    this.#ofWindow = Float64Array.from(
      { length: MAX_LAG + 2 },
      (_, lag) => (this.#correlation[2 * lag] as number) / (this.#correlation[0] as number),
    );
  }

  /** @returns the natural logarithm of the pitch in Hz; 0 where there is none */
  of(samples: Float32Array, at: number): number {
    let mean = 0;
    for (let i = 0; i < PITCH_WINDOW; i += 1) mean += samples[at + i] as number;
    mean /= PITCH_WINDOW;
    for (let i = 0; i < PITCH_WINDOW; i += 1)
      this.#input[i] = ((samples[at + i] as number) - mean) * (this.#window[i] as number);
    this.#correlate();
    const power = this.#correlation[0] as number;
    if (power <= 0) return 0;
    for (let lag = MIN_LAG - 1; lag <= MAX_LAG + 1; lag += 1) {
      const periodic = (this.#correlation[2 * lag] as number) / power / (this.#ofWindow[lag] as number);
      this.#scores[lag] = periodic - 0.02 * log2(lag / MIN_LAG);
    }
    let best = 0;
    for (let lag = MIN_LAG; lag <= MAX_LAG; lag += 1) {
      const score = this.#scores[lag] as number;
      const peak = score >= (this.#scores[lag - 1] as number) && score > (this.#scores[lag + 1] as number);
      if (peak && (best === 0 || score > (this.#scores[best] as number))) best = lag;
    }
    if (best === 0 || (this.#scores[best] as number) < MIN_PERIODIC) return 0;
    const [a, b, c] = [
      this.#scores[best - 1] as number,
      this.#scores[best] as number,
      this.#scores[best + 1] as number,
    ];
    const curve = a - 2 * b + c;
    return log(RATE / (best + (curve < 0 ? (0.5 * (a - c)) / curve : 0)));
  }

  #correlate(): void {
    this.#fft.realTransform(this.#spectrum, this.#input);
    for (let bin = 0; bin <= PITCH_SPECTRUM / 2; bin += 1) {
      const power = (this.#spectrum[2 * bin] as number) ** 2 + (this.#spectrum[2 * bin + 1] as number) ** 2;
      const mirror = (PITCH_SPECTRUM - bin) % PITCH_SPECTRUM;
      this.#spectrum[2 * bin] = power;
      this.#spectrum[2 * bin + 1] = 0;
      this.#spectrum[2 * mirror] = power;
      this.#spectrum[2 * mirror + 1] = 0;
    }
    this.#fft.transform(this.#correlation, this.#spectrum);
  }
}
