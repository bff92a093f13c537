import { STAGES, type Stage } from '@call-analytics/contracts';
import { type Backlog, backlogOf, type InFlight, inFlightOf, type Queues } from '../queues.ts';
import { CLOCK_TOLERANCE_MS, hasEnded, isAhead, MAX_DELAY_MS } from '../transitions.ts';
import type { Database } from './database.ts';
import { type CallDocument, EPOCH, INDEX, NOT_SET } from './schema.ts';

// Conditions on unfinished calls. Finished calls are in none of their indexes, so the dispatcher's queries cost the
// same for any number of them.

/** Both stages; an index that begins with the stage is as fast with it. */
export const ANY_STAGE = { $in: [...STAGES] };

/** Neither leased nor granted: ready, or delayed. */
export function waiting(stage: Stage) {
  return { stage, leaseUntil: NOT_SET, grantedUntil: NOT_SET };
}

/** Of waiting calls: the delay is over, or so far ahead that it dates from before the clock was set back. */
export function delayEnded(now: Date) {
  return { $or: [{ nextAttemptAt: { $gte: EPOCH, $lte: now } }, { nextAttemptAt: { $gt: horizon(now) } }] };
}

/** Of waiting calls: the delay is not over. */
export function delayed(now: Date) {
  return { nextAttemptAt: { $gt: now, $lte: horizon(now) } };
}

/** Granted and not yet claimed. */
function granted(now: Date) {
  return { stage: ANY_STAGE, leaseUntil: NOT_SET, grantedUntil: { $gt: now, $lte: horizon(now) } };
}

/** Granted, not claimed in time, and due again. Looks at all grants, of which there are few. */
export function grantEnded(stage: Stage | typeof ANY_STAGE, now: Date) {
  const notAhead = { $not: { $gt: now, $lte: horizon(now) } };
  return { stage, leaseUntil: NOT_SET, grantedUntil: { $gte: EPOCH, ...notAhead }, nextAttemptAt: notAhead };
}

/** Leased, and the lease has not ended. */
function leased(now: Date) {
  return { stage: ANY_STAGE, leaseUntil: { $gt: now }, leaseSince: { $lte: tolerated(now) } };
}

/** Of leased calls: see `hasEnded` in transitions.ts. */
export function leaseEnded(now: Date) {
  return { leaseUntil: { $gte: EPOCH }, $or: [{ leaseUntil: { $lte: now } }, { leaseSince: { $gt: tolerated(now) } }] };
}

function tolerated(now: Date): Date {
  return new Date(now.getTime() + CLOCK_TOLERANCE_MS);
}

export function horizon(now: Date): Date {
  return new Date(now.getTime() + MAX_DELAY_MS);
}

/** Up to this many unfinished calls are read entry by entry, which costs the server a sixth of grouping them. */
const FEW = 500;
/** With more, reading them is not tried again for this time, in ms. */
const CROWDED_MS = 1_000;

type Entry = Pick<
  CallDocument,
  | '_id'
  | 'stage'
  | 'accountId'
  | 'leaseUntil'
  | 'leaseSince'
  | 'grantedUntil'
  | 'nextAttemptAt'
  | 'readySince'
  | 'version'
> & { audio: { seconds: number } };

/** All fields are in the index, so no document is read. */
const ENTRY = {
  stage: 1,
  accountId: 1,
  leaseUntil: 1,
  leaseSince: 1,
  grantedUntil: 1,
  nextAttemptAt: 1,
  readySince: 1,
  version: 1,
  'audio.seconds': 1,
} as const;

/** Who waits and what is in flight. Reads the latest state, not a majority's: every grant is a guarded write. */
export class QueueReader {
  readonly #calls: Database['calls'];
  readonly #few: number;
  /** On the clock of `performance.now()`. */
  #crowdedUntil = Number.NEGATIVE_INFINITY;

  /** @param few up to this many unfinished calls are read entry by entry */
  constructor({ calls }: Pick<Database, 'calls'>, few = FEW) {
    this.#calls = calls;
    this.#few = few;
  }

