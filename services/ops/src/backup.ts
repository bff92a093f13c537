import { createHash } from 'node:crypto';
import { constants, createReadStream, existsSync } from 'node:fs';
import { copyFile, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { accountIdsIn } from '@call-analytics/accounts';
import { type CopiedCalls, copiedCalls, copyDatabase } from '@call-analytics/calls';

/** The databases of a standalone installation, and of its backup. */
export const STANDALONE = { calls: 'calls.sqlite', accounts: 'accounts.sqlite' } as const;
const { calls: CALLS, accounts: ACCOUNTS } = STANDALONE;
export const RECORDINGS = 'recordings';
/** Written last: a folder without it is not a whole backup. */
const MANIFEST = 'backup.json';
/** Of the copy of each kind of installation. */
export const FORMATS = { standalone: 1, distributed: 2 } as const;
type Installation = keyof typeof FORMATS;
/** Calls begin and end while the copy is made. Each round copies the databases again. */
const ROUNDS = 20;

export interface Manifest {
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
      `The backup is not complete. Missing in ${dataDir}: recordings of ${missing.length} unfinished calls, ` +
        `${unknown.length} accounts that have calls. Run it again.`,
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
export async function makeFolders(to: string, names: readonly string[]): Promise<void> {
  for (const name of names) await mkdir(join(to, name), { recursive: true, mode: 0o700 });
  if ((await readdir(to, { recursive: true })).length > names.length)
    throw new Error(`The folder ${to} is not empty. Name a new one for each backup.`);
}

/** Ends a backup: writes its files to disk and their checksums to its manifest. */
export async function finished(
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
export async function checkedManifest(from: string): Promise<Manifest> {
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
