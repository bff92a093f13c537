import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { WorkError } from '@call-analytics/service-kit';

const PREFIX = 'call-analytics-transcription.';
/** A folder of another machine is removed after this time, when no process can still use it. */
const FORGOTTEN_MS = 24 * 3_600_000;

/**
 * Runs `work` with a private folder and always removes the folder.
 * @param parent the folder for temporary files; created if it does not exist
 * @throws WorkError `transient` work_dir_full or work_dir_unusable when the folder cannot be made
 */
export async function inPrivateDir<T>(parent: string, work: (dir: string) => Promise<T>): Promise<T> {
  const dir = await make(parent);
  try {
    return await work(dir);
  } catch (error) {
    if (codeOf(error) === 'ENOSPC' || codeOf(error) === 'EDQUOT') throw full(error);
    throw error;
  } finally {
    await rm(dir, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Removes the folders of processes that were killed. @returns how many */
export async function removeLeftovers(parent: string, now: Date): Promise<number> {
  const names = await readdir(parent).catch(() => []);
  const left = await Promise.all(
    names
      .filter((name) => name.startsWith(PREFIX))
      .map(async (name) => ((await isLeftover(parent, name, now)) ? name : null)),
  );
  const leftovers = left.filter((name) => name !== null);
  await Promise.all(leftovers.map((name) => rm(join(parent, name), { recursive: true, force: true })));
  return leftovers.length;
}

async function make(parent: string): Promise<string> {
  try {
    await mkdir(parent, { recursive: true, mode: 0o700 });
    // mkdtemp makes it readable only for this user.
    return await mkdtemp(resolve(join(parent, `${PREFIX}${owner(process.pid)}.`)));
  } catch (error) {
    if (codeOf(error) === 'ENOSPC' || codeOf(error) === 'EDQUOT') throw full(error);
    const message = 'The service has no writable folder for temporary files. Contact the operator of the service.';
    // The cause names the setting for the log; the message is for the owner of the call.
    const cause = new Error('WORK_DIR must be a folder that the service can write to', { cause: error });
    throw new WorkError({ kind: 'transient', code: 'work_dir_unusable', message }, { cause });
  }
}

async function isLeftover(parent: string, name: string, now: Date): Promise<boolean> {
  const [host = '', pid = ''] = name.slice(PREFIX.length).split('.');
  if (`${host}.${pid}` === owner(Number(pid))) return !isAlive(Number(pid));
  const made = await stat(join(parent, name)).catch(() => null);
  return made !== null && now.getTime() - made.mtimeMs > FORGOTTEN_MS;
}

/** Host names may contain dots. */
function owner(pid: number): string {
  return `${hostname().replaceAll(/[^a-z0-9-]/gi, '-')}.${pid}`;
}

/** A folder with our own pid that exists at start is of an earlier process: a container always has the same pid. */
function isAlive(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

function full(cause: unknown): WorkError {
  const message = 'The disk for temporary files is full. Contact the operator of the service.';
  return new WorkError({ kind: 'transient', code: 'work_dir_full', message }, { cause });
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
