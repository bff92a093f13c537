import { type Dependency, makeMessage, STAGES, type Stage } from '@call-analytics/contracts';
import mongoose from 'mongoose';
import { COUNTED_AHEAD, PACE, paceSince, positionsOf, waitingOf } from '../queues.ts';
import type { StoreFigures } from '../store.ts';
import { type Database, DURABLE, MAJORITY, PRIMARY_ONLY } from './database.ts';
import { callsWhere, type Queries } from './queries.ts';
import { ANY_STAGE, delayEnded, delayed, grantEnded, leaseEnded, waiting } from './queues.ts';
import { countAudioDue, countRemovalsDue } from './records.ts';
import { type CallDocument, EPOCH, FINISHED, INDEX, NOT_SET } from './schema.ts';

const DUPLICATE_KEY = 11000;

/**
 * What the dispatcher asks and writes. Waits and leases are read in the latest state, not a majority's, because what
 * follows is a guarded write.
 */
export const dispatchQueries = {
  async queues({ queues, ask }, now) {
    const { inFlight, backlog } = await queues.queues(now);
    return { inFlight, backlog: (stage, perAccount) => ask(() => backlog(stage, perAccount)) };
  },

  async queuePlace({ calls }, { accountId, stage, grantedUntil, readySince }) {
    if (stage === null) return { ahead: 0, waiting: null };
    const limited = { hint: INDEX.unfinished, limit: COUNTED_AHEAD + 1 };
    const count = (filter: object) => (grantedUntil === null ? calls.countDocuments(filter, limited) : 0);
    const [granted, ready, found] = await Promise.all([
      count(grantedOf(accountId, stage)),
      count({ ...readyOf(accountId, stage), readySince: { $lt: readySince } }),
      calls.findOne(
        { stage, accountId, 'waiting.since': { $gte: EPOCH } },
        { hint: INDEX.byDependency, projection: { _id: 0, 'waiting.for': 1, 'waiting.since': 1 } },
      ),
    ]);
    return { ahead: Math.min(limited.limit, granted + ready), waiting: found?.waiting ?? null };
  },

  async queuePace({ calls }, accountId, stage, now) {
    const projection = { readySince: 1, lastFailure: 1 };
    const sorted = { hint: INDEX.unfinished, sort: { readySince: 1 }, projection } as const;
    const since = paceSince(await calls.findOne(readyOf(accountId, stage), sorted), now);
    if (since === null) return null;
    const latest = { hint: INDEX.finished, sort: { updatedAt: -1 }, limit: PACE.calls, ...MAJORITY } as const;
    const finished = calls.find(
      { accountId, updatedAt: { $gte: since }, status: FINISHED },
      { ...latest, projection: { _id: 0, updatedAt: 1 } },
    );
    return { since, finishedAt: await finished.map(({ updatedAt }) => updatedAt).toArray() };
  },

  async queuePositions({ calls }, accountId, stage) {
    const limited = { hint: INDEX.unfinished, limit: COUNTED_AHEAD + 1, projection: { readySince: 1 } };
    const [granted, ready] = await Promise.all([
      calls.find(grantedOf(accountId, stage), limited).toArray(),
      calls.find(readyOf(accountId, stage), { ...limited, sort: { readySince: 1 } }).toArray(),
    ]);
    return positionsOf(
      granted.map(({ _id }) => _id),
      ready.map(({ _id, readySince }) => ({ callId: _id, readySince })),
    );
  },

  async endedWaits(context, now, limit) {
    const delays = { stage: ANY_STAGE, leaseUntil: NOT_SET, grantedUntil: NOT_SET, ...delayEnded(now) };
    const ended = await Promise.all([
      callsWhere(context, delays, { hint: INDEX.delayed, limit }),
      callsWhere(context, grantEnded(ANY_STAGE, now), { hint: INDEX.unfinished, limit }),
    ]);
    return ended.flat().slice(0, limit);
  },

  expiredLeases: (context, now, limit) =>
    callsWhere(context, { stage: ANY_STAGE, ...leaseEnded(now) }, { hint: INDEX.unfinished, limit }),

  async nextWake({ calls }, now) {
    const first = (at: string) => [{ $sort: { [at]: 1 } }, { $limit: 1 }, { $project: { _id: 0, at: `$${at}` } }];
    const delayEnds = { nextAttemptAt: { $gt: now }, leaseUntil: NOT_SET, grantedUntil: NOT_SET };
    const grantEnds = { stage: ANY_STAGE, leaseUntil: NOT_SET, grantedUntil: { $gt: now } };
    const rows = await calls
      .aggregate<{ at: Date }>(
        [
          { $match: delayEnds },
          ...first('nextAttemptAt'),
          { $unionWith: { coll: calls.collectionName, pipeline: [{ $match: grantEnds }, ...first('grantedUntil')] } },
        ],
        { hint: INDEX.delayed },
      )
      .toArray();
    return rows.length === 0 ? null : new Date(Math.min(...rows.map(({ at }) => at.getTime())));
  },

  async figures(context, now, atLimit = []) {
    const [[transcription, analysis], held, inFlight, waiting, [oldestEvent], ...due] = await Promise.all([
      Promise.all([readyFor(context, 'transcription', now), readyFor(context, 'analysis', now)]),
      heldFor(context, [...atLimit]),
      context.queues.inFlight(now),
      waitingFor(context),
      oldest(context.calls, 1),
      countAudioDue(context, now),
      countRemovalsDue(context, now),
    ]);
    const since = oldestEvent?.outbox[0]?.at ?? now;
    return {
      ready: { transcription, analysis },
      granted: { transcription: inFlight.transcription.granted, analysis: inFlight.analysis.granted },
      leased: { transcription: inFlight.transcription.leased, analysis: inFlight.analysis.leased },
      held,
      waiting,
      oldestOutboxAgeMs: Math.max(0, now.getTime() - since.getTime()),
      audioDue: due[0] + due[1],
    };
  },

  /** Only the events that a majority has: others may still be lost, and events are facts. */
  async outbox({ calls }, limit) {
    return (await oldest(calls, limit))
      .flatMap((call) => inOrder(call).map((event) => ({ ...event, call })))
      .sort((a, b) => a.since - b.since)
      .slice(0, limit)
      .map(({ id, type, at, call: { _id, accountId, traceparent } }) => ({
        id,
        message: makeMessage(type, { callId: _id, accountId }, id, '/calls', at, traceparent),
      }));
  },

  async removeFromOutbox({ calls }, ids) {
    if (ids.length === 0) return;
    await calls.updateMany(
      { _id: { $in: [...new Set(ids.map(callOf))] } },
      { $pull: { outbox: { id: { $in: ids } } } },
      // `outbox` reads what a majority has: after a lighter write the events would be published once more.
      { writeConcern: DURABLE },
    );
  },

  /** The upsert updates the role if it is free or held by this process; it fails when another process has the role. */
  async lead({ leaders }, role, holder, now, until) {
    const mayTake = { _id: role, $or: [{ holder }, { until: { $lte: now } }] };
    try {
      const options = { upsert: true, returnDocument: 'before', writeConcern: DURABLE } as const;
      const before = await leaders.findOneAndUpdate(mayTake, { $set: { holder, until } }, options);
      return before !== null && before.until < now ? before.until : now;
    } catch (error) {
      if (error instanceof mongoose.mongo.MongoServerError && error.code === DUPLICATE_KEY) return null;
      throw error;
    }
  },

  async resign({ leaders }, role, holder, now) {
    await leaders.updateOne({ _id: role, holder }, { $set: { until: now } }, { writeConcern: DURABLE });
  },

  async drainedStages({ drains }) {
    const found = await drains.find({ _id: { $in: [...STAGES] } }).toArray();
    return new Map(found.flatMap(({ _id, since }) => (since === null ? [] : [[_id, since] as const])));
  },

  /** Services may delete nothing here, so a resumed stage keeps its document. */
  async setDrained({ drains }, stage, since) {
    await drains.updateOne({ _id: stage }, { $set: { since } }, { upsert: true, writeConcern: DURABLE });
  },

  async announceWorker({ workers }, stage, worker, calls, _now, until) {
    const options = { upsert: true, writeConcern: PRIMARY_ONLY };
    await workers.updateOne({ _id: `${stage}/${worker}` }, { $set: { stage, calls, until } }, options);
  },

  async capacity({ workers }, now) {
    const found = { transcription: 0, analysis: 0 };
    const known = workers.find({ until: { $gt: now } }, { hint: INDEX.endedWorkers });
    for await (const { stage, calls } of known) found[stage] += calls;
    return found;
  },
} satisfies Queries;

