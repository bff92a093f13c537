import { parseArgs } from 'node:util';
import { failureOf, SettingsError } from '@call-analytics/service-kit';
import type { Accounts } from '../accounts.ts';
import { COMMANDS, type Command, type Options } from './commands.ts';
import { openAccountsOf, whatToCheck } from './open.ts';

export const USAGE = `Accounts and their API keys: those of the accounts service at ACCOUNTS_URL, or, when that is not set, those in DATA_DIR, beside a running service.

  npm run accounts -- create --name NAME                  a new account with its first API key
  npm run accounts -- list                                all accounts
  npm run accounts -- keys list --account ID              the keys of an account
  npm run accounts -- keys create --account ID --name N   another key for an account
  npm run accounts -- keys revoke --account ID --key ID   a key stops working

  --json            the answer as JSON
  --help            this text

  DATA_DIR          folder of the data, ./data unless set
  ACCOUNTS_URL      where the accounts service listens, such as accounts:50051, grpc://accounts:50051 or, with TLS, grpcs://accounts:50051
  ACCOUNTS_SECRET   its shared secret; certificates: ACCOUNTS_TLS_CERT, ACCOUNTS_TLS_KEY, ACCOUNTS_TLS_CA

Exits with 0 when done, 1 when it could not be done, 2 when the command is not understood.`;

interface Terminal {
  out(text: string): void;
  err(text: string): void;
}

/**
 * Runs one command of the accounts service.
 * @param args what stands behind the program's name
 * @param env the environment, for where the accounts are
 * @returns the exit code: 0 done, 1 could not be done, 2 not understood
 */
export async function runCli(args: readonly string[], env: Record<string, string | undefined>, { out, err }: Terminal): Promise<number> {
  const read = readCommand(args);
  if ('help' in read) {
    out(USAGE);
    return 0;
  }
  if ('wrong' in read) {
    err(`${read.wrong}\n\n${USAGE}`);
    return 2;
  }
  let accounts: Accounts | null = null;
  try {
    accounts = await openAccountsOf(env);
    const { json, text } = await read.command.run(accounts, read.options);
    out(read.asJson ? JSON.stringify(json, null, 2) : text);
    return 0;
  } catch (error) {
    err(whyNot(error, whatToCheck(env)));
    return 1;
  } finally {
    await accounts?.close();
  }
}

type Read = { help: true } | { wrong: string } | { command: Command; options: Options; asJson: boolean };

function readCommand(args: readonly string[]): Read {
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
  const words = positionals.join(' ');
  if (values.help || words === 'help') return { help: true };
  if (words === '') return { wrong: 'Say what to do.' };
  const command = COMMANDS[words];
  if (command === undefined) return { wrong: `There is no command "${words}".` };
  const options: Options = { name: '', account: '', key: '' };
  for (const option of ['name', 'account', 'key'] as const) {
    const value = values[option];
    const wanted = command.needs.includes(option);
    if (wanted && !value) return { wrong: `"${words}" needs --${option}.` };
    if (!wanted && value !== undefined) return { wrong: `"${words}" takes no --${option}.` };
    options[option] = value ?? '';
  }
  return { command, options, asJson: values.json };
}

function whyNot(error: unknown, check: string): string {
  if (error instanceof SettingsError) return error.message;
  const failure = failureOf(error);
  if (failure.code === 'accounts_unavailable') {
    const cause = ((error as Error).cause as Error | undefined)?.message ?? 'unknown reason';
    return `${failure.message} (${cause}) ${check}`;
  }
  if (failure.code === 'no_such_account') return `${failure.message} "npm run accounts -- list" shows all there are.`;
  return failure.kind === 'bug' ? (error as Error).message : failure.message;
}
