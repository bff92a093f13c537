// Reads the arguments of the scripts that run before `npm ci`: plain JavaScript without packages.
import { parseArgs } from 'node:util';

/**
 * @param {string} usage printed for --help, and after what is wrong
 * @param {number} max how many arguments the script takes
 * @returns {string[] | null} null when the script must do nothing: the exit code is set, 2 when it was not understood
 */
export function argumentsOf(usage, max) {
  try {
    const { values, positionals } = parseArgs({ options: { help: { type: 'boolean' } }, allowPositionals: true });
    if (positionals.length > max) throw new Error(`Unexpected argument '${positionals[max]}'.`);
    if (!values.help) return positionals;
    process.stdout.write(`${usage}\n`);
  } catch (error) {
    process.stderr.write(`${error.message}\n\n${usage}\n`);
    process.exitCode = 2;
  }
  return null;
}
