import type { CallStatus, EventType } from '@call-analytics/contracts';
import type { Clock } from '@call-analytics/service-kit';
import type { Analysis } from '../analysis.ts';
import { remarksOf } from '../overview.ts';
import type { Call, HeldLease, Idempotency } from '../record.ts';
import { bringsText, eventIdOf, firstIdAt, type Inserted, noSuchAccount, type Write } from '../store.ts';
import type { Segment, Transcript } from '../transcript.ts';
import type { Database, Queries, Statement } from './database.ts';
import {
  assignmentOf,
  CALL_COLUMN_COUNT,
  CALL_COLUMNS,
  parsedOrNull,
  SUMMARY_COLUMNS,
  toCall,
  toOutboxEntry,
  toSummary,
} from './rows.ts';
import type { CallWords } from './search.ts';

/** `+ 0`: see dispatch.ts. */
const page = (where: string) =>
  `SELECT ${SUMMARY_COLUMNS} FROM calls WHERE ${where} AND removed_at IS NULL
   ORDER BY created_at DESC, id DESC LIMIT $limit + 0 OFFSET $offset + 0`;
const HELD = 'id = $callId AND attempt = $attempt AND stage = $stage AND lease_until IS NOT NULL';

/** The statements that do not depend on what a write changes. */
export const STATEMENTS = {
  get: `SELECT ${CALL_COLUMNS} FROM calls WHERE id = ?`,
  // Only a failed call shows its transcript, unless it has an analysis, whose lines hold the same text.
  detail: `
    SELECT ${CALL_COLUMNS}, analyses.body AS analysis,
      CASE WHEN analyses.body IS NULL AND status = 'failed' THEN transcripts.body END AS transcript
    FROM calls LEFT JOIN analyses ON analyses.call_seq = calls.seq
    LEFT JOIN transcripts ON transcripts.call_seq = calls.seq
    WHERE calls.id = ? AND calls.account_id = ? AND calls.removed_at IS NULL`,
  page: page('account_id = $accountId'),
  pageOfStatus: page('account_id = $accountId AND status = $status'),
  total: 'SELECT coalesce(sum(calls), 0) AS total FROM call_counts WHERE account_id = ?',
  totalOfStatus: 'SELECT coalesce(sum(calls), 0) AS total FROM call_counts WHERE account_id = ? AND status = ?',
  byIdempotencyKey: `
    SELECT ${CALL_COLUMNS}, idempotency_fingerprint FROM calls WHERE account_id = ? AND idempotency_key = ?`,
  transcript: 'SELECT body FROM transcripts JOIN calls ON call_seq = seq WHERE id = ?',
  analysis: 'SELECT body FROM analyses JOIN calls ON call_seq = seq WHERE id = ?',
  vocabulary: 'SELECT body FROM vocabularies JOIN calls ON call_seq = seq WHERE id = ?',
  segments: 'SELECT body FROM segments JOIN calls ON call_seq = seq WHERE id = ?',
  saveSegment: `
    INSERT INTO segments (call_seq, key, body) SELECT seq, $key, $body FROM calls WHERE ${HELD} ON CONFLICT DO NOTHING`,
  advance: `
    UPDATE calls SET audio_seconds_done = max(audio_seconds_done, $seconds), updated_at = max(updated_at, $now)
    WHERE id = $callId`,
  held: `SELECT 1 FROM calls WHERE ${HELD}`,
  saveTranscript: 'INSERT INTO transcripts VALUES (?, ?) ON CONFLICT DO UPDATE SET body = excluded.body',
  saveVocabulary: 'INSERT INTO vocabularies VALUES (?, ?)',
  saveAnalysis: 'INSERT INTO analyses VALUES (?, ?) ON CONFLICT DO UPDATE SET body = excluded.body',
  saveRemarks: 'INSERT INTO remarks VALUES (?, ?) ON CONFLICT DO UPDATE SET body = excluded.body',
  addEvent: 'INSERT INTO outbox (id, type, call_id, account_id, at, traceparent) VALUES (?, ?, ?, ?, ?, ?)',
  outbox: 'SELECT id, type, call_id, account_id, at, traceparent FROM outbox ORDER BY seq LIMIT ? + 0',
  removeEvents: 'DELETE FROM outbox WHERE id IN (SELECT value FROM json_each(?))',
  audioKeysInUse:
    'SELECT audio_key FROM calls WHERE audio_key IN (SELECT value FROM json_each(?)) AND audio_deleted_at IS NULL',
  // A call that ended by then was created by then, and its id says when.
  finishedBefore: `
    SELECT ${CALL_COLUMNS} FROM calls
    WHERE id < $firstLater AND updated_at < $endedBefore AND stage IS NULL AND removed_at IS NULL
    ORDER BY id LIMIT $limit + 0`,
  seqOfVersion: 'SELECT seq FROM calls WHERE id = ? AND version = ?',
  // The id of an event begins with that of its call, and only the id has an index; '/' comes after '.'.
  purgeEvents: "DELETE FROM outbox WHERE id > $callId || '.' AND id < $callId || '/'",
  purgeSegments: 'DELETE FROM segments WHERE call_seq = ?',
  purgeTranscript: 'DELETE FROM transcripts WHERE call_seq = ?',
  purgeAnalysis: 'DELETE FROM analyses WHERE call_seq = ?',
  purgeRemarks: 'DELETE FROM remarks WHERE call_seq = ?',
  purgeVocabulary: 'DELETE FROM vocabularies WHERE call_seq = ?',
  purgeCosts: 'DELETE FROM costs WHERE call_seq = ?',
  purgeCall: 'DELETE FROM calls WHERE seq = ?',
  isRemoved: 'SELECT 1 FROM removed_accounts WHERE id = ?',
  removeAccount: 'INSERT INTO removed_accounts VALUES (?, ?, 0) ON CONFLICT DO NOTHING',
  removedAccounts: 'SELECT id, at FROM removed_accounts WHERE is_emptied = 0 ORDER BY at LIMIT ? + 0',
  accountEmptied: 'UPDATE removed_accounts SET is_emptied = 1 WHERE id = ?',
  forgetCounts: 'DELETE FROM call_counts WHERE account_id = ?',
  forgetSpending: 'DELETE FROM spending WHERE account_id = ?',
  settings: 'SELECT revision, body FROM account_settings WHERE account_id = ? AND name = ?',
  newSettings: 'INSERT INTO account_settings VALUES (?, ?, 1, ?) ON CONFLICT DO NOTHING',
  changeSettings: `
    UPDATE account_settings SET revision = revision + 1, body = ? WHERE account_id = ? AND name = ? AND revision = ?`,
  forgetSettings: 'DELETE FROM account_settings WHERE account_id = ?',
} as const;

