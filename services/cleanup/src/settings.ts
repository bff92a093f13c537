import { duration } from '@call-analytics/service-kit';
import { z } from 'zod';

// All intervals become delays of timers, which end at 24 days.
export const cleanupSettings = z.object({
  CALL_RETENTION: duration({ min: '1d' })
    .optional()
    .describe('how long after its end a call is kept, at least 1d; then it is deleted with everything; unset: forever'),
  DUE_AUDIO_SWEEP_INTERVAL: duration({ min: '1s', max: '24d' })
    .prefault('30s')
    .describe(
      'how often recordings that should be gone are looked for; also how soon a deletion that failed is tried again',
    ),
  REMOVAL_SWEEP_INTERVAL: duration({ min: '1s', max: '24d' })
    .prefault('5s')
    .describe(
      'how often deleted calls are looked for that cannot be restored any more, and with which all that is kept of them goes',
    ),
  ORPHAN_AUDIO_SWEEP_INTERVAL: duration({ min: '1s', max: '24d' })
    .prefault('1h')
    .describe('how often recordings that belong to no call are looked for'),
  ORPHAN_AUDIO_GRACE: duration({ min: '1m' })
    .prefault('1h')
    .describe(
      'how old a recording that belongs to no call must be before it is deleted; far longer than an upload needs to become a call',
    ),
});

export type CleanupSettings = z.infer<typeof cleanupSettings>;
