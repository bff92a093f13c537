import { type Dependency, makeMessage, type Stage } from '@call-analytics/contracts';
import mongoose from 'mongoose';
import { COUNTED_AHEAD, type InFlight, type QueuePlace, waitingOf } from '../queues.ts';
import type { Call } from '../record.ts';
import type { CallReads, OutboxEntry, StoreFigures } from '../store.ts';
import { type Database, DURABLE, MAJORITY, PRIMARY_ONLY } from './database.ts';
import { toCall } from './documents.ts';
import { delayEnded, delayed, EITHER, grantEnded, leaseEnded, waiting } from './queues.ts';
import type { SchemaVersions } from './records.ts';
import { type CallDocument, EPOCH, INDEX, NOT_SET, RECORD_FIELDS } from './schema.ts';

// What the dispatcher needs beside the queues: waits and leases that have ended, the outbox, its role, the workers.
// Waits and leases are read in the latest state, not a majority's, because what follows is a guarded write.

const DUPLICATE_KEY = 11000;

export async function endedWaits(
  { calls }: Database,
  versions: SchemaVersions,
  now: Date,
  limit: number,
): Promise<Call[]> {
  const [delays, grants] = await Promise.all([
    calls
      .find(
        { stage: EITHER, leaseUntil: NOT_SET, grantedUntil: NOT_SET, ...delayEnded(now) },
        { hint: INDEX.delayed, projection: RECORD_FIELDS, limit },
      )
      .toArray(),
    calls.find(grantEnded(EITHER, now), { hint: INDEX.unfinished, projection: RECORD_FIELDS, limit }).toArray(),
  ]);
  return [...delays, ...grants].slice(0, limit).map((document) => toCall(versions.read(document)));
}

export async function expiredLeases(
  { calls }: Database,
  versions: SchemaVersions,
  now: Date,
  limit: number,
): Promise<Call[]> {
  const found = await calls
    .find({ stage: EITHER, ...leaseEnded(now) }, { projection: RECORD_FIELDS, hint: INDEX.unfinished, limit })
    .toArray();
  return found.map((document) => toCall(versions.read(document)));
}

export async function queuePlace(
  { calls }: Database,
  { accountId, stage, grantedUntil, readySince }: Parameters<CallReads['queuePlace']>[0],
): Promise<QueuePlace> {
  if (stage === null) return { ahead: 0, waiting: null };
  const queue = { stage, accountId, leaseUntil: NOT_SET };
  const limited = { hint: INDEX.unfinished, limit: COUNTED_AHEAD + 1 };
  const earlier = { ...queue, grantedUntil: NOT_SET, nextAttemptAt: NOT_SET, readySince: { $lt: readySince } };
  const count = (filter: object) => (grantedUntil === null ? calls.countDocuments(filter, limited) : 0);
  const [granted, ready, found] = await Promise.all([
    count({ ...queue, grantedUntil: { $gte: EPOCH } }),
    count(earlier),
    calls.findOne(
      { stage, accountId, 'waiting.since': { $gte: EPOCH } },
      { hint: INDEX.byDependency, projection: { _id: 0, 'waiting.for': 1, 'waiting.since': 1 } },
    ),
  ]);
  return { ahead: Math.min(limited.limit, granted + ready), waiting: found?.waiting ?? null };
}

export async function nextWake({ calls }: Database, now: Date): Promise<Date | null> {
  const first = (at: string) => [{ $sort: { [at]: 1 } }, { $limit: 1 }, { $project: { _id: 0, at: `$${at}` } }];
  const delayEnds = { nextAttemptAt: { $gt: now }, leaseUntil: NOT_SET, grantedUntil: NOT_SET };
  const grantEnds = { stage: EITHER, leaseUntil: NOT_SET, grantedUntil: { $gt: now } };
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
}

export async function figures(
  database: Database,
  now: Date,
  underWay: Promise<Record<Stage, InFlight>>,
): Promise<Pick<StoreFigures, 'ready' | 'granted' | 'leased' | 'waiting'>> {
  const [transcription, analysis, inFlight, waiting] = await Promise.all([
    readyFor(database, 'transcription', now),
    readyFor(database, 'analysis', now),
    underWay,
    waitingFor(database),
  ]);
  return {
    ready: { transcription, analysis },
    granted: { transcription: inFlight.transcription.granted, analysis: inFlight.analysis.granted },
    leased: { transcription: inFlight.transcription.leased, analysis: inFlight.analysis.leased },
    waiting,
  };
}

/** Counts entries of an index that holds only calls that wait for a dependency. */
async function waitingFor({ calls }: Database): Promise<StoreFigures['waiting']> {
  const rows = await calls
    .aggregate<{ _id: Dependency; calls: number }>(
      [
        { $match: { stage: EITHER, 'waiting.since': { $gte: EPOCH } } },
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

/** The waiting events, oldest first. Only those that a majority has: others may still be lost, and events are facts. */
export async function outbox({ calls }: Database, limit: number): Promise<OutboxEntry[]> {
  return (await oldest(calls, limit))
    .flatMap((call) => inOrder(call).map((event) => ({ ...event, call })))
    .sort((a, b) => a.since - b.since)
    .slice(0, limit)
    .map(({ id, type, at, call: { _id, accountId, traceparent } }) => ({
      id,
      message: makeMessage(type, { callId: _id, accountId }, id, '/calls', at, traceparent),
    }));
}

export async function removeFromOutbox({ calls }: Database, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await calls.updateMany(
    { _id: { $in: [...new Set(ids.map(callOf))] } },
    { $pull: { outbox: { id: { $in: ids } } } },
    // `outbox` reads what a majority has: after a lighter write the events would be published once more.
    { writeConcern: DURABLE },
  );
}

export async function oldestEventAt({ calls }: Database): Promise<Date | null> {
  const [first] = await oldest(calls, 1);
  return first?.outbox[0]?.at ?? null;
}

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

/**
 * One upsert: it updates the role if it is free or held by this process; inserting fails when another process has it.
 */
export async function lead(
  { leaders }: Database,
  role: string,
  holder: string,
  now: Date,
  until: Date,
): Promise<boolean> {
  const mayTake = { _id: role, $or: [{ holder }, { until: { $lte: now } }] };
  try {
    await leaders.updateOne(mayTake, { $set: { holder, until } }, { upsert: true, writeConcern: DURABLE });
    return true;
  } catch (error) {
    if (error instanceof mongoose.mongo.MongoServerError && error.code === DUPLICATE_KEY) return false;
    throw error;
  }
}

export async function resign({ leaders }: Database, role: string, holder: string): Promise<void> {
  await leaders.deleteOne({ _id: role, holder }, { writeConcern: DURABLE });
}

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
    { upsert: true, writeConcern: PRIMARY_ONLY },
  );
}

export async function capacity({ workers }: Database, now: Date): Promise<Record<Stage, number>> {
  const found = { transcription: 0, analysis: 0 };
  for (const { stage, calls } of await workers.find({ until: { $gt: now } }, { hint: INDEX.endedWorkers }).toArray())
    found[stage] += calls;
  return found;
}
