import type { Stage } from '@call-analytics/contracts';
import type { Backlog } from '../store.ts';
import type { Database } from './database.ts';
import { EPOCH, NOT_SET } from './documents.ts';
import { delayEnded, grantEnded, granted, leased, UNFINISHED, waiting } from './waiting.ts';

interface Next {
  _id: string;
  seconds: number;
  readySince: Date;
}
type Row = { _id: string; next: Next[] } | { _id: string; inFlight: number };

const NEXT = { seconds: '$audio.seconds', readySince: 1 } as const;
const EACH_NEXT = { _id: '$_id', seconds: '$audio.seconds', readySince: '$readySince' } as const;
const BY_ACCOUNT = { $group: { _id: '$accountId' } };
const COUNTED_BY_ACCOUNT = { $group: { _id: '$accountId', inFlight: { $sum: 1 } } };

/** In one round trip. To find the accounts the server jumps from one to the next in the index, so ten thousand calls of one cost no more than one. */
export async function backlog({ calls }: Database, stage: Stage, now: Date, perAccount: number): Promise<Backlog[]> {
  const also = (pipeline: object[]) => ({ $unionWith: { coll: calls.collectionName, pipeline } });
  const rows = await calls
    .aggregate<Row>(
      [
        ...ready(calls.collectionName, stage, perAccount),
        also([
          { $match: { stage, nextAttemptAt: { $gte: EPOCH } } },
          BY_ACCOUNT,
          firstOfEach(calls.collectionName, { ...waiting(stage), ...delayEnded(now) }, { nextAttemptAt: 1 }, perAccount),
        ]),
        also([{ $match: grantEnded(stage, now) }, { $group: { _id: '$accountId', next: { $push: EACH_NEXT } } }]),
        also([{ $match: leased(stage, now) }, COUNTED_BY_ACCOUNT]),
        also([{ $match: granted(stage, now) }, COUNTED_BY_ACCOUNT]),
      ],
      { hint: UNFINISHED },
    )
    .toArray();

  const next = new Map<string, Next[]>();
  const inFlight = new Map<string, number>();
  for (const row of rows) {
    if ('inFlight' in row) inFlight.set(row._id, (inFlight.get(row._id) ?? 0) + row.inFlight);
    else if (row.next.length > 0) next.set(row._id, [...(next.get(row._id) ?? []), ...row.next]);
  }
  return [...next].map(([accountId, calls]) => ({
    accountId,
    inFlight: inFlight.get(accountId) ?? 0,
    next: calls
      .sort((a, b) => a.readySince.getTime() - b.readySince.getTime())
      .slice(0, perAccount)
      .map(({ _id, seconds, readySince }) => ({ callId: _id, seconds, readySince })),
  }));
}

function ready(collection: string, stage: Stage, perAccount: number): object[] {
  const ready = { ...waiting(stage), nextAttemptAt: NOT_SET };
  if (perAccount > 1) return [{ $match: ready }, BY_ACCOUNT, firstOfEach(collection, ready, { readySince: 1 }, perAccount)];
  // With a thousand accounts this costs a sixth: the jump to an account lands on its first call.
  return [
    { $match: ready },
    { $sort: { accountId: 1, nextAttemptAt: 1, readySince: 1 } },
    { $group: { _id: '$accountId', next: { $first: EACH_NEXT } } },
    { $set: { next: ['$next'] } },
  ];
}

function firstOfEach(collection: string, match: object, sort: Record<string, 1>, limit: number): object {
  const pipeline = [{ $match: match }, { $sort: sort }, { $limit: limit }, { $project: NEXT }];
  return { $lookup: { from: collection, localField: '_id', foreignField: 'accountId', pipeline, as: 'next' } };
}
