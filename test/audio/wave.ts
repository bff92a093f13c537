/** Everything is mixed at this rate, which is also what the voices speak at and what the speech engines listen at. */
export const RATE = 16_000;

/** Full scale is 1. */
export type Samples = Float32Array;

/** @param ms milliseconds; @returns the sample at that time */
export function sampleAt(ms: number): number {
  return Math.round((ms / 1000) * RATE);
}

/** @returns the samples of a 16-bit mono WAV at {@link RATE}. @throws Error for any other kind of file */
export function readWav(bytes: Buffer): Samples {
  let at = 12;
  let data: Buffer | null = null;
  while (at + 8 <= bytes.length && data === null) {
    const id = bytes.toString('latin1', at, at + 4);
    const size = bytes.readUInt32LE(at + 4);
    if (
      id === 'fmt ' &&
      (bytes.readUInt16LE(at + 10) !== 1 || bytes.readUInt32LE(at + 12) !== RATE || bytes.readUInt16LE(at + 22) !== 16)
    ) {
      throw new Error(`expected 16-bit mono at ${RATE} Hz`);
    }
    if (id === 'data') data = bytes.subarray(at + 8, Math.min(at + 8 + size, bytes.length));
    at += 8 + size + (size % 2);
  }
  if (data === null) throw new Error('a WAV without a data chunk');
  const samples = new Float32Array(data.length >> 1);
  for (let i = 0; i < samples.length; i += 1) samples[i] = data.readInt16LE(i * 2) / 32_768;
  return samples;
}

/** @param tracks one per channel, all of the same length. @returns a 16-bit WAV at {@link RATE} */
export function writeWav(tracks: readonly Samples[]): Buffer {
  const frames = tracks[0]?.length ?? 0;
  const blockAlign = tracks.length * 2;
  const wav = Buffer.alloc(44 + frames * blockAlign);
  wav.write('RIFF', 0, 'latin1');
  wav.writeUInt32LE(wav.length - 8, 4);
  wav.write('WAVEfmt ', 8, 'latin1');
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(tracks.length, 22);
  wav.writeUInt32LE(RATE, 24);
  wav.writeUInt32LE(RATE * blockAlign, 28);
  wav.writeUInt16LE(blockAlign, 32);
  wav.writeUInt16LE(16, 34);
  wav.write('data', 36, 'latin1');
  wav.writeUInt32LE(frames * blockAlign, 40);
  tracks.forEach((track, channel) => {
    for (let i = 0; i < frames; i += 1) {
      const value = Math.max(-32_768, Math.min(32_767, Math.round((track[i] ?? 0) * 32_768)));
      wav.writeInt16LE(value, 44 + i * blockAlign + channel * 2);
    }
  });
  return wav;
}

/** Adds `samples` into `track` from sample `from` on; what would be outside is dropped. */
export function addAt(track: Samples, samples: Samples, from: number): void {
  const last = Math.min(samples.length, track.length - from);
  for (let i = Math.max(0, -from); i < last; i += 1) track[from + i] = (track[from + i] ?? 0) + (samples[i] ?? 0);
}

/** @param db gain in decibels. @returns new samples */
export function amplified(samples: Samples, db: number): Samples {
  const gain = 10 ** (db / 20);
  return samples.map((sample) => sample * gain);
}

/** @returns the sum of the tracks, sample by sample, at the given gain */
export function mixed(tracks: readonly Samples[], db = 0): Samples {
  const sum = new Float32Array(tracks[0]?.length ?? 0);
  for (const track of tracks) addAt(sum, track, 0);
  return amplified(sum, db);
}

/**
 * @returns root mean square of the samples that are not near silence, in dB below full scale: how loud somebody speaks
 * while speaking
 */
export function speechLevel(samples: Samples): number {
  let sum = 0;
  let count = 0;
  for (const sample of samples) {
    if (Math.abs(sample) < 0.005) continue;
    sum += sample * sample;
    count += 1;
  }
  return 10 * Math.log10(sum / Math.max(1, count));
}

/** Numbers in [0, 1) that are the same on every machine (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** @returns the hiss of a quiet room: low-passed noise. @param db its level below full scale */
export function roomNoise(length: number, db: number, seed: number): Samples {
  const random = seeded(seed);
  const noise = new Float32Array(length);
  let low = 0;
  let power = 0;
  for (let i = 0; i < length; i += 1) {
    low += 0.35 * (random() * 2 - 1 - low);
    noise[i] = low;
    power += low * low;
  }
  return amplified(noise, db - 10 * Math.log10(power / Math.max(1, length)));
}

/** @returns slow chords of three sines with a swell every two seconds, as a waiting caller hears them */
export function holdMusic(seconds: number): Samples {
  const chords = [
    [262, 330, 392],
    [220, 262, 330],
    [175, 220, 262],
    [196, 247, 294],
  ];
  const samples = new Float32Array(seconds * RATE);
  for (let i = 0; i < samples.length; i += 1) {
    const second = i / RATE;
    const chord = chords[Math.floor(second / 2) % chords.length] ?? [];
    const swell = Math.sin((Math.PI * (second % 2)) / 2) ** 0.5;
    samples[i] = chord.reduce((sum, hz) => sum + Math.sin(2 * Math.PI * hz * second), 0) * 0.08 * swell;
  }
  return samples;
}
