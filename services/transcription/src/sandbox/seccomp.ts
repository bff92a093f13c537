// Classic BPF for seccomp: https://www.kernel.org/doc/html/latest/userspace-api/seccomp_filter.html

const LOAD = 0x20;
const JUMP_EQUAL = 0x15;
const JUMP_AT_LEAST = 0x35;
const AND = 0x54;
const RETURN = 0x06;

const ALLOW = 0x7fff0000;
const KILL_PROCESS = 0x80000000;
const ERRNO = 0x00050000;
const EPERM = 1;
const ENOSYS = 38;

// struct seccomp_data
const NUMBER_AT = 0;
const ARCHITECTURE_AT = 4;
const ARGUMENTS_AT = 16;
/** Numbers from here on belong to the x32 ABI, which reports itself as x86-64. */
const X32 = 0x40000000;

type Instruction = [code: number, ifTrue: number, ifFalse: number, value: number];

/**
 * @returns the filter (an array of struct sock_filter) that allows the calls of the rules and answers all others with
 *   EPERM; null for a processor whose system calls are not listed
 */
export function seccompFilter(rules: readonly Rule[], processor: string): Buffer | null {
  const known = NUMBERS[processor];
  if (known === undefined) return null;
  const program: Instruction[] = [
    [LOAD, 0, 0, ARCHITECTURE_AT],
    [JUMP_EQUAL, 1, 0, known.audit],
    [RETURN, 0, 0, KILL_PROCESS],
    [LOAD, 0, 0, NUMBER_AT],
    [JUMP_AT_LEAST, 0, 1, X32],
    [RETURN, 0, 0, ERRNO | EPERM],
  ];
  for (const rule of rules) {
    const number = known.calls[rule.name];
    // arm64 has no epoll_wait.
    if (number !== undefined) program.push(...instructionsOf(rule, number));
  }
  // A filter cannot see the flags of clone3, which are in memory. ENOSYS makes the C library use clone().
  program.push(
    [JUMP_EQUAL, 0, 1, known.calls.clone3 as number],
    [RETURN, 0, 0, ERRNO | ENOSYS],
    [RETURN, 0, 0, ERRNO | EPERM],
  );
  return assembled(program);
}

/** Allows the call, or continues after these instructions with the number still loaded. */
function instructionsOf({ argument, oneOf = [], allBits }: Rule, number: number): Instruction[] {
  const allow: Instruction = [RETURN, 0, 0, ALLOW];
  if (argument === undefined) return [[JUMP_EQUAL, 0, 1, number], allow];
  const load: Instruction = [LOAD, 0, 0, ARGUMENTS_AT + 8 * argument];
  const refuse: Instruction = [RETURN, 0, 0, ERRNO | EPERM];
  const test: Instruction[] =
    allBits === undefined
      ? oneOf.flatMap((value): Instruction[] => [[JUMP_EQUAL, 0, 1, value], allow])
      : [[AND, 0, 0, allBits], [JUMP_EQUAL, 0, 1, allBits], allow];
  const body = [load, ...test, refuse];
  return [[JUMP_EQUAL, 0, body.length, number], ...body];
}

function assembled(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(8 * program.length);
  program.forEach(([code, ifTrue, ifFalse, value], index) => {
    bytes.writeUInt16LE(code, 8 * index);
    bytes.writeUInt8(ifTrue, 8 * index + 2);
    bytes.writeUInt8(ifFalse, 8 * index + 3);
    bytes.writeUInt32LE(value >>> 0, 8 * index + 4);
  });
  return bytes;
}

/** A system call that is allowed only with certain values of one argument. */
interface Rule {
  name: string;
  /** Index of the argument, its lower 32 bits. Without it every call is allowed. */
  argument?: number;
  oneOf?: readonly number[];
  /** Instead of `oneOf`: all these bits must be set. */
  allBits?: number;
}

