import { DatabaseSync } from 'node:sqlite';
import { type Call, type CallStore, Calls, openSqliteCallStore } from '@call-analytics/calls';
import { SAMPLE_ANALYSIS, SAMPLE_TRANSCRIPT } from './sample.ts';

/**
 * Fills a call database with finished calls: the first one in the way every call is finished, the others copied from
 * it, in one transaction.
 * @param file the database; made when it is not there
 * @param count how many calls the account has afterwards, a second apart; the newest is from now
 * @param documents whether each copy gets the transcript and the analysis too; lists do not read them
 */
export async function seedFinishedCalls(
  file: string,
  { accountId, count, documents }: { accountId: string; count: number; documents: boolean },
): Promise<void> {
  const model = await finishOne(openSqliteCallStore({ file }), accountId);
  const db = new DatabaseSync(file, { timeout: 60_000 });
  try {
    db.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -262144; BEGIN IMMEDIATE');
    copyCalls(db, model, count - 1, { audio_key: `audio_key || '-' || n.i` });
    if (documents) for (const table of ['transcripts', 'analyses']) copyDocuments(db, table, model);
    db.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    db.close();
  }
}

/** @returns a call that went the way of every call, with nothing left in the outbox; closes the store */
export async function finishOne(store: CallStore, accountId: string): Promise<Call> {
  const calls = new Calls(store);
  try {
    const audio = { key: `seed-${accountId}`, bytes: 4_800_000, format: 'mp3', seconds: 300 } as const;
    const fileName = 'Follow-up with the customer.mp3';
    const { call } = await calls.accept({ accountId, fileName, reportType: 'detailed', audio });
    await calls.commitTranscript(await claim(calls, call.id, 'transcription'), SAMPLE_TRANSCRIPT);
    await calls.commitAnalysis(await claim(calls, call.id, 'analysis'), SAMPLE_ANALYSIS);
    await calls.audioDeleted(call.id);
    await store.removeFromOutbox((await store.outbox(100)).map(({ id }) => id));
    return call;
  } finally {
    await store.close();
  }
}

async function claim(calls: Calls, callId: string, stage: 'transcription' | 'analysis') {
  await calls.grant(callId);
  const claimed = await calls.claim(callId, stage, 'bench');
  if ('refused' in claimed) throw new Error(claimed.refused);
  return claimed.lease;
}

/**
 * Whatever columns there are, only what must differ between two calls differs.
 * @param differing more of it: column and SQL, in which `n.i` counts down to 1
 */
export function copyCalls(
  db: DatabaseSync,
  model: Pick<Call, 'id'>,
  count: number,
  differing: Record<string, string> = {},
): void {
  const own: Record<string, string> = {
    id: `'call_' || format('%012x', created_at - n.i * 1000) || lower(hex(randomblob(10)))`,
    created_at: 'created_at - n.i * 1000',
    updated_at: 'updated_at - n.i * 1000',
    ready_since: 'ready_since - n.i * 1000',
    ...differing,
  };
  const columns = db
    .prepare('PRAGMA table_info(calls)')
    .all()
    .map(({ name }) => String(name))
    .filter((name) => name !== 'seq');
  const values = columns.map((name) => own[name] ?? name);
  // From the oldest on, in the order in which calls come in.
  db.prepare(
    `INSERT INTO calls (${columns.join(', ')})
     WITH RECURSIVE n (i) AS (SELECT ? UNION ALL SELECT i - 1 FROM n WHERE i > 1)
     SELECT ${values.join(', ')} FROM n, calls WHERE calls.id = ? AND n.i > 0`,
  ).run(count, model.id);
}

function copyDocuments(db: DatabaseSync, table: string, model: Call): void {
  db.prepare(
    `INSERT INTO ${table} (call_seq, body)
     SELECT copy.seq, model.body FROM calls AS copy, ${table} AS model
     WHERE model.call_seq = (SELECT seq FROM calls WHERE id = ?) AND copy.account_id = ? AND copy.id <> ?`,
  ).run(model.id, model.accountId, model.id);
}
