import type { CallStatus } from '@call-analytics/contracts';
import type { Clock, Logger } from '@call-analytics/service-kit';
import type { CountsDocument, Database, Index } from './database.ts';
import { EPOCH } from './documents.ts';

const UNCOUNTED = 'of_account_uncounted';
export const TOTAL_INDEXES: readonly Index[] = [
  // total, and the calls that are to be counted: only these are in it, and it holds all that is asked of them
  {
    name: UNCOUNTED,
    key: { accountId: 1, uncounted: 1, status: 1, counted: 1, _id: 1 },
    partialFilterExpression: { uncounted: { $gte: EPOCH } },
  },
];

/** From this many uncounted calls of an account on it is worth a transaction to count them. */
const WORTH_COUNTING = 256;
const COUNTED_AT_ONCE = 500;
/** In ms. Who has just changed its status is about to be changed again, and a transaction that meets another write has to begin anew. */
const LEFT_ALONE_FOR = 1_000;

type Difference = { _id: { status: CallStatus; counted?: CallStatus | null }; difference: number };

/**
 * How many calls an account has, in all and in each status: exact, and as cheap with a million calls as with ten.
 *
 * Counting with each write would take a transaction for each change of status, and all writes of an account would queue for its one count. So a write only marks its call as
 * uncounted, in the same document, and marked calls are counted some hundreds at a time, in one transaction: it raises the account's counts and notes at each call as what it
 * is counted. A total is what is counted, corrected by the few calls that are marked: both read at the same moment (a snapshot), so no call is missed or counted twice.
 */
export class Totals {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #log: Logger | null;
  /** Changes of status by this process, per account, since it last counted. */
  readonly #changes = new Map<string, number>();
  readonly #counting = new Map<string, Promise<void>>();

  /** @param clock the one that stamps the marks */
  constructor(database: Database, clock: Clock, log: Logger | null) {
    this.#database = database;
    this.#clock = clock;
    this.#log = log;
  }

  async total(accountId: string, status?: CallStatus): Promise<number> {
    const { calls, counts } = this.#database;
    const rows = await calls
      .aggregate<Difference | CountsDocument>(
        [
          { $match: { accountId, uncounted: { $gte: EPOCH } } },
          { $group: { _id: { status: '$status', counted: '$counted' }, difference: { $sum: 1 } } },
          { $unionWith: { coll: counts.collectionName, pipeline: [{ $match: { _id: accountId } }] } },
        ],
        { hint: UNCOUNTED, readConcern: { level: 'snapshot' } },
      )
      .toArray();
    // The index gives null for what is missing.
    const matches = (each: string | null | undefined) => each != null && (status === undefined || each === status);
    let total = 0;
    let marked = 0;
    for (const row of rows) {
      if ('calls' in row)
        for (const [counted, number] of Object.entries(row.calls)) total += matches(counted) ? number : 0;
      else {
        marked += row.difference;
        total += ((matches(row._id.status) ? 1 : 0) - (matches(row._id.counted) ? 1 : 0)) * row.difference;
      }
    }
    if (marked >= WORTH_COUNTING) this.#countSoon(accountId);
    return total;
  }

  /** A call of the account has changed its status. */
  changed(accountId: string): void {
    const changes = (this.#changes.get(accountId) ?? 0) + 1;
    if (changes < WORTH_COUNTING) this.#changes.set(accountId, changes);
    else this.#countSoon(accountId);
  }

  /** @returns when nothing is being counted any more */
  async settled(): Promise<void> {
    await Promise.all(this.#counting.values());
  }

  /** Nobody waits for it, and what fails now is counted another time. */
  #countSoon(accountId: string): void {
    if (this.#counting.has(accountId)) return;
    this.#changes.delete(accountId);
    const counting = this.#countAll(accountId)
      .catch((error) => this.#log?.debug({ err: error, accountId }, 'could not count calls now'))
      .finally(() => this.#counting.delete(accountId));
    this.#counting.set(accountId, counting);
  }

  async #countAll(accountId: string): Promise<void> {
    for (;;) if ((await this.#countSome(accountId)) < COUNTED_AT_ONCE) return;
  }

  async #countSome(accountId: string): Promise<number> {
    const { calls, counts, transaction } = this.#database;
    return transaction(async (session) => {
      const settled = { $gte: EPOCH, $lt: new Date(this.#clock.now().getTime() - LEFT_ALONE_FOR) };
      const marked = await calls
        .find(
          { accountId, uncounted: settled },
          {
            projection: { status: 1, counted: 1 },
            hint: UNCOUNTED,
            sort: { uncounted: 1 },
            limit: COUNTED_AT_ONCE,
            session,
          },
        )
        .toArray();
      if (marked.length === 0) return 0;
      const differences: Record<string, number> = {};
      const add = (status: CallStatus | null | undefined, by: number) => {
        if (status != null) differences[`calls.${status}`] = (differences[`calls.${status}`] ?? 0) + by;
      };
      for (const { status, counted } of marked) {
        add(status, 1);
        add(counted, -1);
      }
      const ids = marked.map(({ _id }) => _id);
      // Whoever has changed one of these calls meanwhile makes the transaction fail: it is tried again, as a whole.
      await calls.updateMany({ _id: { $in: ids } }, [{ $set: { counted: '$status' } }, { $unset: 'uncounted' }], {
        session,
      });
      await counts.updateOne({ _id: accountId }, { $inc: differences }, { session, upsert: true });
      return marked.length;
    });
  }
}
