import type { CallStatus } from '@call-analytics/contracts';
import type { Clock, Logger } from '@call-analytics/service-kit';
import type { CountsDocument } from './collections.ts';
import type { Database } from './database.ts';
import { EPOCH, INDEX } from './schema.ts';

/** From this many uncounted calls of an account, counting them is worth a transaction. */
const WORTH_COUNTING = 256;
const COUNTED_AT_ONCE = 500;
/** A call that has just changed its status will soon change again, and a conflicting write restarts the transaction. */
const SETTLED_AFTER_MS = 1_000;

type Difference = { _id: { status: CallStatus; counted?: CallStatus | null }; difference: number };

/**
 * How many calls an account has, in total and in each status: exact, and as cheap with a million calls as with ten.
 * A write marks its call as uncounted, and some hundred marked calls are counted in one transaction, because one for
 * each write would make all writes of an account queue for its counts (docs/decisions/0009).
 */
export class Totals {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #log: Logger | null;
  /** By account: changes of status by this process since it last counted. */
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
        { hint: INDEX.uncounted, readConcern: { level: 'snapshot' } },
      )
      .toArray();
    // The index returns null for a missing field.
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

  /** In the background; after a failure the calls are counted another time. */
  #countSoon(accountId: string): void {
    if (this.#counting.has(accountId)) return;
    this.#changes.delete(accountId);
    const counting = this.#countAll(accountId)
      .catch((error) => this.#log?.debug({ err: error, accountId }, 'could not count the calls of an account'))
      .finally(() => this.#counting.delete(accountId));
    this.#counting.set(accountId, counting);
  }

  async #countAll(accountId: string): Promise<void> {
    for (;;) if ((await this.#countSome(accountId)) < COUNTED_AT_ONCE) return;
  }

  async #countSome(accountId: string): Promise<number> {
    const { calls, counts, transaction } = this.#database;
    return transaction(async (session) => {
      const settled = { $gte: EPOCH, $lt: new Date(this.#clock.now().getTime() - SETTLED_AFTER_MS) };
      const marked = await calls
        .find(
          { accountId, uncounted: settled },
          {
            projection: { status: 1, counted: 1 },
            hint: INDEX.uncounted,
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
      // A write to one of these calls in the meantime fails the transaction, which is then retried as a whole.
      await calls.updateMany({ _id: { $in: ids } }, [{ $set: { counted: '$status' } }, { $unset: 'uncounted' }], {
        session,
      });
      await counts.updateOne({ _id: accountId }, { $inc: differences }, { session, upsert: true });
      return marked.length;
    });
  }
}
