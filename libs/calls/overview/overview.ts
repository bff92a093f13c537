import { type Overview, SALE_STATUSES, type SaleStatus } from '@call-analytics/contracts';
import type { Day } from './days.ts';
import { mostFrequent, type Remarks } from './remarks.ts';

/** In how many calls, the latest of the range, objections and mistakes are counted. */
export const MOST_EXAMINED = 1_000;
/** How many products are shown. */
export const MOST_PRODUCTS = 10;

/** What a store counts of some calls. */
export interface Sums {
  calls: number;
  completed: number;
  failed: number;
  scored: number;
  /** Of the scores. */
  score: number;
}

export const NO_CALLS: Sums = { calls: 0, completed: 0, failed: 0, scored: 0, score: 0 };

/**
 * What a store has counted, as the page shows it.
 * @param days each with its sums
 * @param products most frequent first, by name where they are as frequent
 * @param saleStatuses of the scored calls
 * @param remarks of the latest scored calls, latest first
 */
export function overviewOf({
  days,
  saleStatuses,
  products,
  remarks,
}: {
  days: (Day & Sums)[];
  saleStatuses: Partial<Record<SaleStatus, number>>;
  products: Overview['products'];
  remarks: Remarks[];
}): Overview {
  const sum = (of: 'completed' | 'scored' | 'score') => days.reduce((total, day) => total + day[of], 0);
  return {
    days: days.map(({ date, calls, completed, failed, scored, score }) => ({
      date,
      calls,
      completed,
      failed,
      averageScore: average(score, scored),
    })),
    saleStatuses: Object.fromEntries(SALE_STATUSES.map((status) => [status, saleStatuses[status] ?? 0])) as Record<
      SaleStatus,
      number
    >,
    notScored: sum('completed') - sum('scored'),
    averageScore: average(sum('score'), sum('scored')),
    products,
    objections: mostFrequent(remarks.map(({ objections }) => objections)),
    mistakes: mostFrequent(remarks.map(({ mistakes }) => mistakes)),
    examined: remarks.length,
  };
}

/** To one digit after the point. */
function average(sum: number, of: number): number | null {
  return of === 0 ? null : Math.round((sum / of) * 10) / 10;
}
