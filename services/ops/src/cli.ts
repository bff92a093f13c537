import { CALL_STATUSES, type CallStatus } from '@call-analytics/contracts';
import {
  type CommandRead,
  createPrivately,
  readArguments,
  runCommand,
  type Terminal,
} from '@call-analytics/service-kit';
import { CALL_COMMANDS } from './calls.ts';
import { type Command, type Env, type Given, isDistributed } from './command.ts';
import { COPY_COMMANDS } from './copy.ts';
import { DEAD_LETTER_COMMANDS } from './dead-letters.ts';
import { DOCTOR, whyNot } from './doctor.ts';
import { DRAIN_COMMANDS } from './drain.ts';
import { S3_COMMANDS } from './s3.ts';

const COMMANDS: Readonly<Record<string, Command>> = {
  doctor: DOCTOR,
  ...CALL_COMMANDS,
  ...DRAIN_COMMANDS,
  ...COPY_COMMANDS,
  ...DEAD_LETTER_COMMANDS,
  ...S3_COMMANDS,
};

const SHOWN_OPTION = { all: '--all', limit: '--limit N', account: '--account ID', status: '--status S', args: '' };

const USAGE = `Commands for operators.

${Object.entries(COMMANDS)
  .map(([words, { args, options = [], help }]) => {
    const call = ['npm run ops --', words, args, ...options.map((name) => `[${SHOWN_OPTION[name]}]`)].filter(Boolean);
    return `  ${call.join(' ')}\n      ${help}`;
  })
  .join('\n')}

  --limit N     at most N (default 100)
  --json        prints JSON
  --help        prints this text

  MONGODB_URL, RABBITMQ_URL, S3_*   the servers of a distributed installation, as its services have them
  ACCOUNTS_MONGODB_URL              the MONGODB_URL of the accounts service, for backup and restore
  DATA_DIR                          without MONGODB_URL: the data folder of a standalone one (default ./data)

Accounts, users and keys: npm run ops -- accounts --help, which is npm run accounts.
A service that is stopped finishes or returns its work first, also without a drain.
Two commands at the same time do not see the same dead letters.
Exit codes: 0 done, 1 failed, 2 wrong usage.`;

/**
 * Runs one command for operators.
 * @param args the arguments of the command line
 * @param env the environment: the servers, or DATA_DIR
 * @returns the exit code: 0 done, 1 failed, 2 wrong usage
 */
export async function runCli(args: readonly string[], env: Env, terminal: Terminal): Promise<number> {
  if (args[0] === 'accounts') return runAccounts(args.slice(1), env, terminal);
  const run = ({ command, given }: Read, asJson: boolean) =>
    command.run(given, { env, tell: asJson ? () => {} : terminal.out });
  return runCommand(readCommand(args), { usage: USAGE, run, whyNot }, terminal);
}

const ACCOUNTS_ELSEWHERE = `The accounts of this installation are in a database of the accounts service. Run the command there:

  docker compose run --rm accounts-cli …
  kubectl exec deploy/accounts -- node services/accounts/src/cli/main.ts …

or set ACCOUNTS_URL and ACCOUNTS_SECRET.`;

/** The command of the accounts service itself, where it can find the accounts. */
async function runAccounts(args: readonly string[], env: Env, terminal: Terminal): Promise<number> {
  if (isDistributed(env) && !env.ACCOUNTS_URL && !args.includes('--help')) {
    terminal.err(ACCOUNTS_ELSEWHERE);
    return 1;
  }
  createPrivately();
  // Loaded when it is asked for: it takes a moment.
  const accounts = await import('@call-analytics/accounts/cli');
  return accounts.runCli(args, env, terminal);
}

interface Read {
  command: Command;
  given: Given;
}

const text = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;
const OPTIONS = { all: { type: 'boolean' }, limit: text, account: text, status: text, json: flag, help: flag } as const;

function readCommand(args: readonly string[]): CommandRead<Read> {
  const read = readArguments({ args, allowPositionals: true, options: OPTIONS });
  if ('wrong' in read) return read;
  const { positionals } = read;
  const { json: asJson, help, limit, status, ...values } = read.values;
  if (help || positionals[0] === 'help') return { help: true };
  if (positionals.length === 0) return { wrong: 'No command given.' };
  const words = [positionals.slice(0, 2).join(' '), positionals[0] ?? ''].find((name) => Object.hasOwn(COMMANDS, name));
  const command = COMMANDS[words ?? ''];
  if (words === undefined || command === undefined)
    return { wrong: `Unknown command "${positionals.slice(0, 2).join(' ')}".` };
  const rest = positionals.slice(words.split(' ').length);
  const takes = command.args.split(' ').filter(Boolean);
  const missing = takes.filter((name) => !name.startsWith('['))[rest.length];
  if (missing !== undefined) return { wrong: `"${words}" needs ${missing}.` };
  if (rest.length > takes.length)
    return { wrong: `"${words}": remove ${JSON.stringify(rest.slice(takes.length).join(' '))}.` };
  for (const name of Object.keys(read.values) as (keyof typeof read.values)[])
    if (name !== 'json' && name !== 'help' && !command.options?.includes(name))
      return { wrong: `"${words}" takes no --${name}.` };
  if (limit !== undefined && !/^[1-9]\d{0,5}$/.test(limit))
    return { wrong: '--limit must be a whole number from 1 to 999999.' };
  if (status !== undefined && !isStatus(status))
    return { wrong: `--status must be one of ${CALL_STATUSES.join(', ')}.` };
  const given: Given = {
    args: rest,
    ...values,
    ...(limit === undefined ? {} : { limit: Number(limit) }),
    ...(status === undefined ? {} : { status }),
  };
  const wrong = command.wrong?.(given) ?? null;
  return wrong === null ? { command: { command, given }, asJson } : { wrong: `"${words}" ${wrong}.` };
}

function isStatus(status: string): status is CallStatus {
  return (CALL_STATUSES as readonly string[]).includes(status);
}
