import type { SQLInputValue } from 'node:sqlite';
import type { Dependency, Stage } from '@call-analytics/contracts';
import {
  type Backlog,
  backlogOf,
  COUNTED_AHEAD,
  inFlightOf,
  PACE,
  paceSince,
  positionsOf,
  waitingOf,
} from '../queues.ts';
import { CLOCK_TOLERANCE_MS, MAX_DELAY_MS } from '../transitions.ts';
import type { Database, Queries } from './database.ts';
import { CALL_COLUMNS, toCall, toWaiting } from './rows.ts';

// Each query seeks in a partial index over unfinished calls, calls with audio, or removed calls; a test reads the query
// plans and fails on a scan of `calls` or a sort.
// `LIMIT $n + 0`: with a bare parameter SQLite 3.53 plans the statement again at each binding, for ten times its cost.

const ANY_STAGE = "stage IN ('transcription', 'analysis')";
const LEASED = 'lease_until IS NOT NULL';
const GRANTED = 'lease_until IS NULL AND granted_until IS NOT NULL';
const DELAYED = 'lease_until IS NULL AND granted_until IS NULL AND next_attempt_at IS NOT NULL';
const READY = 'stage IS NOT NULL AND lease_until IS NULL AND granted_until IS NULL AND next_attempt_at IS NULL';

const ALIVE = `${LEASED} AND lease_until > $now AND lease_since <= $tolerated`;
const EXPIRED = `${ANY_STAGE} AND ${LEASED} AND (lease_until <= $now OR lease_since > $tolerated)`;
const AHEAD = `${GRANTED} AND granted_until > $now AND granted_until <= $horizon`;
/** A grant that is over may still be delayed (the port does not forbid it). */
const NOT_DELAYED = '(next_attempt_at IS NULL OR next_attempt_at <= $now OR next_attempt_at > $horizon)';

/** In the past, or so far ahead that it dates from before the clock was set back. */
const isOver = (time: string) => `(${time} <= $now OR ${time} > $horizon)`;
const DELAY_ENDED = `${DELAYED} AND ${isOver('next_attempt_at')}`;
const GRANT_ENDED = `${GRANTED} AND ${isOver('granted_until')}`;
const AUDIO_DUE = 'audio_delete_after <= $now AND audio_deleted_at IS NULL AND stage IS NULL';

const accountAfter = (after: string) =>
  `SELECT account_id FROM calls WHERE stage = $stage AND ${READY} AND account_id > ${after}
   ORDER BY account_id LIMIT 1`;

