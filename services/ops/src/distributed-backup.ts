import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { accountsInSqlite } from '@call-analytics/accounts';
import { COLLECTIONS } from '@call-analytics/accounts/mongo';
import type { AudioStore } from '@call-analytics/audio-store';
import { audioStoreSettings, connectAudioStore } from '@call-analytics/audio-store/minio';
import {
  CALL_COLLECTIONS,
  callStoreSettings,
  copyCalls,
  copyCollections,
  copyRemovedAccounts,
  documentsIn,
  documentsInSqlite,
  idsIn,
  refuseUnlessEmpty,
  restoreCalls,
  restoreCollections,
} from '@call-analytics/calls/mongo';
import { failureOf, makeLogger, makeMetrics, readSettings } from '@call-analytics/service-kit';
import { checkedManifest, FORMATS, finished, type Manifest, makeFolders, RECORDINGS, STANDALONE } from './backup.ts';
import type { Env } from './command.ts';

const CALLS = 'calls';
const ACCOUNTS = 'accounts';

export const backupSettings = callStoreSettings.extend({
  ...audioStoreSettings.shape,
  ACCOUNTS_MONGODB_URL: callStoreSettings.shape.MONGODB_URL.describe('the MONGODB_URL of the accounts service'),
});

/**
 * Copies a distributed installation, whose services may run: accounts after calls, because an account exists before its
 * calls. RabbitMQ has nothing to copy: its messages only say what the call store knows.
 * @param to a folder that is empty or does not exist
 * @throws Error when the folder is in use, a server is away, or a recording or an account is missing
 */
export async function backupServers(env: Env, to: string): Promise<Manifest> {
  const { url, accountsUrl, audioStore } = servers(env);
  const at = new Date().toISOString();
  await makeFolders(to, [CALLS, ACCOUNTS, RECORDINGS]);
  const fetched = new Set<string>();
  const copyRecording = async (key: string) => {
    try {
      await audioStore.fetch(key, join(to, RECORDINGS, key));
      fetched.add(key);
      return true;
    } catch (error) {
      if (failureOf(error).code === 'audio_missing') return false;
      throw error;
    }
  };
  const { calls, recordings, accountIds } = await copyCalls(url, join(to, CALLS), copyRecording);
  await copyCollections(accountsUrl, COLLECTIONS, join(to, ACCOUNTS));
  await copyRemovedAccounts(url, join(to, CALLS));
  const [known, removed] = [
    await idsIn(join(to, ACCOUNTS), 'accounts'),
    await idsIn(join(to, CALLS), 'removed_accounts'),
  ];
  const unknown = accountIds.filter((id) => !known.has(id) && !removed.has(id));
  if (unknown.length > 0)
    throw new Error(
      `${unknown.length} accounts that have calls are not in the database of ACCOUNTS_MONGODB_URL. ` +
        'Set it to the MONGODB_URL of the accounts service.',
    );
  const needed = new Set(recordings);
  for (const key of fetched) if (!needed.has(key)) await rm(join(to, RECORDINGS, key));
  const paths = [
    ...CALL_COLLECTIONS.map((name) => join(CALLS, `${name}.bson`)),
    ...COLLECTIONS.map((name) => join(ACCOUNTS, `${name}.bson`)),
    ...recordings.map((key) => join(RECORDINGS, key)),
  ];
  return finished(to, { of: 'distributed', at, calls, recordings: recordings.length }, paths);
}

/**
 * Checks a backup, of a standalone installation too, and restores it to empty databases and a bucket. Recordings first
 * and calls last: a call is never without its recording or its account.
 * @throws Error when the backup is damaged, or a database is not empty
 */
export async function restoreServers(from: string, env: Env): Promise<Manifest> {
  const { url, accountsUrl, audioStore } = servers(env);
  const manifest = await checkedManifest(from);
  const [calls, accounts] =
    manifest.format === FORMATS.standalone
      ? [documentsInSqlite(join(from, STANDALONE.calls)), accountsInSqlite(join(from, STANDALONE.accounts))]
      : [documentsIn(join(from, CALLS)), documentsIn(join(from, ACCOUNTS))];
  await refuseUnlessEmpty(url, 'calls');
  await refuseUnlessEmpty(accountsUrl, 'accounts');
  for (const { path, bytes } of manifest.files) {
    if (!path.startsWith(RECORDINGS)) continue;
    const key = path.slice(RECORDINGS.length + 1);
    // Stored before, if an earlier restore was interrupted.
    if ((await audioStore.stat(key))?.bytes !== bytes) await audioStore.put(key, createReadStream(join(from, path)));
  }
  await restoreCollections(accountsUrl, COLLECTIONS, accounts);
  const restored = await restoreCalls(url, calls);
  if (restored !== manifest.calls) throw new Error(`${restored} of ${manifest.calls} calls were restored.`);
  return manifest;
}

function servers(env: Env): { url: string; accountsUrl: string; audioStore: AudioStore } {
  const { MONGODB_URL: url, ACCOUNTS_MONGODB_URL: accountsUrl, ...s3 } = readSettings(backupSettings, env);
  return {
    url,
    accountsUrl,
    audioStore: connectAudioStore(s3, { log: makeLogger('ops', 'silent'), metrics: makeMetrics() }),
  };
}
