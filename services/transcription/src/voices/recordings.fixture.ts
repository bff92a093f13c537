import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Decoding } from '../decode/decode.ts';
import { FRAME_MS, FRAME_SAMPLES, framesIn, Levels } from '../plan/frames.ts';
import type { Voices } from '../plan/planner.ts';
import { VoiceActivity } from '../plan/voice-activity.ts';
import { VoiceFeatures } from './features.ts';

/** @returns the channels of a recording, at 16 kHz */
export async function decoded(path: string): Promise<Int16Array[]> {
  const dir = await mkdtemp(join(tmpdir(), 'voices-'));
  await copyFile(path, join(dir, 'recording'));
  const limits = { timeMs: 60_000, memoryBytes: 2 ** 30, audioSeconds: 3_600 };
  const decoding = new Decoding(dir, limits, new AbortController().signal);
  try {
    const count = await decoding.open(1e9);
    const chunks: Int16Array[] = [];
    for await (const samples of decoding.samples()) chunks.push(samples);
    const all = new Int16Array(chunks.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const chunk of chunks) {
      all.set(chunk, at);
      at += chunk.length;
    }
    const frames = Math.floor(all.length / count / FRAME_SAMPLES) * FRAME_SAMPLES;
    return Array.from({ length: count }, (_, channel) =>
      Int16Array.from({ length: frames }, (_, i) => all[i * count + channel] as number),
    );
  } finally {
    await decoding.close();
    await rm(dir, { recursive: true });
  }
}

/** @param db how much louder the second one is */
export function inOneChannel([first, second]: readonly Int16Array[], db = 0): Int16Array {
  const gain = 10 ** (db / 20);
  const scale = 0.7 / Math.max(1, gain);
  return (first ?? new Int16Array()).map((sample, i) => Math.round(scale * (sample + gain * (second?.[i] ?? 0))));
}

/** @param step samples at a time */
export function heard(samples: Int16Array, step = 64_000): VoiceFeatures {
  const features = new VoiceFeatures();
  for (let at = 0; at < samples.length; at += step) features.push(samples.subarray(at, at + step));
  return features;
}

/** @returns which frames of a channel hold speech */
function spoken(channel: Int16Array): VoiceActivity {
  const levels = new Levels(1);
  levels.push(channel);
  const [only] = levels.channels;
  if (only === undefined) throw new Error('one channel');
  const activity = new VoiceActivity(only);
  activity.advance(true);
  return activity;
}

/**
 * Compares with who is heard on which channel, except where both are, and within 0.25 s of a change.
 * @returns the share of time under the wrong voice, with the better of both ways round
 */
export function wrongShare(channels: readonly Int16Array[], { stretches }: Voices): number {
  const [first, second] = channels.map(spoken);
  const frames = Math.floor((channels[0]?.length ?? 0) / FRAME_SAMPLES);
  const collar = framesIn(250);
  const steady = (activity: VoiceActivity | undefined, frame: number) =>
    activity?.at(frame - collar) === activity?.at(frame) && activity?.at(frame + collar) === activity?.at(frame);
  let right = 0;
  let wrong = 0;
  for (let frame = collar; frame < frames - collar; frame += 1) {
    if (first?.at(frame) === second?.at(frame) || !steady(first, frame) || !steady(second, frame)) continue;
    const voice = stretches.find(({ endMs }) => endMs > frame * FRAME_MS)?.voice;
    if ((voice === 0) === first?.at(frame)) right += 1;
    else wrong += 1;
  }
  return Math.min(right, wrong) / (right + wrong);
}
