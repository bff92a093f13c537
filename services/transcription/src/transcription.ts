import type { AudioStore } from '@call-analytics/audio-store';
import type { Calls } from '@call-analytics/calls';
import type { Consumer, Messaging } from '@call-analytics/messaging';
import { type Clock, type Logger, type Metrics, type Part, systemClock } from '@call-analytics/service-kit';
import { announceWorker, watchRemovals, workOnStage } from '@call-analytics/worker';
import { requireIsolation } from './decode/isolation.ts';
import type { SpeechEngine } from './engines/engine.ts';
import { type TranscribeParts, transcribeCall } from './handle/transcribe-call.ts';
import { removeLeftovers } from './handle/work-dir.ts';
import type { Layer } from './sandbox/lock-down.ts';
import type { TranscriptionSettings } from './settings.ts';

/** When the service stops, pieces that are nearly done may still come in; what is left is given back. */
const GRACE_MS = 3_000;

export interface TranscriptionOptions {
  calls: Calls;
  audioStore: AudioStore;
  messaging: Messaging;
  engine: SpeechEngine;
  log: Logger;
  metrics: Metrics;
  clock?: Clock;
  settings: TranscriptionSettings;
}

/** Takes the calls whose turn it is and turns their recordings into transcripts. The engine is closed with it. */
export function createTranscription({ messaging, clock = systemClock, settings, ...rest }: TranscriptionOptions): Part {
  const { calls, engine, metrics } = rest;
  const log = rest.log.child({ part: 'transcription' });
  const stopping = new AbortController();
  let consumer: Consumer | null = null;
  let hearing: { close(): Promise<void> } | null = null;
  let announced: { close(): Promise<void> } | null = null;
  const parts: TranscribeParts = {
    ...rest,
    workDir: settings.WORK_DIR,
    decodeLimits: {
      timeMs: settings.DECODE_TIME_LIMIT,
      memoryBytes: settings.DECODE_MEMORY_LIMIT,
      audioSeconds: settings.MAX_AUDIO_DURATION / 1000,
      requireIsolation: settings.DECODER_ISOLATION === 'required',
    },
    isolated: onceLogged(log),
    segmentConcurrency: settings.SEGMENT_CONCURRENCY,
    languages: settings.TRANSCRIPTION_LANGUAGES ?? [],
  };
  return {
    name: 'transcription',
    async start() {
      const unusable = (await engine.ready?.()) ?? null;
      if (unusable !== null) throw new Error(`the speech engine cannot work: ${unusable}`);
      if (settings.DECODER_ISOLATION === 'required')
        parts.isolated(await requireIsolation(settings.DECODE_MEMORY_LIMIT));
      const removed = await removeLeftovers(settings.WORK_DIR, clock.now());
      if (removed > 0) log.info({ removed }, 'removed what killed processes left behind');
      log.info({ engine: engine.name, model: engine.model }, 'speech engine');
      hearing = await watchRemovals(calls, messaging);
      announced = await announceWorker(calls, 'transcription', settings.TRANSCRIPTION_CONCURRENCY, log);
      consumer = await messaging.consume(
        'transcription',
        (message, context) => {
          const stop = AbortSignal.any([context.signal, stopping.signal]);
          const given = { calls, log, metrics, stage: 'transcription', message, engine: engine.health, stop } as const;
          return workOnStage(given, (work) => transcribeCall(work, parts));
        },
        { concurrency: settings.TRANSCRIPTION_CONCURRENCY },
      );
    },
    async stop(deadline) {
      const giveBack = () => stopping.abort(new Error('the service stops'));
      const timer = setTimeout(giveBack, GRACE_MS);
      deadline.addEventListener('abort', giveBack, { once: true });
      await consumer?.close(deadline).finally(() => clearTimeout(timer));
      await hearing?.close();
      await announced?.close();
      await engine.close();
    },
    ready: () => (consumer === null ? 'not started' : consumer.ready()),
    degraded: () => (engine.health?.state === 'open' ? 'the speech engine does not answer: calls wait for it' : null),
  };
}

/** Says once in the log how the decoder is isolated on this machine. */
function onceLogged(log: Logger): (layers: readonly Layer[]) => void {
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