export const DISPATCH_QUERIES = {
  // Asked first: mostly nothing waits, and the next statement costs more even when it finds nothing.
  anyReady: `SELECT 1 FROM calls WHERE stage = $stage AND ${READY} LIMIT 1`,
  // The first few of every account. It jumps from account to account in the index, so ten thousand calls of one account
  // cost what one costs.
  firstReady: `
    WITH RECURSIVE accounts (id) AS (
      SELECT * FROM (${accountAfter("''")})
      UNION ALL SELECT (${accountAfter('accounts.id')}) FROM accounts WHERE accounts.id IS NOT NULL)
    SELECT account_id, calls.id, version, audio_seconds, ready_since FROM accounts JOIN calls ON seq IN (
      SELECT seq FROM calls WHERE stage = $stage AND account_id = accounts.id AND ${READY}
      ORDER BY ready_since LIMIT $perAccount + 0)`,
  inFlight: `
    SELECT 'leased', stage, account_id, count(*) FROM calls WHERE ${ANY_STAGE} AND ${ALIVE} GROUP BY stage, account_id
    UNION ALL
    SELECT 'granted', stage, account_id, count(*) FROM calls WHERE ${ANY_STAGE} AND ${AHEAD} GROUP BY stage, account_id`,
  endedDelays: `
    SELECT ${CALL_COLUMNS} FROM calls WHERE ${DELAYED} AND next_attempt_at <= $now
    UNION ALL SELECT ${CALL_COLUMNS} FROM calls WHERE ${DELAYED} AND next_attempt_at > $horizon LIMIT $limit + 0`,
  endedGrants: `
    SELECT ${CALL_COLUMNS} FROM calls WHERE ${ANY_STAGE} AND ${GRANT_ENDED} AND ${NOT_DELAYED} LIMIT $limit + 0`,
  ready: `SELECT count(*) AS calls FROM calls WHERE stage = $stage AND ${READY}`,
  readyOfAccount: `SELECT count(*) FROM calls WHERE stage = $stage AND account_id = $accountId AND ${READY}`,
  dueDelays: `SELECT count(*) AS calls FROM calls WHERE stage = $stage AND ${DELAY_ENDED}`,
  dueGrants: `SELECT count(*) AS calls FROM calls WHERE stage = $stage AND ${GRANT_ENDED}`,
  anyExpired: `SELECT 1 FROM calls WHERE ${EXPIRED} LIMIT 1`,
  expiredLeases: `SELECT ${CALL_COLUMNS} FROM calls WHERE ${EXPIRED} LIMIT $limit + 0`,
  grantedOfAccount: `
    SELECT count(*) FROM (
      SELECT 1 FROM calls WHERE stage = $stage AND account_id = $accountId AND ${GRANTED} LIMIT $limit + 0)`,
  readyBefore: `
    SELECT count(*) FROM (
      SELECT 1 FROM calls WHERE stage = $stage AND account_id = $accountId AND ${READY} AND ready_since < $readySince
      LIMIT $limit + 0)`,
  firstInQueue: `
    SELECT ready_since, last_failure FROM calls WHERE stage = $stage AND account_id = $accountId AND ${READY}
    ORDER BY ready_since LIMIT 1`,
  finishedSince: `
    SELECT updated_at FROM calls
    WHERE account_id = $accountId AND updated_at >= $since AND stage IS NULL AND removed_at IS NULL
    ORDER BY updated_at DESC LIMIT $limit + 0`,
  grantedIds: `SELECT id FROM calls WHERE stage = $stage AND account_id = $accountId AND ${GRANTED} LIMIT $limit + 0`,
  readyIds: `
    SELECT id, ready_since FROM calls WHERE stage = $stage AND account_id = $accountId AND ${READY}
    ORDER BY ready_since LIMIT $limit + 0`,
  waitOfAccount: `
    SELECT waiting_for, waiting_since FROM calls
    WHERE waiting_for IN ('speech_engine', 'analysis_engine', 'storage', 'decoder')
      AND stage = $stage AND account_id = $accountId LIMIT 1`,
  waiting: `
    SELECT waiting_for, count(*) FROM calls
    WHERE ${ANY_STAGE} AND waiting_for IS NOT NULL GROUP BY waiting_for`,
  nextWake: `
    SELECT min(at) FROM (
      SELECT min(next_attempt_at) AS at FROM calls WHERE ${DELAYED} AND next_attempt_at > $now
      UNION ALL
      SELECT min(granted_until) FROM calls WHERE ${ANY_STAGE} AND ${GRANTED} AND granted_until > $now)`,
  audioDue: `
    SELECT ${CALL_COLUMNS} FROM calls WHERE ${AUDIO_DUE} ORDER BY audio_delete_after LIMIT $limit + 0`,
  audioDueCount: `SELECT count(*) AS calls FROM calls WHERE ${AUDIO_DUE}`,
  removalsDue: `SELECT ${CALL_COLUMNS} FROM calls WHERE removed_until <= $now ORDER BY removed_until LIMIT $limit + 0`,
  removalsAhead: `
    SELECT ${CALL_COLUMNS} FROM calls WHERE removed_until > $horizon ORDER BY removed_until LIMIT $limit + 0`,
  removalsDueCount: 'SELECT count(*) AS calls FROM calls WHERE removed_until <= $now',
  oldestEvent: 'SELECT at FROM outbox ORDER BY seq LIMIT 1',
  capacity: 'SELECT stage, sum(calls) FROM workers WHERE until > ? GROUP BY stage',
  announceWorker: `
    INSERT INTO workers VALUES ($stage, $worker, $calls, $until)
    ON CONFLICT DO UPDATE SET calls = excluded.calls, until = excluded.until`,
  forgetWorkers: 'DELETE FROM workers WHERE until <= ?',
  drains: 'SELECT stage, since FROM drains',
  drain: 'INSERT OR REPLACE INTO drains VALUES (?, ?)',
  resume: 'DELETE FROM drains WHERE stage = ?',
  lead: `
    INSERT INTO leaders VALUES ($role, $holder, $until)
    ON CONFLICT DO UPDATE SET holder = excluded.holder, until = excluded.until
    WHERE holder = excluded.holder OR until <= $now`,
  leaderUntil: 'SELECT until FROM leaders WHERE role = ?',
  resign: 'UPDATE leaders SET until = ? WHERE role = ? AND holder = ?',
} as const;

