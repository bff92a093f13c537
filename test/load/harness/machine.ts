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
