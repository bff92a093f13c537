import { join } from 'node:path';
import { cpuUsage } from 'node:process';
import { analysisSettings, createAnalysis } from '@call-analytics/analysis';
import { folderAudioStore } from '@call-analytics/audio-store';
import { Calls, openSqliteCallStore } from '@call-analytics/calls';
import { cleanupSettings, createCleanup } from '@call-analytics/cleanup';
import { createDispatcher, dispatcherSettings } from '@call-analytics/dispatcher';
import { inProcessMessaging } from '@call-analytics/messaging';
import { makeLogger, makeMetrics, readSettings, startParts, watchPoints } from '@call-analytics/service-kit';
import { createTranscription, transcriptionSettings } from '@call-analytics/transcription';
import { obey } from '../harness/child.ts';
import { counting } from '../harness/counting.ts';
import { analyst, engine } from './pipeline.ts';
import { readsAndWritesAlone } from './reads-and-writes.ts';

// The pipeline as services/standalone composes it, on an installation full of queued calls: real dispatcher, messaging,
// workers, analysis and cleanup, with engines that answer at once. Without decoding, transcription does all its reads
// and writes for one segment, and nothing else.

export interface Drain {
  dataDir: string;
  calls: number;
  /** The real transcription, or only its reads and writes. */
  decodes: boolean;
  /** Of each call, for the floor. */
  segments: number;
}

export interface Drained {
  ms: number;
  /** Processor time. */
  cpuMs: number;
  /** Calls of a method of the call store. */
  storeCalls: number;
  /** Of all calls. */
  segments: number;
}

await obey<null, Drain, Drained>(async () => drain);

async function drain({ dataDir, calls: count, decodes }: Drain): Promise<Drained> {
  const log = makeLogger('pipeline', 'info');
  const metrics = makeMetrics();
  const { store, count: storeCalls } = counting(openSqliteCallStore({ file: join(dataDir, 'calls.sqlite') }));
  const calls = new Calls(store);
  const audioStore = folderAudioStore({ dir: join(dataDir, 'audio') });
  const messaging = inProcessMessaging({ log, metrics });
  const common = { calls, store, audioStore, messaging, metrics, log };

  const drained = Promise.withResolvers<void>();
  let [deleted, segments] = [0, 0];
  const unwatch = watchPoints((name) => {
    if (name === 'segment.saved') segments += 1;
    if (name !== 'audio.deleted') return;
    deleted += 1;
    if (deleted === count) drained.resolve();
  });
  const cpuBefore = cpuUsage();
  const began = performance.now();
  const running = await startParts(
    [
      createCleanup({ ...common, settings: readSettings(cleanupSettings, {}) }),
      createAnalysis({ ...common, analysts: [analyst], settings: readSettings(analysisSettings, {}) }),
      decodes
        ? createTranscription({
            ...common,
            engine: engine(async () => {}),
            settings: readSettings(transcriptionSettings, { WORK_DIR: dataDir }),
          })
        : readsAndWritesAlone({ ...common, workDir: dataDir }),
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
  return { ms, cpuMs: (cpu.user + cpu.system) / 1000, storeCalls: storeCalls(), segments };
}
