import type { Stage } from '@call-analytics/contracts';
import type { Clock } from '@call-analytics/service-kit';
import type { HeldLease } from './record.ts';
import type { CallReads } from './store.ts';

// What calls cost by list prices, and the limit of what an account may spend on a day (docs/decisions/0021).

/** What the requests of one attempt have cost so far. */
export interface AttemptCost {
  attempt: number;
  stage: Stage;
  engine: { name: string; model: string };
  /** US dollars, of those with a known price; null while there are none. */
  dollars: number | null;
  /** When the last of them was paid. */
  at: Date;
}

export interface AccountSpending {
  accountId: string;
  /** US dollars. */
  dollars: number;
  /** Attempts without a known price. */
  unpriced: number;
  /** When the last request was paid. */
  at: Date;
  /** The account's setting `spendingLimit`, as it was stored; undefined when there is none. */
  ownLimit?: unknown;
}

/** What calls have cost in a time. */
export interface Costs extends Record<Stage, number> {
  /** US dollars, of both stages together; those of each stage are 0 for days before they were recorded. */
  dollars: number;
  /** Those whose first cost is of this time, so that each call is counted once. */
  calls: number;
  /** Those that began to cost something, or something unknown. */
  attempts: number;
  /** Those of each stage without a known price: they are in no sum of dollars. */
  unpricedTranscription: number;
  unpricedAnalysis: number;
  /** The length of the recordings of these calls. */
  seconds: number;
}
export type DaySpending = Costs & { day: string };

/** @returns what a cost adds to the sums of its day; null when it adds nothing */
export function addedBy(
  { stage, dollars }: AttemptCost,
  known: {
    /** What the attempt has cost so far; undefined for its first cost. */
    dollars: AttemptCost['dollars'] | undefined;
    /** The length of the recording, as far as it is known now. */
    seconds: number;
    /** The length that is in the sums; null for the first cost of the call. */
    paidSeconds: number | null;
  },
): Costs | null {
  const isMore = dollars === null ? known.dollars === undefined : dollars > (known.dollars ?? 0);
  if (!isMore) return null;
  const added = (dollars ?? 0) - (known.dollars ?? 0);
  const unpriced = Number(dollars === null) - Number(known.dollars === null);
  return {
    dollars: added,
    transcription: 0,
    analysis: 0,
    [stage]: added,
    unpricedTranscription: 0,
    unpricedAnalysis: 0,
    [UNPRICED[stage]]: unpriced,
    calls: known.paidSeconds === null ? 1 : 0,
    attempts: known.dollars === undefined ? 1 : 0,
    seconds: known.seconds - (known.paidSeconds ?? 0),
  };
}

const UNPRICED = { transcription: 'unpricedTranscription', analysis: 'unpricedAnalysis' } as const;

/** @returns a sum in US dollars; null when all that is in it has no known price */
export function knownSum(dollars: number, unpriced: number): number | null {
  return dollars === 0 && unpriced > 0 ? null : dollars;
}

/** Where an account stands today. */
interface SpendingToday {
  /** UTC, such as 2026-11-23. */
  day: string;
  /** As `knownSum`. */
  dollars: number | null;
  /** Since when no work begins on the calls of the account; null when it may. */
  reachedAt: Date | null;
  /** When the next day begins. */
  endsAt: Date;
}

/** What calls have cost, and what accounts have spent. */
export interface SpendingRecords {
  /**
   * Raises the cost of an attempt to `cost.dollars`, and what its account has spent on the day of `cost.at` by the
   * difference, in one atomic, durable write. A repeated or smaller cost changes nothing, nor does that of a purged
   * call.
   */
  recordCost(callId: string, cost: AttemptCost): Promise<void>;
  /** The attempts of a call that cost something, or something unknown, in order. */
  costs(callId: string): Promise<AttemptCost[]>;
  /**
   * The accounts that have spent something on a day.
   * @param day UTC, such as 2026-11-23
   * @param accountId only this account
   */
  spending(day: string, accountId?: string): Promise<AccountSpending[]>;
  /** The days on which calls of an account have cost something, in order. @param to the last day, UTC */
  spendingByDay(accountId: string, from: string, to: string): Promise<DaySpending[]>;
}

