import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { itNeeds } from '../requirements.fixture.ts';
import { aBrowser } from './browser.fixture.ts';
import { inspectPage } from './inspect-page.fixture.ts';
import { WebInstallation } from './installation.fixture.ts';
import { type PlacedCall, placeCalls } from './placed-calls.fixture.ts';
import type { Visitor } from './visitor.fixture.ts';

const MARKUP = '<img src=x onerror="document.title=1">';
const call = (fileName: string, manager: string, customer: string, rolesConfidence = 1): PlacedCall => ({
  fileName,
  analysis: {
    rolesConfidence,
    lines: [
      ...Array.from({ length: 40 }, (_, n) => ({
        role: 'manager' as const,
        speaker: 0,
        startMs: n * 1_000,
        endMs: n * 1_000 + 900,
        text: `Point ${n}.`,
      })),
      { role: 'manager', speaker: 0, startMs: 60_000, endMs: 64_000, text: manager },
      { role: 'customer', speaker: 1, startMs: 65_000, endMs: 69_000, text: customer },
    ],
  },
});

describe('trackers in the browser', () => {
  let web: WebInstallation;
  let ada: Visitor;
  let ids: string[];

  beforeAll(async () => {
    if (!aBrowser.present) return;
    web = await WebInstallation.open({ SIGN_UP: 'open' });
    ada = await web.visitor();
    await ada.signUp();
    ids = await placeCalls(web, ada, [
      call('noted.mp3', 'Please note that this call, uh, is recorded.', 'We looked at Globex and at GLOBEX’s prices.'),
      call('silent.mp3', 'Good morning.', 'Hello.'),
      call('unclear.mp3', 'Good morning.', 'Globex.', 0.5),
    ]);
  });
  afterAll(() => web?.close());

  const add = async (name: string, phrases: string, more: () => Promise<unknown> = async () => {}) => {
    await ada.button('New tracker').click();
    await ada.fill({ Name: name, 'Words and phrases, one per line': phrases });
    await more();
    await ada.button('Save').click();
    await ada.page.getByRole('dialog').waitFor({ state: 'detached' });
  };

  itNeeds(aBrowser, 'are added, changed and deleted in the settings', async () => {
    await ada.goTo('/settings/trackers');
    await ada.button('New tracker').click();
    await ada.fill({ Name: MARKUP, 'Words and phrases, one per line': 'Globex\nx' });
    await ada.button('Save').click();
    await ada.page.getByText('“x” must have at least two letters or digits').waitFor();
    expect(await inspectPage(ada, 'tracker-refused')).toEqual([]);
    await ada.fill({ 'Words and phrases, one per line': 'Globex\nInitech' });
    await ada.button('Save').click();
    await ada.page.getByRole('listitem').filter({ hasText: MARKUP }).waitFor();
    await add('Recording notice', 'this call is recorded', async () => {
      await ada.page.getByLabel('Said by').selectOption('manager');
      await ada.page.getByLabel('calls where it is missing').check();
    });
    await ada.page.getByText('Must be said by the manager').waitFor();
    await ada.button(`Edit ${MARKUP}`).click();
    await ada.fill({ Name: 'Competitors' });
    await ada.button('Save').click();
    await ada.page.getByRole('listitem').filter({ hasText: 'Competitors' }).waitFor();
    await add('Typo', 'abc');
    await ada.button('Delete Typo').click();
    await ada.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await ada.page.getByText('Typo').first().waitFor({ state: 'detached' });
    expect(await inspectPage(ada, 'settings-trackers')).toEqual([]);
  });

  itNeeds(
    aBrowser,
    'of another editor stay, and a tracker that somebody else has changed is not overwritten',
    async () => {
      const eve = await web.visitor();
      await eve.goTo('/sign-in');
      await eve.signIn('ada@example.com');
      await eve.page.waitForURL(/\/calls$/);
      await eve.goTo('/settings/trackers');
      await eve.button('Edit Competitors').click();
      await ada.button('Edit Competitors').click();
      await ada.fill({ 'Words and phrases, one per line': 'Globex' });
      await ada.button('Save').click();
      await ada.page.getByRole('dialog').waitFor({ state: 'detached' });
      await eve.fill({ 'Words and phrases, one per line': 'Hooli' });
      await eve.button('Save').click();
      await eve.page.getByText('Someone else has changed this tracker').waitFor();
      await eve.button('Cancel').click();
      await eve.page.getByText('“Globex”').waitFor();
      await eve.button('Edit Recording notice').click();
      await eve.fill({ 'Words and phrases, one per line': 'this call is recorded\nwe record this call' });
      await ada.button('Edit Competitors').click();
      await ada.fill({ 'Words and phrases, one per line': 'Globex\nInitech' });
      await ada.button('Save').click();
      await ada.page.getByRole('dialog').waitFor({ state: 'detached' });
      await eve.button('Save').click();
      await eve.page.getByRole('dialog').waitFor({ state: 'detached' });
      await eve.page.getByText('“Globex”, “Initech”').waitFor();
      await eve.page.getByText('“we record this call”').waitFor();
    },
  );

  itNeeds(aBrowser, 'are counted on the overview, and a number leads to its calls', async () => {
    await ada.goTo('/overview');
    const row = ada.page.getByRole('row').filter({ hasText: 'Recording notice' });
    await row.waitFor();
    expect(await row.getByRole('cell').allTextContents()).toEqual(['1', '1', '1']);
    expect(await inspectPage(ada, 'overview-trackers')).toEqual([]);
    await ada.page.getByRole('link', { name: 'Recording notice: missing in 1 call' }).click();
    await ada.page.waitForURL(/trackerResult=missing/);
    await ada.page.getByRole('link', { name: 'silent.mp3' }).waitFor();
    expect(await ada.page.getByRole('link', { name: 'noted.mp3' }).count()).toBe(0);
    expect(await inspectPage(ada, 'calls-of-tracker')).toEqual([]);
    await ada.button('Missing: Recording notice. Remove this filter').click();
    await ada.page.getByRole('link', { name: 'noted.mp3' }).waitFor();
  });

  itNeeds(aBrowser, 'lead from a report to the words in the transcript', async () => {
    await ada.goTo(`/calls/${ids[0]}`);
    await ada.page.getByText('“this call, uh, is recorded” (Manager)').waitFor();
    expect(await inspectPage(ada, 'report-trackers')).toEqual([]);
    await ada.button('Show these words in the transcript, at 1:00').click();
    await ada.page.locator('mark[data-current]').filter({ hasText: 'this call, uh, is recorded' }).waitFor();
    await ada.goTo(`/calls/${ids[1]}`);
    await ada.page.getByText('Recording notice: not said by the manager').waitFor();
    await ada.goTo(`/calls/${ids[2]}`);
    await ada.page.getByText('it is not certain who speaks').waitFor();
  });
});
