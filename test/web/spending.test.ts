import { join } from 'node:path';
import { openSqliteCallStore } from '@call-analytics/calls';
import { FILES } from '@call-analytics/stand-in/recordings';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { itNeeds } from '../requirements.fixture.ts';
import { until } from '../until.fixture.ts';
import { aBrowser } from './browser.fixture.ts';
import { inspectPage } from './inspect-page.fixture.ts';
import { WebInstallation } from './installation.fixture.ts';
import { placeCalls } from './placed-calls.fixture.ts';
import type { Visitor } from './visitor.fixture.ts';

describe('the spending limit in the settings', () => {
  let web: WebInstallation;
  let ada: Visitor;

  beforeAll(async () => {
    if (!aBrowser.present) return;
    web = await WebInstallation.open({
      SPENDING_LIMIT_PER_DAY: '50',
      TRANSCRIPTION_PRICE: '6',
      ANALYSIS_ENGINE: 'rules,openai',
    });
    ada = await web.visitor();
    await ada.signUp();
  });
  afterAll(() => web?.close());

  const own = () => ada.page.getByLabel('Limit of the account per day');
  const setLimit = async (text: string) => {
    await ada.goTo('/settings/account');
    await own().fill(text);
    await ada.button('Save').click();
    await ada.page.getByText('Spending limit saved.').waitFor();
  };

  itNeeds(aBrowser, 'makes calls wait when it is reached, which they say, and go on when it is raised', async () => {
    await ada.goTo('/settings/account');
    await ada.page.getByText('Spent today: $0.00. Limit of this installation: $50.00 a day.').waitFor();
    await own().fill('much');
    await ada.page.getByText('Enter an amount').waitFor();
    expect(await ada.button('Save').isDisabled()).toBe(true);
    await setLimit('0.5');

    await ada.goTo('/calls');
    const dialog = ada.page.waitForEvent('filechooser');
    await ada.button(/^(Choose files|Upload)$/).click();
    await (await dialog).setFiles(join(FILES, 'excerpt.mp3'));
    await ada.page.getByRole('row').filter({ hasText: 'excerpt.mp3' }).getByRole('link').click();
    await ada.page.getByText('Waiting: daily spending limit.').waitFor({ timeout: 60_000 });
    const tray = ada.page.getByRole('region', { name: 'Uploads' });
    await tray.getByText('Waiting: daily spending limit').waitFor();
    const report = ada.page.url();
    const state = ada.page.getByRole('list', { name: 'Progress' });
    expect(await state.locator('[aria-current=step]').textContent()).toContain('Analysis');
    await ada.goTo('/calls');
    await ada.page.getByRole('row').filter({ hasText: 'Waiting: daily spending limit' }).waitFor();

    await ada.goTo('/settings/account');
    await ada.page.getByText('Today’s limit is reached. Calls continue at').waitFor();
    expect(await inspectPage(ada, 'spending')).toEqual([]);
    await setLimit('');
    await ada.page.goto(report);
    await ada.heading('Summary').waitFor({ timeout: 60_000 });
    await ada.page.getByText('This call has cost $0.9').waitFor();
    const analyses = ada.page.getByRole('listitem').filter({ hasText: '· rules ' });
    expect(await analyses.count()).toBe(1);
    await ada.button('Analyze again').click();
    await until(async () => (await analyses.count()) === 2, 'the report lists both analyses');
    await ada.page.getByLabel('Engine of the new analysis').selectOption('Language model');
    await ada.button('Analyze again').click();
    await ada.page.getByRole('listitem').filter({ hasText: '· openai gpt-6-luna · Medium' }).waitFor();

    await ada.goTo('/settings/account');
    const table = ada.page.getByRole('table', { name: 'Costs' });
    const total = table.getByRole('row').filter({ hasText: 'Total' }).last();
    await total.filter({ hasText: '$0.9' }).waitFor();
    await ada.page.getByText('31 days').click();
    await table.getByRole('rowheader', { name: new Date().toISOString().slice(0, 10) }).waitFor();
    expect(await inspectPage(ada, 'costs')).toEqual([]);

    const [unpriced = ''] = await placeCalls(web, ada, [{}]);
    const store = openSqliteCallStore({ file: join(web.installation.dataDir, 'calls.sqlite') });
    const engine = { name: 'openai', model: 'llama-5' };
    await store.recordCost(unpriced, { attempt: 1, stage: 'analysis', engine, dollars: null, at: new Date() });
    await store.close();
    await ada.goTo('/settings/account');
    await ada.page.getByText('1 attempt has an unknown price and is not in the totals.').waitFor();
    await ada.goTo(`/calls/${unpriced}`);
    await ada.page.getByText('The cost of this call is unknown').waitFor();
    await ada.page.goto(report);
    await ada.button('Analyze again').waitFor();
    await ada.page.emulateMedia({ media: 'print' });
    expect(await ada.button('Analyze again').isVisible()).toBe(false);
    expect(ada.pageErrors).toEqual([]);
  });
});
