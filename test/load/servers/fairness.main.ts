import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { watchPoints } from '@call-analytics/service-kit';
import { obey } from '../harness/child.ts';
import { engine, startPipeline } from './pipeline.ts';

export interface Newcomers {
  /** Calls of accounts that have no other, one after the other. */
  count: number;
  /** The time that the engine takes for a piece. */
  engineMs: number;
  recording: string;
}

export interface Waited {
  /** From the call's acceptance to a worker's claim. */
  ms: number;
  /** Of the jobs that ran when it was accepted, the longest. */
  jobMs: number;
  /** Calls of the large account that began in between. */
  othersBegan: number;
}

await obey<{ dataDir: string }, Newcomers, Waited[]>(async ({ dataDir }) => async ({ count, engineMs, recording }) => {
  const jobs = new Map<string, { began: number; ended: Promise<number>; end(at: number): void }>();
  const began = new Map<string, PromiseWithResolvers<number>>();
  watchPoints((name, callId) => {
    const now = performance.now();
    if (name === 'stage.claimed' && !jobs.has(callId)) {
      const { promise, resolve } = Promise.withResolvers<number>();
      jobs.set(callId, { began: now, ended: promise, end: resolve });
      began.get(callId)?.resolve(now);
    }
    if (name === 'transcript.committed') jobs.get(callId)?.end(now);
  });
  const { calls, store, audioStore } = await startPipeline(
    dataDir,
    engine(() => delay(engineMs)),
    { deletes: false },
  );
  const bytes = await readFile(recording);

  // Two jobs have come to their end: the workers are no longer in step.
  while (jobs.size < 4) await delay(10);
  const waits: Waited[] = [];
  for (let n = 0; n < count; n += 1) {
    // At another moment of the running jobs each time.
    await delay(engineMs * (0.5 + n / count));
    const key = `newcomer-${n}`;
    await audioStore.put(key, Readable.from([bytes]));
    const { leased } = (await store.queues(new Date())).inFlight.transcription;
    if (leased === 0) throw new Error('no worker is busy');
    const { call } = await calls.accept({
      accountId: key,
      fileName: 'call.mp3',
      reportType: 'medium',
      audio: { key, bytes: bytes.length, format: 'mp3', seconds: 120 },
    });
    waits.push(await waited(call.id, performance.now()));
  }
  return waits;

  async function waited(callId: string, accepted: number): Promise<Waited> {
    const start = Promise.withResolvers<number>();
    began.set(callId, start);
    const already = jobs.get(callId);
    if (already !== undefined) start.resolve(already.began);
    const startedAt = await start.promise;
    const durations: number[] = [];
    let othersBegan = 0;
    for (const [id, job] of jobs) {
      if (id === callId) continue;
      if (job.began > accepted && job.began < startedAt) othersBegan += 1;
      if (job.began > accepted) continue;
      const ended = await job.ended;
      if (ended > accepted) durations.push(ended - job.began);
    }
    return { ms: startedAt - accepted, jobMs: Math.max(...durations), othersBegan };
  }
});
