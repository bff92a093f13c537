import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { oneTimeLink } from '@call-analytics/contracts';
import { createPrivately, makeLogger, SettingsError, stopOnSignals, WorkError } from '@call-analytics/service-kit';
import { buildPages } from '@call-analytics/web/server';
import { readStandaloneSettings } from '../settings.ts';
import { type Standalone, startStandalone } from '../standalone.ts';
import { BUNDLED_CALL, chooseDemoEngine } from './engine.ts';
import { followCall, printNextSteps, printReport, uploadCall } from './report.ts';

// npm run demo: starts everything, uploads one call, prints its states and its report, and stays up.

const ORIGIN = { ip: '127.0.0.1', userAgent: 'npm run demo' };

try {
  createPrivately();
  const { file, once } = readArguments(process.argv.slice(2));
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
function readArguments(argv: string[]): { file: string; once: boolean } {
  const usage = 'Usage: npm run demo [-- [--once] [my-call.mp3]]';
  try {
    const { values, positionals } = parseArgs({
      args: argv,
      options: { once: { type: 'boolean', default: false } },
      allowPositionals: true,
    });
    if (positionals.length > 1) throw new SettingsError(`The demo takes one recording.\n${usage}`);
    // npm runs scripts in the folder of the project; INIT_CWD is the folder of the caller.
    const file = positionals[0] === undefined ? BUNDLED_CALL : resolve(process.env.INIT_CWD ?? '.', positionals[0]);
    if (!statSync(file, { throwIfNoEntry: false })?.isFile())
      throw new SettingsError(`File not found: ${file}.\n${usage}`);
    return { file, once: values.once };
  } catch (error) {
    if (error instanceof SettingsError) throw error;
    throw new SettingsError(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
  }
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
