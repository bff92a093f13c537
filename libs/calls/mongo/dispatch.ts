import { STAGES, type Stage } from '@call-analytics/contracts';
import type { Call } from '../record.ts';
import type { StoreFigures } from '../store.ts';
import type { Database } from './database.ts';
import { NOT_SET, RECORD_FIELDS, toCall } from './documents.ts';
import type { SchemaVersions } from './schema-versions.ts';
import { BY_NEXT_ATTEMPT, delayed, grantEnded, granted, leased, leaseEnded, UNFINISHED, waiting } from './waiting.ts';

// What the dispatcher asks beside the backlog. All of it is about the latest state, not about majorities: the writes behind it are mostly light, and what comes of it is a
// guarded write.

export async function inFlight({ calls }: Database, stage: Stage, now: Date): Promise<{ granted: number; leased: number }> {
  const counted = (is: 'granted' | 'leased') => ({ $group: { _id: is, calls: { $sum: 1 } } });
  const rows = await calls
    .aggregate<{ _id: 'granted' | 'leased'; calls: number }>(
      [
        { $match: leased(stage, now) },
        counted('leased'),
        { $unionWith: { coll: calls.collectionName, pipeline: [{ $match: granted(stage, now) }, counted('granted')] } },
      ],
      { hint: UNFINISHED },
    )
    .toArray();
  const of = (is: string) => rows.find(({ _id }) => _id === is)?.calls ?? 0;
  return { granted: of('granted'), leased: of('leased') };
}

export async function expiredLeases({ calls }: Database, versions: SchemaVersions, now: Date, limit: number): Promise<Call[]> {
  const found = await calls
    .find({ stage: { $in: [...STAGES] }, ...leaseEnded(now) }, { projection: RECORD_FIELDS, hint: UNFINISHED, limit })
    .toArray();
  return found.map((document) => toCall(versions.read(document)));
}

export async function nextWake({ calls }: Database, now: Date): Promise<Date | null> {
  const first = (at: string) => [{ $sort: { [at]: 1 } }, { $limit: 1 }, { $project: { _id: 0, at: `$${at}` } }];
  const delayEnds = { nextAttemptAt: { $gt: now }, leaseUntil: NOT_SET, grantedUntil: NOT_SET };
  const grantEnds = { stage: { $in: [...STAGES] }, leaseUntil: NOT_SET, grantedUntil: { $gt: now } };
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

export async function figures(database: Database, now: Date): Promise<Pick<StoreFigures, 'ready' | 'leased'>> {
  const [transcription, analysis] = await Promise.all([figuresOf(database, 'transcription', now), figuresOf(database, 'analysis', now)]);
  return {
    ready: { transcription: transcription.ready, analysis: analysis.ready },
    leased: { transcription: transcription.leased, analysis: analysis.leased },
  };
}

/** Counts the index entries of all that wait, which the server does at two million a second; a condition to be looked at for each would cost it five times as much. */
async function figuresOf(database: Database, stage: Stage, now: Date): Promise<{ ready: number; leased: number }> {
  const { calls } = database;
  const [all, notYet, again, { leased }] = await Promise.all([
    calls.countDocuments(waiting(stage), { hint: UNFINISHED }),
    calls.countDocuments({ ...waiting(stage), ...delayed(now) }, { hint: BY_NEXT_ATTEMPT }),
    calls.countDocuments(grantEnded(stage, now), { hint: UNFINISHED }),
    inFlight(database, stage, now),
  ]);
  // Not all at the same moment.
  return { ready: Math.max(0, all - notYet + again), leased };
}
