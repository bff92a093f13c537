import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs';

/** Bits of a mode by which others than the owner may do something. */
const OTHERS = 0o077;
/** Of a directory that everybody may write to, such as /tmp: it is not ours to change. */
const STICKY = 0o1000;

/** Says that a path stays readable for others, and why. */
type Warn = (about: { path: string; reason: string }) => void;

/** From now on everything that this process creates is for its user alone. */
export function createPrivately(): void {
  process.umask(OTHERS);
}

/**
 * Makes a directory for this user alone (0700), with those above it, or makes one private that is there.
 * @param warn called when others keep their access to a directory that is there
 * @throws what Node throws when the directory cannot be made
 */
export function privateDirectory(dir: string, warn: Warn): void {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  if ((statSync(dir).mode & STICKY) === 0) tighten(dir, 0o700, warn);
  else warn({ path: dir, reason: 'it is shared with other users' });
}

/**
 * Makes an empty file for this user alone (0600), or makes one private that is there; SQLite gives its log (`-wal`) and
 * its index (`-shm`) the same mode. Never throws: SQLite reports a file that cannot be opened.
 */
export function privateDatabaseFile(file: string, warn: Warn = () => {}): void {
  if (file === ':memory:') return;
  try {
    closeSync(openSync(file, 'a', 0o600));
  } catch {
    return;
  }
  for (const path of [file, `${file}-wal`, `${file}-shm`]) tighten(path, 0o600, warn);
}

function tighten(path: string, mode: number, warn: Warn): void {
  // Windows has no such modes.
  if (process.platform === 'win32') return;
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats !== undefined && (stats.mode & OTHERS) !== 0) chmodSync(path, mode);
  } catch (error) {
    warn({ path, reason: (error as Error).message });
  }
}
