import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { SettingsError } from '@call-analytics/service-kit';
import { z } from 'zod';
import { LAYERS, type Layer } from './lock-down.ts';

/** The process may read the code of this service and the installed packages (node-av's addon is one). */
const CODE = [fileURLToPath(new URL('../', import.meta.url)), installedPackages()];
/** The JavaScript heap of the process; `lockDown` and `IsolatedProcess` limit native memory. */
const HEAP_MIB = 64;
const STDERR_CHARS = 4_000;
const MEMORY_CHECK_MS = 100;

interface Script {
  script: URL;
  args?: readonly string[];
  /** Its working directory, which it may read until it locks itself down. */
  directory: string;
  /** A pipe, or an open file. */
  stdin: 'pipe' | 'ignore' | number;
  /** Open files that it gets as descriptors 3 and up. It gets no others. */
  files?: readonly number[];
}

/**
 * Starts one of our scripts with an empty environment and Node's permission model: no writing of files, no processes.
 * Permissions do not bind native code, so the script calls `lockDown` before it reads untrusted data.
 */
export function startIsolated({ script, args = [], directory, stdin, files = [] }: Script): ChildProcess {
  const reads = [
    '/proc/self/status',
    ...[...CODE, directory].map((path) => `${path}${path.endsWith('/') ? '' : '/'}*`),
  ];
  const flags = [
    '--no-warnings',
    // Its guard regions take gigabytes of the address space.
    '--disable-wasm-trap-handler',
    `--max-old-space-size=${HEAP_MIB}`,
    // The scripts call native code and compute nothing themselves: compilers and more threads take 10 MiB.
    '--v8-pool-size=1',
    '--no-opt',
    '--no-maglev',
    '--permission',
    '--allow-addons',
    ...reads.map((path) => `--allow-fs-read=${path}`),
  ];
  const { SystemRoot } = process.env;
  // The last argument tells lockDown which process to end with.
  return spawn(process.execPath, [...flags, fileURLToPath(script), ...args, String(process.pid)], {
    cwd: directory,
    // On Windows Node does not start without SystemRoot.
    env: process.platform === 'win32' && SystemRoot !== undefined ? { SystemRoot } : {},
    stdio: [stdin, 'pipe', 'pipe', ...files],
    windowsHide: true,
  });
}

function installedPackages(): string {
  const path = createRequire(import.meta.url).resolve('node-av/lib');
  return path.slice(0, path.lastIndexOf('node_modules') + 'node_modules'.length);
}

interface ProcessLimits {
  /** Resident memory in bytes, shared libraries included. Watched only on Linux. */
  memoryBytes: number;
  signal: AbortSignal;
  outOfMemory(): Error;
  notStarted(cause: unknown): Error;
}

/** A script in an isolated process, killed when it exceeds its memory or the signal aborts. Always close it. */
export class IsolatedProcess {
  readonly #child: ChildProcess;
  readonly #signal: AbortSignal;
  readonly #abort = () => this.kill();
  readonly #memoryTimer: NodeJS.Timeout | null;
  #killedFor: Error | null = null;
  #stderr = '';
  /** Resolves when the process is gone. */
  readonly exit: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;

  /** @throws limits.notStarted() for a failure that spawn throws; others surface as `killedFor` */
  constructor(script: Script, limits: ProcessLimits) {
    try {
      this.#child = startIsolated(script);
    } catch (error) {
      throw limits.notStarted(error);
    }
    this.#signal = limits.signal;
    this.exit = new Promise((resolve) => {
      this.#child.once('close', (code, signal) => resolve({ code, signal }));
      this.#child.once('error', (error) => this.kill(limits.notStarted(error)));
    });
    this.stderr.setEncoding('utf8').on('data', (output: string) => {
      this.#stderr = (this.#stderr + output).slice(-STDERR_CHARS);
    });
    this.#memoryTimer = this.#watchMemory(limits);
    limits.signal.addEventListener('abort', this.#abort, { once: true });
    if (limits.signal.aborted) this.kill();
  }

  /** Undefined when the process could not be started. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Only for `stdin: 'pipe'`. */
  get stdin(): Writable {
    return this.#child.stdin as Writable;
  }

  get stdout(): Readable {
    return this.#child.stdout as Readable;
  }

  get stderr(): Readable {
    return this.#child.stderr as Readable;
  }

  /** The end of what it wrote to standard error so far. */
  get lastErrors(): string {
    return this.#stderr;
  }

  /** The reason given to the first `kill` that had one. */
  get killedFor(): Error | null {
    return this.#killedFor;
  }

  kill(reason: Error | null = null): void {
    this.#killedFor ??= reason;
    this.#child.kill('SIGKILL');
  }

  /** Kills the process if it still runs, and returns when it is gone. */
  async close(): Promise<void> {
    this.#signal.removeEventListener('abort', this.#abort);
    this.kill();
    this.stdout.destroy();
    await this.exit;
    if (this.#memoryTimer !== null) clearInterval(this.#memoryTimer);
  }

  #watchMemory({ memoryBytes, outOfMemory }: ProcessLimits): NodeJS.Timeout | null {
    if (process.platform !== 'linux' || this.pid === undefined) return null;
    const timer = setInterval(async () => {
      const status = await readFile(`/proc/${this.pid}/status`, 'utf8').catch(() => '');
      const kib = /^VmRSS:\s+(\d+) kB/m.exec(status)?.[1];
      if (Number(kib ?? 0) * 1024 <= memoryBytes) return;
      clearInterval(timer);
      this.kill(outOfMemory());
    }, MEMORY_CHECK_MS);
    timer.unref();
    return timer;
  }
}

const Probe = z.object({ layers: z.array(z.enum(LAYERS)) });

/**
 * Locks a process down as the decoder does, without a recording.
 * @returns the layers that hold on this machine
 * @throws SettingsError when the decoder cannot be isolated here
 */
export async function requireIsolation(memoryBytes: number): Promise<Layer[]> {
  const script = new URL('./probe.child.ts', import.meta.url);
  const child = startIsolated({ script, args: [String(memoryBytes)], directory: process.cwd(), stdin: 'ignore' });
  const answer = child.stdout === null ? '' : await text(child.stdout);
  const layers = answer === '' ? [] : Probe.parse(JSON.parse(answer)).layers;
  if (layers.includes('seccomp')) return layers;
  throw new SettingsError(
    'DECODER_ISOLATION is "required", and this machine cannot isolate the decoder. It needs Linux on x64 or arm64 and ' +
      'a container that allows seccomp and prctl. Set it to "preferred" to decode recordings without that protection.',
  );
}
