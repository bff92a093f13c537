import { expect } from '@jest/globals';
import { AV_CHANNEL_LAYOUT_MONO, AV_SAMPLE_FMT_S16P, FF_ENCODER_LIBMP3LAME } from 'node-av/constants';
import { Codec, CodecContext, FFmpegError, Frame, Packet } from 'node-av/lib';
import type { StandIn } from './index.ts';
import { SAMPLE_RATE } from './spectrum.ts';

export interface Answer {
  status: number;
  headers: Headers;
  /** Parsed if it is JSON. */
  body: unknown;
}

/** An error body of the API has exactly these keys. */
export const error = (code: string | null, param: string | null, message: unknown = expect.any(String)) => ({
  error: { message, type: expect.any(String), param, code },
});

/** For tests: asks for a transcription as any client would. */
export async function transcribe(
  { url, key }: Pick<StandIn, 'url' | 'key'>,
  file: Buffer | null,
  {
    name = 'piece.mp3',
    model = 'gpt-transcribe' as string | null,
    fields = [] as readonly (readonly [string, string])[],
    signal = null as AbortSignal | null,
  } = {},
): Promise<Answer> {
  const form = new FormData();
  if (file !== null) form.append('file', new Blob([new Uint8Array(file)]), name);
  if (model !== null) form.append('model', model);
  for (const [field, value] of fields) form.append(field, value);
  return answered(
    await fetch(`${url}/audio/transcriptions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: form,
      signal,
    }),
  );
}

/** For tests: sends JSON. @param path below /v1 */
export async function post({ url, key }: Pick<StandIn, 'url' | 'key'>, path: string, body: unknown): Promise<Answer> {
  return answered(
    await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }),
  );
}

export async function answered(response: Response): Promise<Answer> {
  const text = await response.text();
  let body: unknown = text;
  try {
    body = JSON.parse(text);
  } catch {
    // Not every answer is JSON, and a test may have asked for one that is broken.
  }
  return { status: response.status, headers: response.headers, body };
}

/** For tests: 16 kHz mono MP3, as a client of a speech endpoint sends it. @param kbps kilobits a second */
export function mp3Of(samples: Int16Array, kbps: number): Buffer<ArrayBuffer> {
  using encoder = new CodecContext();
  const codec = Codec.findEncoderByName(FF_ENCODER_LIBMP3LAME);
  if (codec === null) throw new Error('this build of FFmpeg has no MP3 encoder');
  encoder.allocContext3(codec);
  encoder.sampleRate = SAMPLE_RATE;
  encoder.sampleFormat = AV_SAMPLE_FMT_S16P;
  encoder.channelLayout = AV_CHANNEL_LAYOUT_MONO;
  encoder.bitRate = BigInt(kbps) * 1000n;
  check(encoder.open2Sync(codec, null));
  using frame = new Frame();
  using packet = new Packet();
  frame.alloc();
  packet.alloc();
  const packets: Buffer[] = [];
  const drain = () => {
    while (encoder.receivePacketSync(packet) >= 0) {
      if (packet.data !== null) packets.push(Buffer.from(packet.data));
      packet.unref();
    }
  };
  for (let at = 0; at < samples.length; at += encoder.frameSize) {
    const part = samples.slice(at, at + encoder.frameSize);
    frame.nbSamples = part.length;
    frame.format = AV_SAMPLE_FMT_S16P;
    frame.sampleRate = SAMPLE_RATE;
    frame.channelLayout = AV_CHANNEL_LAYOUT_MONO;
    frame.pts = BigInt(at);
    check(frame.allocBuffer());
    check(frame.fromBuffer(Buffer.from(part.buffer)));
    check(encoder.sendFrameSync(frame));
    frame.unref();
    drain();
  }
  check(encoder.sendFrameSync(null));
  drain();
  return Buffer.concat(packets);
}

function check(result: number): void {
  FFmpegError.throwIfError(result, 'encode MP3');
}

/** @returns the words of a text, in lower case and without punctuation */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];
}

/** @returns edits (a word missing, added or another) that make one of the other */
export function wordEdits(spoken: readonly string[], heard: readonly string[]): number {
  let row = Array.from({ length: heard.length + 1 }, (_, i) => i);
  spoken.forEach((word, i) => {
    const next = [i + 1];
    heard.forEach((other, j) => {
      next.push(Math.min((row[j] ?? 0) + (word === other ? 0 : 1), (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    });
    row = next;
  });
  return row.at(-1) ?? 0;
}

/** @returns the share of the spoken words that a recognizer got wrong, missed or made up; 0 is perfect */
export function wordErrorRate(spoken: string, heard: string): number {
  const words = wordsOf(spoken);
  return wordEdits(words, wordsOf(heard)) / words.length;
}
