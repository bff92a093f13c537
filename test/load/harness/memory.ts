import { existsSync, readFileSync, writeFileSync } from 'node:fs';

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
