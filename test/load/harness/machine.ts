import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { arch, cpus, loadavg, platform, release, totalmem } from 'node:os';

/** Numbers mean nothing without the machine they were measured on. */
export function describeMachine() {
  return {
    date: new Date().toISOString(),
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    os: `${platform()} ${release()} ${arch()}`,
    node: process.version,
    /** Above zero at the start: something else was running too. */
    loadAtStart: Number(loadavg()[0]?.toFixed(2)),
  };
}

/**
 * Of all processors, since the machine started: how much time there was, and how much of it the host of a virtual
 * machine gave to others.
 */
interface ProcessorTime {
  all: number;
  stolen: number;
}

/** @returns null where the system does not say. https://man7.org/linux/man-pages/man5/proc_stat.5.html */
export function processorTime(): ProcessorTime | null {
  try {
    return parseProcessorTime(readFileSync('/proc/stat', 'utf8'));
  } catch {
    return null;
  }
}

export function parseProcessorTime(stat: string): ProcessorTime {
  // user nice system idle iowait irq softirq steal; what follows is in user and nice already.
  const [, ...times] = (stat.split('\n')[0] ?? '').split(/\s+/).map(Number);
  const counted = times.slice(0, 8);
  return { all: counted.reduce((sum, time) => sum + time, 0), stolen: counted[7] ?? 0 };
}

/** @returns what to know of a measure that ran in between, or nothing worth a word */
export function disturbance(before: ProcessorTime | null, after: ProcessorTime | null): string | null {
  if (before === null || after === null) return null;
  const share = (after.stolen - before.stolen) / Math.max(1, after.all - before.all);
  return share < 0.01 ? null : `the host gave ${Math.round(share * 100)}% of the processors to others meanwhile`;
}

// What the kernel says of a process: https://docs.kernel.org/filesystems/proc.html

/** Peaks cannot be read elsewhere from outside a process. */
export const canReadMemory = existsSync('/proc/self/clear_refs');

/** @returns bytes that the process holds in memory now */
export function residentBytes(pid: number): number {
  return statusBytes(pid, 'VmRSS');
}

/** @returns the most bytes that the process has held since it began, or since `resetPeak` */
export function peakBytes(pid: number): number {
  return statusBytes(pid, 'VmHWM');
}

/** Forgets the peak of a process of ours. */
export function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** @returns seconds of processor time that the process has used so far; the kernel counts in hundredths */
export function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** @returns seconds of processor time of a process, of those that it started, and of those of them that have ended */
export function cpuSecondsOfTree(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const own = fields.slice(11, 15).reduce((sum, each) => sum + Number(each), 0) / 100;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  return children.reduce((sum, child) => sum + cpuSecondsOfTree(Number(child)), own);
}

function statusBytes(pid: number, name: string): number {
  const line = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(line?.[1]) * 1024;
}