/** Numbers of the system calls: asm/unistd_64.h of x86-64, asm-generic/unistd.h for arm64. */
const NUMBERS: Readonly<Record<string, { audit: number; calls: Readonly<Record<string, number>> }>> = {
  x64: {
    audit: 0xc000003e,
    calls: {
      read: 0,
      write: 1,
      close: 3,
      fstat: 5,
      lseek: 8,
      mmap: 9,
      mprotect: 10,
      munmap: 11,
      brk: 12,
      rt_sigaction: 13,
      rt_sigprocmask: 14,
      rt_sigreturn: 15,
      pread64: 17,
      readv: 19,
      writev: 20,
      sched_yield: 24,
      mremap: 25,
      madvise: 28,
      dup: 32,
      nanosleep: 35,
      getpid: 39,
      clone: 56,
      exit: 60,
      fcntl: 72,
      gettimeofday: 96,
      getrusage: 98,
      sigaltstack: 131,
      sched_getparam: 143,
      sched_getscheduler: 145,
      gettid: 186,
      futex: 202,
      restart_syscall: 219,
      clock_gettime: 228,
      clock_nanosleep: 230,
      exit_group: 231,
      epoll_wait: 232,
      epoll_ctl: 233,
      newfstatat: 262,
      set_robust_list: 273,
      epoll_pwait: 281,
      getrandom: 318,
      membarrier: 324,
      rseq: 334,
      clone3: 435,
    },
  },
  arm64: {
    audit: 0xc00000b7,
    calls: {
      epoll_ctl: 21,
      epoll_pwait: 22,
      dup: 23,
      fcntl: 25,
      close: 57,
      lseek: 62,
      read: 63,
      write: 64,
      readv: 65,
      writev: 66,
      pread64: 67,
      newfstatat: 79,
      fstat: 80,
      exit: 93,
      exit_group: 94,
      futex: 98,
      set_robust_list: 99,
      nanosleep: 101,
      clock_gettime: 113,
      clock_nanosleep: 115,
      sched_getscheduler: 120,
      sched_getparam: 121,
      sched_yield: 124,
      restart_syscall: 128,
      sigaltstack: 132,
      rt_sigaction: 134,
      rt_sigprocmask: 135,
      rt_sigreturn: 139,
      getrusage: 165,
      gettimeofday: 169,
      getpid: 172,
      gettid: 178,
      brk: 214,
      munmap: 215,
      mremap: 216,
      clone: 220,
      mmap: 222,
      mprotect: 226,
      madvise: 233,
      getrandom: 278,
      membarrier: 283,
      rseq: 293,
      clone3: 435,
    },
  },
};

// biome-ignore format: table
const ANY_ARGUMENTS = [
  'read', 'readv', 'pread64', 'write', 'writev', 'close', 'lseek', 'dup', 'fstat', 'newfstatat',
  'mmap', 'munmap', 'mprotect', 'mremap', 'madvise', 'brk', 'futex', 'membarrier', 'set_robust_list', 'rseq',
  'rt_sigaction', 'rt_sigprocmask', 'rt_sigreturn', 'sigaltstack', 'restart_syscall', 'getpid', 'gettid',
  'nanosleep', 'clock_nanosleep', 'clock_gettime', 'gettimeofday', 'getrusage', 'getrandom',
  'sched_yield', 'sched_getparam', 'sched_getscheduler', 'epoll_ctl', 'epoll_wait', 'epoll_pwait',
  'exit', 'exit_group',
];

const F_DUPFD = 0;
const F_GETFD = 1;
const F_SETFD = 2;
const F_GETFL = 3;
const F_DUPFD_CLOEXEC = 1030;
const CLONE_THREAD = 0x10000;

/**
 * The calls for computing on open files: no opening of files or sockets, no new processes, no signals to others.
 * Without sched_getaffinity FFmpeg sees one processor and starts no threads.
 */
export const COMPUTE: readonly Rule[] = [
  ...ANY_ARGUMENTS.map((name) => ({ name })),
  // The other commands can make the kernel signal another process.
  { name: 'fcntl', argument: 1, oneOf: [F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC] },
];

/** The same, with threads. */
export const COMPUTE_WITH_THREADS: readonly Rule[] = [
  ...COMPUTE,
  { name: 'clone', argument: 0, allBits: CLONE_THREAD },
];
