import type { Stage } from '@call-analytics/contracts';
import { type Backlog, backlogOf, type InFlight, inFlightOf, type Queues } from '../queues.ts';
import { hasEnded, isAhead } from '../transitions.ts';
import type { Database } from './database.ts';
import { type CallDocument, NOT_SET } from './documents.ts';
import { EITHER, granted, leased, UNFINISHED, waiting } from './waiting.ts';

/** Up to so many unfinished calls are read from the index, all of them, which costs the server a sixth of what it costs to group them there. */
const FEW = 500;
/** When there are more, they are not tried to be read again for this time. Milliseconds. */
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

/** All of it is in the index: no document is read. */
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

/** Who waits and what is in flight, for the dispatcher. It is about the latest state, not about majorities: what comes of it is a guarded write. */
export class QueueReader {
  readonly #calls: Database['calls'];
  readonly #few: number;
  /** On the clock of `performance.now()`. */
  #crowdedUntil = Number.NEGATIVE_INFINITY;

  /** @param few up to so many unfinished calls are read whole */
  constructor({ calls }: Pick<Database, 'calls'>, few = FEW) {
    this.#calls = calls;
    this.#few = few;
  }

  async queues(now: Date): Promise<Queues> {
    const few = await this.#ofFew(now);
    if (few !== null) return few;
    return {
      inFlight: await this.inFlight(now),
      backlog: (stage, perAccount) => this.#backlog(stage, perAccount),
    };
  }

  /** In one round trip, by grouping. */
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
        { hint: UNFINISHED },
      )
      .toArray();
    return inFlightOf(rows.map(({ _id, calls }) => ({ ..._id, calls })));
  }

  /** @returns null when they are many */
  async #ofFew(now: Date): Promise<Queues | null> {
    if (performance.now() < this.#crowdedUntil) return null;
    const entries = (await this.#calls
      .find({ stage: EITHER }, { projection: ENTRY, hint: UNFINISHED, limit: this.#few + 1 })
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

  /** To find the accounts the server jumps from one to the next in the index, so ten thousand calls of one cost no more than one. */
  async #backlog(stage: Stage, perAccount: number): Promise<Backlog[]> {
    const ready = { ...waiting(stage), nextAttemptAt: NOT_SET };
    const next = perAccount > 1 ? nextFew(this.#calls.collectionName, ready, perAccount) : NEXT_ONE;
    const rows = await this.#calls.aggregate<Row>([{ $match: ready }, ...next], { hint: UNFINISHED }).toArray();
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

/** With a thousand accounts this costs a sixth: the jump to an account lands on its first call. */
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
