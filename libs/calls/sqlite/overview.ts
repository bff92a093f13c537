import type { CallTotals, OverviewQuery, SaleStatus } from '@call-analytics/contracts';
import type { Correction } from '../answers.ts';
import { type Day, daysOf, MOST_EXAMINED, MOST_PRODUCTS, overviewOf, type Remarks, type Sums } from '../overview.ts';
import type { Database, Row } from './database.ts';
import { parsedOrNull } from './rows.ts';

const OF_DAYS = 'account_id = $accountId AND removed_at IS NULL AND created_at >= $from AND created_at < $to';

/** Each reads the account's entries of an index within the dates, and their rows. */
export const OVERVIEW_STATEMENTS = {
  sums: `
    SELECT count(*), count(CASE status WHEN 'completed' THEN 1 END), count(CASE status WHEN 'failed' THEN 1 END),
      count(score), coalesce(sum(score), 0)
    FROM calls WHERE ${OF_DAYS}`,
  saleStatuses: `
    SELECT sale_status, count(*) FROM calls WHERE ${OF_DAYS} AND sale_status IS NOT NULL AND score IS NOT NULL
    GROUP BY sale_status`,
  products: `
    SELECT product, count(*) AS calls FROM calls WHERE ${OF_DAYS} AND product IS NOT NULL
    GROUP BY product ORDER BY calls DESC, product LIMIT ${MOST_PRODUCTS}`,
  remarks: `
    SELECT body, corrections FROM calls INDEXED BY calls_by_status JOIN remarks ON call_seq = seq
    WHERE ${OF_DAYS} AND status = 'completed' AND score IS NOT NULL
    ORDER BY created_at DESC, id DESC LIMIT ${MOST_EXAMINED}`,
} as const;

export function overviewQuery(db: Database) {
  const sql = db.prepareAll(OVERVIEW_STATEMENTS);
  const sumsOf = (accountId: string, { start, end }: Day): Sums => {
    const row: Row = sql.sums.get({ $accountId: accountId, $from: start.getTime(), $to: end.getTime() }) ?? [];
    const [calls = 0, completed = 0, failed = 0, scored = 0, score = 0] = row.map(Number);
    return { calls, completed, failed, scored, score };
  };
  return (accountId: string, { from, to, timeZone }: OverviewQuery): CallTotals => {
    const days = daysOf(from, to, timeZone);
    const range = { $accountId: accountId, $from: days[0]?.start.getTime() ?? 0, $to: days.at(-1)?.end.getTime() ?? 0 };
    return overviewOf({
      days: days.map((day) => ({ ...day, ...sumsOf(accountId, day) })),
      saleStatuses: Object.fromEntries(sql.saleStatuses.all(range)) as Partial<Record<SaleStatus, number>>,
      products: sql.products.all(range).map(([product, calls]) => ({ product: String(product), calls: Number(calls) })),
      remarks: sql.remarks.all(range).map(([body, corrections]) => ({
        ...(JSON.parse(String(body)) as Remarks),
        corrections: parsedOrNull<Correction[]>(corrections) ?? [],
      })),
    });
  };
}
