import { type CircuitBreaker, guarded, type Routes } from '@call-analytics/service-kit';
import type { AudioStore } from './port.ts';

/** A recording takes as long as its sender or the network takes; the adapter gives up what stands still. */
const STREAMS = { deadlineMs: null };

const ROUTES: Routes<AudioStore> = {
  put: STREAMS,
  fetch: STREAMS,
  stat: {},
  // Deleted means that the store was asked again.
  delete: {},
  list: 'straight',
  ready: 'straight',
};

/** An audio store behind a circuit breaker: while it does not answer, nobody waits for it. */
export function guardedAudioStore(store: AudioStore, breaker: CircuitBreaker): AudioStore {
  return guarded(store, breaker, ROUTES);
}
