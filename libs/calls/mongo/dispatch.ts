import { STAGES, type Stage } from '@call-analytics/contracts';
import type { Call } from '../record.ts';
import type { Backlog, StoreFigures } from '../store.ts';
import { CLOCK_TOLERANCE_MS, LONGEST_DELAY_MS } from '../transitions.ts';
import type { Database, Index } from './database.ts';
import { EPOCH, NOT_SET, RECORD_FIELDS, toCall } from './documents.ts';
import type { SchemaVersions } from './schema-versions.ts';

const UNFINISHED = 'unfinished';
const DELAYED = 'delayed_by_account';
const BY_NEXT_ATTEMPT = 'delayed_by_time';
/** Finished calls are in none of these, so what the dispatcher asks costs the same however many are done. */
export const DISPATCH_INDEXES: readonly Index[] = [
  // backlog, inFlight, expiredLeases, the next grant to end, figures
  {
    name: UNFINISHED,
    key: { stage: 1, leaseUntil: 1, grantedUntil: 1, accountId: 1, nextAttemptAt: 1, readySince: 1, leaseSince: 1 },
    partialFilterExpression: { stage: { $gt: '' } },
  },
  // backlog: the accounts with delayed calls
  {
    name: DELAYED,
    key: { stage: 1, accountId: 1, nextAttemptAt: 1 },
    partialFilterExpression: { nextAttemptAt: { $gte: EPOCH } },
  },
  // the next delay to end, and for the figures how many have not
  {
    name: BY_NEXT_ATTEMPT,
    key: { nextAttemptAt: 1, stage: 1, leaseUntil: 1, grantedUntil: 1 },
    partialFilterExpression: { nextAttemptAt: { $gte: EPOCH } },
  },
];

interface Next {
  _id: string;
  seconds: number;
  readySince: Date;
}
type BacklogRow = { _id: string; next: Next[] } | { _id: string; inFlight: number };

const NEXT = { seconds: '$audio.seconds', readySince: 1 } as const;
const EACH_NEXT = { _id: '$_id', seconds: '$audio.seconds', readySince: '$readySince' } as const;

/** What the dispatcher asks, each in one round trip. */
export class DispatchReader {
  readonly #calls: Database['calls'];
  readonly #versions: SchemaVersions;

  constructor({ calls }: Database, versions: SchemaVersions) {
    this.#calls = calls;
    this.#versions = versions;
  }

