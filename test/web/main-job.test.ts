import { afterAll, beforeAll, describe } from '@jest/globals';
import { itNeeds } from '../requirements.ts';
import { aBrowser } from './browser.ts';
import { doMainJob } from './main-job.ts';
import { operator } from './operator.ts';
import { Site } from './site.ts';

describe('the main job in the browser', () => {
  let site: Site;
  beforeAll(async () => {
    if (aBrowser.present) site = await Site.open();
  });
  afterAll(() => site?.close());

  itNeeds(aBrowser, 'goes from signing up to a report, and another account sees nothing of it', async () => {
    // Before any account exists: only then is the first sign-up open to this machine.
    const ada = await site.visitor();
    await ada.signUp();
    const { account } = await operator<{ account: { id: string } }>(site, 'create', '--name', 'Globex');
    await doMainJob(ada, async () => {
      const eve = await site.visitor();
      await eve.join((await operator<{ url: string }>(site, 'claim', account.id)).url);
      return eve;
    });
  });
});
