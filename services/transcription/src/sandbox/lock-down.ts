import { readFileSync } from 'node:fs';
import { COMPUTE, COMPUTE_WITH_THREADS, seccompFilter } from './seccomp.ts';

/**
 * The layers of isolation: runs as nobody; rlimits on address space, files and core dumps; no new privileges; opens no
 * file or socket, starts no process and signals no other process.
 */
export const LAYERS = ['user', 'limits', 'no-new-privileges', 'seccomp'] as const;
export type Layer = (typeof LAYERS)[number];

export interface LockedDown {
  /** The layers that hold from now on, without those that the kernel or the container refuses. */
  layers: Layer[];
  /** Ends the process. `process.exit` would let the event loop wait by io_uring, which is no longer allowed. */
  exit(code: number): never;
}

const NOBODY = 65_534;
/** linux/capability.h */
const CAP_KILL = 1n << 5n;

const PR_SET_PDEATHSIG = 1;
const PR_SET_DUMPABLE = 4;
const PR_SET_NO_NEW_PRIVS = 38;
const SIGKILL = 9;

// asm-generic/resource.h
const RLIMIT_FSIZE = 1;
const RLIMIT_CORE = 4;
const RLIMIT_NOFILE = 7;
const RLIMIT_AS = 9;
const MAX_FILES = 64;

/** malloc.h */
const M_MMAP_THRESHOLD = -3;
/** A block of this size returns to the system when it is freed: the index of a long M4A is built twice. */
const LARGE_BYTES = 2 ** 20;

const SECCOMP_CALL: Readonly<Record<string, number>> = { x64: 317, arm64: 277 };
const SECCOMP_SET_MODE_FILTER = 1;
/** Also for the threads that Node has started. */
const SECCOMP_FILTER_FLAG_TSYNC = 1;

/**
 * Permanently drops the rights that this process no longer needs, on Linux; call it when all code is loaded and no
 * untrusted data is read yet. Only for processes that `startIsolated` started: it ends this process when its parent is
 * gone, now or later.
 * @param memoryBytes how much more address space the process may take
 * @param threads whether it starts threads of its own
 */
export async function lockDown({
  memoryBytes,
  threads,
}: {
  memoryBytes: number;
  threads: boolean;
}): Promise<LockedDown> {
  const kernel = process.platform === 'linux' ? await kernelCalls() : null;
  if (kernel === null) return { layers: [], exit: (code) => process.exit(code) };
  const layers: Layer[] = becomeNobody() ? ['user'] : [];
  kernel.mallopt(M_MMAP_THRESHOLD, LARGE_BYTES);
  // After the change of user, which resets both.
  kernel.prctl(PR_SET_PDEATHSIG, SIGKILL);
  // No signal comes from a parent that died before. Its children then have another parent.
  if (process.ppid !== Number(process.argv.at(-1))) kernel.exit(ORPHANED);
  kernel.prctl(PR_SET_DUMPABLE, 0);
  const limits = [
    kernel.setrlimit(RLIMIT_CORE, 0),
    kernel.setrlimit(RLIMIT_FSIZE, 0),
    kernel.setrlimit(RLIMIT_NOFILE, MAX_FILES),
    kernel.setrlimit(RLIMIT_AS, addressSpace() + memoryBytes),
  ];
  if (limits.every(Boolean)) layers.push('limits');
  if (kernel.prctl(PR_SET_NO_NEW_PRIVS, 1)) layers.push('no-new-privileges');
  const filter = seccompFilter(threads ? COMPUTE_WITH_THREADS : COMPUTE, process.arch);
  if (filter !== null && kernel.seccomp(filter)) layers.push('seccomp');
  return { layers, exit: kernel.exit };
}

function becomeNobody(): boolean {
  // A parent without CAP_KILL, as in a container, could not end a process of another user.
  if (process.getuid?.() !== 0 || (BigInt(`0x${ownStatus('CapEff')}`) & CAP_KILL) === 0n) return false;
  try {
    process.setgroups?.([]);
    process.setgid?.(NOBODY);
    process.setuid?.(NOBODY);
    return true;
  } catch {
    return false;
  }
}

interface KernelCalls {
  /** Does nothing where the C library has none. */
  mallopt(option: number, value: number): void;
  prctl(option: number, value: number): boolean;
  setrlimit(resource: number, value: number): boolean;
  seccomp(filter: Buffer): boolean;
  exit(code: number): never;
}

/** @returns null where koffi has no build for this machine */
async function kernelCalls(): Promise<KernelCalls | null> {
  const koffi = await import('koffi').then((module) => module.default).catch(() => null);
  if (koffi === null) return null;
  const libc = koffi.load(null);
  const prctl = libc.func('int prctl(int, unsigned long, unsigned long, unsigned long, unsigned long)');
  koffi.struct('rlimit_pair', { soft: 'uint64', hard: 'uint64' });
  const setrlimit = libc.func('int setrlimit(int, rlimit_pair *)');
  koffi.struct('sock_fprog', { length: 'uint16', filter: 'void *' });
  const syscall = libc.func('long syscall(long, long, long, sock_fprog *)');
  const exit = libc.func('void _exit(int)');
  return {
    exit: (code) => exit(code) as never,
    mallopt: (option, value) => {
      try {
        libc.func('int mallopt(int, int)')(option, value);
      } catch {
        // musl has none.
      }
    },
    prctl: (option, value) => prctl(option, value, 0, 0, 0) === 0,
    setrlimit: (resource, value) => setrlimit(resource, { soft: value, hard: value }) === 0,
    seccomp: (filter) => {
      const number = SECCOMP_CALL[process.arch];
      const program = { length: filter.length / 8, filter };
      return (
        number !== undefined &&
        Number(syscall(number, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, program)) === 0
      );
    },
  };
}

/** Of this process now, in bytes. Node reserves gigabytes that it never touches. */
function addressSpace(): number {
  return Number(ownStatus('VmSize')) * 1024;
}

function ownStatus(field: string): string {
  const value = new RegExp(`^${field}:\\s+(\\w+)`, 'm').exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  if (value === undefined) throw new Error(`/proc/self/status has no ${field}`);
  return value;
}

/** The exit codes of the decoder process. Any other exit is a crash. */
export const DECODER_EXIT = {
  /** Not an accepted format, or nothing in it can be decoded. */
  unreadable: 10,
  /** A valid container without audio. */
  noAudio: 11,
  /** FFmpeg reached a memory limit. */
  outOfMemory: 12,
  /** The codec is not accepted; its name is on standard output. */
  unknownCodec: 13,
  /** The output is valid, but the rest of the file cannot be decoded. */
  stopped: 14,
  /** Isolation is required and not possible. */
  notIsolated: 15,
} as const;

/** The exit codes of the whisper process. Any other exit is a crash. */
export const WHISPER_EXIT = {
  /** The model could not be loaded. */
  model: 20,
  /** Whisper failed on the segment. */
  failed: 21,
} as const;

/** The exit code of a process whose parent died before it was locked down. Nobody reads it. */
const ORPHANED = 30;
