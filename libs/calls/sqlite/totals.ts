import type { CallTotals, OverviewQuery, SaleStatus, Stage } from '@call-analytics/contracts';
import type { Analysis, Correction } from '../analysis.ts';
import {
  type Day,
  daysOf,
  MAX_EXAMINED_CALLS,
  MAX_PRODUCTS,
  overviewOf,
  type Remarks,
  type Sums,
} from '../overview.ts';
import type { Call } from '../record.ts';
import { type AccountSpending, type AttemptCost, addedBy, type DaySpending, dayOf } from '../spending.ts';
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
    GROUP BY product ORDER BY calls DESC, product LIMIT ${MAX_PRODUCTS}`,
  remarks: `
    SELECT body, corrections FROM calls INDEXED BY calls_by_status JOIN remarks ON call_seq = seq
    WHERE ${OF_DAYS} AND status = 'completed' AND score IS NOT NULL
    ORDER BY created_at DESC, id DESC LIMIT ${MAX_EXAMINED_CALLS}`,
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

const SPENT = `
  SELECT spending.account_id, dollars, unpriced_transcription + unpriced_analysis, at, body FROM spending
  LEFT JOIN account_settings AS own ON own.account_id = spending.account_id AND name = 'spendingLimit'
  WHERE day = $day`;

/** In US dollars; null when it is not known. */
export const PRICE = 'iif(is_priced, dollars, NULL)';

export const SPENDING_STATEMENTS = {
  costs: `
    SELECT costs.attempt, costs.stage, engine, model, ${PRICE}, at FROM costs JOIN calls ON call_seq = seq
    WHERE id = ? ORDER BY costs.attempt`,
  costSoFar: `
    SELECT seq, account_id, audio_seconds, paid_seconds, is_priced, dollars
    FROM calls LEFT JOIN costs ON call_seq = seq AND costs.attempt = ? WHERE id = ?`,
  saveCost: `
    INSERT INTO costs VALUES ($seq, $attempt, $stage, $engine, $model, coalesce($dollars, 0), $at, $dollars IS NOT NULL)
    ON CONFLICT DO UPDATE SET dollars = excluded.dollars, at = excluded.at, is_priced = excluded.is_priced`,
  savePaidSeconds: 'UPDATE calls SET paid_seconds = audio_seconds WHERE seq = ?',
  addSpending: `
    INSERT INTO spending (day, account_id, at, dollars, transcription, analysis, unpriced_transcription, unpriced_analysis,
      calls, attempts, seconds)
    VALUES ($day, $accountId, $at, $dollars, $transcription, $analysis, $unpricedTranscription, $unpricedAnalysis,
      $calls, $attempts, $seconds)
    ON CONFLICT DO UPDATE SET at = max(at, excluded.at), dollars = dollars + excluded.dollars,
      transcription = transcription + excluded.transcription, analysis = analysis + excluded.analysis,
      unpriced_transcription = unpriced_transcription + excluded.unpriced_transcription,
      unpriced_analysis = unpriced_analysis + excluded.unpriced_analysis,
      calls = calls + excluded.calls, attempts = attempts + excluded.attempts, seconds = seconds + excluded.seconds`,
  spendingByDay: `
    SELECT day, dollars, transcription, analysis, unpriced_transcription, unpriced_analysis, calls, attempts, seconds
    FROM spending
    WHERE account_id = $accountId AND day >= $from AND day <= $to ORDER BY day`,
  spending: SPENT,
  spendingOfAccount: `${SPENT} AND spending.account_id = $accountId`,
} as const;

export function toCost([attempt, stage, engine, model, dollars, at]: Row): AttemptCost {
  return {
    attempt: Number(attempt),
    stage: stage as Stage,
    engine: { name: String(engine), model: String(model) },
    dollars: numberOrNull(dollars),
    at: new Date(Number(at)),
  };
}

function numberOrNull(value: Row[number] | undefined): number | null {
  return typeof value === 'number' ? value : null;
}

export function spendingQueries(db: Database) {
  const sql = db.prepareAll(SPENDING_STATEMENTS);
  const reads = {
    costs: (callId: string): AttemptCost[] => sql.costs.all(callId).map(toCost),
    spending: (day: string, accountId?: string): AccountSpending[] => {
      const rows =
        accountId === undefined
          ? sql.spending.all({ $day: day })
          : sql.spendingOfAccount.all({ $day: day, $accountId: accountId });
      return rows.map(([account, dollars, unpriced, at, ownLimit]) => ({
        accountId: String(account),
        dollars: Number(dollars),
        unpriced: Number(unpriced),
        at: new Date(Number(at)),
        ...(typeof ownLimit === 'string' ? { ownLimit: JSON.parse(ownLimit) as unknown } : {}),
      }));
    },
    spendingByDay: (accountId: string, from: string, to: string): DaySpending[] =>
      sql.spendingByDay.all({ $accountId: accountId, $from: from, $to: to }).map(([day, ...sums]) => {
        const [dollars = 0, transcription = 0, analysis = 0, ...counts] = sums.map(Number);
        const [unpricedTranscription = 0, unpricedAnalysis = 0, calls = 0, attempts = 0, seconds = 0] = counts;
        const of = { day: String(day), dollars, transcription, analysis, unpricedTranscription, unpricedAnalysis };
        return { ...of, calls, attempts, seconds };
      }),
  } satisfies Queries;
  const durableWrites = {
    recordCost: (callId: string, cost: AttemptCost): void => {
      const { attempt, stage, engine, dollars, at } = cost;
      const [seq, accountId, seconds, paid, isPriced, before] = sql.costSoFar.get(attempt, callId) ?? [];
      if (seq === undefined) return;
      const known = isPriced === null ? undefined : isPriced === 1 ? Number(before) : null;
      const lengths = { seconds: Number(seconds), paidSeconds: numberOrNull(paid) };
      const added = addedBy(cost, { ...lengths, dollars: known });
      if (added === null) return;
      const $at = at.getTime();
      const of = { $seq: seq, $attempt: attempt, $stage: stage, $engine: engine.name, $model: engine.model };
      sql.saveCost.run({ ...of, $dollars: dollars, $at });
      sql.savePaidSeconds.run(seq);
      const sums = Object.fromEntries(Object.entries(added).map(([name, value]) => [`$${name}`, value]));
      sql.addSpending.run({ $day: dayOf(at), $accountId: String(accountId), $at, ...sums });
    },
  } satisfies Queries;
  return { reads, durableWrites };
}
