import { setupAnnouncement } from '@call-analytics/accounts';
import { createPrivately, runProcess } from '@call-analytics/service-kit';
import { makeStandalone, readStandaloneSettings } from './standalone.ts';

createPrivately();
let url = () => '';

await runProcess({
  name: 'standalone',
  read() {
    const settings = readStandaloneSettings(process.env);
    return [settings, settings];
  },
  async parts(given) {
    const made = await makeStandalone(given);
    url = made.url;
    return [...made.parts, setupAnnouncement(made.users, given.settings.PUBLIC_URL ?? url, given.log)];
  },
  whenReady: () => ({ url: url() }),
});
