import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { it } from '@jest/globals';

/** Real recordings for tests are not part of the project: they are looked for beside the checkout, or where REAL_RECORDINGS points. */
export const REAL_RECORDINGS = process.env.REAL_RECORDINGS || fileURLToPath(new URL('../../shared/audio', import.meta.url));

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

/** A test that needs something this machine may lack: skipped there, with the reason in its name. `.ci/run` accepts no such skip for a program. */
export function itNeeds(requirement: Requirement, name: string, test: () => Promise<void> | void, timeoutMs?: number): void {
  if (requirement.present) it(name, test, timeoutMs);
  else it.skip(`${name} (skipped: needs ${requirement.what})`, test);
}
