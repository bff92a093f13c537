import { execFile } from 'node:child_process';
import type { Terminal } from '@call-analytics/service-kit';

/** For `node --import`, as the scripts of package.json start programs. */
export const COMPILE_CACHE = new URL('../libs/service-kit/compile-cache.ts', import.meta.url).href;

/** How an operator's command ended, and what it wrote. */
export interface Ran {
  code: number;
  out: string;
  err: string;
}

/**
 * Runs a command in this process, with a terminal that keeps what it writes. Starting a program for each would cost a
 * hundred times as much.
 */
export async function ranHere(run: (terminal: Terminal) => Promise<number>): Promise<Ran> {
  const written = { out: '', err: '' };
  const code = await run({ out: (text) => (written.out += `${text}\n`), err: (text) => (written.err += `${text}\n`) });
  return { code, ...written };
}

/** Runs a program, as the operator does. @param main its file */
export function ranAlone(
  main: string,
  args: readonly string[],
  env: Record<string, string>,
  cwd = process.cwd(),
): Promise<Ran> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['--import', COMPILE_CACHE, main, ...args], { env, cwd }, (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code), out, err });
    });
  });
}
