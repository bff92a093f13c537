import type { Analysis, Call } from '../record.ts';
import type { CallRange, CallToTrack } from '../trackers.ts';
import type { Database, Queries } from './database.ts';

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
