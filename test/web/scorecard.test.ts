import type { Analysis } from '@call-analytics/calls';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { itNeeds } from '../requirements.fixture.ts';
import { aBrowser } from './browser.fixture.ts';
import { inspectPage } from './inspect-page.fixture.ts';
import { WebInstallation } from './installation.fixture.ts';
import { placeCalls } from './placed-calls.fixture.ts';
import type { Visitor } from './visitor.fixture.ts';

const MARKUP = 'Is it <img src=x onerror="document.title=1">?';
const GREETS = 'Does the manager greet the customer?';
const REFUND = 'Does anyone promise a refund?';
const RECORDED = 'Does the manager say that the call is recorded?';
const LINES: Analysis['lines'] = [
  ...Array.from({ length: 40 }, (_, n) => ({
    role: 'manager' as const,
    speaker: 0,
    startMs: n * 1_000,
    endMs: n * 1_000 + 900,
    text: `Point ${n}.`,
  })),
  { role: 'customer', speaker: 1, startMs: 65_000, endMs: 69_000, text: 'You never told me that you record this.' },
];
const judged = { who: 'manager', weight: 10 } as const;
const SCORECARD: Analysis['scorecard'] = {
  version: 3,
  failedBy: RECORDED,
  questions: [
    {
      ...judged,
      question: RECORDED,
      who: 'customer',
      autoFail: true,
      answer: 'no',
      points: 0,
      of: 10,
      proof: { quote: 'You never told me that you record this.', line: 40 },
    },
    { ...judged, question: MARKUP, answer: 'not_judged', proof: null, points: 0, of: 0 },
    { ...judged, question: REFUND, answer: 'no', proof: null, points: 0, of: 10 },
    { ...judged, question: GREETS, answer: 'yes', proof: { quote: 'Point 3', line: 3 }, points: 10, of: 10 },
  ],
};

describe('the scorecard in the browser', () => {
  let web: WebInstallation;
  let ada: Visitor;
  let ids: string[];

  beforeAll(async () => {
    if (!aBrowser.present) return;
    web = await WebInstallation.open({ SIGN_UP: 'open' });
    ada = await web.visitor();
    await ada.signUp();
    ids = await placeCalls(web, ada, [
      { fileName: 'judged.mp3', score: 0, analysis: { score: 0, lines: LINES, scorecard: SCORECARD } },
      { fileName: 'older.mp3', analysis: { lines: LINES } },
    ]);
  });
  afterAll(() => web?.close());

  const question = (text: string) => ada.page.getByRole('listitem').filter({ hasText: text });
  const closed = () => ada.page.getByRole('dialog').waitFor({ state: 'detached' });

  itNeeds(aBrowser, 'is edited question by question in the settings, and reset to the default rubric', async () => {
    await ada.goTo('/settings/scorecard');
    await ada.page.getByText('Calls are judged by the default rubric').waitFor();
    await ada.button('New question').click();
    await ada.fill({ 'Your question': MARKUP });
    await ada.page.getByLabel('if the answer is no, the score is 0').check();
    expect(await inspectPage(ada, 'scorecard-question')).toEqual([]);
    await ada.button('Save').click();
    await closed();
    await question(MARKUP).getByText('Auto-fail').waitFor();
    await ada.button('New question').click();
    await ada.fill({ 'Your question': MARKUP.toUpperCase() });
    await ada.button('Save').click();
    await ada.page.getByText('Scorecard must not have the same question twice').waitFor();
    await ada.page.getByLabel('Question', { exact: true }).selectOption(GREETS);
    await ada.fill({ 'Weight, 1 to 100': '30' });
    await ada.button('Save').click();
    await closed();
    await question(GREETS).getByText('Weight 30').waitFor();
    await ada.page.getByText('Version 2 of your scorecard').waitFor();
    expect(await inspectPage(ada, 'settings-scorecard')).toEqual([]);
    await ada.button(`Edit: ${MARKUP}`).click();
    await ada.fill({ 'Your question': RECORDED });
    await ada.page.getByLabel('Answered by the words of').selectOption('anyone');
    await ada.button('Save').click();
    await closed();
    await question(RECORDED).getByText('Words of anyone').waitFor();
    await ada.button(`Delete: ${GREETS}`).click();
    await ada.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await question(GREETS).waitFor({ state: 'detached' });
    await ada.button('Use the default rubric').click();
    await ada.page.getByRole('dialog').getByRole('button', { name: 'Use the default rubric' }).click();
    await ada.page.getByText('Calls are judged by the default rubric').waitFor();
    expect(await ada.page.title()).not.toBe('1');
  });

  itNeeds(aBrowser, 'of a call shows each answer, leads to its words, and says why the score is 0', async () => {
    await ada.goTo(`/calls/${ids[0]}`);
    const rows = ada.page.getByRole('row');
    await rows.filter({ hasText: RECORDED }).waitFor();
    await ada.page.getByText('Version 3 of your scorecard').waitFor();
    await ada.page.getByText(`The score is 0, because the answer to “${RECORDED}” is no.`).waitFor();
    expect(await rows.filter({ hasText: GREETS }).getByRole('cell').allTextContents()).toEqual(['Yes', '10 of 10']);
    await rows.filter({ hasText: REFUND }).getByText('Not found in the call').waitFor();
    expect(await ada.page.getByText('Not found in the call').count()).toBe(1);
    expect(await rows.filter({ hasText: 'Is it' }).getByRole('cell').allTextContents()).toEqual(['Not judged', '']);
    expect(await inspectPage(ada, 'report-scorecard')).toEqual([]);
    await ada.button('Show these words in the transcript, at 1:05').click();
    await ada.page.locator('mark[data-current]').filter({ hasText: 'You never told me' }).waitFor();
    expect(await ada.page.title()).not.toBe('1');
  });

  itNeeds(aBrowser, 'of a call that an earlier release analyzed is not there', async () => {
    await ada.goTo(`/calls/${ids[1]}`);
    await ada.page.getByText('Point 3').first().waitFor();
    expect(await ada.page.getByRole('heading', { name: 'Scorecard' }).count()).toBe(0);
  });
});