  async queues(now: Date): Promise<Queues> {
    const few = await this.#ofFew(now);
    if (few !== null) return few;
    return { inFlight: await this.inFlight(now), backlog: (stage, perAccount) => this.#backlog(stage, perAccount) };
  }

  /** In one round trip, by grouping on the server. */
  async inFlight(now: Date): Promise<Record<Stage, InFlight>> {
    const counted = (is: 'granted' | 'leased') => ({
      $group: { _id: { is, stage: '$stage', accountId: '$accountId' }, calls: { $sum: 1 } },
    });
    const rows = await this.#calls
      .aggregate<{ _id: { is: 'granted' | 'leased'; stage: Stage; accountId: string }; calls: number }>(
        [
          { $match: leased(now) },
          counted('leased'),
          {
            $unionWith: { coll: this.#calls.collectionName, pipeline: [{ $match: granted(now) }, counted('granted')] },
          },
        ],
        { hint: INDEX.unfinished },
      )
      .toArray();
    return inFlightOf(rows.map(({ _id, calls }) => ({ ..._id, calls })));
  }

  /** @returns null when there are too many */
  async #ofFew(now: Date): Promise<Queues | null> {
    if (performance.now() < this.#crowdedUntil) return null;
    const entries = (await this.#calls
      .find({ stage: ANY_STAGE }, { projection: ENTRY, hint: INDEX.unfinished, limit: this.#few + 1 })
      .toArray()) as unknown as (Entry & { stage: Stage })[];
    if (entries.length > this.#few) {
      this.#crowdedUntil = performance.now() + CROWDED_MS;
      return null;
    }
    const inFlight = inFlightOf(
      entries.flatMap((entry) => {
        const is = inFlightAs(entry, now);
        return is === null ? [] : [{ is, stage: entry.stage, accountId: entry.accountId, calls: 1 }];
      }),
    );
    const ready = (stage: Stage) => entries.filter((entry) => entry.stage === stage && isReady(entry)).map(shown);
    return { inFlight, backlog: async (stage, perAccount) => backlogOf(ready(stage), perAccount) };
  }

  /** The server jumps from account to account in the index: ten thousand calls of one account cost what one costs. */
  async #backlog(stage: Stage, perAccount: number): Promise<Backlog[]> {
    const ready = { ...waiting(stage), nextAttemptAt: NOT_SET };
    const next = perAccount > 1 ? nextFew(this.#calls.collectionName, ready, perAccount) : NEXT_ONE;
    const rows = await this.#calls.aggregate<Row>([{ $match: ready }, ...next], { hint: INDEX.unfinished }).toArray();
    return rows.map(({ _id, next }) => ({
      accountId: _id,
      next: next.map(({ _id: callId, ...about }) => ({ callId, ...about })),
    }));
  }
}

function inFlightAs({ leaseSince, leaseUntil, grantedUntil }: Entry, now: Date): 'granted' | 'leased' | null {
  if (leaseUntil === NOT_SET || leaseSince === NOT_SET)
    return grantedUntil !== NOT_SET && isAhead(grantedUntil, now) ? 'granted' : null;
  return hasEnded({ since: leaseSince, until: leaseUntil }, now) ? null : 'leased';
}

function isReady({ leaseUntil, grantedUntil, nextAttemptAt }: Entry): boolean {
  return leaseUntil === NOT_SET && grantedUntil === NOT_SET && nextAttemptAt === NOT_SET;
}

function shown({ _id, accountId, version, audio, readySince }: Entry) {
  return { accountId, callId: _id, version, seconds: audio.seconds, readySince };
}

interface Row {
  _id: string;
  next: { _id: string; version: number; seconds: number; readySince: Date }[];
}

function nextFew(collection: string, ready: object, limit: number): object[] {
  const project = { version: 1, seconds: '$audio.seconds', readySince: 1 };
  const pipeline = [{ $match: ready }, { $sort: { readySince: 1 } }, { $limit: limit }, { $project: project }];
  return [
    { $group: { _id: '$accountId' } },
    { $lookup: { from: collection, localField: '_id', foreignField: 'accountId', pipeline, as: 'next' } },
  ];
}

/** With a thousand accounts this costs a sixth of `nextFew`: the jump to an account lands on its first call. */
const NEXT_ONE = [
  { $sort: { accountId: 1, nextAttemptAt: 1, readySince: 1 } },
  {
    $group: {
      _id: '$accountId',
      next: { $first: { _id: '$_id', version: '$version', seconds: '$audio.seconds', readySince: '$readySince' } },
    },
  },
  { $set: { next: ['$next'] } },
];
