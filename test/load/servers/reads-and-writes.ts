import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { AudioStore } from '@call-analytics/audio-store';
import type { Calls } from '@call-analytics/calls';
import type { Consumer, Messaging } from '@call-analytics/messaging';
import type { Logger, Metrics, Part } from '@call-analytics/service-kit';
import { assertLeaseHeld, workOnStage } from '@call-analytics/worker';
import { SAMPLE_SEGMENT, SAMPLE_TRANSCRIPT } from '../seed/sample.ts';

/** As services/transcription by default. */
const TRANSCRIPTION_CONCURRENCY = 2;

/**
 * Transcription without decoding: all its reads and writes for one segment, and nothing else.
 * @param parts.engineMs what the engine takes for the segment
 */
export function readsAndWritesAlone(parts: {
  calls: Calls;
  audioStore: AudioStore;
  messaging: Messaging;
  metrics: Metrics;
  log: Logger;
  workDir: string;
  engineMs?: number;
}): Part {
  const { calls, audioStore, messaging, workDir, engineMs = 0 } = parts;
  const stop = new AbortController().signal;
  let consumer: Consumer | null = null;
  return {
    name: 'transcription',
    async start() {
      consumer = await messaging.consume(
        'transcription',
        (message) =>
          workOnStage({ ...parts, stage: 'transcription', message, stop }, async ({ call, lease }) => {
            const dir = await mkdtemp(join(workDir, 'work-'));
            try {
              await audioStore.fetch(call.audio.key, join(dir, 'recording'));
              assertLeaseHeld(await calls.measured(lease, 120));
              if (engineMs > 0) await delay(engineMs);
              assertLeaseHeld(await calls.saveSegment(lease, SAMPLE_SEGMENT));
              assertLeaseHeld(await calls.commitTranscript(lease, SAMPLE_TRANSCRIPT));
            } finally {
              await rm(dir, { recursive: true, force: true });
            }
          }),
        { concurrency: TRANSCRIPTION_CONCURRENCY },
      );
    },
    stop: async () => consumer?.close(),
  };
}