  async backlog(stage: Stage, now: Date, perAccount: number): Promise<Backlog[]> {
    const { tolerated, horizon } = times(now);
    const waiting = { stage, leaseUntil: NOT_SET, grantedUntil: NOT_SET };
    const also = (pipeline: object[]) => ({ $unionWith: { coll: this.#calls.collectionName, pipeline } });
    const rows = await this.#calls
      .aggregate<BacklogRow>(
        [
          ...this.#ready(waiting, perAccount),
          // Jumps from account to account in the index, and looks at the first of each.
          also([
            { $match: { stage, nextAttemptAt: { $gte: EPOCH } } },
            { $group: { _id: '$accountId' } },
            this.#firstOfEach(
              { ...waiting, $or: [{ nextAttemptAt: { $gte: EPOCH, $lte: now } }, { nextAttemptAt: { $gt: horizon } }] },
              { nextAttemptAt: 1 },
              perAccount,
            ),
          ]),
          // Those whose grant has ended without a claim: all grants are looked at, which are no more than are granted at a time.
          also([{ $match: grantEndedAt(stage, now, horizon) }, { $group: { _id: '$accountId', next: { $push: EACH_NEXT } } }]),
          also([{ $match: alive(stage, now, tolerated) }, { $group: { _id: '$accountId', inFlight: { $sum: 1 } } }]),
          also([{ $match: granted(stage, now, horizon) }, { $group: { _id: '$accountId', inFlight: { $sum: 1 } } }]),
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

  async inFlight(stage: Stage, now: Date): Promise<{ granted: number; leased: number }> {
    const { tolerated, horizon } = times(now);
    const counted = (is: 'granted' | 'leased') => ({ $group: { _id: is, calls: { $sum: 1 } } });
    const rows = await this.#calls
      .aggregate<{ _id: 'granted' | 'leased'; calls: number }>(
        [
          { $match: alive(stage, now, tolerated) },
          counted('leased'),
          { $unionWith: { coll: this.#calls.collectionName, pipeline: [{ $match: granted(stage, now, horizon) }, counted('granted')] } },
        ],
        { hint: UNFINISHED },
      )
      .toArray();
    const of = (is: string) => rows.find(({ _id }) => _id === is)?.calls ?? 0;
    return { granted: of('granted'), leased: of('leased') };
  }

  async expiredLeases(now: Date, limit: number): Promise<Call[]> {
    const { tolerated } = times(now);
    const ended = { $or: [{ leaseUntil: { $lte: now } }, { leaseSince: { $gt: tolerated } }] };
    const found = await this.#calls
      .find({ stage: { $in: [...STAGES] }, leaseUntil: { $gte: EPOCH }, ...ended }, { projection: RECORD_FIELDS, hint: UNFINISHED, limit })
      .toArray();
    return found.map((document) => toCall(this.#versions.read(document)));
  }

  async nextWake(now: Date): Promise<Date | null> {
    const first = (at: string) => [{ $sort: { [at]: 1 } }, { $limit: 1 }, { $project: { _id: 0, at: `$${at}` } }];
    const delayed = { nextAttemptAt: { $gt: now }, leaseUntil: NOT_SET, grantedUntil: NOT_SET };
    const granted = { stage: { $in: [...STAGES] }, leaseUntil: NOT_SET, grantedUntil: { $gt: now } };
    const rows = await this.#calls
      .aggregate<{ at: Date }>(
        [
          { $match: delayed },
          ...first('nextAttemptAt'),
          { $unionWith: { coll: this.#calls.collectionName, pipeline: [{ $match: granted }, ...first('grantedUntil')] } },
        ],
        { hint: BY_NEXT_ATTEMPT },
      )
      .toArray();
    return rows.length === 0 ? null : new Date(Math.min(...rows.map(({ at }) => at.getTime())));
  }

  async figures(now: Date): Promise<Pick<StoreFigures, 'ready' | 'leased'>> {
    const [transcription, analysis] = await Promise.all([this.#figuresOf('transcription', now), this.#figuresOf('analysis', now)]);
    return {
      ready: { transcription: transcription.ready, analysis: analysis.ready },
      leased: { transcription: transcription.leased, analysis: analysis.leased },
    };
  }

  /** Counts the index entries of all that wait, which the server does at two million a second; a condition to be looked at for each would cost it five times as much. */
  async #figuresOf(stage: Stage, now: Date): Promise<{ ready: number; leased: number }> {
    const { horizon } = times(now);
    const waiting = { stage, leaseUntil: NOT_SET, grantedUntil: NOT_SET };
    const [all, delayed, grantEnded, { leased }] = await Promise.all([
      this.#calls.countDocuments(waiting, { hint: UNFINISHED }),
      this.#calls.countDocuments({ ...waiting, nextAttemptAt: { $gt: now, $lte: horizon } }, { hint: BY_NEXT_ATTEMPT }),
      this.#calls.countDocuments(grantEndedAt(stage, now, horizon), { hint: UNFINISHED }),
      this.inFlight(stage, now),
    ]);
    // Not all at the same moment.
    return { ready: Math.max(0, all - delayed + grantEnded), leased };
  }

  #ready(waiting: object, perAccount: number): object[] {
    const ready = { ...waiting, nextAttemptAt: NOT_SET };
    if (perAccount > 1)
      return [{ $match: ready }, { $group: { _id: '$accountId' } }, this.#firstOfEach(ready, { readySince: 1 }, perAccount)];
    // With a thousand accounts this costs a sixth: the jump to an account lands on its first call.
    return [
      { $match: ready },
      { $sort: { accountId: 1, nextAttemptAt: 1, readySince: 1 } },
      { $group: { _id: '$accountId', next: { $first: EACH_NEXT } } },
      { $set: { next: ['$next'] } },
    ];
  }

  #firstOfEach(match: object, sort: Record<string, 1>, limit: number) {
    return {
      $lookup: {
        from: this.#calls.collectionName,
        localField: '_id',
        foreignField: 'accountId',
        pipeline: [{ $match: match }, { $sort: sort }, { $limit: limit }, { $project: NEXT }],
        as: 'next',
      },
    };
  }
}

function times(now: Date) {
  return { tolerated: new Date(now.getTime() + CLOCK_TOLERANCE_MS), horizon: new Date(now.getTime() + LONGEST_DELAY_MS) };
}

function alive(stage: Stage, now: Date, tolerated: Date) {
  return { stage, leaseUntil: { $gt: now }, leaseSince: { $lte: tolerated } };
}

/** Granted, not claimed, and due again: the time lies in the past, or further ahead than any delay can, which was written before the clock was set back. */
function grantEndedAt(stage: Stage, now: Date, horizon: Date) {
  const notAhead = { $not: { $gt: now, $lte: horizon } };
  return { stage, leaseUntil: NOT_SET, grantedUntil: { $gte: EPOCH, ...notAhead }, nextAttemptAt: notAhead };
}

function granted(stage: Stage, now: Date, horizon: Date) {
  return { stage, leaseUntil: NOT_SET, grantedUntil: { $gt: now, $lte: horizon } };
}
