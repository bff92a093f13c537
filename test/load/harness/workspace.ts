import { type ChildProcess, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const PREFIX = 'call-analytics-bench-';

/** The folder and the processes of one run of the bench, all gone when it ends, however it ends. */
export class Workspace {
  readonly dir: string;
  readonly #processes = new Set<ChildProcess>();
  #folders = 0;

  /** @param under the folder it is made in, and thereby the disk that is measured */
  constructor(under: string) {
    removeLeftovers(under);
    this.dir = mkdtempSync(join(under, `${PREFIX}${process.pid}-`));
  }

  /** @returns the path of a new, empty folder */
  folder(name: string): string {
    this.#folders += 1;
    const path = join(this.dir, `${this.#folders}-${name}`);
    mkdirSync(path);
    return path;
  }

  /** Has `child` end with the bench. */
  adopt(child: ChildProcess): void {
    this.#processes.add(child);
    child.once('exit', () => this.#processes.delete(child));
  }

  /** Waits until the disk has nothing left to do, so that one run does not pay for another's writes. */
  settle(): void {
    spawnSync('sync');
  }

  /** Without a wait, so that it also works from a signal handler. */
  remove(): void {
    for (const child of this.#processes) child.kill('SIGKILL');
    rmSync(this.dir, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** A run that was killed could not tidy up; the next one does. */
function removeLeftovers(under: string): void {
  for (const name of readdirSync(under)) {
    if (!name.startsWith(PREFIX)) continue;
    const pid = Number(name.slice(PREFIX.length).split('-')[0]);
    if (!isAlive(pid)) rmSync(join(under, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
