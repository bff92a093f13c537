import { join } from 'node:path';
import {
  type CommandRead,
  failureOf,
  makeLogger,
  readArguments,
  readSettings,
  runCommand,
  SettingsError,
  type Terminal,
} from '@call-analytics/service-kit';
import { z } from 'zod';
import type { Users } from '../accounts.ts';
import { accountsClientSettings, usersSettings } from '../settings.ts';
import { openAccounts } from '../sqlite/accounts.ts';
import { ALL_COMMANDS, type Command, type Opened, type Options } from './commands.ts';

const USAGE = `Manages accounts, API keys and users: those in DATA_DIR, also while the service runs, or those of the
accounts service at ACCOUNTS_URL.

  npm run accounts -- create --name NAME                  create an account with its first API key
  npm run accounts -- list                                list all accounts
  npm run accounts -- keys list --account ID              list the keys of an account
  npm run accounts -- keys create --account ID --name N   create a key; optional: --scope read|write --expires 90d|DATE
  npm run accounts -- keys revoke --account ID --key ID   revoke a key

  npm run accounts -- users list                          list all users
  npm run accounts -- setup-link                          create a sign-up link for the first user of a new installation
  npm run accounts -- claim ACCOUNT_ID                    create a sign-up link for an owner of this account
  npm run accounts -- sign-in-link EMAIL                  create a link that signs a user in
  npm run accounts -- reset-password EMAIL                create a link to set a new password

  --json            print JSON
  --help            print this text

  DATA_DIR          data directory (default ./data)
  ACCOUNTS_URL      address of the accounts service, such as accounts:50051, grpc://accounts:50051
                    or, with TLS, grpcs://accounts:50051
  PUBLIC_URL        public address of the web application, used in links (default http://127.0.0.1:8080)
  ACCOUNTS_SECRET   shared secret of the accounts service; certificates:
                    ACCOUNTS_TLS_CERT, ACCOUNTS_TLS_KEY, ACCOUNTS_TLS_CA

Exit codes: 0 success, 1 failure, 2 wrong usage.`;

/**
 * Runs one command.
 * @param args the arguments after the program's name
 * @param env the environment, which says where the accounts are
 * @returns the exit code: 0 success, 1 failure, 2 wrong usage
 */
export function runCli(
  args: readonly string[],
  env: Record<string, string | undefined>,
  terminal: Terminal,
): Promise<number> {
  const run = async ({ command, options }: Given) => {
    const opened = await openOf(env);
    try {
      return await command.run(opened, options);
    } finally {
      await opened.close();
    }
  };
  return runCommand(
    readCommand(args),
    { usage: USAGE, run, whyNot: (error) => whyNot(error, whatToCheck(env)) },
    terminal,
  );
}

interface Given {
  command: Command;
  options: Options;
}

const OPTIONS = ['name', 'account', 'key', 'scope', 'expires'] as const;
const text = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;
const DECLARED = { name: text, account: text, key: text, scope: text, expires: text, json: flag, help: flag };

function readCommand(args: readonly string[]): CommandRead<Given> {
  const read = readArguments({ args, allowPositionals: true, options: DECLARED });
  if ('wrong' in read) return read;
  const { values, positionals } = read;
  if (values.help || positionals[0] === 'help') return { help: true };
  if (positionals.length === 0) return { wrong: 'A command is missing.' };
  const found = commandOf(positionals);
  if (found === null) return { wrong: `Unknown command "${positionals.join(' ')}".` };
  const { command, words, taken } = found;
  const options: Options = { name: '', account: '', key: '', email: '', scope: '', expires: '' };
  for (const option of OPTIONS) {
    const value = values[option];
    const wanted = command.needs.includes(option);
    if (wanted && !value) return { wrong: `"${words}" needs --${option}.` };
    const allowed = wanted || command.may?.includes(option) === true;
    if (!allowed && value !== undefined) return { wrong: `"${words}" does not accept --${option}.` };
    options[option] = value ?? '';
  }
  if (command.takes !== undefined) {
    if (!taken)
      return { wrong: `"${words}" needs ${command.takes === 'email' ? 'an email address' : 'an account ID'}.` };
    options[command.takes] = taken;
  }
  return { command: { command, options }, asJson: values.json };
}

/** @returns the command that the words name, with its argument */
function commandOf(
  positionals: readonly string[],
): { command: Command; words: string; taken: string | undefined } | null {
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
  if (failure.code === 'no_such_account') return `${failure.message} List all accounts: npm run accounts -- list`;
  if (failure.code === 'no_such_user') return `${failure.message} List all users: npm run accounts -- users list`;
  return failure.kind === 'bug' ? (error as Error).message : failure.message;
}

const localSettings = z.object({ DATA_DIR: z.string().default('./data').describe('a folder') });

const linkSettings = usersSettings.pick({ PUBLIC_URL: true });

type Environment = Record<string, string | undefined>;

/**
 * @returns the accounts and users of the service at ACCOUNTS_URL, or those in DATA_DIR.
 * @throws SettingsError, WorkError
 */
async function openOf(env: Environment): Promise<Opened & { close(): Promise<void> }> {
  const publicUrl = readSettings(linkSettings, {
    PUBLIC_URL: env.PUBLIC_URL || `http://127.0.0.1:${env.PORT || 8080}`,
  }).PUBLIC_URL;
  const { accounts, openUsers } = isLocal(env) ? local(env) : await remote(env);
  let opened: Promise<Users> | null = null;
  const users = () => {
    opened ??= openUsers();
    return opened;
  };
  const close = async () => {
    await accounts.close();
    await (await opened)?.close();
  };
  return { accounts, users, publicUrl, close };
}

function local(env: Environment) {
  const file = join(readSettings(localSettings, env).DATA_DIR, 'accounts.sqlite');
  return {
    accounts: openAccounts({ file }),
    // Loaded when they are needed: they take a moment.
    openUsers: async () => {
      const { openUsers } = await import('../sqlite/users.ts');
      return openUsers({
        file,
        settings: readSettings(usersSettings, env),
        sendMail: null,
        log: makeLogger('accounts command', 'silent'),
      });
    },
  };
}

async function remote(env: Environment) {
  const settings = readSettings(accountsClientSettings, env);
  // Loaded when it is needed: a command on this machine does not wait for it.
  const { readTlsFiles, remoteAccounts, remoteUsers } = await import('../grpc/index.ts');
  const { ACCOUNTS_URL: url, ACCOUNTS_SECRET: secret, ACCOUNTS_DEADLINE: deadlineMs } = settings;
  const remote = { url, secret, deadlineMs, tls: readTlsFiles(settings) };
  return { accounts: remoteAccounts(remote), openUsers: async () => remoteUsers(remote) };
}

/** @returns what to look at when those accounts cannot be reached */
function whatToCheck(env: Environment): string {
  if (isLocal(env))
    return `Check that the directory ${env.DATA_DIR || './data'} (DATA_DIR) is writable and has space, then try again.`;
  const where = `at ${env.ACCOUNTS_URL} (ACCOUNTS_URL) with the same ACCOUNTS_SECRET`;
  return `Check that the accounts service is running ${where}, then try again.`;
}

function isLocal({ ACCOUNTS_URL }: Environment): boolean {
  return ACCOUNTS_URL === undefined || ACCOUNTS_URL === '';
}
