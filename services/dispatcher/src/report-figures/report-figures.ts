import type { CallStore } from '@call-analytics/calls';
import { DEPENDENCIES, STAGES } from '@call-analytics/contracts';
import type { Clock, Metrics } from '@call-analytics/service-kit';
import { atMostEvery } from '../at-most-every.ts';

/** Counting the waiting calls reads each one's index entry, so it is not done at every tick. */
const EVERY_MS = 5_000;

/** Another process reports now: what this one saw last would be taken for the truth for ever. */
export function forgetFigures({ callsReady, callsWaiting, outboxAgeSeconds, audioAwaitingDeletion }: Metrics): void {
  for (const gauge of [callsReady, callsWaiting, outboxAgeSeconds, audioAwaitingDeletion]) gauge.reset();
}

/** @returns a function that brings the gauges of the store up to date when their time has come */
export function figuresReporter(store: CallStore, metrics: Metrics, clock: Clock): () => Promise<void> {
  return atMostEvery(EVERY_MS, async () => {
    const { ready, waiting, oldestOutboxAgeMs, audioDue } = await store.figures(clock.now());
    for (const stage of STAGES) metrics.callsReady.set({ stage }, ready[stage]);
    for (const dependency of DEPENDENCIES) metrics.callsWaiting.set({ dependency }, waiting[dependency]);
    metrics.outboxAgeSeconds.set(oldestOutboxAgeMs / 1000);
    metrics.audioAwaitingDeletion.set(audioDue);
  });
}
