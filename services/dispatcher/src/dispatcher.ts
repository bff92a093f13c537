import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Calls, DispatcherStore, OutboxEntry } from '@call-analytics/calls';
import { DEPENDENCIES, type Dependency, STAGES, type Stage } from '@call-analytics/contracts';
import type { Messaging } from '@call-analytics/messaging';
import {
  type Clock,
  duration,
  type Logger,
  type Metrics,
  type Part,
  point,
  systemClock,
  wholeNumber,
} from '@call-analytics/service-kit';
import { z } from 'zod';
import { workGranter } from './grant-work.ts';
import { allSettled, atMostEvery, Leadership, Steps, StoreOutage, Ticker } from './loop.ts';

export const dispatcherSettings = z.object({
  IN_FLIGHT_PER_ACCOUNT: wholeNumber({ min: 1, max: 10_000 })
    .prefault('4')
    .describe('how many calls of one account may be in work at the same time, in each stage'),
  DISPATCH_INTERVAL: duration()
    .prefault('1s')
    .refine((ms) => ms >= 10 && ms <= 60_000, 'must be from 10ms to 60s')
    .describe('how often the dispatcher looks for work that no message has announced, 10ms to 60s'),
});

type DispatcherSettings = z.infer<typeof dispatcherSettings>;

/** Calls reclaimed in a tick, and calls whose waits end in one; more wait for the next tick. */
const CALLS_PER_TICK = 100;
const EVENTS_PER_BATCH = 100;
const ENGINES: Record<Stage, Dependency> = { transcription: 'speech_engine', analysis: 'analysis_engine' };
/** Counting the waiting calls reads an index entry for each, so it is not done in every tick. */
const FIGURES_EVERY_MS = 5_000;

/**
 * Publishes the events of calls, reclaims calls from workers that are gone, and grants them when it is their turn. It
 * looks in the store when that hints at a change, when the wait of a call ends, and at least every DISPATCH_INTERVAL.
 *
 * @param oneOfSeveral other processes dispatch from the same store: one of them works at a time, and another takes over
 * when it is gone
 */
export function createDispatcher({
  calls,
  store,
  messaging,
  log,
  metrics,
  clock = systemClock,
  settings,
  oneOfSeveral = false,
}: {
  calls: Calls;
  store: DispatcherStore;
  messaging: Messaging;
  log: Logger;
  metrics: Metrics;
  clock?: Clock;
  settings: DispatcherSettings;
  oneOfSeveral?: boolean;
}): Part {
  const outage = new StoreOutage(calls.leaseMs);
  const reclaim = async () => (outage.isPast ? calls.reclaimExpired(CALLS_PER_TICK) : 0);
  /** When the next wait of a call ends, as far as is known. */
  let nextEnd: Date | null = null;
  const endWaits = async () => {
    nextEnd = null;
    if ((await calls.endWaits(CALLS_PER_TICK)) === CALLS_PER_TICK) nextEnd = clock.now();
  };
  const isWaitOver = () => nextEnd !== null && nextEnd <= clock.now();
  const interval = settings.DISPATCH_INTERVAL;
  const steps = new Steps(
    [
      // A lease expires by itself: no change of a record hints at it.
      { name: 'reclaim calls whose workers are gone', run: atMostEvery(interval, reclaim) },
      { name: 'end the waits of calls whose time has come', run: atMostEvery(interval, endWaits, isWaitOver) },
      { name: 'relay events', run: () => relayEvents(store, messaging) },
      { name: 'grant work', run: workGranter(settings.IN_FLIGHT_PER_ACCOUNT, { calls, store, messaging, clock }) },
      {
        name: 'count waiting calls',
        run: atMostEvery(FIGURES_EVERY_MS, () => reportFigures(calls, store, metrics, clock)),
      },
    ],
    log,
    outage,
  );
  const ticker = new Ticker(async () => (isLeader() ? steps.run() : rest()), untilNextWork, interval);
  const leadership = oneOfSeveral
    ? new Leadership({ store, clock, log, outage, onElected: () => ticker.wake() })
    : null;
  const isLeader = () => leadership?.isLeader ?? true;
  let unwatch = () => {};

  return {
    name: 'dispatcher',
    async start() {
      unwatch = store.watch(() => ticker.wake());
      leadership?.start();
      ticker.wake();
    },
    async stop() {
      unwatch();
      await ticker.stop();
      await leadership?.stop();
    },
    ready: () => steps.failing ?? leadership?.failing ?? null,
  };

  /** Another process reports the figures now, so the last values of this one would be wrong. */
  function rest(): number {
    steps.clearFailures();
    const { callsReady, callsHeld, stageDrained, callsWorkload, callsWaiting } = metrics;
    for (const gauge of [callsReady, callsHeld, stageDrained, callsWorkload, callsWaiting]) gauge.reset();
    for (const gauge of [metrics.outboxAgeSeconds, metrics.audioAwaitingDeletion]) gauge.reset();
    return Number.POSITIVE_INFINITY;
  }

  async function untilNextWork(): Promise<number> {
    const now = clock.now();
    nextEnd = isLeader() ? await store.nextWake(now).catch(() => null) : null;
    return nextEnd === null ? Number.POSITIVE_INFINITY : nextEnd.getTime() - now.getTime();
  }
}

/**
 * Publishes the events of the outbox, oldest first, and removes each one when the broker has confirmed it. After a
 * crash in between it is published again: at least once.
 * @throws WorkError of the first event that could not be published; it stays and does not hold up the others
 */
async function relayEvents(store: DispatcherStore, messaging: Messaging): Promise<void> {
  const publish = async ({ id, message }: OutboxEntry) => {
    await messaging.publish(message);
    await point('event.published', message.data.callId);
    return id;
  };
  for (;;) {
    const entries = await store.outbox(EVENTS_PER_BATCH);
    if (entries.length === 0) return;
    const published = await allSettled(entries.map(publish));
    await store.removeFromOutbox(published.values);
    published.throwFailure();
    if (entries.length < EVENTS_PER_BATCH) return;
    // Store and broker in this process answer without yielding; a long outbox would block every socket.
    await nextTurn();
  }
}

async function reportFigures(calls: Calls, store: DispatcherStore, metrics: Metrics, clock: Clock): Promise<void> {
  const [atLimit, drained] = await Promise.all([calls.spending.accountsAtLimit(), calls.reads.drainedStages()]);
  const { held, granted, leased, waiting, oldestOutboxAgeMs, audioDue, ...all } = await store.figures(
    clock.now(),
    atLimit,
  );
  for (const stage of STAGES) {
    // No worker may take the others, so they neither wait for workers nor call for more of them.
    const ready = Math.max(0, all.ready[stage] - held[stage]);
    metrics.callsHeld.set({ stage }, held[stage]);
    metrics.callsReady.set({ stage }, ready);
    metrics.stageDrained.set({ stage }, Number(drained.has(stage)));
    // An autoscaler reads this. More workers begin nothing while the engine is unavailable or the stage is drained.
    const mayBegin = waiting[ENGINES[stage]] === 0 && !drained.has(stage);
    metrics.callsWorkload.set({ stage }, leased[stage] + (mayBegin ? ready + granted[stage] : 0));
  }
  for (const dependency of DEPENDENCIES) metrics.callsWaiting.set({ dependency }, waiting[dependency]);
  metrics.outboxAgeSeconds.set(oldestOutboxAgeMs / 1000);
  metrics.audioAwaitingDeletion.set(audioDue);
}