/** What the dispatcher and cleanup ask and write. */
export function dispatchQueries(db: Database) {
  const sql = db.prepareAll(DISPATCH_QUERIES);
  const number = (query: keyof typeof DISPATCH_QUERIES, parameters: Record<string, SQLInputValue>) =>
    Number(sql[query].get(parameters)?.[0]);

  const inFlight = (now: Date) =>
    inFlightOf(
      sql.inFlight.all(times(now)).map(([is, stage, accountId, calls]) => ({
        is: is as 'granted' | 'leased',
        stage: stage as Stage,
        accountId: String(accountId),
        calls: Number(calls),
      })),
    );

  const backlog = (stage: Stage, perAccount: number): Backlog[] => {
    if (sql.anyReady.get({ $stage: stage }) === undefined) return [];
    const rows = sql.firstReady.all({ $stage: stage, $perAccount: perAccount });
    return backlogOf(
      rows.map(([accountId, callId, version, seconds, readySince]) => ({
        accountId: String(accountId),
        callId: String(callId),
        version: Number(version),
        seconds: Number(seconds),
        readySince: new Date(Number(readySince)),
      })),
      perAccount,
    );
  };

  const reads = {
    queues: (now) => ({
      inFlight: inFlight(now),
      backlog: async (stage, perAccount) => db.read(() => backlog(stage, perAccount)),
    }),
    queuePlace: ({ accountId, stage, grantedUntil, readySince }) => {
      if (stage === null) return { ahead: 0, waiting: null };
      const queue = { $stage: stage, $accountId: accountId };
      const [dependency, since] = sql.waitOfAccount.get(queue) ?? [];
      const waiting = toWaiting(dependency, since);
      if (grantedUntil !== null) return { ahead: 0, waiting };
      const $limit = COUNTED_AHEAD + 1;
      const granted = number('grantedOfAccount', { ...queue, $limit });
      const ready = number('readyBefore', { ...queue, $readySince: readySince.getTime(), $limit });
      return { ahead: Math.min($limit, granted + ready), waiting };
    },
    queuePace: (accountId, stage, now) => {
      const [readySince, lastFailure] = sql.firstInQueue.get({ $stage: stage, $accountId: accountId }) ?? [];
      const first = readySince === undefined ? null : { readySince: new Date(Number(readySince)), lastFailure };
      const since = paceSince(first, now);
      if (since === null) return null;
      const range = { $accountId: accountId, $since: since.getTime(), $limit: PACE.calls };
      return { since, finishedAt: sql.finishedSince.all(range).map(([at]) => new Date(Number(at))) };
    },
    queuePositions: (accountId, stage) => {
      const queue = { $stage: stage, $accountId: accountId, $limit: COUNTED_AHEAD + 1 };
      const ready = sql.readyIds.all(queue);
      return positionsOf(
        sql.grantedIds.all(queue).map(([id]) => String(id)),
        ready.map(([id, since]) => ({ callId: String(id), readySince: new Date(Number(since)) })),
      );
    },
    endedWaits: (now, limit) => {
      const { $now, $horizon } = times(now);
      const range = { $now, $horizon, $limit: limit };
      return [...sql.endedDelays.all(range), ...sql.endedGrants.all(range)].slice(0, limit).map(toCall);
    },
    expiredLeases: (now, limit) => {
      const { $now, $tolerated } = times(now);
      if (sql.anyExpired.get({ $now, $tolerated }) === undefined) return [];
      return sql.expiredLeases.all({ $now, $tolerated, $limit: limit }).map(toCall);
    },
    nextWake: (now) => {
      const at = sql.nextWake.get({ $now: now.getTime() })?.[0];
      return typeof at === 'number' ? new Date(at) : null;
    },
    audioDue: (now, limit) => sql.audioDue.all({ $now: now.getTime(), $limit: limit }).map(toCall),
    removalsDue: (now, limit) => {
      const { $now, $horizon } = times(now);
      const due = sql.removalsDue.all({ $now, $limit: limit });
      const rest = limit - due.length;
      return [...due, ...(rest > 0 ? sql.removalsAhead.all({ $horizon, $limit: rest }) : [])].map(toCall);
    },
    capacity: (now) => {
      const known = sql.capacity.all(now.getTime()).map(([stage, calls]) => [String(stage), Number(calls)]);
      return { transcription: 0, analysis: 0, ...Object.fromEntries(known) };
    },
    drainedStages: () => new Map(sql.drains.all().map(([stage, since]) => [stage as Stage, new Date(Number(since))])),
    figures: (now, atLimit = []) => {
      const { $now, $horizon } = times(now);
      const ready = ($stage: Stage) =>
        number('ready', { $stage }) +
        number('dueDelays', { $stage, $now, $horizon }) +
        number('dueGrants', { $stage, $now, $horizon });
      const held = ($stage: Stage) =>
        [...atLimit].reduce((sum, $accountId) => sum + number('readyOfAccount', { $stage, $accountId }), 0);
      const { transcription, analysis } = inFlight(now);
      const oldest = sql.oldestEvent.get()?.[0];
      return {
        ready: { transcription: ready('transcription'), analysis: ready('analysis') },
        granted: { transcription: transcription.granted, analysis: analysis.granted },
        leased: { transcription: transcription.leased, analysis: analysis.leased },
        held: { transcription: held('transcription'), analysis: held('analysis') },
        waiting: waitingOf(sql.waiting.all().map(([what, calls]) => [what as Dependency, Number(calls)])),
        oldestOutboxAgeMs: typeof oldest === 'number' ? Math.max(0, $now - oldest) : 0,
        audioDue: number('audioDueCount', { $now }) + number('removalsDueCount', { $now }),
      };
    },
  } satisfies Queries;

  const durableWrites = {
    lead: (role, holder, now, until) => {
      const before = Number(sql.leaderUntil.get(role)?.[0] ?? now);
      const asked = { $role: role, $holder: holder, $now: now.getTime(), $until: until.getTime() };
      return sql.lead.run(asked).changes === 1 ? new Date(Math.min(before, now.getTime())) : null;
    },
    resign: (role, holder, now) => void sql.resign.run(now.getTime(), role, holder),
    setDrained: (stage, since) => void (since === null ? sql.resume.run(stage) : sql.drain.run(stage, since.getTime())),
  } satisfies Queries;

  const lightWrites = {
    announceWorker: (stage, worker, calls, now, until) => {
      sql.forgetWorkers.run(now.getTime());
      sql.announceWorker.run({ $stage: stage, $worker: worker, $calls: calls, $until: until.getTime() });
    },
  } satisfies Queries;

  return { reads, durableWrites, lightWrites };
}

function times(now: Date) {
  const $now = now.getTime();
  return { $now, $tolerated: $now + CLOCK_TOLERANCE_MS, $horizon: $now + MAX_DELAY_MS };
}
