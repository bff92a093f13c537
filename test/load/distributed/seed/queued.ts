import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { minioAudioStore, s3Options } from '@call-analytics/audio-store/minio';
import { Calls, type NewCall } from '@call-analytics/calls';
import { openMongoCallStore } from '@call-analytics/calls/mongo';
import type { Environment } from '../environment/installation.ts';
import { audioSettings } from '../environment/settings.ts';

const WRITERS = 32;

/** Accepted calls and their recordings, as uploads leave them. */
export async function seedQueuedCalls(
  environment: Environment,
  { calls: count, accounts, recording }: { calls: number; accounts: number; recording: Buffer },
): Promise<void> {
  const store = await openMongoCallStore({ url: environment.MONGODB_URL });
  const audioStore = minioAudioStore(s3Options(audioSettings(environment)));
  const calls = new Calls(store);
  try {
    for (let n = 0; n < count; n += 1) {
      const key = randomUUID();
      await audioStore.put(key, Readable.from([recording]));
      await calls.accept(queuedCall(`account-${n % accounts}`, key, recording));
    }
  } finally {
    await store.close();
  }
}

/**
 * An installation in which one account has very many calls waiting. They share one recording, of the key `recording`:
 * nothing may delete it.
 */
export async function seedBacklog(
  environment: Environment,
  { calls: count, recording }: { calls: number; recording: Buffer },
): Promise<void> {
  const store = await openMongoCallStore({ url: environment.MONGODB_URL });
  const calls = new Calls(store);
  try {
    await minioAudioStore(s3Options(audioSettings(environment))).put('recording', Readable.from([recording]));
    let left = count;
    const insert = async () => {
      for (; left > 0; left -= 1) await calls.accept(queuedCall('many', 'recording', recording));
    };
    await Promise.all(Array.from({ length: WRITERS }, insert));
  } finally {
    await store.close();
  }
}

/** @param key of the recording in the audio store */
export function queuedCall(accountId: string, key: string, recording: Buffer): NewCall {
  return {
    accountId,
    fileName: 'call.mp3',
    reportType: 'medium',
    audio: { key, bytes: recording.length, format: 'mp3', seconds: 120 },
  };
}