/** In this order: the others refer to the call. */
const PURGED = ['Segments', 'Transcript', 'Analysis', 'Remarks', 'Vocabulary', 'Costs', 'Call'] as const;

/** Reads and writes of single calls, of lists, of the outbox and of removed accounts. */
export function recordQueries(db: Database, clock: Clock, words: CallWords) {
  const sql = db.prepareAll(STATEMENTS);
  /** One statement for each set of columns that are written together; there are about ten sets. */
  const writes = new Map<string, Statement>();
  const prepared = (text: string) => {
    const statement = writes.get(text) ?? db.prepare(text);
    writes.set(text, statement);
    return statement;
  };

  const addEvents = (call: Call, events: readonly EventType[]) => {
    const at = clock.now().getTime();
    for (const type of events) {
      const id = eventIdOf(call.id, call.version, type);
      sql.addEvent.run(id, type, call.id, call.accountId, at, call.traceparent);
    }
  };
  const total = (accountId: string, status?: CallStatus) =>
    Number((status === undefined ? sql.total.get(accountId) : sql.totalOfStatus.get(accountId, status))?.[0]);

  const reads = {
    get: (callId) => {
      const row = sql.get.get(callId);
      return row === undefined ? null : toCall(row);
    },
    detail: (accountId, callId) => {
      const row = sql.detail.get(callId, accountId);
      if (row === undefined) return null;
      const [analysis, transcript] = row.slice(CALL_COLUMN_COUNT);
      return { call: toCall(row), transcript: parsedOrNull(transcript), analysis: parsedOrNull(analysis) };
    },
    list: (accountId, { limit, offset, status }) => {
      const range = { $accountId: accountId, $limit: limit, $offset: offset };
      const rows = status === undefined ? sql.page.all(range) : sql.pageOfStatus.all({ ...range, $status: status });
      return { calls: rows.map(toSummary), total: total(accountId, status) };
    },
    segments: (callId) => sql.segments.all(callId).map(([body]) => JSON.parse(String(body)) as Segment),
    transcript: (callId) => parsedOrNull<Transcript>(sql.transcript.get(callId)?.[0]),
    analysis: (callId) => parsedOrNull<Analysis>(sql.analysis.get(callId)?.[0]),
    vocabulary: (callId) => parsedOrNull<string[]>(sql.vocabulary.get(callId)?.[0]) ?? [],
    settings: (accountId, name) => {
      const row = sql.settings.get(accountId, name);
      return row === undefined ? null : { revision: Number(row[0]), value: JSON.parse(String(row[1])) as unknown };
    },
    outbox: (limit) => sql.outbox.all(limit).map(toOutboxEntry),
    audioKeysInUse: (keys) => new Set(sql.audioKeysInUse.all(JSON.stringify(keys)).map(([key]) => String(key))),
    finishedBefore: (endedBefore, limit) => {
      const $firstLater = firstIdAt(endedBefore);
      return sql.finishedBefore.all({ $firstLater, $endedBefore: endedBefore.getTime(), $limit: limit }).map(toCall);
    },
    removedAccounts: (limit) =>
      sql.removedAccounts.all(limit).map(([id, at]) => ({ accountId: String(id), at: new Date(Number(at)) })),
  } satisfies Queries;

  const insert = (
    call: Call,
    events: readonly EventType[],
    idempotency: Idempotency | null,
    vocabulary: readonly string[] = [],
  ): Inserted => {
    if (sql.isRemoved.get(call.accountId) !== undefined) throw noSuchAccount();
    if (idempotency !== null) {
      const first = sql.byIdempotencyKey.get(call.accountId, idempotency.key);
      if (first !== undefined)
        return {
          kind: 'existing',
          call: toCall(first),
          sameRequest: first[CALL_COLUMN_COUNT] === idempotency.fingerprint,
        };
    }
    const { columns, values } = assignmentOf(call);
    const names = [...columns, 'idempotency_key', 'idempotency_fingerprint'];
    const { lastInsertRowid: seq } = prepared(
      `INSERT INTO calls (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
    ).run(...values, idempotency?.key ?? null, idempotency?.fingerprint ?? null);
    words.save(Number(seq), call.accountId, call.fileName, {});
    if (vocabulary.length > 0) sql.saveVocabulary.run(seq, JSON.stringify(vocabulary));
    addEvents(call, events);
    return { kind: 'created', call };
  };

  const update = (callId: string, version: number, { change, events }: Write): Call | null => {
    const { columns, values } = assignmentOf(change);
    const assignments = columns.map((column) => `, ${column} = ?`).join('');
    const forgotten = change.removal == null ? '' : ', idempotency_key = NULL, idempotency_fingerprint = NULL';
    const forgottenResults = bringsText(change) ? ', tracker_results = NULL' : '';
    // `all` and not `get`: it runs the statement to its end, where an error of the write shows.
    const [row] = prepared(
      `UPDATE calls SET version = version + 1${assignments}${forgotten}${forgottenResults}
       WHERE id = ? AND version = ? RETURNING ${CALL_COLUMNS}, seq`,
    ).all(...values, callId, version);
    if (row === undefined) return null;
    const seq = Number(row[CALL_COLUMN_COUNT]);
    if (change.transcript !== undefined) sql.saveTranscript.run(seq, JSON.stringify(change.transcript));
    if (change.analysis !== undefined) {
      sql.saveAnalysis.run(seq, JSON.stringify(change.analysis));
      sql.saveRemarks.run(seq, JSON.stringify(remarksOf(change.analysis)));
    }
    const written = toCall(row);
    if (bringsText(change)) words.save(seq, written.accountId, written.fileName, change);
    addEvents(written, events);
    return written;
  };

  const saveSegment = ({ callId, stage, attempt }: HeldLease, segment: Segment, now: Date): boolean => {
    const held = { $callId: callId, $stage: stage, $attempt: attempt };
    const { changes } = sql.saveSegment.run({ ...held, $key: segment.key, $body: JSON.stringify(segment) });
    if (changes === 0) return sql.held.get(held) !== undefined;
    sql.advance.run({ $callId: callId, $seconds: segment.endMs / 1000, $now: now.getTime() });
    return true;
  };

  const purge = (callId: string, version: number): boolean => {
    const seq = sql.seqOfVersion.get(callId, version)?.[0];
    if (seq === undefined) return false;
    sql.purgeEvents.run({ $callId: callId });
    for (const each of PURGED) sql[`purge${each}`].run(seq);
    words.purge(Number(seq));
    return true;
  };

  const removeFromOutbox = (ids: readonly string[]) => void sql.removeEvents.run(JSON.stringify(ids));
  const saveSettings = (accountId: string, name: string, revision: number, value: unknown): boolean => {
    if (sql.isRemoved.get(accountId) !== undefined) throw noSuchAccount();
    const body = JSON.stringify(value);
    const { changes } =
      revision === 0
        ? sql.newSettings.run(accountId, name, body)
        : sql.changeSettings.run(body, accountId, name, revision);
    return changes === 1;
  };
  const removeAccount = (accountId: string, now: Date) => {
    sql.removeAccount.run(accountId, now.getTime());
    sql.forgetSettings.run(accountId);
  };
  const accountEmptied = (accountId: string) => {
    sql.accountEmptied.run(accountId);
    sql.forgetCounts.run(accountId);
    sql.forgetSpending.run(accountId);
  };

  const durableWrites = { insert, saveSegment, purge, saveSettings, removeAccount, accountEmptied } satisfies Queries;
  return { total, update, reads, durableWrites, lightWrites: { removeFromOutbox } satisfies Queries };
}
