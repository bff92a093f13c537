import type { Stage } from '@call-analytics/contracts';
import { LIGHT } from './connection.ts';
import type { Database, Index } from './database.ts';

const ENDED = 'ended';
/** MongoDB deletes the documents itself, within minutes of their end. */
export const WORKER_INDEXES: readonly Index[] = [{ name: ENDED, key: { until: 1 }, expireAfterSeconds: 60 }];

export async function announceWorker(
  { workers }: Database,
  stage: Stage,
  worker: string,
  calls: number,
  until: Date,
): Promise<void> {
  await workers.updateOne(
    { _id: `${stage}/${worker}` },
    { $set: { stage, calls, until } },
    { upsert: true, writeConcern: LIGHT },
  );
}

export async function capacity({ workers }: Database, now: Date): Promise<Record<Stage, number>> {
  const found = { transcription: 0, analysis: 0 };
  for (const { stage, calls } of await workers.find({ until: { $gt: now } }, { hint: ENDED }).toArray())
    found[stage] += calls;
  return found;
}
