import type { SQLInputValue } from 'node:sqlite';
import type { Dependency, Stage } from '@call-analytics/contracts';
import {
  type Backlog,
  backlogOf,
  COUNTED_AHEAD,
  type InFlight,
  inFlightOf,
  type QueuePlace,
  waitingOf,
} from '../queues.ts';
import type { Call } from '../record.ts';
import type { CallStore, StoreFigures } from '../store.ts';
import { CLOCK_TOLERANCE_MS, LONGEST_DELAY_MS } from '../transitions.ts';
import type { Database, Statement } from './database.ts';
import { CALL_COLUMNS, toCall, toWaiting } from './rows.ts';

// The queries of the dispatcher and of cleanup. Each seeks in a partial index over unfinished calls (the last ones over
// calls with audio and removed calls); a test reads the query plans and fails on a scan of `calls` or a sort.
// `LIMIT $n + 0`: with a bare parameter SQLite 3.53 plans the statement again at each binding, for ten times its cost.

const LEASED = 'lease_until IS NOT NULL';
const GRANTED = 'lease_until IS NULL AND granted_until IS NOT NULL';
const DELAYED = 'lease_until IS NULL AND granted_until IS NULL AND next_attempt_at IS NOT NULL';
const READY = 'stage IS NOT NULL AND lease_until IS NULL AND granted_until IS NULL AND next_attempt_at IS NULL';

const ALIVE = `${LEASED} AND lease_until > $now AND lease_since <= $tolerated`;
const EXPIRED = `stage IN ('transcription', 'analysis') AND ${LEASED} AND (lease_until <= $now OR lease_since > $tolerated)`;
const AHEAD = `${GRANTED} AND granted_until > $now AND granted_until <= $horizon`;
/** A grant that is over may still be delayed (the port does not forbid it). */
const NOT_DELAYED = '(next_attempt_at IS NULL OR next_attempt_at <= $now OR next_attempt_at > $horizon)';

/** In the past, or so far ahead that it dates from before the clock was set back. */
const isOver = (time: string) => `(${time} <= $now OR ${time} > $horizon)`;
const DELAY_ENDED = `${DELAYED} AND ${isOver('next_attempt_at')}`;
const GRANT_ENDED = `${GRANTED} AND ${isOver('granted_until')}`;

const accountAfter = (after: string) =>
  `SELECT account_id FROM calls WHERE stage = $stage AND ${READY} AND account_id > ${after} ORDER BY account_id LIMIT 1`;

export const DISPATCH_QUERIES = {
  // Asked first: mostly nothing waits, and the next statement costs more even when it finds nothing.
  anyReady: `SELECT 1 FROM calls WHERE stage = $stage AND ${READY} LIMIT 1`,
  // The first few of every account. It jumps from account to account in the index, so ten thousand calls of one account
  // cost what one costs.
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
  capacity: 'SELECT stage, sum(calls) FROM workers WHERE until > ? GROUP BY stage',
  announceWorker: `
    INSERT INTO workers VALUES ($stage, $worker, $calls, $until)
    ON CONFLICT DO UPDATE SET calls = excluded.calls, until = excluded.until`,
  forgetWorkers: 'DELETE FROM workers WHERE until <= ?',
} as const;

type Query = keyof typeof DISPATCH_QUERIES;
type Bound = Record<string, SQLInputValue>;

/** What the dispatcher and cleanup ask. Runs within `Database.read` or `write`. */
export class DispatchQueries {
  readonly #statements: Record<Query, Statement>;

  constructor(db: Database) {
    this.#statements = db.prepareAll(DISPATCH_QUERIES);
  }

  queuePlace({ accountId, stage, grantedUntil, readySince }: Parameters<CallStore['queuePlace']>[0]): QueuePlace {
    if (stage === null) return { ahead: 0, waiting: null };
    const queue = { $stage: stage, $accountId: accountId };
    const [dependency, since] = this.#statements.waitOfAccount.get(queue) ?? [null, null];
    const waiting = toWaiting(dependency as Dependency | null, Number(since));
    if (grantedUntil !== null) return { ahead: 0, waiting };
    const $limit = COUNTED_AHEAD + 1;
    const granted = this.#number('grantedOfAccount', { ...queue, $limit });
    const ready = this.#number('readyBefore', { ...queue, $readySince: readySince.getTime(), $limit });
    return { ahead: Math.min($limit, granted + ready), waiting };
  }

