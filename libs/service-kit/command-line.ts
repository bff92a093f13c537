import { type ParseArgsConfig, type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/** What an operator's command line was understood as. */
export type CommandRead<Command> = { help: true } | { wrong: string } | { command: Command; asJson: boolean };

/** What a command has to say: to programs with `--json`, to people without. */
export interface CommandAnswer {
  json: unknown;
  text: string;
  /** The command ran, and what it found is a failure: exit code 1. */
  failed?: boolean;
}

export interface Terminal {
  out(text: string): void;
  err(text: string): void;
}

/**
 * Runs an operator's command, once it was read.
 * @param program.run throws when it could not be done
 * @param program.whyNot says why, and what to do
 * @returns the exit code: 0 done, 1 could not be done, 2 not understood
 */
export async function runCommand<Command>(
  read: CommandRead<Command>,
  {
    usage,
    run,
    whyNot,
  }: { usage: string; run(command: Command, asJson: boolean): Promise<CommandAnswer>; whyNot(error: unknown): string },
  { out, err }: Terminal,
): Promise<number> {
  if ('help' in read) {
    out(usage);
    return 0;
  }
  if ('wrong' in read) {
    err(`${read.wrong}\n\n${usage}`);
    return 2;
  }
  try {
    const { json, text, failed = false } = await run(read.command, read.asJson);
    out(read.asJson ? JSON.stringify(json, null, 2) : text);
    return failed ? 1 : 0;
  } catch (error) {
    err(whyNot(error));
    return 1;
  }
}

/** @returns the command line, or what Node says of an argument that was not understood */
export function readArguments<Config extends ParseArgsConfig>(
  config: Config,
): ReturnType<typeof parseArgs<Config>> | { wrong: string } {
  try {
    return parseArgs(config);
  } catch (error) {
    return { wrong: (error as Error).message };
  }
}

/**
 * Reads the options of a script. `--help` prints the usage and ends the process, and so does what is not understood,
 * with exit code 2: nothing is begun.
 */
export function scriptOptions<const Options extends ParseArgsOptionsConfig>(usage: string, options?: Options) {
  const known = { ...(options as Options), help: { type: 'boolean' } } as const;
  const read = readArguments({ options: known });
  if ('wrong' in read) {
    process.stderr.write(`${read.wrong}\n\n${usage}\n`);
    process.exit(2);
  }
  if (!('help' in read.values)) return read.values;
  process.stdout.write(`${usage}\n`);
  process.exit(0);
}
