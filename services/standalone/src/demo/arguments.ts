import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { SettingsError } from '@call-analytics/service-kit';

/** The two-person sales call that comes with the project: manager on the left channel, customer on the right. */
export const BUNDLED_CALL = fileURLToPath(import.meta.resolve('@call-analytics/stand-in/recordings/bundled-call.mp3'));

/** @throws SettingsError when the file cannot be read or an option is unknown */
export function readArguments(argv: string[]): { file: string; once: boolean } {
  const usage = 'Usage: npm run demo [-- [--once] [my-call.mp3]]';
  try {
    const { values, positionals } = parseArgs({
      args: argv,
      options: { once: { type: 'boolean', default: false } },
      allowPositionals: true,
    });
    if (positionals.length > 1) throw new SettingsError(`The demo takes one recording.\n${usage}`);
    // npm runs scripts in the project's folder, wherever it was called from.
    const file = positionals[0] === undefined ? BUNDLED_CALL : resolve(process.env.INIT_CWD ?? '.', positionals[0]);
    if (!statSync(file, { throwIfNoEntry: false })?.isFile())
      throw new SettingsError(`File not found: ${file}.\n${usage}`);
    return { file, once: values.once };
  } catch (error) {
    if (error instanceof SettingsError) throw error;
    throw new SettingsError(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
  }
}
