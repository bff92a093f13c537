import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { messagingSettings, rabbitmqMessaging } from '@call-analytics/messaging/rabbitmq';
import {
  type CommandAnswer,
  type CommandRead,
  createPrivately,
  failureOf,
  makeLogger,
  makeMetrics,
  readSettings,
  runCommand,
  SettingsError,
  type Terminal,
} from '@call-analytics/service-kit';
import { backup, restore } from './backup.ts';
import { COMMANDS, type Command, type Options } from './dead-letters.ts';

export const USAGE = `Commands for operators.

Backup of a standalone installation:

  npm run ops -- backup FOLDER               copies it to a new folder and checks the copy; the service may run
  npm run ops -- restore FOLDER              copies a backup to an empty data folder; the service must not run

  DATA_DIR      the data folder of the installation (default ./data)

Dead letters: messages that no handler could process. The services may run.

  npm run ops -- dead-letters list           lists them with queue, time and reason
  npm run ops -- dead-letters show ID        shows one of them with its message
  npm run ops -- dead-letters replay ID      returns it to its queue
  npm run ops -- dead-letters replay --all   returns all of them to their queues

  --limit N     with list: at most N of them (default 100)
  --json        prints JSON
  --help        prints this text

  RABBITMQ_URL  the address of the broker, such as amqp://user:password@host:5672

Two commands at the same time do not see the same dead letters.
Exit codes: 0 done, 1 failed, 2 wrong usage.`;

/**
 * Runs one command for operators.
 * @param args the arguments of the command line
 * @param env the environment, for RABBITMQ_URL
 * @returns the exit code: 0 done, 1 failed, 2 wrong usage
 */
export function runCli(
  args: readonly string[],
  env: Record<string, string | undefined>,
  terminal: Terminal,
): Promise<number> {
  const run = async (given: Given, asJson: boolean) => {
    if ('folder' in given) return given.copy(resolve(given.folder), resolve(env.DATA_DIR || './data'));
    const { command, options } = given;
    const { RABBITMQ_URL: url } = readSettings(messagingSettings, env);
    const messaging = await rabbitmqMessaging({
      url,
      name: 'ops',
      log: makeLogger('ops', 'silent'),
      metrics: makeMetrics(),
    });
    try {
      const away = messaging.ready();
      if (away !== null)
        throw new Error(`The broker is not available: ${away}. Check RABBITMQ_URL and that the broker runs.`);
      return await command.run(messaging, options, asJson ? () => {} : terminal.out);
    } finally {
      await messaging.close();
    }
  };
  return runCommand(readCommand(args), { usage: USAGE, run, whyNot }, terminal);
}

type Given = { command: Command; options: Options } | { copy: Copy; folder: string };
type Copy = (folder: string, dataDir: string) => Promise<CommandAnswer>;

const COPIES: Readonly<Record<string, Copy>> = {
  async backup(folder, dataDir) {
    createPrivately();
    const { files, ...json } = await backup(dataDir, folder);
    return {
      json,
      text: `${json.calls} calls and ${json.recordings} recordings are in ${folder}. The copy is checked.`,
    };
  },
  async restore(folder, dataDir) {
    createPrivately();
    const { files, ...json } = await restore(folder, dataDir);
    const text = `${json.calls} calls and ${json.recordings} recordings of ${json.at} are in ${dataDir}. Start the service.`;
    return { json, text };
  },
};

function readCommand(args: readonly string[]): CommandRead<Given> {
  const flag = { type: 'boolean', default: false } as const;
  const parse = () =>
    parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { all: { type: 'boolean' }, limit: { type: 'string' }, json: flag, help: flag },
    });
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse();
  } catch (error) {
    return { wrong: (error as Error).message };
  }
  const { values, positionals } = parsed;
  const [subject, verb, id, ...more] = positionals;
  if (values.help || subject === 'help') return { help: true };
  if (subject === undefined) return { wrong: 'No command given.' };
  const copy = COPIES[subject];
  if (copy !== undefined) {
    if (verb === undefined || id !== undefined) return { wrong: `"${subject}" needs one FOLDER.` };
    if (values.all !== undefined || values.limit !== undefined) return { wrong: `"${subject}" takes no such option.` };
    return { command: { copy, folder: verb }, asJson: values.json };
  }
  const words = [subject, verb].join(' ').trim();
  const command = COMMANDS[words];
  if (command === undefined) return { wrong: `Unknown command "${words}".` };
  if (more.length > 0) return { wrong: `"${words}" takes one ID; remove ${JSON.stringify(more.join(' '))}.` };
  const limit = values.limit ?? '100';
  if (!/^[1-9]\d{0,5}$/.test(limit)) return { wrong: '--limit must be a whole number from 1 to 999999.' };
  const given = {
    ...(id === undefined ? {} : { id }),
    ...(values.all === undefined ? {} : { all: values.all }),
    ...(values.limit === undefined ? {} : { limit: Number(limit) }),
  };
  const wrong = command.wrong(given);
  if (wrong !== null) return { wrong: `"${words}" ${wrong}.` };
  return {
    command: { command, options: { id: id ?? '', all: values.all ?? false, limit: Number(limit) } },
    asJson: values.json,
  };
}

function whyNot(error: unknown): string {
  if (error instanceof SettingsError) return error.message;
  const failure = failureOf(error);
  return failure.kind === 'bug' ? (error as Error).message : failure.message;
}
