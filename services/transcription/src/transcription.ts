import type { AudioStore } from '@call-analytics/audio-store';
import type { Calls } from '@call-analytics/calls';
import type { Consumer, Messaging } from '@call-analytics/messaging';
import { shutdownWarning } from '@call-analytics/openai';
import { type Clock, type Logger, type Metrics, type Part, systemClock } from '@call-analytics/service-kit';
import { announceWorker, watchRemovals, workOnStage } from '@call-analytics/worker';
import type { Dependencies } from './dependencies.ts';
import { EngineTimes, type SpeechEngine, speechEngineWithBreaker } from './engines/engine.ts';
import { requireIsolation } from './sandbox/isolated-process.ts';
import type { Layer } from './sandbox/lock-down.ts';
import type { TranscriptionSettings } from './settings.ts';
import { transcribeCall } from './transcribe-call.ts';
import { inspectVoiceModel } from './voices/voice-model.ts';
import { removeLeftovers } from './work-dir.ts';

/** How long requests in flight may take at shutdown, in ms. */
const GRACE_MS = 10_000;

export interface TranscriptionOptions {
  calls: Calls;
  audioStore: AudioStore;
  messaging: Messaging;
  engine: SpeechEngine;
  log: Logger;
  metrics: Metrics;
  clock?: Clock;
  settings: TranscriptionSettings;
  /** At shutdown no request is begun; those in flight are paid for and get this long, in ms. Then calls go back. */
  graceMs?: number;
}

/** The transcription service: takes granted calls and turns their recordings into transcripts. It closes the engine. */
export function createTranscription({
  messaging,
  clock = systemClock,
  settings,
  graceMs = GRACE_MS,
  ...rest
}: TranscriptionOptions): Part {
  const { calls, metrics } = rest;
  const engine = speechEngineWithBreaker(rest.engine, rest);
  const log = rest.log.child({ part: 'transcription' });
  const [draining, stopping] = [new AbortController(), new AbortController()];
  let consumer: Consumer | null = null;
  let damagedModel: string | null = null;
  let removals: { close(): Promise<void> } | null = null;
  let announcement: { close(): Promise<void> } | null = null;
  const dependencies: Dependencies = {
    ...rest,
    engine,
    engineTimes: new EngineTimes(engine.limits),
    workDir: settings.WORK_DIR,
    decodeLimits: {
      timeMs: settings.DECODE_TIME_LIMIT,
      memoryBytes: settings.DECODE_MEMORY_LIMIT,
      audioSeconds: settings.MAX_AUDIO_DURATION / 1000,
      requireIsolation: settings.DECODER_ISOLATION === 'required',
    },
    onIsolated: logOnce(log),
    segmentConcurrency: settings.SEGMENT_CONCURRENCY,
    languages: settings.TRANSCRIPTION_LANGUAGES ?? [],
    voiceModel: null,
  };
  return {
    name: 'transcription',
    async start() {
      const unusable = (await engine.ready?.()) ?? null;
      if (unusable !== null) throw new Error(`the speech engine cannot work: ${unusable}`);
      if (settings.DECODER_ISOLATION === 'required')
        dependencies.onIsolated(await requireIsolation(settings.DECODE_MEMORY_LIMIT));
      const removed = await removeLeftovers(settings.WORK_DIR, clock.now());
      if (removed > 0) log.info({ removed }, 'removed temporary folders of killed processes');
      log.info({ engine: engine.name, model: engine.model }, 'speech engine');
      const { file, state } = await inspectVoiceModel(settings);
      if (state === 'published' || state === 'other') dependencies.voiceModel = file;
      if (state === 'damaged') damagedModel = file;
      log.info({ file: dependencies.voiceModel, state }, 'speaker embedding for voices in one channel');
      removals = await watchRemovals(calls, messaging);
      announcement = await announceWorker(calls, 'transcription', settings.TRANSCRIPTION_CONCURRENCY, log);
      consumer = await messaging.consume(
        'transcription',
        (message, context) => {
          const stop = AbortSignal.any([context.signal, stopping.signal]);
          const given = {
            calls,
            log,
            metrics,
            stage: 'transcription',
            message,
            engine: () => engine.health,
            stop,
            draining: draining.signal,
          } as const;
          return workOnStage(given, (work) => transcribeCall(work, dependencies));
        },
        { concurrency: settings.TRANSCRIPTION_CONCURRENCY },
      );
    },
    async stop(deadline) {
      draining.abort(new Error('the service stops'));
      const giveBack = () => stopping.abort(new Error('the service stops'));
      const timer = setTimeout(giveBack, graceMs);
      deadline.addEventListener('abort', giveBack, { once: true });
      await consumer?.close(deadline).finally(() => clearTimeout(timer));
      await removals?.close();
      await announcement?.close();
      await engine.close();
    },
    ready: () => (consumer === null ? 'not started' : consumer.ready()),
    degraded: () => {
      const isUnavailable = (engine.health?.state ?? 'closed') !== 'closed';
      const reasons = [
        isUnavailable ? 'the speech engine does not answer: calls wait for it' : null,
        shutdownWarning(engine.model, clock.now()),
        damagedModel && `${damagedModel} is damaged: without it, voices are separated by spectrum only`,
      ].filter((reason) => reason !== null);
      return reasons.length === 0 ? null : reasons.join('; ');
    },
  };
}

/** Logs the first time how the decoder is isolated on this machine. */
function logOnce(log: Logger): (layers: readonly Layer[]) => void {
  let logged = false;
  return (layers) => {
    if (logged) return;
    logged = true;
    if (layers.includes('seccomp')) log.info({ layers }, 'the decoder is isolated');
    else
      log.warn(
        { layers },
        'the decoder is not isolated by seccomp; set DECODER_ISOLATION=required to refuse to start without it',
      );
  };
}