function grantedOf(accountId: string, stage: Stage) {
  return { stage, accountId, leaseUntil: NOT_SET, grantedUntil: { $gte: EPOCH } };
}

function readyOf(accountId: string, stage: Stage) {
  return { ...waiting(stage), accountId, nextAttemptAt: NOT_SET };
}

/** The ready calls of these accounts. */
async function heldFor({ calls }: Database, accountIds: string[]): Promise<StoreFigures['held']> {
  if (accountIds.length === 0) return { transcription: 0, analysis: 0 };
  const count = (stage: Stage) =>
    calls.countDocuments(
      { ...waiting(stage), accountId: { $in: accountIds }, nextAttemptAt: NOT_SET },
      { hint: INDEX.unfinished },
    );
  const [transcription, analysis] = await Promise.all([count('transcription'), count('analysis')]);
  return { transcription, analysis };
}

/** Counts entries of an index that holds only calls that wait for a dependency. */
async function waitingFor({ calls }: Database): Promise<StoreFigures['waiting']> {
  const rows = await calls
    .aggregate<{ _id: Dependency; calls: number }>(
      [
        { $match: { stage: ANY_STAGE, 'waiting.since': { $gte: EPOCH } } },
        { $group: { _id: '$waiting.for', calls: { $sum: 1 } } },
      ],
      { hint: INDEX.byDependency },
    )
    .toArray();
  return waitingOf(rows.map(({ _id, calls }) => [_id, calls]));
}

