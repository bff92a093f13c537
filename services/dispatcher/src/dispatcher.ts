import type { Calls } from '@call-analytics/calls';
import type { Messaging } from '@call-analytics/messaging';
import { type Clock, type Logger, type Metrics, type Part, systemClock } from '@call-analytics/service-kit';
import { atMostEvery } from './at-most-every.ts';
import { workGranter } from './grant-work/grant-work.ts';
import { Leadership } from './leadership.ts';
import { relayEvents } from './relay-events/relay-events.ts';
import { figuresReporter, forgetFigures } from './report-figures/report-figures.ts';
import type { DispatcherSettings } from './settings.ts';
import { Steps } from './steps.ts';
import { StoreAbsence } from './store-absence.ts';
import { Ticker } from './ticker.ts';

/** Calls taken back at a tick, and calls whose waits end at one; more wait for the next. */
const AT_ONCE = 100;

/**
 * Moves calls on: relays their events, takes them back from workers that are gone, and hands them out when it is their turn. All it needs to know is in the
 * store; it looks there when the store hints at a change, when a waiting call's time comes, and at the latest every DISPATCH_INTERVAL.
 *
 * @param oneOfSeveral other processes dispatch from the same store: one of them works at a time, and another takes over when it is gone
 */
export function createDispatcher({
  calls,
  messaging,
  log,
  metrics,
  clock = systemClock,
  settings,
  oneOfSeveral = false,
}: {
  calls: Calls;
  messaging: Messaging;
  log: Logger;
  metrics: Metrics;
  clock?: Clock;
  settings: DispatcherSettings;
  oneOfSeveral?: boolean;
}): Part {
  const { store } = calls;
  const absence = new StoreAbsence(calls.leaseMs);
  const takeBack = async () => (absence.isPast ? calls.takeBackExpired(AT_ONCE) : 0);
  /** When the next wait of a call ends, as far as is known. */
  let nextEnd: Date | null = null;
  const endWaits = async () => {
    nextEnd = null;
    if ((await calls.endWaits(AT_ONCE)) === AT_ONCE) nextEnd = clock.now();
  };
  const steps = new Steps(
    [
      {
        name: 'take back calls whose workers are gone',
        // A lease ends by itself: no change of a record hints at it.
        run: atMostEvery(settings.DISPATCH_INTERVAL, takeBack),
      },
      {
        name: 'end the waits of calls whose time has come',
        run: atMostEvery(settings.DISPATCH_INTERVAL, endWaits, () => nextEnd !== null && nextEnd <= clock.now()),
      },
      { name: 'relay events', run: () => relayEvents(store, messaging) },
      { name: 'grant work', run: workGranter(settings.IN_FLIGHT_PER_ACCOUNT, { calls, messaging, clock }) },
      { name: 'count waiting calls', run: figuresReporter(store, metrics, clock) },
    ],
    log,
    absence,
  );
  const ticker = new Ticker(async () => (works() ? steps.run() : rest()), untilNextWork, settings.DISPATCH_INTERVAL);
  const leadership = oneOfSeveral ? new Leadership({ store, clock, log, absence, gained: () => ticker.wake() }) : null;
  const works = () => leadership?.leads ?? true;
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

  function rest(): number {
    steps.forget();
    forgetFigures(metrics);
    return Number.POSITIVE_INFINITY;
  }

  async function untilNextWork(): Promise<number> {
    const now = clock.now();
    nextEnd = works() ? await store.nextWake(now).catch(() => null) : null;
    return nextEnd === null ? Number.POSITIVE_INFINITY : nextEnd.getTime() - now.getTime();
  }
}
