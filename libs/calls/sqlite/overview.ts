import type { CallTotals, OverviewQuery, SaleStatus } from '@call-analytics/contracts';
import type { Correction } from '../corrections.ts';
import { type Day, daysOf, MOST_EXAMINED, MOST_PRODUCTS, overviewOf, type Remarks, type Sums } from '../overview.ts';
import type { Analysis, Call } from '../record.ts';
import type { CallRange, CallToTrack } from '../trackers.ts';
import type { Database, Queries, Row } from './database.ts';
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

const COMPLETED = "account_id = $accountId AND status = 'completed' AND removed_at IS NULL";

export const TRACKER_STATEMENTS = {
  countTrackerResults: `
    SELECT tracker_results, count(*) FROM calls INDEXED BY calls_by_status
    WHERE ${COMPLETED} AND created_at >= $from AND created_at < $to GROUP BY tracker_results`,
  callsToTrack: `
    SELECT id, version, created_at, body
    FROM calls INDEXED BY calls_by_status CROSS JOIN analyses ON call_seq = seq
    WHERE ${COMPLETED} AND (created_at, id) < ($createdAt, $id)
      AND (tracker_results IS NULL OR substr(tracker_results, 1, length($current)) <> $current)
    ORDER BY created_at DESC, id DESC LIMIT $limit + 0`,
  saveTrackerResults: 'UPDATE calls SET tracker_results = ? WHERE id = ? AND version = ?',
} as const;

/** Later than any valid time. */
const AFTER_ALL = 8.64e15 + 1;

export function trackerQueries(db: Database) {
  const sql = db.prepareAll(TRACKER_STATEMENTS);
  const reads = {
    countTrackerResults: (accountId: string, { from, to }: CallRange) =>
      sql.countTrackerResults
        .all({ $accountId: accountId, $from: from.getTime(), $to: to.getTime() })
        .map(([results, calls]) => ({ results: results as string | null, calls: Number(calls) })),
    callsToTrack: (
      accountId: string,
      current: string,
      before: Pick<Call, 'id' | 'createdAt'> | null,
      limit: number,
    ): CallToTrack[] => {
      const last = { $createdAt: before?.createdAt.getTime() ?? AFTER_ALL, $id: before?.id ?? '' };
      return sql.callsToTrack
        .all({ $accountId: accountId, $current: current, ...last, $limit: limit })
        .map(([id, version, createdAt, body]) => ({
          id: String(id),
          version: Number(version),
          createdAt: new Date(Number(createdAt)),
          analysis: JSON.parse(String(body)) as Analysis,
        }));
    },
  } satisfies Queries;
  const lightWrites = {
    saveTrackerResults: (found: readonly (Pick<Call, 'id' | 'version'> & { results: string })[]): void => {
      for (const { id, version, results } of found) sql.saveTrackerResults.run(results, id, version);
    },
  } satisfies Queries;
  return { reads, lightWrites };
}