/** Counting all waiting entries and subtracting is five times faster than a condition on each entry. */
async function readyFor({ calls }: Database, stage: Stage, now: Date): Promise<number> {
  const [all, notYet, again] = await Promise.all([
    calls.countDocuments(waiting(stage), { hint: INDEX.unfinished }),
    calls.countDocuments({ ...waiting(stage), ...delayed(now) }, { hint: INDEX.delayed }),
    calls.countDocuments(grantEnded(stage, now), { hint: INDEX.unfinished }),
  ]);
  // The three counts are not of the same moment.
  return Math.max(0, all - notYet + again);
}

type WithEvents = Pick<CallDocument, '_id' | 'accountId' | 'traceparent' | 'outbox'>;

/** The calls with the oldest events. Each has at least one event, so `limit` calls hold the `limit` oldest events. */
function oldest(calls: Database['calls'], limit: number): Promise<WithEvents[]> {
  return calls
    .find(
      { 'outbox.at': { $exists: true } },
      {
        projection: { accountId: 1, traceparent: 1, outbox: 1 },
        hint: INDEX.outbox,
        sort: { 'outbox.at': 1, _id: 1 },
        limit,
        ...MAJORITY,
      },
    )
    .toArray();
}

/** Events of one call keep their order, also when the clock was set back between them. */
function inOrder({ outbox }: WithEvents) {
  let since = 0;
  return outbox.map((event) => {
    since = Math.max(since, event.at.getTime());
    return { ...event, since };
  });
}

/** @param id of an event, see `OutboxEvent` */
function callOf(id: string): string {
  return id.replace(/\.\d+\.[^.]+\.[^.]+$/, '');
}