/** What accounts spend: a part of `Calls`. */
export class Spending {
  /** Of the installation, for each account and day, in US dollars; null without a limit. */
  readonly limit: number | null;
  readonly #store: SpendingRecords & Pick<CallReads, 'settings'>;
  readonly #clock: Clock;

  constructor(store: SpendingRecords & Pick<CallReads, 'settings'>, clock: Clock, limit: number | null) {
    this.#store = store;
    this.#clock = clock;
    this.limit = limit;
  }

  /**
   * Records what the requests of an attempt have cost so far, also when its lease is lost.
   * @param dollars of all of them together, so that recording it twice counts once; null as in `AttemptCost`
   */
  async record({ callId, ...of }: HeldLease, engine: AttemptCost['engine'], dollars: number | null): Promise<void> {
    await this.#store.recordCost(callId, { ...of, engine, dollars, at: this.#clock.now() });
  }

  costs(callId: string): Promise<AttemptCost[]> {
    return this.#store.costs(callId);
  }

  async today(accountId: string): Promise<SpendingToday> {
    const day = dayOf(this.#clock.now());
    const [spent] = await this.#store.spending(day, accountId);
    const reachedAt = spent !== undefined && this.#isReached(spent) ? spent.at : null;
    const dollars = spent === undefined ? 0 : knownSum(spent.dollars, spent.unpriced);
    return { day, dollars, reachedAt, endsAt: new Date(Date.parse(day) + DAY_MS) };
  }

  /** The sums of an account by day or month (UTC), in order, without those in which nothing was spent. */
  async periods(
    accountId: string,
    from: string,
    to: string,
    by: 'day' | 'month',
  ): Promise<(Costs & { period: string })[]> {
    const days = await this.#store.spendingByDay(accountId, from, to);
    const groups = Map.groupBy(days, ({ day }) => (by === 'day' ? day : day.slice(0, 'YYYY-MM'.length)));
    return [...groups].map(([period, of]) => ({ period, ...sumOf(of) }));
  }

  /** The accounts that have spent something today, each with the limit that counts (null for none). */
  async accountsToday(): Promise<
    { accountId: string; dollars: number | null; limit: number | null; isReached: boolean }[]
  > {
    return (await this.#store.spending(dayOf(this.#clock.now()))).map((spent) => ({
      accountId: spent.accountId,
      dollars: knownSum(spent.dollars, spent.unpriced),
      limit: this.#limitOf(spent),
      isReached: this.#isReached(spent),
    }));
  }

  /** The accounts that have reached their limit of today. */
  async accountsAtLimit(): Promise<Set<string>> {
    const all = await this.accountsToday();
    return new Set(all.filter(({ isReached }) => isReached).map(({ accountId }) => accountId));
  }

  #isReached(spent: AccountSpending): boolean {
    const limit = this.#limitOf(spent);
    return limit !== null && spent.dollars >= limit;
  }

  #limitOf({ ownLimit }: AccountSpending): number | null {
    const limits = [this.limit, ownLimitOf(ownLimit)].filter((limit) => limit !== null);
    return limits.length === 0 ? null : Math.min(...limits);
  }
}

/** @returns US dollars; null for a setting that is no limit */
export function ownLimitOf(setting: unknown): number | null {
  return typeof setting === 'number' ? setting : null;
}

/** @param all what is missing counts as 0: days before it was recorded have only dollars */
export function sumOf(all: readonly Partial<Costs>[]): Costs {
  const sum: Costs = {
    dollars: 0,
    transcription: 0,
    analysis: 0,
    unpricedTranscription: 0,
    unpricedAnalysis: 0,
    calls: 0,
    attempts: 0,
    seconds: 0,
  };
  for (const each of all) for (const name of Object.keys(sum) as (keyof Costs)[]) sum[name] += each[name] ?? 0;
  return sum;
}

const DAY_MS = 86_400_000;

/** @returns the day in UTC, such as 2026-11-23 */
export function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}
