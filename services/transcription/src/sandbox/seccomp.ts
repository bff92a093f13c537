import { NUMBERS, type Rule } from './system-calls.ts';

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
/** Numbers from here on are the x32 ABI, which passes for x86-64. */
const X32 = 0x40000000;

type Instruction = [code: number, ifTrue: number, ifFalse: number, value: number];

/**
 * @returns the filter (an array of struct sock_filter) that allows what the rules name and answers everything else with EPERM; null for a processor
 *   whose system calls are not listed
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
  // Its flags are in memory, out of a filter's sight. ENOSYS makes the C library use clone().
  program.push(
    [JUMP_EQUAL, 0, 1, known.calls.clone3 as number],
    [RETURN, 0, 0, ERRNO | ENOSYS],
    [RETURN, 0, 0, ERRNO | EPERM],
  );
  return assembled(program);
}

/** Allows the call, or goes on behind these instructions with the number still loaded. */
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
