import { CALL_COLUMNS } from './rows.ts';

// What the dispatcher and the cleaner ask. Each is answered from a partial index over unfinished calls (over calls with audio, for the last), by seeking: a test
// reads the query plans and fails on a scan of `calls` or a sort. `LIMIT $n + 0`: a bare parameter there makes SQLite 3.53 plan the statement anew each time it is bound,
// ten times the cost of running it.

const LEASED = 'lease_until IS NOT NULL';
const GRANTED = 'lease_until IS NULL AND granted_until IS NOT NULL';
const DELAYED = 'lease_until IS NULL AND granted_until IS NULL AND next_attempt_at IS NOT NULL';
const READY = 'stage IS NOT NULL AND lease_until IS NULL AND granted_until IS NULL AND next_attempt_at IS NULL';

/** $from and $to bound a time from which a call is due; a grant that is over may still be delayed (the port does not forbid it). */
const DUE_GRANT = `${GRANTED} AND granted_until > $from AND granted_until <= $to
  AND (next_attempt_at IS NULL OR next_attempt_at <= $now OR next_attempt_at > $horizon)`;
const DUE_DELAY = `${DELAYED} AND next_attempt_at > $from AND next_attempt_at <= $to`;
const ALIVE = `${LEASED} AND lease_until > $now AND lease_since <= $tolerated`;
const EXPIRED = `stage IN ('transcription', 'analysis') AND ${LEASED} AND (lease_until <= $now OR lease_since > $tolerated)`;
const AHEAD = `${GRANTED} AND granted_until > $now AND granted_until <= $horizon`;

const nextAccount = (kind: string) =>
  `SELECT account_id FROM calls WHERE stage = $stage AND ${kind} AND account_id > $after ORDER BY account_id LIMIT 1`;
const firstOf = (due: string, order: string) =>
  `SELECT id, audio_seconds, ready_since FROM calls WHERE stage = $stage AND account_id = $accountId AND ${due} ORDER BY ${order} LIMIT $perAccount + 0`;

export const DISPATCH_QUERIES = {
  // Asked first: an answer without a recursion costs a twentieth, and mostly nothing is due.
  anyReady: `SELECT 1 FROM calls WHERE stage = $stage AND ${READY} LIMIT 1`,
  anyDelayed: `SELECT 1 FROM calls WHERE ${DUE_DELAY} LIMIT 1`,
  anyGranted: `SELECT 1 FROM calls WHERE stage = $stage AND ${DUE_GRANT} LIMIT 1`,
  nextWithReady: nextAccount(READY),
  nextWithDelayed: nextAccount(DELAYED),
  nextWithGranted: nextAccount(GRANTED),
  firstReady: firstOf(READY, 'ready_since'),
  firstDelayed: firstOf(DUE_DELAY, 'next_attempt_at'),
  firstGranted: firstOf(DUE_GRANT, 'granted_until'),
  leasedByAccount: `SELECT account_id, count(*) AS calls FROM calls WHERE stage = $stage AND ${ALIVE} GROUP BY account_id`,
  grantedByAccount: `SELECT account_id, count(*) AS calls FROM calls WHERE stage = $stage AND ${AHEAD} GROUP BY account_id`,
  leased: `SELECT count(*) AS calls FROM calls WHERE stage = $stage AND ${ALIVE}`,
  granted: `SELECT count(*) AS calls FROM calls WHERE stage = $stage AND ${AHEAD}`,
  ready: `SELECT count(*) AS calls FROM calls WHERE stage = $stage AND ${READY}`,
  dueDelays: `SELECT count(*) AS calls FROM calls WHERE stage = $stage AND ${DELAYED} AND (next_attempt_at <= $now OR next_attempt_at > $horizon)`,
  dueGrants: `SELECT count(*) AS calls FROM calls WHERE stage = $stage AND ${GRANTED} AND (granted_until <= $now OR granted_until > $horizon)`,
  anyExpired: `SELECT 1 FROM calls WHERE ${EXPIRED} LIMIT 1`,
  expiredLeases: `SELECT ${CALL_COLUMNS} FROM calls WHERE ${EXPIRED} LIMIT $limit + 0`,
  nextDelay: `SELECT min(next_attempt_at) AS at FROM calls WHERE ${DELAYED} AND next_attempt_at > $now`,
  nextGrant: `SELECT min(granted_until) AS at FROM calls WHERE stage IN ('transcription', 'analysis') AND ${GRANTED} AND granted_until > $now`,
  audioDue: `
    SELECT ${CALL_COLUMNS} FROM calls WHERE audio_delete_after <= $now AND audio_deleted_at IS NULL AND stage IS NULL ORDER BY audio_delete_after LIMIT $limit + 0`,
  audioDueCount: 'SELECT count(*) AS calls FROM calls WHERE audio_delete_after <= $now AND audio_deleted_at IS NULL AND stage IS NULL',
  oldestEvent: 'SELECT at FROM outbox ORDER BY seq LIMIT 1',
} as const;
