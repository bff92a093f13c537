import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type * as jest from '@jest/globals';

/**
 * Real recordings for tests are not part of the project: they are looked for beside the checkout, or where
 * REAL_RECORDINGS points.
 */
export const REAL_RECORDINGS =
  process.env.REAL_RECORDINGS || fileURLToPath(new URL('../../shared/audio', import.meta.url));

export interface Requirement {
  what: string;
  present: boolean;
}

/** A program on the PATH. */
export function program(name: string): Requirement {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return { what: name, present: folders.some((folder) => existsSync(join(folder, name))) };
}

export function realRecording(file: string): Requirement {
  return { what: `the real recordings (${file})`, present: existsSync(join(REAL_RECORDINGS, file)) };
}

/** Other processes' memory and environment, and which files are open: only Linux shows them. */
export const linuxProc: Requirement = { what: "Linux's /proc", present: existsSync('/proc/self/fd') };

/** Jest's own, which only exist in a test: the rest of this file is used outside of tests too. */
const inTest = globalThis as unknown as Pick<typeof jest, 'describe' | 'it'>;

/**
 * A test that needs something this machine may lack: skipped there, with the reason in its name. `.ci/run` accepts no
 * such skip for a program.
 */
export function itNeeds(
  requirement: Requirement,
  name: string,
  test: () => Promise<void> | void,
  timeoutMs?: number,
): void {
  if (requirement.present) inTest.it(name, test, timeoutMs);
  else inTest.it.skip(without(requirement, name), test);
}

/** Tests of one subject that need something this machine may lack, as `itNeeds`. */
export function describeNeeds(requirement: Requirement, name: string, tests: () => void): void {
  if (requirement.present) inTest.describe(name, tests);
  else inTest.describe.skip(without(requirement, name), tests);
}

function without({ what }: Requirement, name: string): string {
  return `${name} (skipped: needs ${what})`;
}
