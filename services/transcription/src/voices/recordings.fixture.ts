import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SpokenTurn } from '@call-analytics/stand-in/recordings';
import type { Requirement } from '@call-analytics/test/requirements.fixture.ts';
import { Decoding } from '../decode/decode.ts';
import { FRAME_MS, FRAME_SAMPLES, framesIn, Levels } from '../plan/frames.ts';
import type { Voices } from '../plan/planner.ts';
import { VoiceActivity } from '../plan/voice-activity.ts';
import { VoiceFeatures } from './features.ts';

/** An export of CAM++ beside the checkout, or where VOICE_MODEL points. */
export const VOICE_MODEL =
  process.env.VOICE_MODEL ||
  fileURLToPath(new URL('../../../../../shared/speech/campplus-zh-en-common.onnx', import.meta.url));

export const voiceModel: Requirement = { what: 'a speaker embedding (VOICE_MODEL)', present: existsSync(VOICE_MODEL) };

/** @returns the channels of a recording, at 16 kHz */
export async function decoded(path: string): Promise<Int16Array[]> {
  const dir = await mkdtemp(join(tmpdir(), 'voices-'));
  await copyFile(path, join(dir, 'recording'));
  const limits = { timeMs: 300_000, memoryBytes: 2 ** 30, audioSeconds: 4 * 3_600 };
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

export function sumOf(channels: readonly Int16Array[]): Int16Array {
  return Int16Array.from(channels[0] ?? [], (_, i) =>
    Math.round(0.7 * channels.reduce((sum, channel) => sum + (channel[i] ?? 0), 0)),
  );
}

/** @param step samples at a time */
export function heard(samples: Int16Array, step = 64_000): VoiceFeatures {
  const features = new VoiceFeatures();
  for (let at = 0; at < samples.length; at += step) features.push(samples.subarray(at, at + step));
  return features;
}

/** @returns three people on a channel each: every third turn of the second one becomes a faster and higher voice */
export function threePeople([first, second]: readonly Int16Array[], turns: readonly SpokenTurn[]): Int16Array[] {
  const rest = (second ?? new Int16Array()).slice();
  const third = new Int16Array(rest.length);
  turns
    .filter(({ channel }) => channel === 'right')
    .filter((_, index) => index % 3 === 1)
    .forEach(({ startMs, endMs }) => {
      const [from, to] = [startMs * 16, endMs * 16];
      for (let i = 0; i < (to - from) / 1.3; i += 1) third[from + i] = rest[from + Math.round(i * 1.3)] ?? 0;
      rest.fill(0, from, to);
    });
  return [first ?? new Int16Array(), rest, third];
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
 * Compares with who is heard on which channel, except where several are, and within 0.25 s of a change.
 * @returns the share of time under the wrong voice; each voice counts as the person whom it covers most
 */
export function wrongShare(channels: readonly Int16Array[], { stretches }: Voices): number {
  const people = channels.map(spoken);
  const frames = Math.floor((channels[0]?.length ?? 0) / FRAME_SAMPLES);
  const collar = framesIn(250);
  const steady = (activity: VoiceActivity, frame: number) =>
    activity.at(frame - collar) === activity.at(frame) && activity.at(frame + collar) === activity.at(frame);
  const time = new Map<number, number[]>();
  let total = 0;
  for (let frame = collar; frame < frames - collar; frame += 1) {
    const speaking = people.filter((activity) => activity.at(frame));
    if (speaking.length !== 1 || !people.every((activity) => steady(activity, frame))) continue;
    const voice = stretches.find(({ endMs }) => endMs > frame * FRAME_MS)?.voice ?? -1;
    const person = people.findIndex((activity) => activity.at(frame));
    const byPerson = time.get(voice) ?? people.map(() => 0);
    time.set(
      voice,
      byPerson.map((count, index) => count + (index === person ? 1 : 0)),
    );
    total += 1;
  }
  const right = [...time.values()].reduce((sum, byPerson) => sum + Math.max(...byPerson), 0);
  return 1 - right / total;
}
