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
  /** US dollars. */
  dollars: number;
  /** When the last of them was paid. */
  at: Date;
}

export interface AccountSpending {
  accountId: string;
  /** US dollars. */
  dollars: number;
  /** When the last request was paid. */
  at: Date;
  /** The account's setting `spendingLimit`, as it was stored; undefined when there is none. */
  ownLimit?: unknown;
}

/** Where an account stands today. */
export interface SpendingToday {
  /** UTC, such as 2026-11-23. */
  day: string;
  dollars: number;
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
  /** The attempts of a call that cost something, in order. */
  costs(callId: string): Promise<AttemptCost[]>;
  /**
   * The accounts that have spent something on a day.
   * @param day UTC, such as 2026-11-23
   * @param accountId only this account
   */
  spending(day: string, accountId?: string): Promise<AccountSpending[]>;
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
   * @param dollars of all of them together, so that recording it twice counts once
   */
  async record({ callId, ...of }: HeldLease, engine: AttemptCost['engine'], dollars: number): Promise<void> {
    await this.#store.recordCost(callId, { ...of, engine, dollars, at: this.#clock.now() });
  }

  costs(callId: string): Promise<AttemptCost[]> {
    return this.#store.costs(callId);
  }

  async today(accountId: string): Promise<SpendingToday> {
    const day = dayOf(this.#clock.now());
    const [spent] = await this.#store.spending(day, accountId);
    const reachedAt = spent !== undefined && this.#isReached(spent) ? spent.at : null;
    return { day, dollars: spent?.dollars ?? 0, reachedAt, endsAt: new Date(Date.parse(day) + DAY_MS) };
  }

  /** The accounts that have spent something today, each with the limit that counts (null for none). */
  async accountsToday(): Promise<{ accountId: string; dollars: number; limit: number | null; isReached: boolean }[]> {
    return (await this.#store.spending(dayOf(this.#clock.now()))).map((spent) => ({
      ...{ accountId: spent.accountId, dollars: spent.dollars },
      ...{ limit: this.#limitOf(spent), isReached: this.#isReached(spent) },
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

const DAY_MS = 86_400_000;

/** @returns the day in UTC, such as 2026-11-23 */
export function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}
