import { createPrivately, makeLogger, SettingsError, stopOnSignals, WorkError } from '@call-analytics/service-kit';
import { buildPages } from '@call-analytics/web/server';
import { readStandaloneSettings } from '../settings.ts';
import { startStandalone } from '../standalone.ts';
import { readArguments } from './arguments.ts';
import { chooseDemoEngine } from './engine.ts';
import { freePortOr } from './port.ts';
import { printInvitation, printReport } from './print.ts';
import { demoSignInLink } from './sign-in-link.ts';
import { followCall, uploadCall } from './upload.ts';

// npm run demo: start everything, upload one call, show each state, print the report, stay up.
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
  printInvitation(standalone.url, secret, id, link);
  stopOnSignals({ stop }, log);
} catch (error) {
  const forPeople = error instanceof SettingsError || error instanceof WorkError;
  console.error(forPeople ? error.message : error);
  process.exit(1);
}
