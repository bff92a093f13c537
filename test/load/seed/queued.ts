import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Readable } from 'node:stream';
import { folderAudioStore } from '@call-analytics/audio-store';
import { Calls, openSqliteCallStore } from '@call-analytics/calls';
import { copyCalls } from './calls.ts';

/** An installation with calls and recordings as uploads leave them. @param dataDir made when it is not there */
export async function seedQueuedCalls(
  dataDir: string,
  { calls: count, accounts, recording }: { calls: number; accounts: number; recording: Buffer },
): Promise<void> {
  mkdirSync(dataDir, { recursive: true });
  const store = openSqliteCallStore({ file: join(dataDir, 'calls.sqlite') });
  const audioStore = folderAudioStore({ dir: join(dataDir, 'audio') });
  const calls = new Calls(store);
  try {
    for (let n = 0; n < count; n += 1) {
      const key = `recording-${n}`;
      await audioStore.put(key, Readable.from([recording]));
      await calls.accept({
        accountId: `account-${n % accounts}`,
        fileName: 'call.mp3',
        reportType: 'medium',
        audio: { key, bytes: recording.length, format: 'mp3', seconds: 120 },
      });
    }
  } finally {
    await store.close();
  }
}

/**
 * An installation in which one account has very many calls waiting. They share one recording: nothing may delete it.
 * @returns the account
 */
export async function seedBacklog(
  dataDir: string,
  { calls, recording }: { calls: number; recording: Buffer },
): Promise<string> {
  await seedQueuedCalls(dataDir, { calls: 1, accounts: 1, recording });
  const db = new DatabaseSync(join(dataDir, 'calls.sqlite'));
  try {
    const model = db.prepare('SELECT id, account_id FROM calls').get();
    db.exec('BEGIN IMMEDIATE');
    copyCalls(db, { id: String(model?.id) }, calls - 1);
    db.exec('COMMIT');
    return String(model?.account_id);
  } finally {
    db.close();
  }
}
