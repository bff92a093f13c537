import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { openAsBlob, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { basename, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type CallDetail,
  type CallStatus,
  oneTimeLink,
  type Problem,
  TRANSITIONS,
  type UploadAccepted,
} from '@call-analytics/contracts';
import {
  createPrivately,
  makeLogger,
  readArguments,
  SettingsError,
  stopOnSignals,
  WorkError,
} from '@call-analytics/service-kit';
import { buildPages } from '@call-analytics/web/server';
import { readStandaloneSettings, type Standalone, startStandalone } from '../standalone.ts';
import { BUNDLED_CALL, chooseDemoEngine } from './engine.ts';
import { printNextSteps, printReport } from './print.ts';

/** @returns the id of the new call. @throws SettingsError with the reason when the service refuses the file */
async function uploadCall(url: string, key: string, file: string): Promise<string> {
  const form = new FormData();
  form.set('reportType', 'detailed');
  form.set('file', await openAsBlob(file), basename(file));
  const began = performance.now();
  const accepted = await answerOf<UploadAccepted>(
    await fetch(`${url}/api/v1/calls`, { method: 'POST', headers: { authorization: `Bearer ${key}` }, body: form }),
  );
  console.log(`Uploaded ${basename(file)} in ${Math.round(performance.now() - began)} ms: call ${accepted.id}`);
  return accepted.id;
}

/** Polls until the call is completed or failed, and prints each state. */
async function followCall(url: string, key: string, id: string): Promise<CallDetail> {
  const began = performance.now();
  const show = (status: CallStatus) =>
    console.log(`  ${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s  ${status}`);
  let shown: CallStatus = 'queued';
  show(shown);
  for (;;) {
    const call = await answerOf<CallDetail>(
      await fetch(`${url}/api/v1/calls/${id}`, { headers: { authorization: `Bearer ${key}` } }),
    );
    while (shown !== call.status) {
      shown = nextOnTheWay(shown, call.status);
      show(shown);
    }
    if (call.status === 'completed' || call.status === 'failed') return call;
    // To show every state. A real client polls every few seconds.
    await delay(25);
  }
}

/** The next state to print: a poll may miss states. */
function nextOnTheWay(from: CallStatus, to: CallStatus): CallStatus {
  return TRANSITIONS[from].find((next) => next !== 'failed' && to !== 'failed') ?? to;
}

async function answerOf<T>(response: Response): Promise<T> {
  const body = (await response.json()) as T;
  if (response.ok) return body;
  throw new SettingsError((body as Problem).detail);
}

// npm run demo: starts everything, uploads one call, prints its states and its report, and stays up.

const USAGE = `Uploads a recording to a service on this machine, follows the call and prints its report.

  npm run demo [-- [--once] [my-call.mp3]]

  my-call.mp3   your own recording; without it, the bundled one is taken
  --once        stop after the report, instead of serving until Ctrl+C`;

const ORIGIN = { ip: '127.0.0.1', userAgent: 'npm run demo' };

try {
  createPrivately();
  const { file, once } = recordingAndOptions(process.argv.slice(2));
  const dataDir = process.env.DATA_DIR || './data/demo';
  const engine = await chooseDemoEngine(process.env, file);
  console.log(`Speech engine: ${engine.description}\n`);

  const hasPages = !once && (await buildPages((line) => console.log(`${line}\n`)));
  const port = await freePortOr(process.env.PORT || '8080');
  const settings = readStandaloneSettings({
    LOG_LEVEL: 'error',
    ...process.env,
    DATA_DIR: dataDir,
    PORT: port,
    ...engine.settings,
  });
  const log = makeLogger('demo', settings.LOG_LEVEL, process.stderr);
  const standalone = await startStandalone(settings, log);
  const { account } = await standalone.accounts.createAccount({ name: 'Demo' });
  const { secret } = await standalone.accounts.createKey({ accountId: account.id, name: 'demo' });

  const stop = async () => {
    const clean = await standalone.stop();
    await engine.close();
    return clean;
  };
  const id = await uploadCall(standalone.url, secret, file);
  const call = await followCall(standalone.url, secret, id);
  printReport(call);
  const succeeded = call.status === 'completed';
  if (once) {
    const clean = await stop();
    process.exit(succeeded && clean ? 0 : 1);
  }
  const link = hasPages ? await demoSignInLink(standalone, account.id, `/calls/${id}`) : null;
  printNextSteps(standalone.url, secret, id, link);
  stopOnSignals({ stop }, log);
} catch (error) {
  const forPeople = error instanceof SettingsError || error instanceof WorkError;
  console.error(forPeople ? error.message : error);
  process.exit(1);
}

/** @throws SettingsError when the file cannot be read or an option is unknown */
function recordingAndOptions(args: string[]): { file: string; once: boolean } {
  const wrong = (reason: string) => new SettingsError(`${reason}\n\n${USAGE}`);
  const options = { once: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } } as const;
  const read = readArguments({ args, options, allowPositionals: true });
  if ('wrong' in read) throw wrong(read.wrong);
  const { values, positionals } = read;
  if (values.help) {
    console.log(USAGE);
    process.exit();
  }
  if (positionals.length > 1) throw wrong('The demo takes one recording.');
  // npm runs scripts in the folder of the project; INIT_CWD is the folder of the caller.
  const file = positionals[0] === undefined ? BUNDLED_CALL : resolve(process.env.INIT_CWD ?? '.', positionals[0]);
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw wrong(`File not found: ${file}.`);
  return { file, once: values.once };
}

/** @returns the wanted port, or `0` (any free one) when it is in use */
async function freePortOr(wanted: string): Promise<string> {
  const server = createServer();
  try {
    server.listen(Number(wanted));
    await once(server, 'listening');
    return wanted;
  } catch {
    return '0';
  } finally {
    server.close();
  }
}

/**
 * Creates an owner of the demo's account with a random password.
 * @param next the first page
 * @returns a link that signs them in once, within ten minutes
 */
async function demoSignInLink({ users, url }: Standalone, accountId: string, next: string): Promise<string> {
  const email = `${accountId}@demo.example`;
  const { token: invitation } = await users.claim({ accountId });
  const password = randomBytes(24).toString('base64url');
  const { token: session } = await users.signUp({ name: 'Demo', email, password, invitation, origin: ORIGIN });
  await users.signOut({ token: session });
  const { token } = await users.makeSignInLink({ email });
  return oneTimeLink(url, 'signIn', token, { next });
}
