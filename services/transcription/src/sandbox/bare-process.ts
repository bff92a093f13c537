import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** What the process may read: this service's code and the installed packages (the addon's platform package lies beside node-av). */
const CODE = [fileURLToPath(new URL('../', import.meta.url)), installedPackages()];

export interface BareProcess {
  script: URL;
  args?: readonly string[];
  /** Its working directory, which it may read until it locks itself down. */
  directory: string;
  /** A pipe, or an open file. */
  stdin: 'pipe' | 'ignore' | number;
  /** Open files that it gets as descriptors 3 and up. It gets no others. */
  files?: readonly number[];
  /** The most JavaScript heap; native memory is limited by `lockDown` and watched from outside. */
  heapMiB: number;
}

/**
 * Starts one of our scripts in a process of its own with an empty environment, and for JavaScript without the right to write files or to start
 * processes. Node's permissions do not bind native code: the script calls `lockDown` before it reads untrusted data.
 * Standard output and standard error are pipes.
 */
export function startBare({ script, args = [], directory, stdin, files = [], heapMiB }: BareProcess): ChildProcess {
  const reads = [
    '/proc/self/status',
    ...[...CODE, directory].map((path) => `${path}${path.endsWith('/') ? '' : '/'}*`),
  ];
  const flags = [
    '--no-warnings',
    // Its guard regions take gigabytes of the address space.
    '--disable-wasm-trap-handler',
    `--max-old-space-size=${heapMiB}`,
    '--permission',
    '--allow-addons',
    ...reads.map((path) => `--allow-fs-read=${path}`),
  ];
  return spawn(process.execPath, [...flags, fileURLToPath(script), ...args], {
    cwd: directory,
    env: bareEnvironment(),
    stdio: [stdin, 'pipe', 'pipe', ...files],
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
