import type { Dependency, Stage } from '@call-analytics/contracts';
import { COUNTED_AHEAD, type InFlight, type QueuePlace, waitingOf } from '../queues.ts';
import type { Call } from '../record.ts';
import type { CallStore, StoreFigures } from '../store.ts';
import type { Database } from './database.ts';
import { EPOCH, NOT_SET, RECORD_FIELDS, toCall } from './documents.ts';
import type { SchemaVersions } from './schema-versions.ts';
import {
  BY_DEPENDENCY,
  BY_NEXT_ATTEMPT,
  delayEnded,
  delayed,
  EITHER,
  grantEnded,
  leaseEnded,
  UNFINISHED,
  waiting,
} from './waiting.ts';

// What the dispatcher asks beside the queues. All of it is about the latest state, not about majorities: the writes behind it are mostly light, and what comes of it is a
// guarded write.

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
        { hint: BY_NEXT_ATTEMPT, projection: RECORD_FIELDS, limit },
      )
      .toArray(),
    calls.find(grantEnded(EITHER, now), { hint: UNFINISHED, projection: RECORD_FIELDS, limit }).toArray(),
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
    .find({ stage: EITHER, ...leaseEnded(now) }, { projection: RECORD_FIELDS, hint: UNFINISHED, limit })
    .toArray();
  return found.map((document) => toCall(versions.read(document)));
}

export async function queuePlace(
  { calls }: Database,
  { accountId, stage, grantedUntil, readySince }: Parameters<CallStore['queuePlace']>[0],
): Promise<QueuePlace> {
  if (stage === null) return { ahead: 0, waiting: null };
  const queue = { stage, accountId, leaseUntil: NOT_SET };
  const limited = { hint: UNFINISHED, limit: COUNTED_AHEAD + 1 };
  const earlier = { ...queue, grantedUntil: NOT_SET, nextAttemptAt: NOT_SET, readySince: { $lt: readySince } };
  const count = (filter: object) => (grantedUntil === null ? calls.countDocuments(filter, limited) : 0);
  const [granted, ready, found] = await Promise.all([
    count({ ...queue, grantedUntil: { $gte: EPOCH } }),
    count(earlier),
    calls.findOne(
      { stage, accountId, 'waiting.since': { $gte: EPOCH } },
      { hint: BY_DEPENDENCY, projection: { _id: 0, 'waiting.for': 1, 'waiting.since': 1 } },
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
      { hint: BY_NEXT_ATTEMPT },
    )
    .toArray();
  return rows.length === 0 ? null : new Date(Math.min(...rows.map(({ at }) => at.getTime())));
}

export async function figures(
  database: Database,
  now: Date,
  underWay: Promise<Record<Stage, InFlight>>,
): Promise<Pick<StoreFigures, 'ready' | 'leased' | 'waiting'>> {
  const [transcription, analysis, inFlight, waiting] = await Promise.all([
    readyFor(database, 'transcription', now),
    readyFor(database, 'analysis', now),
    underWay,
    waitingFor(database),
  ]);
  return {
    ready: { transcription, analysis },
    leased: { transcription: inFlight.transcription.leased, analysis: inFlight.analysis.leased },
    waiting,
  };
}

/** Counts in an index that holds only the calls that wait for a dependency. */
async function waitingFor({ calls }: Database): Promise<StoreFigures['waiting']> {
  const rows = await calls
    .aggregate<{ _id: Dependency; calls: number }>(
      [
        { $match: { stage: EITHER, 'waiting.since': { $gte: EPOCH } } },
        { $group: { _id: '$waiting.for', calls: { $sum: 1 } } },
      ],
      { hint: BY_DEPENDENCY },
    )
    .toArray();
  return waitingOf(rows.map(({ _id, calls }) => [_id, calls]));
}

/** Counts the index entries of all that wait, which the server does at two million a second; a condition to be looked at for each would cost it five times as much. */
async function readyFor({ calls }: Database, stage: Stage, now: Date): Promise<number> {
  const [all, notYet, again] = await Promise.all([
    calls.countDocuments(waiting(stage), { hint: UNFINISHED }),
    calls.countDocuments({ ...waiting(stage), ...delayed(now) }, { hint: BY_NEXT_ATTEMPT }),
    calls.countDocuments(grantEnded(stage, now), { hint: UNFINISHED }),
  ]);
  // Not all at the same moment.
  return Math.max(0, all - notYet + again);
}
