import type { CallStatus, EventType } from '@call-analytics/contracts';
import { type Clock, systemClock } from '@call-analytics/service-kit';
import { remarksOf } from '../overview.ts';
import type { Analysis, Call, HeldLease, Segment, Transcript } from '../record.ts';
import {
  type CallStore,
  type Idempotency,
  type Inserted,
  type ListQuery,
  noSuchAccount,
  type Write,
} from '../store.ts';
import { Database, openDatabase, type Statement } from './database.ts';
import { DispatchQueries } from './dispatch.ts';
import { OverviewReader } from './overview.ts';
import {
  AFTER_CALL,
  type Assignment,
  CALL_COLUMNS,
  ofChange,
  ofNewCall,
  SUMMARY_COLUMNS,
  toCall,
  toOutboxEntry,
  toSummary,
} from './rows.ts';
import { CallSearcher, CallWords } from './search.ts';

/**
 * @param file the database, created with its folder if missing; `:memory:` keeps it in memory
 * @param clock for the times of events
 * @param busyTimeoutMs how long a write waits for another process's write before it fails with `store_unavailable`.
 * Short, because it blocks this process.
 * @throws Error when the database was written by a newer release; WorkError `transient` when it cannot be opened now
 */
export function openSqliteCallStore({
  file,
  clock = systemClock,
  busyTimeoutMs = 1_000,
}: {
  file: string;
  clock?: Clock;
  busyTimeoutMs?: number;
}): CallStore {
  return new SqliteCallStore(new Database(openDatabase(file, busyTimeoutMs)), clock);
}

/** `+ 0`: see dispatch.ts. */
const page = (where: string) =>
  `SELECT ${SUMMARY_COLUMNS} FROM calls WHERE ${where} AND removed_at IS NULL ORDER BY created_at DESC, id DESC LIMIT $limit + 0 OFFSET $offset + 0`;
const HELD = 'id = $callId AND attempt = $attempt AND stage = $stage AND lease_until IS NOT NULL';

/** The statements that do not depend on what a write changes. */
export const STATEMENTS = {
  get: `SELECT ${CALL_COLUMNS} FROM calls WHERE id = ?`,
  // The lines of an analysis hold the text of the transcript; reading both would cost each poll twice.
  detail: `
    SELECT ${CALL_COLUMNS}, analyses.body AS analysis, CASE WHEN analyses.body IS NULL THEN transcripts.body END AS transcript
    FROM calls LEFT JOIN analyses ON analyses.call_seq = calls.seq LEFT JOIN transcripts ON transcripts.call_seq = calls.seq
    WHERE calls.id = ? AND calls.account_id = ? AND calls.removed_at IS NULL`,
  page: page('account_id = $accountId'),
  pageOfStatus: page('account_id = $accountId AND status = $status'),
  total: 'SELECT coalesce(sum(calls), 0) AS total FROM call_counts WHERE account_id = ?',
  totalOfStatus: 'SELECT coalesce(sum(calls), 0) AS total FROM call_counts WHERE account_id = ? AND status = ?',
  byIdempotencyKey: `SELECT ${CALL_COLUMNS}, idempotency_fingerprint FROM calls WHERE account_id = ? AND idempotency_key = ?`,
  transcript: 'SELECT body FROM transcripts JOIN calls ON call_seq = seq WHERE id = ?',
  analysis: 'SELECT body FROM analyses JOIN calls ON call_seq = seq WHERE id = ?',
  segments: 'SELECT body FROM segments JOIN calls ON call_seq = seq WHERE id = ?',
  saveSegment: `INSERT INTO segments (call_seq, key, body) SELECT seq, $key, $body FROM calls WHERE ${HELD} ON CONFLICT DO NOTHING`,
  held: `SELECT 1 FROM calls WHERE ${HELD}`,
  saveTranscript: 'INSERT INTO transcripts VALUES (?, ?) ON CONFLICT DO UPDATE SET body = excluded.body',
  saveAnalysis: 'INSERT INTO analyses VALUES (?, ?) ON CONFLICT DO UPDATE SET body = excluded.body',
  addEvent: 'INSERT INTO outbox (id, type, call_id, account_id, at, traceparent) VALUES (?, ?, ?, ?, ?, ?)',
  outbox: 'SELECT id, type, call_id, account_id, at, traceparent FROM outbox ORDER BY seq LIMIT ? + 0',
  removeEvents: 'DELETE FROM outbox WHERE id IN (SELECT value FROM json_each(?))',
  audioKeysInUse:
    'SELECT audio_key FROM calls WHERE audio_key IN (SELECT value FROM json_each(?)) AND audio_deleted_at IS NULL',
  seqOfVersion: 'SELECT seq FROM calls WHERE id = ? AND version = ?',
  // The id of an event begins with that of its call, and only the id has an index; '/' comes after '.'.
  purgeEvents: "DELETE FROM outbox WHERE id > $callId || '.' AND id < $callId || '/'",
  purgeSegments: 'DELETE FROM segments WHERE call_seq = ?',
  purgeTranscript: 'DELETE FROM transcripts WHERE call_seq = ?',
  purgeAnalysis: 'DELETE FROM analyses WHERE call_seq = ?',
  saveRemarks: 'INSERT INTO remarks VALUES (?, ?) ON CONFLICT DO UPDATE SET body = excluded.body',
  purgeRemarks: 'DELETE FROM remarks WHERE call_seq = ?',
  purgeCall: 'DELETE FROM calls WHERE seq = ?',
  isRemoved: 'SELECT 1 FROM removed_accounts WHERE id = ?',
  removeAccount: 'INSERT INTO removed_accounts VALUES (?, ?, 0) ON CONFLICT DO NOTHING',
  removedAccounts: 'SELECT id, at FROM removed_accounts WHERE is_emptied = 0 ORDER BY at LIMIT ? + 0',
  accountEmptied: 'UPDATE removed_accounts SET is_emptied = 1 WHERE id = ?',
  forgetCounts: 'DELETE FROM call_counts WHERE account_id = ?',
  lead: `
    INSERT INTO leaders VALUES ($role, $holder, $until)
    ON CONFLICT DO UPDATE SET holder = excluded.holder, until = excluded.until WHERE holder = excluded.holder OR until <= $now`,
  resign: 'DELETE FROM leaders WHERE role = ? AND holder = ?',
  answers: 'SELECT seq FROM outbox LIMIT 1',
} as const;

