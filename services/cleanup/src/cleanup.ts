import { spanOf } from '@call-analytics/calls';
import type { Consumer, Handler, Messaging } from '@call-analytics/messaging';
import { type Clock, inSpan, type Part, systemClock } from '@call-analytics/service-kit';
import { sweepDueAudio } from './due-sweep/due-sweep.ts';
import { onFinishedCall } from './finished-call/finished-call.ts';
import { sweepOrphans } from './orphan-sweep/orphan-sweep.ts';
import type { CleanupParts } from './parts.ts';
import { emptyRemovedAccounts } from './removed-accounts/removed-accounts.ts';
import { sweepRemovedCalls } from './removed-calls/removed-calls.ts';
import { repeat } from './repeat.ts';
import { indexOlderCalls } from './search-index/search-index.ts';
import type { CleanupSettings } from './settings.ts';

const CONCURRENCY = 4;

export interface CleanupOptions extends Omit<CleanupParts, 'clock'> {
  messaging: Messaging;
  settings: CleanupSettings;
  clock?: Clock;
}

/**
 * Deletes recordings when they have done their work: at once when a message says so, and by two sweeps, which need no
 * message. Purges removed calls when they cannot be restored any more. Indexes calls of earlier releases for search.
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
      stopSweeps = [
        repeat(
          'the sweep for due recordings',
          (stop) => sweepDueAudio(parts, stop),
          settings.DUE_AUDIO_SWEEP_INTERVAL,
          log,
        ),
        repeat(
          'the sweep for removed accounts',
          (stop) => emptyRemovedAccounts(parts, stop),
          settings.REMOVAL_SWEEP_INTERVAL,
          log,
        ),
        repeat(
          'the sweep for removed calls',
          (stop) => sweepRemovedCalls(parts, stop),
          settings.REMOVAL_SWEEP_INTERVAL,
          log,
        ),
        repeat(
          'the sweep for orphaned recordings',
          (stop) => sweepOrphans(parts, settings.ORPHAN_AUDIO_GRACE, stop),
          settings.ORPHAN_AUDIO_SWEEP_INTERVAL,
          log,
        ),
        repeat(
          'indexing calls for search',
          (stop) => indexOlderCalls(parts, stop),
          settings.DUE_AUDIO_SWEEP_INTERVAL,
          log,
        ),
      ];
    },
    async stop(deadline) {
      await Promise.all([consumer?.close(deadline), ...stopSweeps.map((stop) => stop())]);
    },
    ready: () => (consumer === null ? 'not started' : consumer.ready()),
  };
}
