import { rm } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import type { EventType } from '@call-analytics/contracts';
import { privateDatabaseFile } from '@call-analytics/service-kit';
import type { Analysis } from '../analysis.ts';
import type { Call, Idempotency } from '../record.ts';
import type { AccountSpending, AttemptCost, Costs, DaySpending } from '../spending.ts';
import type { Segment, Transcript } from '../transcript.ts';
import type { Row } from './database.ts';
import { CALL_COLUMN_COUNT, CALL_COLUMNS, parsedOrNull, toCall } from './rows.ts';
import { MIGRATIONS } from './schema.ts';
import { PRICE, toCost } from './totals.ts';

/** How long the copy waits for another process's lock. */
const BUSY_TIMEOUT_MS = 10_000;

/**
 * Copies a database in one read transaction, while others write. The copy has no log and no pages of deleted data.
 * @param to is replaced
 * @throws Error when the database cannot be read, or the copy is damaged
 */
export async function copyDatabase(from: string, to: string): Promise<void> {
  await rm(to, { force: true });
  privateDatabaseFile(to);
  const db = new DatabaseSync(from, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  try {
    db.prepare('VACUUM INTO ?').run(to);
  } finally {
    db.close();
  }
  const copy = new DatabaseSync(to, { readOnly: true });
  try {
    const found = copy.prepare('PRAGMA integrity_check').get()?.integrity_check;
    if (found !== 'ok') throw new Error(`The copy of ${from} is damaged: ${found}`);
  } finally {
    copy.close();
  }
}

/** What a copy of the calls needs beside it. */
export interface CopiedCalls {
  calls: number;
  /** Keys of the recordings that calls still need. That of a completed call is about to be deleted. */
  recordings: string[];
  /** Accounts that have calls, without removed ones. */
  accountIds: string[];
}

export function copiedCalls(file: string): CopiedCalls {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    const column = (sql: string) =>
      db
        .prepare(sql)
        .all()
        .map((row) => Object.values(row)[0]);
    const [calls] = column('SELECT count(*) FROM calls');
    const recordings = column(`SELECT audio_key FROM calls
      WHERE audio_deleted_at IS NULL AND status <> 'completed' AND removed_final IS NOT 1`);
    const accountIds = column('SELECT account_id FROM calls EXCEPT SELECT id FROM removed_accounts');
    return { calls: Number(calls), recordings: recordings.map(String), accountIds: accountIds.map(String) };
  } finally {
    db.close();
  }
}

/** A call with everything that is stored about it. */
interface CopiedCall {
  call: Call;
  idempotency: Idempotency | null;
  vocabulary: string[];
  transcript: Transcript | null;
  analysis: Analysis | null;
  segments: Segment[];
  costs: AttemptCost[];
  /** The length of the recording as far as it is in the sums of what was spent; null while it has cost nothing. */
  paidSeconds: number | null;
  /** Events that are not published yet, oldest first. */
  events: { id: string; type: EventType; at: Date }[];
}

/** @throws Error when another release has written the copy, so that this one cannot read it as it is */
export function checkVersion(file: string): void {
  openCopy(file).close();
}

/** Reads the calls of a copy, oldest first. @throws as `checkVersion` */
export function* callsIn(file: string): Generator<CopiedCall> {
  const db = openCopy(file);
  try {
    const all = db.prepare(`
      SELECT ${CALL_COLUMNS}, calls.seq, paid_seconds, idempotency_key, idempotency_fingerprint,
        transcripts.body, analyses.body, vocabularies.body
      FROM calls LEFT JOIN transcripts ON transcripts.call_seq = calls.seq
      LEFT JOIN vocabularies ON vocabularies.call_seq = calls.seq
      LEFT JOIN analyses ON analyses.call_seq = calls.seq ORDER BY calls.seq`);
    all.setReturnArrays(true);
    const segments = db.prepare('SELECT body FROM segments WHERE call_seq = ? ORDER BY rowid');
    const costs = db.prepare(`SELECT attempt, stage, engine, model, ${PRICE}, at FROM costs WHERE call_seq = ?`);
    costs.setReturnArrays(true);
    // '/' comes after '.': see records.ts.
    const events = db.prepare("SELECT id, type, at FROM outbox WHERE id > $id || '.' AND id < $id || '/' ORDER BY seq");
    for (const row of all.iterate() as Iterable<unknown> as Iterable<Row>) {
      const call = toCall(row);
      const [seq = null, paid, key, fingerprint, transcript, analysis, vocabulary] = row.slice(CALL_COLUMN_COUNT);
      yield {
        call,
        paidSeconds: typeof paid === 'number' ? paid : null,
        idempotency: typeof key === 'string' ? { key, fingerprint: String(fingerprint) } : null,
        vocabulary: parsedOrNull(vocabulary) ?? [],
        transcript: parsedOrNull(transcript),
        analysis: parsedOrNull(analysis),
        segments: segments.all(seq).map(({ body }) => JSON.parse(String(body))),
        costs: (costs.all(seq) as unknown as Row[]).map(toCost),
        events: events
          .all({ $id: call.id })
          .map(({ id, type, at }) => ({ id: String(id), type: type as EventType, at: new Date(Number(at)) })),
      };
    }
  } finally {
    db.close();
  }
}

/** Reads what a copy has of accounts: which are removed, and the settings and spending. @throws as `checkVersion` */
export function accountsIn(file: string): {
  removed: { id: string; at: Date }[];
  settings: { accountId: string; name: string; revision: number; value: unknown }[];
  spending: (Pick<AccountSpending, 'accountId' | 'at'> & DaySpending)[];
} {
  const db = openCopy(file);
  try {
    const removed = db.prepare('SELECT id, at FROM removed_accounts').all();
    const spending = db.prepare('SELECT * FROM spending').all();
    const settings = db.prepare('SELECT account_id, name, revision, body FROM account_settings').all();
    return {
      removed: removed.map(({ id, at }) => ({ id: String(id), at: new Date(Number(at)) })),
      settings: settings.map(({ account_id, name, revision, body }) => ({
        accountId: String(account_id),
        name: String(name),
        revision: Number(revision),
        value: JSON.parse(String(body)),
      })),
      spending: spending.map(({ day, account_id, at, unpriced_transcription, unpriced_analysis, ...sums }) => ({
        ...(sums as unknown as Costs),
        day: String(day),
        accountId: String(account_id),
        at: new Date(Number(at)),
        unpricedTranscription: Number(unpriced_transcription),
        unpricedAnalysis: Number(unpriced_analysis),
      })),
    };
  } finally {
    db.close();
  }
}

function openCopy(file: string): DatabaseSync {
  const db = new DatabaseSync(file, { readOnly: true });
  const version = db.prepare('PRAGMA user_version').get()?.user_version;
  if (version === MIGRATIONS.length) return db;
  db.close();
  throw new Error(
    `The calls have version ${version}; this release moves version ${MIGRATIONS.length}. Start this release on the ` +
      'standalone installation, stop it, and back it up again.',
  );
}
