import { setTimeout as sleep } from 'node:timers/promises';
import type { Consumer, Handler, Messaging } from '@call-analytics/messaging';
import { type Clock, duration, inSpan, type Logger, type Part, systemClock } from '@call-analytics/service-kit';
import { spanOf } from '@call-analytics/worker';
import { z } from 'zod';
import {
  type CleanupParts,
  emptyRemovedAccounts,
  onFinishedCall,
  sweepDueAudio,
  sweepExpiredCalls,
  sweepOrphans,
  sweepRemovedCalls,
} from './recordings.ts';

// All intervals become delays of timers, which end at 24 days.
export const cleanupSettings = z.object({
  CALL_RETENTION: duration({ min: '1d' })
    .optional()
    .describe(
      'how long a call is kept after it completed or failed, at least 1d; then all its data is deleted; unset: forever',
    ),
  DUE_AUDIO_SWEEP_INTERVAL: duration({ min: '1s', max: '24d' })
    .prefault('30s')
    .describe('how often due recordings are deleted, and failed deletions retried'),
  REMOVAL_SWEEP_INTERVAL: duration({ min: '1s', max: '24d' })
    .prefault('5s')
    .describe('how often calls whose REMOVAL_GRACE is over are purged'),
  ORPHAN_AUDIO_SWEEP_INTERVAL: duration({ min: '1s', max: '24d' })
    .prefault('1h')
    .describe('how often recordings that belong to no call are searched for and deleted'),
  ORPHAN_AUDIO_GRACE: duration({ min: '1m' })
    .prefault('1h')
    .describe(
      'how old a recording that belongs to no call must be before it is deleted; must be far longer than the time ' +
        'between storing a recording and writing its call',
    ),
});

type CleanupSettings = z.infer<typeof cleanupSettings>;

const CONCURRENCY = 4;
/** Calls migrated at a time. A call of some hours takes tens of milliseconds, which block a single process. */
const MIGRATED_AT_ONCE = 5;

interface CleanupOptions extends Omit<CleanupParts, 'clock'> {
  messaging: Messaging;
  settings: CleanupSettings;
  clock?: Clock;
}

/**
 * Deletes recordings that are no longer needed, at once when a message says so and by two sweeps, which need no
 * message. Purges removed calls that can no longer be restored and calls whose retention has ended, and migrates what
 * earlier releases have written.
 */
export function createCleanup({ messaging, settings, clock = systemClock, ...rest }: CleanupOptions): Part {
  const log = rest.log.child({ part: 'cleanup' });
  const parts: CleanupParts = { ...rest, log, clock };
  const handle: Handler = (message) => inSpan('cleanup', spanOf(message), () => onFinishedCall(message, parts));
  let consumer: Consumer | null = null;
  let stopSweeps: (() => Promise<void>)[] = [];
  return {
    name: 'cleanup',
    async start() {
      consumer = await messaging.consume('cleanup', handle, { concurrency: CONCURRENCY });
      const { DUE_AUDIO_SWEEP_INTERVAL, REMOVAL_SWEEP_INTERVAL, ORPHAN_AUDIO_SWEEP_INTERVAL } = settings;
      const { CALL_RETENTION } = settings;
      const expired = (stop: AbortSignal) =>
        CALL_RETENTION === undefined ? Promise.resolve() : sweepExpiredCalls(parts, CALL_RETENTION, stop);
      const orphans = (stop: AbortSignal) => sweepOrphans(parts, settings.ORPHAN_AUDIO_GRACE, stop);
      const every = (ms: number, name: string, work: (stop: AbortSignal) => Promise<void>) =>
        repeat(name, work, ms, log);
      stopSweeps = [
        every(DUE_AUDIO_SWEEP_INTERVAL, 'the sweep for due recordings', (stop) => sweepDueAudio(parts, stop)),
        every(DUE_AUDIO_SWEEP_INTERVAL, 'the sweep for calls whose retention has ended', expired),
        every(REMOVAL_SWEEP_INTERVAL, 'the sweep for removed accounts', (stop) => emptyRemovedAccounts(parts, stop)),
        every(REMOVAL_SWEEP_INTERVAL, 'the sweep for removed calls', (stop) => sweepRemovedCalls(parts, stop)),
        every(ORPHAN_AUDIO_SWEEP_INTERVAL, 'the sweep for orphaned recordings', orphans),
        every(DUE_AUDIO_SWEEP_INTERVAL, 'migrating calls', (stop) => migrateCalls(parts, stop)),
      ];
    },
    async stop(deadline) {
      await Promise.all([consumer?.close(deadline), ...stopSweeps.map((stop) => stop())]);
    },
    ready: () => (consumer === null ? 'not started' : consumer.ready()),
  };
}

/** Migrates the calls of an earlier release. Pauses as long as it works, so that the process stays free for others. */
export async function migrateCalls(
  { store, log }: Pick<CleanupParts, 'store' | 'log'>,
  stop: AbortSignal,
): Promise<void> {
  let looked = 0;
  while (!stop.aborted) {
    const began = performance.now();
    const some = await store.migrate(MIGRATED_AT_ONCE);
    if (some === 0) break;
    looked += some;
    await sleep(performance.now() - began, undefined, { signal: stop }).catch(() => {});
  }
  if (looked > 0) log.info({ calls: looked }, 'migrated calls of earlier releases');
}

/**
 * Runs `work` now and again and again, one at a time, until it is stopped. Errors are logged and do not end it.
 * @param everyMs the pause after each run
 * @returns stops it: aborts the signal that `work` gets and resolves when it has ended
 */
export function repeat(
  name: string,
  work: (stop: AbortSignal) => Promise<void>,
  everyMs: number,
  log: Logger,
): () => Promise<void> {
  const stopping = new AbortController();
  const stop = stopping.signal;
  const ended = (async () => {
    while (!stop.aborted) {
      await work(stop).catch((error) => log.error({ err: error }, `${name} failed`));
      await sleep(everyMs, undefined, { signal: stop }).catch(() => {});
    }
  })();
  return () => {
    stopping.abort();
    return ended;
  };
}
