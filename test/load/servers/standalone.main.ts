import { watchPoints } from '@call-analytics/service-kit';
import { obey } from '../harness/child.ts';
import { engine, startPipeline } from './pipeline.ts';

export type Question = { ask: 'url' } | { ask: 'when completed'; callId: string };

/** Answers with the address, or with the time at which a call was committed (ms since 1970, with fractions). */
await obey<{ dataDir: string }, Question, string | number>(async ({ dataDir }) => {
  const completedAt = new Map<string, PromiseWithResolvers<number>>();
  const completion = (callId: string) => {
    const known = completedAt.get(callId) ?? Promise.withResolvers<number>();
    completedAt.set(callId, known);
    return known;
  };
  watchPoints((name, callId) => {
    if (name === 'analysis.committed') completion(callId).resolve(performance.timeOrigin + performance.now());
  });
  const { url } = await startPipeline(
    dataDir,
    engine(async () => {}),
  );
  return async (question) => (question.ask === 'url' ? url : completion(question.callId).promise);
});
