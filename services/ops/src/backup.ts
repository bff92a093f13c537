import { createHash } from 'node:crypto';
import { constants, createReadStream, existsSync } from 'node:fs';
import { copyFile, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { accountIdsIn, accountsInSqlite } from '@call-analytics/accounts';
import { COLLECTIONS } from '@call-analytics/accounts/mongo';
import type { AudioStore } from '@call-analytics/audio-store';
import { audioStoreSettings, connectAudioStore } from '@call-analytics/audio-store/minio';
import { type CopiedCalls, copiedCalls, copyDatabase } from '@call-analytics/calls';
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
import { counted, failureOf, makeLogger, makeMetrics, readSettings } from '@call-analytics/service-kit';
import type { Env } from './command.ts';

/** The databases of a standalone installation, and of its backup. */
const STANDALONE = { calls: 'calls.sqlite', accounts: 'accounts.sqlite' } as const;
const { calls: CALLS, accounts: ACCOUNTS } = STANDALONE;
const RECORDINGS = 'recordings';
/** Written last: a folder without it is not a whole backup. */
const MANIFEST = 'backup.json';
/** Of the copy of each kind of installation. */
const FORMATS = { standalone: 1, distributed: 2 } as const;
type Installation = keyof typeof FORMATS;
/** Calls begin and end while the copy is made. Each round copies the databases again. */
const ROUNDS = 20;

interface Manifest {
  format: number;
  at: string;
  calls: number;
  /** Of calls that are not completed. The recording of a completed call is about to be deleted. */
  recordings: number;
  files: { path: string; bytes: number; sha256: string }[];
}

/**
 * Copies a standalone installation, which may run: databases, and recordings that calls still need. A recording is
 * stored before its call and deleted after it, so recordings are copied before and after the databases.
 * @param dataDir its DATA_DIR
 * @param to a folder that is empty or does not exist
 * @throws Error when there is nothing to copy, the folder is in use, or a recording or an account is missing
 */
export async function backup(dataDir: string, to: string): Promise<Manifest> {
  for (const name of [CALLS, ACCOUNTS])
    if (!existsSync(join(dataDir, name)))
      throw new Error(`${join(dataDir, name)} does not exist. Set DATA_DIR to the data folder of the installation.`);
  const at = new Date().toISOString();
  await makeFolders(to, [RECORDINGS]);

  const live = join(dataDir, 'audio', RECORDINGS);
  const copied = new Set<string>();
  const copy = async (keys: readonly string[]) => {
    for (const key of keys)
      if (!copied.has(key) && (await copiedIfThere(join(live, key), join(to, RECORDINGS, key)))) copied.add(key);
  };
  await copy(existsSync(live) ? await readdir(live) : []);
  let state: CopiedCalls;
  for (let round = 1; ; round += 1) {
    // Accounts last: an account exists before its calls. One that is deleted in between is found in the next round.
    for (const name of [CALLS, ACCOUNTS]) await copyDatabase(join(dataDir, name), join(to, name));
    state = copiedCalls(join(to, CALLS));
    await copy(state.recordings);
    const accounts = accountIdsIn(join(to, ACCOUNTS));
    const missing = state.recordings.filter((key) => !copied.has(key));
    const unknown = state.accountIds.filter((id) => !accounts.has(id));
    if (missing.length === 0 && unknown.length === 0) break;
    if (round < ROUNDS) continue;
    throw new Error(
      `The backup is not complete. Missing in ${dataDir}: recordings of ${counted(missing.length, 'unfinished call')}, ` +
        `${counted(unknown.length, 'account that has', 'accounts that have')} calls. Run it again.`,
    );
  }
  const needed = new Set(state.recordings);
  for (const key of copied) if (!needed.has(key)) await rm(join(to, RECORDINGS, key));

  const paths = [CALLS, ACCOUNTS, ...state.recordings.map((key) => join(RECORDINGS, key))];
  return finished(to, { of: 'standalone', at, calls: state.calls, recordings: needed.size }, paths);
}

/**
 * Checks a backup and copies it to a data folder. The service must not run there.
 * @param dataDir has no databases
 * @throws Error when the backup is damaged or incomplete, or the data folder is in use
 */
export async function restore(from: string, dataDir: string): Promise<Manifest> {
  const manifest = await checkedManifest(from);
  if (manifest.format !== FORMATS.standalone)
    throw new Error('The backup is of a distributed installation. Set MONGODB_URL and the other servers.');
  for (const name of [CALLS, ACCOUNTS])
    if (existsSync(join(dataDir, name)))
      throw new Error(`${join(dataDir, name)} exists. Stop the service, and move the folder ${dataDir} away.`);
  await mkdir(join(dataDir, 'audio', RECORDINGS), { recursive: true, mode: 0o700 });
  const placeOf = (path: string) => (path.startsWith(RECORDINGS) ? join(dataDir, 'audio', path) : join(dataDir, path));
  for (const { path } of manifest.files) {
    await copyFile(join(from, path), `${placeOf(path)}.restored`, constants.COPYFILE_FICLONE);
    await synced(`${placeOf(path)}.restored`);
  }
  // The databases last. SQLite would apply the log of an earlier database to the restored one.
  for (const name of [CALLS, ACCOUNTS])
    for (const log of ['-wal', '-shm']) await rm(join(dataDir, `${name}${log}`), { force: true });
  for (const { path } of manifest.files.toReversed()) await rename(`${placeOf(path)}.restored`, placeOf(path));
  return manifest;
}

/** @throws Error when the folder of a new backup is in use */
async function makeFolders(to: string, names: readonly string[]): Promise<void> {
  for (const name of names) await mkdir(join(to, name), { recursive: true, mode: 0o700 });
  if ((await readdir(to, { recursive: true })).length > names.length)
    throw new Error(`The folder ${to} is not empty. Name a new one for each backup.`);
}

/** Ends a backup: writes its files to disk and their checksums to its manifest. */
async function finished(
  to: string,
  { of, ...about }: { of: Installation } & Pick<Manifest, 'at' | 'calls' | 'recordings'>,
  paths: readonly string[],
): Promise<Manifest> {
  const files: Manifest['files'] = [];
  for (const path of paths) files.push({ path, ...(await digestOf(join(to, path))) });
  const manifest = { format: FORMATS[of], ...about, files };
  const partial = join(to, `${MANIFEST}.partial`);
  await writeFile(partial, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true });
  await rename(partial, join(to, MANIFEST));
  return manifest;
}

