import type { Calls } from '@call-analytics/calls';
import type { Consumer, Messaging } from '@call-analytics/messaging';
import { shutdownWarning } from '@call-analytics/openai';
import { type Clock, type Logger, type Metrics, type Part, systemClock } from '@call-analytics/service-kit';
import { watchRemovals } from '@call-analytics/worker';
import { analyseCall } from './analyse-call.ts';
import type { Analyst } from './analyst.ts';
import type { AnalysisSettings } from './settings.ts';

export interface AnalysisOptions {
  calls: Calls;
  messaging: Messaging;
  analyst: Analyst;
  log: Logger;
  metrics: Metrics;
  settings: Pick<AnalysisSettings, 'ANALYSIS_CONCURRENCY'>;
  clock?: Clock;
}

/** Turns transcripts into analyses: one message, one call. */
export function createAnalysis({
  calls,
  messaging,
  analyst,
  metrics,
  settings,
  clock = systemClock,
  ...rest
}: AnalysisOptions): Part {
  const log = rest.log.child({ part: 'analysis' });
  const stop = new AbortController();
  let consumer: Consumer | null = null;
  let hearing: { close(): Promise<void> } | null = null;
  return {
    name: 'analysis',
    async start() {
      const warning = shutdownWarning(analyst.model, clock.now());
      if (warning !== null) log.warn({ model: analyst.model }, warning);
      log.info({ engine: analyst.name, model: analyst.model }, 'analysing');
      const handler = analyseCall({ calls, analyst, log, metrics, stop: stop.signal });
      hearing = await watchRemovals(calls, messaging);
      consumer = await messaging.consume('analysis', handler, { concurrency: settings.ANALYSIS_CONCURRENCY });
    },
    async stop(deadline) {
      // An analysis takes minutes, a stop seconds: what is in hand is given back at once and done again later.
      stop.abort(new Error('the service stops'));
      await consumer?.close(deadline);
      await hearing?.close();
    },
    ready: () => (consumer === null ? 'not started' : consumer.ready()),
    degraded: () =>
      analyst.health?.state === 'open' ? 'the analysis engine does not answer: calls wait for it' : null,
  };
}
