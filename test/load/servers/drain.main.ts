import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { cpuUsage } from 'node:process';
import { type Analyst, analysisSettings, createAnalysis } from '@call-analytics/analysis';
import { type AudioStore, folderAudioStore } from '@call-analytics/audio-store';
import { Calls, mustHold, openSqliteCallStore, workOnStage } from '@call-analytics/calls';
import { cleanupSettings, createCleanup } from '@call-analytics/cleanup';
import { createDispatcher, dispatcherSettings } from '@call-analytics/dispatcher';
import { inProcessMessaging, type Messaging } from '@call-analytics/messaging';
import {
  type Logger,
  type Metrics,
  makeLogger,
  makeMetrics,
  type Part,
  readSettings,
  startParts,
  watchPoints,
} from '@call-analytics/service-kit';
import { counting } from '../harness/counting.ts';
import { obey } from '../harness/protocol.ts';
import { SAMPLE_ANALYSIS, SAMPLE_SEGMENT, SAMPLE_TRANSCRIPT } from '../seed/sample.ts';

// The pipeline as services/standalone composes it, on an installation full of queued calls: real dispatcher, bus, workers, analysis and cleanup. Two things take no time:
// the analyst, and transcription, which does all its reads and writes and neither decodes nor listens.

export interface Drain {
  dataDir: string;
  calls: number;
}

export interface Drained {
  ms: number;
  /** Processor time. */
  cpuMs: number;
  /** Calls of a method of the call store. */
  storeCalls: number;
}

/** As services/transcription by default. */
const TRANSCRIPTION_CONCURRENCY = 2;

const analyst: Analyst = { name: 'bench', model: 'none', analyse: async () => SAMPLE_ANALYSIS };

await obey<null, Drain, Drained>(async () => drain);

async function drain({ dataDir, calls: count }: Drain): Promise<Drained> {
  const log = makeLogger('pipeline', 'info');
  const metrics = makeMetrics();
  const { store, count: storeCalls } = counting(openSqliteCallStore({ file: join(dataDir, 'calls.sqlite') }));
  const calls = new Calls(store);
  const audioStore = folderAudioStore({ dir: join(dataDir, 'audio') });
  const messaging = inProcessMessaging({ log, metrics });
  const common = { calls, audioStore, messaging, metrics, log };

  const drained = Promise.withResolvers<void>();
  let deleted = 0;
  const unwatch = watchPoints((name) => {
    if (name !== 'audio.deleted') return;
    deleted += 1;
    if (deleted === count) drained.resolve();
  });
  const cpuBefore = cpuUsage();
  const began = performance.now();
  const running = await startParts(
    [
      createCleanup({ ...common, settings: readSettings(cleanupSettings, {}) }),
      createAnalysis({ ...common, analyst, settings: readSettings(analysisSettings, {}) }),
      transcription({ ...common, workDir: dataDir }),
      createDispatcher({ ...common, settings: readSettings(dispatcherSettings, {}) }),
    ],
    log,
  );
  await drained.promise;
  const ms = performance.now() - began;
  const cpu = cpuUsage(cpuBefore);
  unwatch();
  await running.stop();
  await messaging.close();
  await store.close();
  return { ms, cpuMs: (cpu.user + cpu.system) / 1000, storeCalls: storeCalls() };
}

function transcription(parts: {
  calls: Calls;
  audioStore: AudioStore;
  messaging: Messaging;
  metrics: Metrics;
  log: Logger;
  workDir: string;
}): Part {
  const { calls, audioStore, messaging, workDir } = parts;
  const stop = new AbortController().signal;
  return {
    name: 'transcription',
    async start() {
      await messaging.consume(
        'transcription',
        (message) =>
          workOnStage({ ...parts, stage: 'transcription', message, stop }, async ({ call, lease }) => {
            const dir = await mkdtemp(join(workDir, 'work-'));
            try {
              await audioStore.fetch(call.audio.key, join(dir, 'recording'));
              await calls.store.segments(call.id);
              mustHold(await calls.measured(lease, 120));
              mustHold(await calls.saveSegment(lease, SAMPLE_SEGMENT));
              mustHold(await calls.commitTranscript(lease, SAMPLE_TRANSCRIPT));
            } finally {
              await rm(dir, { recursive: true, force: true });
            }
          }),
        { concurrency: TRANSCRIPTION_CONCURRENCY },
      );
    },
    stop: async () => {},
  };
}