export class SqliteCallStore implements CallStore {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #dispatch: DispatchQueries;
  readonly #search: CallSearcher;
  readonly #words: CallWords;
  readonly #overview: OverviewReader;
  readonly #sql: Record<keyof typeof STATEMENTS, Statement>;
  /** One statement per set of columns that are written together; there are about ten sets. */
  readonly #writes = new Map<string, Statement>();
  readonly #listeners = new Set<() => void>();

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
    this.#dispatch = new DispatchQueries(db);
    this.#search = new CallSearcher(db);
    this.#words = new CallWords(db);
    this.#overview = new OverviewReader(db);
    this.#sql = db.prepareAll(STATEMENTS);
  }

  async insert(call: Call, events: readonly EventType[], idempotency: Idempotency | null): Promise<Inserted> {
    const inserted = this.#db.write(true, (): Inserted => {
      if (this.#sql.isRemoved.get(call.accountId) !== undefined) throw noSuchAccount();
      if (idempotency !== null) {
        const first = this.#sql.byIdempotencyKey.get(call.accountId, idempotency.key);
        if (first !== undefined) {
          return { kind: 'existing', call: toCall(first), sameRequest: first[AFTER_CALL] === idempotency.fingerprint };
        }
      }
      const { columns, values } = ofNewCall(call);
      columns.push('idempotency_key', 'idempotency_fingerprint');
      values.push(idempotency?.key ?? null, idempotency?.fingerprint ?? null);
      const { lastInsertRowid: seq } = this.#insertion(columns).run(...values);
      this.#words.save(Number(seq), call.accountId, call.fileName, {});
      this.#addEvents(call, events);
      return { kind: 'created', call };
    });
    if (inserted.kind === 'created') this.#hint();
    return inserted;
  }

  async update(callId: string, version: number, { change, events, durable }: Write): Promise<Call | null> {
    const call = this.#db.write(durable, () => {
      const { columns, values } = ofChange(change);
      if (change.removal != null) {
        columns.push('idempotency_key', 'idempotency_fingerprint');
        values.push(null, null);
      }
      // `all` and not `get`: it runs the statement to its end, where an error of the write shows.
      const row = this.#updating(columns).all(...values, callId, version)[0];
      if (row === undefined) return null;
      const seq = Number(row[AFTER_CALL]);
      if (change.transcript !== undefined) this.#sql.saveTranscript.run(seq, JSON.stringify(change.transcript));
      if (change.analysis !== undefined) {
        this.#sql.saveAnalysis.run(seq, JSON.stringify(change.analysis));
        this.#sql.saveRemarks.run(seq, JSON.stringify(remarksOf(change.analysis)));
      }
      const written = toCall(row);
      if (change.transcript !== undefined || change.analysis !== undefined) {
        this.#words.save(seq, written.accountId, written.fileName, change);
      }
      this.#addEvents(written, events);
      return written;
    });
    // A claim or the end of a lease makes room for the next grant; a renewed lease changes nothing for the dispatcher.
    if (call !== null && (events.length > 0 || change.lease === null || change.attempt !== undefined)) this.#hint();
    return call;
  }

  async saveSegment({ callId, stage, attempt }: HeldLease, segment: Segment): Promise<boolean> {
    const held = { $callId: callId, $stage: stage, $attempt: attempt };
    return this.#db.write(true, () => {
      const { changes } = this.#sql.saveSegment.run({ ...held, $key: segment.key, $body: JSON.stringify(segment) });
      return changes === 1 || this.#sql.held.get(held) !== undefined;
    });
  }

  segments: CallStore['segments'] = async (callId) =>
    this.#db.read(() => this.#sql.segments.all(callId).map(([body]) => parsed<Segment>(body)));
  transcript: CallStore['transcript'] = async (callId) =>
    this.#db.read(() => parsedOrNull<Transcript>(this.#sql.transcript.get(callId)?.[0]));
  analysis: CallStore['analysis'] = async (callId) =>
    this.#db.read(() => parsedOrNull<Analysis>(this.#sql.analysis.get(callId)?.[0]));

  async get(callId: string): Promise<Call | null> {
    return this.#db.read(() => {
      const row = this.#sql.get.get(callId);
      return row === undefined ? null : toCall(row);
    });
  }

  async detail(accountId: string, callId: string) {
    return this.#db.read(() => {
      const row = this.#sql.detail.get(callId, accountId);
      if (row === undefined) return null;
      const [analysis, transcript] = row.slice(AFTER_CALL);
      return {
        call: toCall(row),
        transcript: parsedOrNull<Transcript>(transcript),
        analysis: parsedOrNull<Analysis>(analysis),
      };
    });
  }

  async list(accountId: string, { limit, offset, status }: ListQuery) {
    return this.#db.read(() => {
      const range = { $accountId: accountId, $limit: limit, $offset: offset };
      const rows =
        status === undefined ? this.#sql.page.all(range) : this.#sql.pageOfStatus.all({ ...range, $status: status });
      return { calls: rows.map(toSummary), total: this.#total(accountId, status) };
    });
  }

  search: CallStore['search'] = async (accountId, query) =>
    this.#db.read(() => this.#search.search(accountId, query, () => this.#total(accountId, query.status)));
  indexForSearch: CallStore['indexForSearch'] = async (limit) => this.#words.indexOlder(limit);
  overview: CallStore['overview'] = async (accountId, query) =>
    this.#db.read(() => this.#overview.overview(accountId, query));

  queues: CallStore['queues'] = async (now) => ({
    inFlight: this.#db.read(() => this.#dispatch.inFlight(now)),
    backlog: async (stage, perAccount) => this.#db.read(() => this.#dispatch.backlog(stage, perAccount)),
  });
  queuePlace: CallStore['queuePlace'] = async (call) => this.#db.read(() => this.#dispatch.queuePlace(call));
  endedWaits: CallStore['endedWaits'] = async (now, limit) =>
    this.#db.read(() => this.#dispatch.endedWaits(now, limit));
  expiredLeases: CallStore['expiredLeases'] = async (now, limit) =>
    this.#db.read(() => this.#dispatch.expiredLeases(now, limit));
  nextWake: CallStore['nextWake'] = async (now) => this.#db.read(() => this.#dispatch.nextWake(now));
  audioDue: CallStore['audioDue'] = async (now, limit) => this.#db.read(() => this.#dispatch.audioDue(now, limit));
  removalsDue: CallStore['removalsDue'] = async (now, limit) =>
    this.#db.read(() => this.#dispatch.removalsDue(now, limit));
  figures: CallStore['figures'] = async (now) => this.#db.read(() => this.#dispatch.figures(now));

  outbox: CallStore['outbox'] = async (limit) => this.#db.read(() => this.#sql.outbox.all(limit).map(toOutboxEntry));

  async removeFromOutbox(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    this.#db.write(false, () => this.#sql.removeEvents.run(JSON.stringify(ids)));
  }

  async audioKeysInUse(keys: readonly string[]): Promise<Set<string>> {
    return this.#db.read(() => new Set(this.#sql.audioKeysInUse.all(JSON.stringify(keys)).map(([key]) => String(key))));
  }

  async purge(callId: string, version: number): Promise<boolean> {
    return this.#db.write(true, () => {
      const seq = this.#sql.seqOfVersion.get(callId, version)?.[0];
      if (seq === undefined) return false;
      this.#sql.purgeEvents.run({ $callId: callId });
      const { purgeSegments, purgeTranscript, purgeAnalysis, purgeRemarks, purgeCall } = this.#sql;
      for (const part of [purgeSegments, purgeTranscript, purgeAnalysis, purgeRemarks, purgeCall]) part.run(seq);
      this.#words.purge(Number(seq));
      return true;
    });
  }

  async removeAccount(accountId: string, now: Date): Promise<void> {
    this.#db.write(true, () => this.#sql.removeAccount.run(accountId, now.getTime()));
  }

  removedAccounts: CallStore['removedAccounts'] = async (limit) =>
    this.#db.read(() =>
      this.#sql.removedAccounts.all(limit).map(([id, at]) => ({ accountId: String(id), at: new Date(Number(at)) })),
    );

  async accountEmptied(accountId: string): Promise<void> {
    this.#db.write(true, () => {
      this.#sql.accountEmptied.run(accountId);
      this.#sql.forgetCounts.run(accountId);
    });
  }

  async lead(role: string, holder: string, now: Date, until: Date): Promise<boolean> {
    const parameters = { $role: role, $holder: holder, $now: now.getTime(), $until: until.getTime() };
    return this.#db.write(true, () => this.#sql.lead.run(parameters).changes === 1);
  }

  async resign(role: string, holder: string): Promise<void> {
    this.#db.write(true, () => this.#sql.resign.run(role, holder));
  }

  announceWorker: CallStore['announceWorker'] = async (...announcement) =>
    this.#db.write(false, () => this.#dispatch.announceWorker(...announcement));
  capacity: CallStore['capacity'] = async (now) => this.#db.read(() => this.#dispatch.capacity(now));

  watch(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async ready(): Promise<string | null> {
    try {
      this.#db.read(() => this.#sql.answers.get());
      return null;
    } catch {
      return 'the call database does not answer';
    }
  }

  async close(): Promise<void> {
    this.#listeners.clear();
    this.#db.close();
  }

  #total(accountId: string, status: CallStatus | undefined): number {
    const row = status === undefined ? this.#sql.total.get(accountId) : this.#sql.totalOfStatus.get(accountId, status);
    return Number(row?.[0]);
  }

  #hint(): void {
    for (const listener of this.#listeners) listener();
  }

  #addEvents(call: Call, events: readonly EventType[]): void {
    const at = this.#clock.now().getTime();
    for (const type of events) {
      // A version of a call is written once, so this names the event.
      this.#sql.addEvent.run(`${call.id}.${call.version}.${type}`, type, call.id, call.accountId, at, call.traceparent);
    }
  }

  #insertion(columns: Assignment['columns']): Statement {
    const names = columns.join(', ');
    return this.#prepared(`INSERT INTO calls (${names}) VALUES (${columns.map(() => '?').join(', ')})`);
  }

  #updating(columns: Assignment['columns']): Statement {
    const assignments = columns.map((column) => `, ${column} = ?`).join('');
    return this.#prepared(
      `UPDATE calls SET version = version + 1${assignments} WHERE id = ? AND version = ? RETURNING ${CALL_COLUMNS}, seq`,
    );
  }

  #prepared(sql: string): Statement {
    const known = this.#writes.get(sql);
    if (known !== undefined) return known;
    const statement = this.#db.prepare(sql);
    this.#writes.set(sql, statement);
    return statement;
  }
}

function parsed<T>(body: unknown): T {
  return JSON.parse(body as string) as T;
}

function parsedOrNull<T>(body: unknown): T | null {
  return body == null ? null : parsed<T>(body);
}
