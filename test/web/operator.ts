import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Site } from './site.ts';

const MAIN = fileURLToPath(new URL('../../services/accounts/src/cli/main.ts', import.meta.url));

/** A command of `npm run accounts`, beside the running service. @returns its answer */
export async function operator<Answer>({ installation, url }: Site, ...args: string[]): Promise<Answer> {
  const env = { PATH: process.env.PATH, DATA_DIR: installation.dataDir, PUBLIC_URL: url };
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN, ...args, '--json'], { env });
  return JSON.parse(stdout) as Answer;
}
