import { circuitBreaker, type Logger, type Metrics, withCircuitBreaker } from '@call-analytics/service-kit';
import type { AudioStore } from '../port.ts';
import { type AudioStoreSettings, s3Options } from './settings.ts';
import { minioAudioStore } from './store.ts';

/** For requests that are no stream: looking a recording up, deleting it with its versions and parts. */
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
  // A transfer takes as long as its sender or the network takes; the adapter gives up one that stands still.
  const transfer = { deadlineMs: null };
  const store = minioAudioStore({ ...s3Options(settings), log });
  return withCircuitBreaker(store, breaker, { put: transfer, fetch: transfer, list: 'direct', ready: 'direct' });
}
