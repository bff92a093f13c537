import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** What the process may read besides its working directory: this service's code and the installed packages (the addon's platform package lies beside node-av). */
const CODE = [fileURLToPath(new URL('../', import.meta.url)), installedPackages()];

export interface BareProcess {
  script: URL;
  args?: readonly string[];
  /** Its working directory, which it may read. */
  directory: string;
  stdin: 'pipe' | 'ignore';
  /** The most JavaScript heap; native memory has to be watched from outside. */
  heapMiB: number;
}

/**
 * Starts one of our scripts in a process of its own that has nothing to lose: an empty environment, so no keys, and for JavaScript no right to write files or to start
 * processes. Native code is not bound by Node's permissions, and it runs as the same user.
 * Standard output and standard error are pipes.
 */
export function startBare({ script, args = [], directory, stdin, heapMiB }: BareProcess): ChildProcess {
  const reads = [...CODE, directory].map((path) => `--allow-fs-read=${path}${path.endsWith('/') ? '' : '/'}*`);
  const flags = ['--no-warnings', `--max-old-space-size=${heapMiB}`, '--permission', '--allow-addons', ...reads];
  return spawn(process.execPath, [...flags, fileURLToPath(script), ...args], {
    cwd: directory,
    env: bareEnvironment(),
    stdio: [stdin, 'pipe', 'pipe'],
    windowsHide: true,
  });
}

/** Windows cannot start Node without knowing where Windows is. */
function bareEnvironment(): Record<string, string> {
  const { SystemRoot } = process.env;
  return process.platform === 'win32' && SystemRoot !== undefined ? { SystemRoot } : {};
}

function installedPackages(): string {
  const path = createRequire(import.meta.url).resolve('node-av/lib');
  return path.slice(0, path.lastIndexOf('node_modules') + 'node_modules'.length);
}