/** @throws Error when it is no whole backup */
async function checkedManifest(from: string): Promise<Manifest> {
  const text = await readFile(join(from, MANIFEST), 'utf8').catch(() => {
    throw new Error(`${from} has no ${MANIFEST}: it is not a backup, or the backup was not finished.`);
  });
  const manifest = JSON.parse(text) as Manifest;
  if (!Object.values<number>(FORMATS).includes(manifest.format))
    throw new Error(`The backup has format ${manifest.format}, which this release does not know.`);
  for (const { path, bytes, sha256 } of manifest.files) {
    const found = await digestOf(join(from, path)).catch(() => null);
    if (found?.bytes !== bytes || found.sha256 !== sha256)
      throw new Error(`The backup is damaged: ${path} is missing or changed.`);
  }
  return manifest;
}

/** @returns false when it is not there: its call has ended, or its deletion is under way */
async function copiedIfThere(from: string, to: string): Promise<boolean> {
  try {
    await copyFile(from, to, constants.COPYFILE_FICLONE);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

async function digestOf(path: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  await synced(path);
  return { bytes: (await stat(path)).size, sha256: hash.digest('hex') };
}

async function synced(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

const CALLS_FOLDER = 'calls';
const ACCOUNTS_FOLDER = 'accounts';

export const backupSettings = callStoreSettings.extend({
  ...audioStoreSettings.shape,
  ACCOUNTS_MONGODB_URL: callStoreSettings.shape.MONGODB_URL.describe('the MONGODB_URL of the accounts service'),
});

/**
 * Copies a distributed installation, whose services may run: accounts after calls, because an account exists before its
 * calls. RabbitMQ has nothing to copy: its messages only say what the call store knows.
 * @param to a folder that is empty or does not exist
 * @throws Error when the folder is in use, a server is unavailable, or a recording or an account is missing
 */
export async function backupServers(env: Env, to: string): Promise<Manifest> {
  const { url, accountsUrl, audioStore } = servers(env);
  const at = new Date().toISOString();
  await makeFolders(to, [CALLS_FOLDER, ACCOUNTS_FOLDER, RECORDINGS]);
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
  const { calls, recordings, accountIds } = await copyCalls(url, join(to, CALLS_FOLDER), copyRecording);
  await copyCollections(accountsUrl, COLLECTIONS, join(to, ACCOUNTS_FOLDER));
  await copyRemovedAccounts(url, join(to, CALLS_FOLDER));
  const [known, removed] = [
    await idsIn(join(to, ACCOUNTS_FOLDER), 'accounts'),
    await idsIn(join(to, CALLS_FOLDER), 'removed_accounts'),
  ];
  const unknown = accountIds.filter((id) => !known.has(id) && !removed.has(id));
  if (unknown.length > 0)
    throw new Error(
      `${counted(unknown.length, 'account that has calls is', 'accounts that have calls are')} not in the database of ACCOUNTS_MONGODB_URL. ` +
        'Set it to the MONGODB_URL of the accounts service.',
    );
  const needed = new Set(recordings);
  for (const key of fetched) if (!needed.has(key)) await rm(join(to, RECORDINGS, key));
  const paths = [
    ...CALL_COLLECTIONS.map((name) => join(CALLS_FOLDER, `${name}.bson`)),
    ...COLLECTIONS.map((name) => join(ACCOUNTS_FOLDER, `${name}.bson`)),
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
      : [documentsIn(join(from, CALLS_FOLDER)), documentsIn(join(from, ACCOUNTS_FOLDER))];
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
