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

/** Over is what lies in the past, and what lies further ahead than any delay can: that was written before the clock was set back. */
const isOver = (time: string) => `(${time} <= $now OR ${time} > $horizon)`;
const DELAY_ENDED = `${DELAYED} AND ${isOver('next_attempt_at')}`;
const GRANT_ENDED = `${GRANTED} AND ${isOver('granted_until')}`;

const accountAfter = (after: string) =>
  `SELECT account_id FROM calls WHERE stage = $stage AND ${READY} AND account_id > ${after} ORDER BY account_id LIMIT 1`;

export const DISPATCH_QUERIES = {
  // Asked first: mostly nothing waits, and the next statement costs more than this one also when it finds nothing.
  anyReady: `SELECT 1 FROM calls WHERE stage = $stage AND ${READY} LIMIT 1`,
  // The first few of every account. It jumps from account to account in the index, so ten thousand calls of one account cost no more than one.
  firstReady: `
    WITH RECURSIVE accounts (id) AS (
      SELECT * FROM (${accountAfter("''")}) UNION ALL SELECT (${accountAfter('accounts.id')}) FROM accounts WHERE accounts.id IS NOT NULL)
    SELECT account_id, calls.id, version, audio_seconds, ready_since FROM accounts JOIN calls ON seq IN (
      SELECT seq FROM calls WHERE stage = $stage AND account_id = accounts.id AND ${READY} ORDER BY ready_since LIMIT $perAccount + 0)`,
  inFlight: `
    SELECT 'leased', stage, account_id, count(*) FROM calls WHERE stage IN ('transcription', 'analysis') AND ${ALIVE} GROUP BY stage, account_id
    UNION ALL SELECT 'granted', stage, account_id, count(*) FROM calls WHERE stage IN ('transcription', 'analysis') AND ${AHEAD} GROUP BY stage, account_id`,
  endedDelays: `
    SELECT ${CALL_COLUMNS} FROM calls WHERE ${DELAYED} AND next_attempt_at <= $now
    UNION ALL SELECT ${CALL_COLUMNS} FROM calls WHERE ${DELAYED} AND next_attempt_at > $horizon LIMIT $limit + 0`,
  endedGrants: `SELECT ${CALL_COLUMNS} FROM calls WHERE stage IN ('transcription', 'analysis') AND ${GRANT_ENDED} AND ${NOT_DELAYED} LIMIT $limit + 0`,
  ready: `SELECT count(*) AS calls FROM calls WHERE stage = $stage AND ${READY}`,
  dueDelays: `SELECT count(*) AS calls FROM calls WHERE stage = $stage AND ${DELAY_ENDED}`,
  dueGrants: `SELECT count(*) AS calls FROM calls WHERE stage = $stage AND ${GRANT_ENDED}`,
  anyExpired: `SELECT 1 FROM calls WHERE ${EXPIRED} LIMIT 1`,
  expiredLeases: `SELECT ${CALL_COLUMNS} FROM calls WHERE ${EXPIRED} LIMIT $limit + 0`,
  grantedOfAccount: `
    SELECT count(*) FROM (SELECT 1 FROM calls WHERE stage = $stage AND account_id = $accountId AND ${GRANTED} LIMIT $limit + 0)`,
  readyBefore: `
    SELECT count(*) FROM (
      SELECT 1 FROM calls WHERE stage = $stage AND account_id = $accountId AND ${READY} AND ready_since < $readySince LIMIT $limit + 0)`,
  waitOfAccount: `
    SELECT waiting_for, waiting_since FROM calls
    WHERE waiting_for IN ('speech_engine', 'analysis_engine', 'storage', 'decoder')
      AND stage = $stage AND account_id = $accountId LIMIT 1`,
  waiting: `
    SELECT waiting_for, count(*) FROM calls
    WHERE stage IN ('transcription', 'analysis') AND waiting_for IS NOT NULL GROUP BY waiting_for`,
  nextWake: `
    SELECT min(at) FROM (
      SELECT min(next_attempt_at) AS at FROM calls WHERE ${DELAYED} AND next_attempt_at > $now
      UNION ALL SELECT min(granted_until) FROM calls WHERE stage IN ('transcription', 'analysis') AND ${GRANTED} AND granted_until > $now)`,
  audioDue: `
    SELECT ${CALL_COLUMNS} FROM calls WHERE audio_delete_after <= $now AND audio_deleted_at IS NULL AND stage IS NULL ORDER BY audio_delete_after LIMIT $limit + 0`,
  audioDueCount:
    'SELECT count(*) AS calls FROM calls WHERE audio_delete_after <= $now AND audio_deleted_at IS NULL AND stage IS NULL',
  removalsDue: `SELECT ${CALL_COLUMNS} FROM calls WHERE removed_until <= $now ORDER BY removed_until LIMIT $limit + 0`,
  removalsAhead: `SELECT ${CALL_COLUMNS} FROM calls WHERE removed_until > $horizon ORDER BY removed_until LIMIT $limit + 0`,
  removalsDueCount: 'SELECT count(*) AS calls FROM calls WHERE removed_until <= $now',
  oldestEvent: 'SELECT at FROM outbox ORDER BY seq LIMIT 1',
} as const;