  endedWaits(now: Date, limit: number): Call[] {
    const { $now, $horizon } = times(now);
    const ended = (['endedDelays', 'endedGrants'] as const).flatMap((query) =>
      this.#statements[query].all({ $now, $horizon, $limit: limit }),
    );
    return ended.slice(0, limit).map(toCall);
  }

  expiredLeases(now: Date, limit: number): Call[] {
    const { $now, $tolerated } = times(now);
    if (!this.#any('anyExpired', { $now, $tolerated })) return [];
    return this.#statements.expiredLeases.all({ $now, $tolerated, $limit: limit }).map(toCall);
  }

  nextWake(now: Date): Date | null {
    const at = this.#statements.nextWake.get({ $now: now.getTime() })?.[0];
    return typeof at === 'number' ? new Date(at) : null;
  }

  audioDue(now: Date, limit: number): Call[] {
    return this.#statements.audioDue.all({ $now: now.getTime(), $limit: limit }).map(toCall);
  }

  removalsDue(now: Date, limit: number): Call[] {
    const { $now, $horizon } = times(now);
    const due = this.#statements.removalsDue.all({ $now, $limit: limit });
    const rest = limit - due.length;
    return [...due, ...(rest > 0 ? this.#statements.removalsAhead.all({ $horizon, $limit: rest }) : [])].map(toCall);
  }

  figures(now: Date): StoreFigures {
    const { $now, $horizon } = times(now);
    const ready = (stage: Stage) =>
      this.#number('ready', { $stage: stage }) +
      this.#number('dueDelays', { $stage: stage, $now, $horizon }) +
      this.#number('dueGrants', { $stage: stage, $now, $horizon });
    const { transcription, analysis } = this.inFlight(now);
    const oldest = this.#statements.oldestEvent.get()?.[0];
    return {
      ready: { transcription: ready('transcription'), analysis: ready('analysis') },
      granted: { transcription: transcription.granted, analysis: analysis.granted },
      leased: { transcription: transcription.leased, analysis: analysis.leased },
      waiting: waitingOf(
        this.#statements.waiting.all().map(([dependency, calls]) => [dependency as Dependency, Number(calls)]),
      ),
      oldestOutboxAgeMs: typeof oldest === 'number' ? Math.max(0, $now - oldest) : 0,
      audioDue: this.#number('audioDueCount', { $now }) + this.#number('removalsDueCount', { $now }),
    };
  }

  inFlight(now: Date): Record<Stage, InFlight> {
    const rows = this.#statements.inFlight.all(times(now));
    return inFlightOf(
      rows.map(([is, stage, accountId, calls]) => ({
        is: is as 'granted' | 'leased',
        stage: stage as Stage,
        accountId: String(accountId),
        calls: Number(calls),
      })),
    );
  }

  backlog(stage: Stage, perAccount: number): Backlog[] {
    if (!this.#any('anyReady', { $stage: stage })) return [];
    const rows = this.#statements.firstReady.all({ $stage: stage, $perAccount: perAccount });
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
  }

  /** Within a write. */
  announceWorker(stage: Stage, worker: string, calls: number, now: Date, until: Date): void {
    this.#statements.forgetWorkers.run(now.getTime());
    this.#statements.announceWorker.run({ $stage: stage, $worker: worker, $calls: calls, $until: until.getTime() });
  }

  capacity(now: Date): Record<Stage, number> {
    const rows = this.#statements.capacity.all(now.getTime());
    const known = Object.fromEntries(rows.map(([stage, calls]) => [String(stage), Number(calls)]));
    return { transcription: 0, analysis: 0, ...known };
  }

  #any(query: Query, parameters: Bound): boolean {
    return this.#statements[query].get(parameters) !== undefined;
  }

  #number(query: Query, parameters: Bound): number {
    return Number(this.#statements[query].get(parameters)?.[0]);
  }
}

function times(now: Date) {
  const $now = now.getTime();
  return { $now, $tolerated: $now + CLOCK_TOLERANCE_MS, $horizon: $now + LONGEST_DELAY_MS };
}
