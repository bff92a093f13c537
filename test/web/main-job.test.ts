import { afterAll, beforeAll, describe } from '@jest/globals';
import { itNeeds } from '../requirements.fixture.ts';
import { aBrowser } from './browser.fixture.ts';
import { operator, WebInstallation } from './installation.fixture.ts';
import { doMainJob } from './main-job.fixture.ts';

describe('the main job in the browser', () => {
  let web: WebInstallation;
  beforeAll(async () => {
    if (aBrowser.present) web = await WebInstallation.open();
  });
  afterAll(() => web?.close());

  itNeeds(aBrowser, 'goes from signing up to a report, and another account sees nothing of it', async () => {
    // Before any account exists: only then is the first sign-up open to this machine.
    const ada = await web.visitor();
    await ada.signUp();
    const { account } = await operator<{ account: { id: string } }>(web, 'create', '--name', 'Globex');
    await doMainJob(ada, async () => {
      const eve = await web.visitor();
      await eve.join((await operator<{ url: string }>(web, 'claim', account.id)).url);
      return eve;
    });
  });
});
