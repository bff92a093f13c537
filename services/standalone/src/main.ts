import { setupAnnouncement } from '@call-analytics/accounts';
import { createPrivately, makeLogger, SettingsError, stopOnSignals, WorkError } from '@call-analytics/service-kit';
import { readStandaloneSettings, startStandalone } from './standalone.ts';

try {
  createPrivately();
  const settings = readStandaloneSettings(process.env);
  const log = makeLogger('standalone', settings.LOG_LEVEL);
  const standalone = await startStandalone(settings, log);
  stopOnSignals(standalone, log);
  log.info({ url: standalone.url, ops: standalone.opsUrl ?? undefined }, 'ready');
  await setupAnnouncement(standalone.users, settings.PUBLIC_URL ?? standalone.url, log).start();
} catch (error) {
  const forPeople = error instanceof SettingsError || error instanceof WorkError;
  process.stderr.write(`${forPeople ? error.message : error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
}
