import { Decoder, Demuxer, FilterAPI } from 'node-av/api';
import { AV_LOG_QUIET } from 'node-av/constants';
import { Log } from 'node-av/lib';
import { SAMPLE_RATE } from './spectrum.ts';

/** Seconds, beyond which decoding stops: no model takes as much. */
const MAX_SECONDS = 3 * 3600;

interface Decoded {
  /** 16 kHz PCM of each channel; one when mixed. */
  channels: Int16Array[];
  seconds: number;
}

/**
 * Decodes any audio file that the API takes.
 * @param keep `mono` mixes the channels, `stereo` gives two
 * @returns null when it holds no audio that can be decoded
 */
export function decodeAudio(bytes: Buffer, keep: 'mono' | 'stereo'): Decoded | null {
  Log.setLevel(AV_LOG_QUIET);
  const parts: Buffer[] = [];
  const count = keep === 'mono' ? 1 : 2;
  let samples = 0;
  try {
    using input = Demuxer.openSync(bytes);
    const stream = input.audio();
    if (stream === undefined) return null;
    using decoder = Decoder.createSync(stream);
    using filter = FilterAPI.create(
      `aresample=${SAMPLE_RATE},aformat=sample_fmts=s16:channel_layouts=${keep},asetnsamples=n=${SAMPLE_RATE}:p=0`,
    );
    for (const frame of filter.framesSync(decoder.framesSync(input.packetsSync(stream.index)))) {
      const plane = frame?.data?.[0];
      if (frame === null || plane === undefined) continue;
      parts.push(Buffer.from(plane.subarray(0, frame.nbSamples * count * 2)));
      samples += frame.nbSamples;
      frame.free();
      if (samples > MAX_SECONDS * SAMPLE_RATE) break;
    }
  } catch {
    // What comes after the last whole frame may be anything: a recorder's notes, a torn end. What was decoded before it
    // counts.
  }
  if (samples === 0) return null;
  return { channels: deinterleaved(Buffer.concat(parts), count), seconds: samples / SAMPLE_RATE };
}

function deinterleaved(pcm: Buffer, count: number): Int16Array[] {
  const frames = Math.floor(pcm.length / 2 / count);
  const all = new Int16Array(pcm.buffer.slice(pcm.byteOffset, pcm.byteOffset + frames * 2 * count));
  if (count === 1) return [all];
  return Array.from({ length: count }, (_, channel) => {
    const samples = new Int16Array(frames);
    for (let i = 0; i < frames; i += 1) samples[i] = all[i * count + channel] as number;
    return samples;
  });
}
