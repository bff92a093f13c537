import type { AudioStore } from '@call-analytics/audio-store';
import type { Calls } from '@call-analytics/calls';
import type { Clock, Logger, Metrics } from '@call-analytics/service-kit';

/** What every use case here works with. */
export interface CleanupParts {
  calls: Calls;
  audioStore: AudioStore;
  log: Logger;
  metrics: Metrics;
  clock: Clock;
}
