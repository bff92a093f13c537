import { rm } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { privateDatabaseFile } from '@call-analytics/service-kit';

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
