import { writeSync } from 'node:fs';
import koffi from 'koffi';
import { type LockedDown, lockDown } from './lock-down.ts';

// Locks itself down as the decoder does, then attempts system calls as hostile native code would.

const [parent = '0', port = '0', memoryBytes = '0'] = process.argv.slice(2);
const libc = koffi.load(null);
const open = libc.func('int open(const char *, int, int)');
const socket = libc.func('int socket(int, int, int)');
const connect = libc.func('int connect(int, void *, int)');
const fork = libc.func('int fork()');
const execv = libc.func('int execv(const char *, void *)');
const kill = libc.func('int kill(int, int)');
const readMemory = libc.func('long process_vm_readv(int, void *, long, void *, long, long)');
const map = libc.func('intptr_t mmap(void *, size_t, int, int, int, long)');
const ringSetup = libc.func('long syscall(long, long, void *)');
const chdir = libc.func('int chdir(const char *)');
const setuid = libc.func('int setuid(int)');

const O_RDONLY = 0;
const O_WRONLY_CREATE = 0o101;
const AF_INET = 2;
const SOCK_STREAM = 1;
const PRIVATE_ANONYMOUS = 0x22;
const IO_URING_SETUP = 425;

const locked: LockedDown = process.argv.includes('free')
  ? { layers: [], exit: (code) => process.exit(code) }
  : await lockDown({ memoryBytes: Number(memoryBytes), threads: process.argv.includes('threads') });

function connects(): boolean {
  const address = Buffer.alloc(16);
  address.writeUInt16LE(AF_INET, 0);
  address.writeUInt16BE(Number(port), 2);
  address.set([127, 0, 0, 1], 4);
  const descriptor = socket(AF_INET, SOCK_STREAM, 0);
  return descriptor >= 0 && connect(descriptor, address, address.length) === 0;
}

function forks(): boolean {
  const pid = fork();
  if (pid === 0) locked.exit(0);
  return pid > 0;
}

const succeeded = {
  'reads the environment of its parent': open(`/proc/${parent}/environ`, O_RDONLY, 0) >= 0,
  'reads the memory of its parent': readMemory(Number(parent), null, 0, null, 0, 0) === 0,
  'signals its parent': kill(Number(parent), 0) === 0,
  'reads a file': open('/etc/hostname', O_RDONLY, 0) >= 0 || open(process.execPath, O_RDONLY, 0) >= 0,
  'writes a file':
    open('written-by-the-attacker', O_WRONLY_CREATE, 0o600) >= 0 ||
    open('/tmp/written-by-the-attacker', O_WRONLY_CREATE, 0o600) >= 0,
  'opens a connection': connects(),
  'leaves its folder': chdir('/') === 0,
  'starts a process': forks(),
  'becomes another program': process.argv.includes('free') ? true : execv('/bin/true', null) === 0,
  'uses io_uring': ringSetup(IO_URING_SETUP, 0, null) !== -1,
  'becomes root': setuid(0) === 0,
  'takes memory beyond its limit': Number(map(null, Number(memoryBytes) + 2 ** 30, 3, PRIVATE_ANONYMOUS, -1, 0)) !== -1,
};
writeSync(1, `${JSON.stringify({ layers: locked.layers, succeeded })}\n`);
locked.exit(0);
