import { type Call, type Calls, ENGINE_GONE, scorecardOf } from '@call-analytics/calls';
import type { Consumer, Handler, Messaging } from '@call-analytics/messaging';
import { shutdownWarning } from '@call-analytics/openai';
import { type Clock, type Logger, type Metrics, type Part, systemClock, WorkError } from '@call-analytics/service-kit';
import { assertLeaseHeld, retryWrite, watchRemovals, workOnStage } from '@call-analytics/worker';
import { type Analyst, type Analysts, analystWithBreaker, type Tokens } from './analyst.ts';
import type { AnalysisSettings } from './settings.ts';

interface Options {
  calls: Calls;
  messaging: Messaging;
  analysts: Analysts;
  log: Logger;
  metrics: Metrics;
  settings: Pick<AnalysisSettings, 'ANALYSIS_CONCURRENCY'>;
  clock?: Clock;
}

/** The analysis service: takes granted calls and turns their transcripts into analyses. */
export function createAnalysis({ calls, messaging, metrics, settings, clock = systemClock, ...rest }: Options): Part {
  const analysts = rest.analysts.map((analyst, index) =>
    analystWithBreaker(analyst, `analysis engine${index === 0 ? '' : ` ${analyst.name}`}`, { log: rest.log, metrics }),
  );
  const log = rest.log.child({ part: 'analysis' });
  const stop = new AbortController();
  let consumer: Consumer | null = null;
  let removals: { close(): Promise<void> } | null = null;
  return {
    name: 'analysis',
    async start() {
      for (const { name, model } of analysts) {
        const warning = shutdownWarning(model, clock.now());
        if (warning !== null) log.warn({ model }, warning);
        log.info({ engine: name, model }, 'analysis engine');
      }
      const handler = analyzeCall({ calls, analysts, log, metrics, stop: stop.signal });
      removals = await watchRemovals(calls, messaging);
      consumer = await messaging.consume('analysis', handler, { concurrency: settings.ANALYSIS_CONCURRENCY });
    },
    async stop(deadline) {
      // An analysis takes minutes, a shutdown seconds: calls in flight are given back at once and analyzed again later.
      stop.abort(new Error('the service stops'));
      await consumer?.close(deadline);
      await removals?.close();
    },
    ready: () => (consumer === null ? 'not started' : consumer.ready()),
    degraded: () => {
      const isUnavailable = analysts.some(({ health }) => (health?.state ?? 'closed') !== 'closed');
      const reasons = [
        isUnavailable ? 'the analysis engine does not answer: calls wait for it' : null,
        ...analysts.map(({ model }) => shutdownWarning(model, clock.now())),
      ].filter((reason) => reason !== null);
      return reasons.length === 0 ? null : reasons.join('; ');
    },
  };
}

/** @param stop aborted when the service stops @returns the handler of messages that grant a call for analysis */
function analyzeCall(parts: {
  calls: Calls;
  analysts: readonly Analyst[];
  log: Logger;
  metrics: Metrics;
  stop: AbortSignal;
}): Handler {
  const { calls, analysts, metrics, stop } = parts;
  const asked = ({ analysisEngine }: Call) =>
    analysts.find(({ name }) => name === (analysisEngine ?? analysts[0]?.name));
  return (message, { signal }) =>
    workOnStage(
      {
        ...parts,
        stage: 'analysis',
        message,
        engine: (call) => asked(call)?.health,
        stop: AbortSignal.any([stop, signal]),
      },
      async ({ call, lease, signal: working, paid }) => {
        const analyst = asked(call);
        if (analyst === undefined) throw gone(call);
        const [transcript, accountScorecard] = await Promise.all([
          calls.reads.transcript(lease.callId),
          scorecardOf(calls, call.accountId),
        ]);
        if (transcript === null) throw new WorkError({ kind: 'bug', code: 'transcript_missing', message: MISSING });
        const { name: engine, model } = analyst;
        // Not awaited by the engine: its circuit breaker would take a failure of the store for one of the engine.
        let recorded = Promise.resolve();
        const spent = ({ input, output }: Tokens, dollars: number | null) => {
          metrics.engineTokens.inc({ engine, model, direction: 'input' }, input);
          metrics.engineTokens.inc({ engine, model, direction: 'output' }, output);
          metrics.engineDollars.inc({ engine, model }, dollars ?? 0);
          recorded = paid(analyst, dollars);
        };
        const dropped = (reason: string, items: number) => {
          metrics.analysisItemsDropped.inc({ engine, model, reason }, items);
          parts.log.info({ callId: lease.callId, reason, items }, 'items of an analysis were left out');
        };
        const scorecard = accountScorecard.questions.length > 0 ? accountScorecard : undefined;
        const analysis = await analyst.analyze(transcript, { signal: working, scorecard, spent, dropped });
        await recorded;
        assertLeaseHeld(await retryWrite(() => calls.commitAnalysis(lease, analysis), working));
      },
    );
}

const MISSING = 'The transcript of this call is missing.';

function gone({ analysisEngine }: Call): WorkError {
  const message =
    `The analysis engine "${analysisEngine}", which was asked for, is not available any more. ` +
    'Retry the call to have it analyzed by the usual engine.';
  return new WorkError({ kind: 'rejected', code: ENGINE_GONE, message });
}
