import { circuitBreaker, type Logger, type Metrics } from '@call-analytics/service-kit';
import { guardedAudioStore } from '../guarded.ts';
import type { AudioStore } from '../port.ts';
import { type AudioStoreSettings, s3Options } from './settings.ts';
import { minioAudioStore } from './store.ts';

/** For what is no stream: asking for a recording, deleting it with its versions and parts. */
const DEADLINE_MS = 30_000;

/** The audio store that a service's settings name, behind its circuit breaker. */
export function connectAudioStore(
  settings: AudioStoreSettings,
  { log, metrics }: { log: Logger; metrics: Metrics },
): AudioStore {
  const unavailable = {
    code: 'audio_store_unavailable',
    message: 'Recordings cannot be stored or read at the moment. Try again later.',
  };
  const breaker = circuitBreaker('audio store', { unavailable, deadlineMs: DEADLINE_MS, log, metrics });
  return guardedAudioStore(minioAudioStore({ ...s3Options(settings), log }), breaker);
}
