import { type CircuitBreaker, guarded, type Routes } from '@call-analytics/service-kit';
import type { CallStore } from './store.ts';

const ASKS = {};

const ROUTES: Routes<CallStore> = {
  insert: ASKS,
  update: ASKS,
  saveSegment: ASKS,
  segments: ASKS,
  get: ASKS,
  transcript: ASKS,
  analysis: ASKS,
  detail: ASKS,
  list: ASKS,
  search: ASKS,
  indexForSearch: ASKS,
  overview: ASKS,
  queues: ASKS,
  queuePlace: ASKS,
  endedWaits: ASKS,
  expiredLeases: ASKS,
  nextWake: ASKS,
  outbox: ASKS,
  removeFromOutbox: ASKS,
  audioDue: ASKS,
  audioKeysInUse: ASKS,
  removalsDue: ASKS,
  purge: ASKS,
  removeAccount: ASKS,
  removedAccounts: ASKS,
  accountEmptied: ASKS,
  lead: ASKS,
  resign: ASKS,
  announceWorker: ASKS,
  capacity: ASKS,
  figures: ASKS,
  watch: 'straight',
  ready: 'straight',
  close: 'straight',
};

/** A call store behind a circuit breaker: while it does not answer, nobody waits for it. */
export function guardedCallStore(store: CallStore, breaker: CircuitBreaker): CallStore {
  return guarded(store, breaker, ROUTES);
}
