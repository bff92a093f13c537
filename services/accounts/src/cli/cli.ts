import { parseArgs } from 'node:util';
import { type CommandRead, failureOf, runCommand, SettingsError, type Terminal } from '@call-analytics/service-kit';
import { ALL_COMMANDS, type Command, type Options } from './commands.ts';
import { openOf, whatToCheck } from './open.ts';

export const USAGE = `Accounts, their API keys and their users: those of the accounts service at ACCOUNTS_URL, or, when that is not set, those in DATA_DIR, beside a running service.

  npm run accounts -- create --name NAME                  a new account with its first API key
  npm run accounts -- list                                all accounts
  npm run accounts -- keys list --account ID              the keys of an account
  npm run accounts -- keys create --account ID --name N   another key for an account
  npm run accounts -- keys revoke --account ID --key ID   a key stops working

  npm run accounts -- users list                          all users
  npm run accounts -- claim ACCOUNT_ID                    a link for the first user of an account that was made here
  npm run accounts -- sign-in-link EMAIL                  a link that signs a user in
  npm run accounts -- reset-password EMAIL                a link for a new password

  --json            the answer as JSON
  --help            this text

  DATA_DIR          folder of the data, ./data unless set
  ACCOUNTS_URL      where the accounts service listens, such as accounts:50051, grpc://accounts:50051 or, with TLS, grpcs://accounts:50051
  PUBLIC_URL        where people reach the web application: links begin with it, http://127.0.0.1:8080 unless set
  ACCOUNTS_SECRET   its shared secret; certificates: ACCOUNTS_TLS_CERT, ACCOUNTS_TLS_KEY, ACCOUNTS_TLS_CA

Exits with 0 when done, 1 when it could not be done, 2 when the command is not understood.`;

/**
 * Runs one command of the accounts service.
 * @param args what stands behind the program's name
 * @param env the environment, for where the accounts are
 * @returns the exit code: 0 done, 1 could not be done, 2 not understood
 */
export function runCli(args: readonly string[], env: Record<string, string | undefined>, terminal: Terminal): Promise<number> {
  const run = async ({ command, options }: Given) => {
    const opened = await openOf(env);
    try {
      return await command.run(opened, options);
    } finally {
      await opened.close();
    }
  };
  return runCommand(readCommand(args), { usage: USAGE, run, whyNot: (error) => whyNot(error, whatToCheck(env)) }, terminal);
}

interface Given {
  command: Command;
  options: Options;
}

function readCommand(args: readonly string[]): CommandRead<Given> {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  let parsed: ReturnType<typeof parse>;
  const parse = () =>
    parseArgs({ args: [...args], allowPositionals: true, options: { name: text, account: text, key: text, json: flag, help: flag } });
  try {
    parsed = parse();
  } catch (error) {
    return { wrong: (error as Error).message };
  }
  const { values, positionals } = parsed;
  if (values.help || positionals[0] === 'help') return { help: true };
  if (positionals.length === 0) return { wrong: 'Say what to do.' };
  const found = commandOf(positionals);
  if (found === null) return { wrong: `There is no command "${positionals.join(' ')}".` };
  const { command, words, taken } = found;
  const options: Options = { name: '', account: '', key: '', email: '' };
  for (const option of ['name', 'account', 'key'] as const) {
    const value = values[option];
    const wanted = command.needs.includes(option);
    if (wanted && !value) return { wrong: `"${words}" needs --${option}.` };
    if (!wanted && value !== undefined) return { wrong: `"${words}" takes no --${option}.` };
    options[option] = value ?? '';
  }
  if (command.takes !== undefined) {
    if (!taken) return { wrong: `"${words}" needs ${command.takes === 'email' ? 'an email' : 'the id of an account'}.` };
    options[command.takes] = taken;
  }
  return { command: { command, options }, asJson: values.json };
}

/** @returns the command that the words say, and the one that stands behind it where it takes one */
function commandOf(positionals: readonly string[]): { command: Command; words: string; taken: string | undefined } | null {
  const words = positionals.join(' ');
  const whole = ALL_COMMANDS[words];
  if (whole !== undefined) return { command: whole, words, taken: undefined };
  const [first = '', taken, ...more] = positionals;
  const command = ALL_COMMANDS[first];
  if (command?.takes === undefined || more.length > 0) return null;
  return { command, words: first, taken };
}

function whyNot(error: unknown, check: string): string {
  if (error instanceof SettingsError) return error.message;
  const failure = failureOf(error);
  if (failure.code === 'accounts_unavailable') {
    const cause = ((error as Error).cause as Error | undefined)?.message ?? 'unknown reason';
    return `${failure.message} (${cause}) ${check}`;
  }
  if (failure.code === 'no_such_account') return `${failure.message} "npm run accounts -- list" shows all there are.`;
  if (failure.code === 'no_such_user') return `${failure.message} "npm run accounts -- users list" shows all there are.`;
  return failure.kind === 'bug' ? (error as Error).message : failure.message;
}
