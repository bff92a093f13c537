import type { Calls } from '@call-analytics/calls';
import type { Handler } from '@call-analytics/messaging';
import { type Logger, type Metrics, WorkError } from '@call-analytics/service-kit';
import { assertLeaseHeld, retryWrite, workOnStage } from '@call-analytics/worker';
import type { Analyst, Tokens } from './analyst.ts';

/** @param stop aborted when the service stops. @returns what handles a message that asks for a call to be analyzed */
export function analyseCall(parts: {
  calls: Calls;
  analyst: Analyst;
  log: Logger;
  metrics: Metrics;
  stop: AbortSignal;
}): Handler {
  const { calls, analyst, metrics, stop } = parts;
  return (message, { signal }) =>
    workOnStage(
      { ...parts, stage: 'analysis', message, engine: analyst.health, stop: AbortSignal.any([stop, signal]) },
      async ({ lease, signal: working }) => {
        const transcript = await calls.reads.transcript(lease.callId);
        if (transcript === null)
          throw new WorkError({
            kind: 'bug',
            code: 'transcript_missing',
            message: 'The transcript of this call is missing.',
          });
        const { name: engine, model } = analyst;
        const spent = ({ input, output }: Tokens, dollars: number | null) => {
          metrics.engineTokens.inc({ engine, model, direction: 'input' }, input);
          metrics.engineTokens.inc({ engine, model, direction: 'output' }, output);
          metrics.engineDollars.inc({ engine, model }, dollars ?? 0);
        };
        const analysis = await analyst.analyse(transcript, { signal: working, spent });
        assertLeaseHeld(await retryWrite(() => calls.commitAnalysis(lease, analysis), working));
      },
    );
}
