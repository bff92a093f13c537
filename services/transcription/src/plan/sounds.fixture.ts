import { FRAME_SAMPLES, SAMPLE_RATE } from './frames.ts';

// jest looks globals up slowly, and these are asked for each sample.
const { abs, imul, max, min, PI, round, sin } = Math;

// Reproducible sounds for tests: a "voice" is noise that swells and fades four times a second, like syllables.

export interface Sound {
  atSeconds: number;
  seconds: number;
  /** Another seed is another voice. */
  seed: number;
  /** Loudness in dBFS. */
  db: number;
}

/** @returns a track with these voices and a soft noise floor */
export function track(seconds: number, voices: readonly Sound[], { floorDb = -75, seed = 99 } = {}): Float32Array {
  const samples = noise(seconds, seed, floorDb);
  for (const { atSeconds, ...sound } of voices) {
    const at = round(atSeconds * SAMPLE_RATE);
    const said = voice(sound).subarray(0, samples.length - at);
    for (let i = 0; i < said.length; i += 1) samples[at + i] = (samples[at + i] as number) + (said[i] as number);
  }
  return samples;
}

export function voice({ seconds, seed, db }: Omit<Sound, 'atSeconds'>): Float32Array {
  const random = generator(seed);
  const samples = noise(seconds, seed + 1_000, db);
  let from = 0.3;
  let to = 1;
  let phase = 0;
  for (let i = 0; i < samples.length; i += 1) {
    phase += 1 / (SAMPLE_RATE * (0.18 + 0.1 * to));
    if (phase >= 1) {
      phase -= 1;
      from = to;
      // Every syllable has its own strength, so that two voices are never in step.
      to = 0.08 + 0.92 * abs(random()) ** 1.5;
    }
    samples[i] = (samples[i] as number) * (from + (to - from) * phase) * (0.25 + 0.75 * sin(PI * phase));
  }
  return samples;
}

export function noise(seconds: number, seed: number, db: number): Float32Array {
  const random = generator(seed);
  const amplitude = Math.sqrt(3) * 10 ** (db / 20);
  const samples = new Float32Array(round(seconds * SAMPLE_RATE));
  let last = 0;
  for (let i = 0; i < samples.length; i += 1) {
    // Somewhat low, as voices are.
    last = 0.6 * last + 0.8 * random();
    samples[i] = last * amplitude;
  }
  return samples;
}

export function tone(seconds: number, hertz: number, db: number): Float32Array {
  const amplitude = Math.SQRT2 * 10 ** (db / 20);
  return new Float32Array(round(seconds * SAMPLE_RATE)).map(
    (_, i) => amplitude * sin((2 * PI * hertz * i) / SAMPLE_RATE),
  );
}

export function scaled(samples: Float32Array, db: number, { sign = 1, delaySeconds = 0 } = {}): Float32Array {
  const shift = round(delaySeconds * SAMPLE_RATE);
  const gain = sign * 10 ** (db / 20);
  const out = new Float32Array(samples.length);
  for (let i = shift; i < out.length; i += 1) out[i] = (samples[i - shift] as number) * gain;
  return out;
}

export function mixed(...tracks: Float32Array[]): Float32Array {
  const sum = new Float32Array(max(...tracks.map(({ length }) => length)));
  for (const samples of tracks)
    for (let i = 0; i < samples.length; i += 1) sum[i] = (sum[i] as number) + (samples[i] as number);
  return sum;
}

export function joined(...tracks: Float32Array[]): Float32Array {
  const whole = new Float32Array(tracks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const samples of tracks) {
    whole.set(samples, at);
    at += samples.length;
  }
  return whole;
}

/** @returns what a decoder gives: interleaved, 16 bit, whole frames */
export function pcm(...channels: Float32Array[]): Int16Array {
  const frames = Math.floor(min(...channels.map(({ length }) => length)) / FRAME_SAMPLES);
  const out = new Int16Array(frames * FRAME_SAMPLES * channels.length);
  channels.forEach((samples, channel) => {
    for (let i = 0; i < frames * FRAME_SAMPLES; i += 1) {
      out[i * channels.length + channel] = max(-32_768, min(32_767, round((samples[i] as number) * 32_768)));
    }
  });
  return out;
}

/** @returns numbers from -1 to 1 */
function generator(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0;
  return () => {
    state = (imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}
