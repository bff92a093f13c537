import { CALL_COLUMNS } from './rows.ts';

// What the dispatcher and the cleaner ask. Each is answered from a partial index over unfinished calls (over calls with audio, or removed ones, for the last), by seeking: a test
// reads the query plans and fails on a scan of `calls` or a sort. `LIMIT $n + 0`: a bare parameter there makes SQLite 3.53 plan the statement anew each time it is bound,
// ten times the cost of running it.

const LEASED = 'lease_until IS NOT NULL';
const GRANTED = 'lease_until IS NULL AND granted_until IS NOT NULL';
const DELAYED = 'lease_until IS NULL AND granted_until IS NULL AND next_attempt_at IS NOT NULL';
const READY = 'stage IS NOT NULL AND lease_until IS NULL AND granted_until IS NULL AND next_attempt_at IS NULL';

const ALIVE = `${LEASED} AND lease_until > $now AND lease_since <= $tolerated`;
const EXPIRED = `stage IN ('transcription', 'analysis') AND ${LEASED} AND (lease_until <= $now OR lease_since > $tolerated)`;
const AHEAD = `${GRANTED} AND granted_until > $now AND granted_until <= $horizon`;
/** A grant that is over may still be delayed (the port does not forbid it). */
const NOT_DELAYED = '(next_attempt_at IS NULL OR next_attempt_at <= $now OR next_attempt_at > $horizon)';

/**
 * The first `$perAccount` due calls of every account that has calls of a kind. It jumps from account to account in the index, so ten thousand calls of one account cost
 * no more than one.
 * @param due lists of one account's calls, each in an index's order
 */
function firstOfEachAccount(kind: string, due: readonly string[]): string {
  const accountAfter = (after: string) =>
    `SELECT account_id FROM calls WHERE stage = $stage AND ${kind} AND account_id > ${after} ORDER BY account_id LIMIT 1`;
  return `
    WITH RECURSIVE accounts (id) AS (
      SELECT * FROM (${accountAfter("''")}) UNION ALL SELECT (${accountAfter('accounts.id')}) FROM accounts WHERE accounts.id IS NOT NULL)
    SELECT account_id, calls.id, audio_seconds, ready_since FROM accounts JOIN calls ON seq IN (${due.join(' UNION ALL ')})`;
}
const first = (due: string, order: string) =>
  `SELECT * FROM (SELECT seq FROM calls WHERE stage = $stage AND account_id = accounts.id AND ${due} ORDER BY ${order} LIMIT $perAccount + 0)`;
/** Due is what lies in the past, and what lies further ahead than any delay can: that was written before the clock was set back. */
const firstDue = (kind: string, time: string) => [
  first(`${kind} AND ${time} <= $now`, time),
  first(`${kind} AND ${time} > $horizon`, time),
];

export const DISPATCH_QUERIES = {
  // Asked first: mostly one kind of calls waits or none, and the next three statements cost more than this one also when they find nothing.
  waiting: `SELECT ${[READY, DELAYED, GRANTED].map((kind) => `EXISTS (SELECT 1 FROM calls WHERE stage = $stage AND ${kind})`).join(', ')}`,
  firstReady: firstOfEachAccount(READY, [first(READY, 'ready_since')]),
  firstDelayed: firstOfEachAccount(DELAYED, firstDue(DELAYED, 'next_attempt_at')),
  firstGranted: firstOfEachAccount(GRANTED, firstDue(`${GRANTED} AND ${NOT_DELAYED}`, 'granted_until')),
  inFlightByAccount: `
    SELECT account_id, count(*) AS calls FROM calls WHERE stage = $stage AND ${ALIVE} GROUP BY account_id
    UNION ALL SELECT account_id, count(*) FROM calls WHERE stage = $stage AND ${AHEAD} GROUP BY account_id`,
  inFlight: `
    SELECT (SELECT count(*) FROM calls WHERE stage = $stage AND ${AHEAD}) AS granted, (SELECT count(*) FROM calls WHERE stage = $stage AND ${ALIVE}) AS leased`,
  ready: `SELECT count(*) AS calls FROM calls WHERE stage = $stage AND ${READY}`,
  dueDelays: `SELECT count(*) AS calls FROM calls WHERE stage = $stage AND ${DELAYED} AND (next_attempt_at <= $now OR next_attempt_at > $horizon)`,
  dueGrants: `SELECT count(*) AS calls FROM calls WHERE stage = $stage AND ${GRANTED} AND (granted_until <= $now OR granted_until > $horizon)`,
  anyExpired: `SELECT 1 FROM calls WHERE ${EXPIRED} LIMIT 1`,
  expiredLeases: `SELECT ${CALL_COLUMNS} FROM calls WHERE ${EXPIRED} LIMIT $limit + 0`,
  nextWake: `
    SELECT min(at) FROM (
      SELECT min(next_attempt_at) AS at FROM calls WHERE ${DELAYED} AND next_attempt_at > $now
      UNION ALL SELECT min(granted_until) FROM calls WHERE stage IN ('transcription', 'analysis') AND ${GRANTED} AND granted_until > $now)`,
  audioDue: `
    SELECT ${CALL_COLUMNS} FROM calls WHERE audio_delete_after <= $now AND audio_deleted_at IS NULL AND stage IS NULL ORDER BY audio_delete_after LIMIT $limit + 0`,
  audioDueCount: 'SELECT count(*) AS calls FROM calls WHERE audio_delete_after <= $now AND audio_deleted_at IS NULL AND stage IS NULL',
  removalsDue: `SELECT ${CALL_COLUMNS} FROM calls WHERE removed_until <= $now ORDER BY removed_until LIMIT $limit + 0`,
  removalsAhead: `SELECT ${CALL_COLUMNS} FROM calls WHERE removed_until > $horizon ORDER BY removed_until LIMIT $limit + 0`,
  removalsDueCount: 'SELECT count(*) AS calls FROM calls WHERE removed_until <= $now',
  oldestEvent: 'SELECT at FROM outbox ORDER BY seq LIMIT 1',
} as const;
