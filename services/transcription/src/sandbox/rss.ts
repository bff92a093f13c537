import { readFile } from 'node:fs/promises';

const EVERY_MS = 100;

/**
 * Watches the memory of a process and calls back once when it holds more than the limit. Only where there is a /proc (Linux); elsewhere it does nothing.
 * @param limitBytes resident memory, shared libraries included
 * @returns a function that stops watching
 */
export function watchMemory(pid: number, limitBytes: number, exceeded: () => void): () => void {
  if (process.platform !== 'linux') return () => {};
  const timer = setInterval(async () => {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    const kib = /^VmRSS:\s+(\d+) kB/m.exec(status)?.[1];
    if (Number(kib ?? 0) * 1024 <= limitBytes) return;
    clearInterval(timer);
    exceeded();
  }, EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
