import FFT from 'fft.js';
import { InferenceSession, Tensor } from 'onnxruntime-node';

// What a speaker embedding is computed from: the log-mel filter bank of Kaldi, as its training used it.
// https://github.com/kaldi-asr/kaldi/blob/master/src/feat/feature-fbank.h

const { PI, cos, log, max, sqrt } = Math;

const RATE = 16_000;
const HOP = 160;
const WINDOW = 400;
const SPECTRUM = 512;
export const BANDS = 80;
const MIN_HZ = 20;
const PRE_EMPHASIS = 0.97;
const FULL_SCALE = 32_768;
/** Kaldi's floor of energies, so that digital silence has a logarithm. */
const MIN_ENERGY = 2 ** -23;

interface Band {
  from: number;
  weights: Float64Array;
}

/** The energy of 80 bands every 10 ms. */
export class FilterBank {
  readonly #fft = new FFT(SPECTRUM);
  readonly #input = new Float64Array(SPECTRUM);
  readonly #spectrum = new Float64Array(2 * SPECTRUM);
  readonly #window = Float64Array.from(
    { length: WINDOW },
    (_, i) => (0.5 - 0.5 * cos((2 * PI * i) / (WINDOW - 1))) ** 0.85,
  );
  readonly #bands = bands();

  /**
   * @param samples mono, 16 kHz, at least 25 ms
   * @returns BANDS values for each 10 ms; the mean of each band is 0, so that a level or a filter makes no difference
   */
  of(samples: Int16Array): Float32Array {
    const frames = Math.floor((samples.length - WINDOW) / HOP) + 1;
    const values = new Float32Array(frames * BANDS);
    for (let frame = 0; frame < frames; frame += 1) {
      this.#transform(samples, frame * HOP);
      this.#bands.forEach(({ from, weights }, band) => {
        let energy = 0;
        for (let i = 0; i < weights.length; i += 1) energy += (weights[i] as number) * this.#power(from + i);
        values[frame * BANDS + band] = log(max(energy, MIN_ENERGY));
      });
    }
    for (let band = 0; band < BANDS; band += 1) {
      let mean = 0;
      for (let i = band; i < values.length; i += BANDS) mean += (values[i] as number) / frames;
      for (let i = band; i < values.length; i += BANDS) values[i] = (values[i] as number) - mean;
    }
    return values;
  }

  #transform(samples: Int16Array, at: number): void {
    let mean = 0;
    for (let i = 0; i < WINDOW; i += 1) mean += (samples[at + i] as number) / WINDOW;
    for (let i = 0; i < WINDOW; i += 1) {
      const here = (samples[at + i] as number) - mean;
      const before = (samples[at + max(0, i - 1)] as number) - mean;
      this.#input[i] = ((here - PRE_EMPHASIS * before) / FULL_SCALE) * (this.#window[i] as number);
    }
    this.#fft.realTransform(this.#spectrum, this.#input);
  }

  #power(bin: number): number {
    return (this.#spectrum[2 * bin] as number) ** 2 + (this.#spectrum[2 * bin + 1] as number) ** 2;
  }
}

/** Triangular filters, evenly spaced on the mel scale. */
function bands(): Band[] {
  const mel = (hertz: number) => 1_127 * log(1 + hertz / 700);
  const lowest = mel(MIN_HZ);
  const step = (mel(RATE / 2) - lowest) / (BANDS + 1);
  return Array.from({ length: BANDS }, (_, band) => {
    const middle = lowest + (band + 1) * step;
    const weights = Array.from({ length: SPECTRUM / 2 }, (_, bin) =>
      max(0, 1 - Math.abs(mel((bin * RATE) / SPECTRUM) - middle) / step),
    );
    const from = weights.findIndex((weight) => weight > 0);
    return { from, weights: Float64Array.from(weights.slice(from, weights.findLastIndex((w) => w > 0) + 1)) };
  });
}

/** CAM++, a network that maps speech to a point, near to those of the same voice. */
export class SpeakerEmbedding {
  readonly #session: InferenceSession;
  readonly #bank = new FilterBank();

  private constructor(session: InferenceSession) {
    this.#session = session;
  }

  /** @param file of the model @throws when it cannot be read or is no model */
  static async open(file: string): Promise<SpeakerEmbedding> {
    const session = await InferenceSession.create(file, {
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      enableCpuMemArena: false,
      enableMemPattern: false,
    });
    return new SpeakerEmbedding(session);
  }

  /** @param samples mono, 16 kHz, a second or more @returns a vector of length 1 */
  async of(samples: Int16Array): Promise<Float32Array> {
    const values = this.#bank.of(samples);
    const [input = '', output = ''] = [this.#session.inputNames[0], this.#session.outputNames[0]];
    const shape = [1, values.length / BANDS, BANDS];
    const answer = await this.#session.run({ [input]: new Tensor('float32', values, shape) });
    const vector = answer[output]?.data as Float32Array;
    const length = sqrt(vector.reduce((sum, value) => sum + value * value, 0)) || 1;
    return vector.map((value) => value / length);
  }
}
