import { join } from 'node:path';
import { FILES } from '@call-analytics/stand-in/recordings';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { itNeeds } from '../requirements.fixture.ts';
import { until } from '../until.fixture.ts';
import { aBrowser } from './browser.fixture.ts';
import { WebInstallation } from './installation.fixture.ts';
import type { Visitor } from './visitor.fixture.ts';

describe('a call whose engine is away', () => {
  let web: WebInstallation;
  let ada: Visitor;

  beforeAll(async () => {
    if (!aBrowser.present) return;
    web = await WebInstallation.open({ OUTAGE_LIMIT: '20s' });
    ada = await web.visitor();
    await ada.signUp();
  });
  afterAll(() => web?.close());

  itNeeds(
    aBrowser,
    'says what it waits for, fails when that takes too long, and completes when it is retried',
    async () => {
      web.faults.push({ endpoint: 'transcriptions', do: { kind: 'server-error', status: 503 } });
      const dialog = ada.page.waitForEvent('filechooser');
      await ada.button(/^(Choose files|Upload)$/).click();
      await (await dialog).setFiles(join(FILES, 'one-channel-silent.mp3'));
      const row = ada.page.getByRole('row').filter({ hasText: 'one-channel-silent.mp3' });
      await row.waitFor();
      // The beginning of a wait is no event: an open page sees it with its next poll.
      await until(async () => {
        await ada.goTo('/calls');
        await row.waitFor();
        return row.getByText('Waiting for the speech engine').isVisible();
      }, 'the list says what the call waits for');
      await row.getByRole('link').click();
      await ada.page.getByText('Waiting for the speech engine.').waitFor();
      await ada.page.getByText('This call could not be processed').waitFor({ timeout: 60_000 });
      await ada.page.getByText('The speech engine was unavailable for 20 seconds.').waitFor();

      web.faults.splice(0);
      await ada.button('Retry').click();
      await ada.heading('Summary').waitFor({ timeout: 60_000 });
      expect(ada.pageErrors).toEqual([]);
    },
  );
});
