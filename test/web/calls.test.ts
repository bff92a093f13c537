import { afterAll, beforeAll, beforeEach, describe, expect } from '@jest/globals';
import { itNeeds } from '../requirements.fixture.ts';
import { aBrowser } from './browser.fixture.ts';
import { inspectPage } from './inspect-page.fixture.ts';
import { operator, WebInstallation } from './installation.fixture.ts';
import { type PlacedCall, placeCalls } from './placed-calls.fixture.ts';
import type { Visitor } from './visitor.fixture.ts';

const DAY_MS = 24 * 3_600_000;
const SALES = ['sold', 'follow_up', 'not_sold', 'unclear'] as const;
/** 1,000 of the last 100 days; the newest is number 1. */
const MANY: PlacedCall[] = Array.from({ length: 1_000 }, (_, index) => ({
  fileName: `call-${String(index + 1).padStart(4, '0')}.mp3`,
  createdAt: new Date(Date.now() - DAY_MS - index * (DAY_MS / 10)),
  score: index % 101,
  saleStatus: SALES[index % 4] ?? 'unclear',
  product: index % 3 === 0 ? 'Horizon' : 'Team plan',
}));
const MARKUP = '<img src=x onerror="document.title=1">';
const ODD: PlacedCall[] = [
  {
    fileName: `${MARKUP}.mp3`,
    product: `"><script>document.title=2</script>`,
    score: 0,
    analysis: {
      lines: [{ role: 'customer', speaker: 1, startMs: 0, endMs: 1, text: `About ${MARKUP} and Gadgétry, they said.` }],
    },
  },
  { fileName: `${'very-long-name-without-a-break-'.repeat(6)}.mp3`, product: 'x'.repeat(180), score: 100 },
  { fileName: 'turned\u202egpj.mp3', product: '{{7*7}}' },
  { fileName: 'waiting.mp3', status: 'queued' },
  { fileName: 'heard.mp3', status: 'transcribing' },
  { fileName: 'judged.mp3', status: 'analyzing' },
  { fileName: 'broken.mp3', status: 'failed', failure: { code: 'unreadable', message: 'Convert it to MP3.' } },
];

describe('the calls in the browser', () => {
  let web: WebInstallation;
  let ada: Visitor;
  let ids: string[];

  beforeAll(async () => {
    if (!aBrowser.present) return;
    web = await WebInstallation.open();
    ada = await web.visitor();
    await ada.signUp();
    ids = await placeCalls(web, ada, [...ODD, ...MANY]);
  });
  beforeEach(async () => {
    if (aBrowser.present) await ada.goTo('/calls');
  });
  afterAll(() => web?.close());

  const rows = (visitor = ada) => visitor.page.getByRole('row').filter({ has: visitor.page.getByRole('link') });
  const names = () => rows().getByRole('link').allInnerTexts();
  const address = () => Object.fromEntries(new URL(ada.page.url()).searchParams);
  const shown = (text: string) => ada.page.getByText(text, { exact: true }).waitFor();
  const pick = async (choice: string, option: string) => {
    await ada.page.getByRole('combobox', { name: choice, exact: true }).selectOption({ label: option });
  };

  itNeeds(
    aBrowser,
    'a thousand of them are shown page by page, in the order that the address says, and Back goes back',
    async () => {
      await shown('1–25 of 1,007');
      expect(await rows().count()).toBe(25);
      await ada.button('Page 2').click();
      await shown('26–50 of 1,007');
      expect(address()).toEqual({ page: '2' });
      await ada.button('Score').click();
      await ada.page
        .getByRole('row', { name: /100 of 100/ })
        .first()
        .waitFor();
      expect(address()).toEqual({ sort: 'score' });
      await ada.button('Score').click();
      await ada.page.waitForURL(/order=asc/);
      await ada.button('Page 41').click();
      await shown('1,001–1,007 of 1,007');
      await ada.page.goBack();
      await ada.page.goBack();
      await ada.page.goBack();
      await shown('26–50 of 1,007');
      await ada.goTo('/calls?page=99');
      await ada.heading('Page not found').waitFor();
      await ada.button('Go to first page').click();
      await shown('1–25 of 1,007');
    },
  );

  itNeeds(aBrowser, 'filters narrow them down, stand in the address, and are taken away at once', async () => {
    await pick('Status', 'Failed');
    await shown('1–1 of 1');
    expect(await names()).toEqual(['broken.mp3']);
    await pick('Status', 'Any status');
    await pick('Outcome', 'Sold');
    await shown('1–25 of 250');
    await ada.page.getByLabel('Search calls and transcripts').fill('HORIZON');
    await shown('1–25 of 84');
    const day = new Date(Date.now() - 30 * DAY_MS).toLocaleDateString('sv');
    await ada.page.getByLabel('From', { exact: true }).fill(day);
    await ada.page.getByText(/^1–2\d of 2\d$/).waitFor();
    expect(address()).toEqual({ sale: 'sold', text: 'HORIZON', from: day });
    await ada.page.reload();
    await ada.page.getByText(/^1–2\d of 2\d$/).waitFor();
    await ada.page.getByLabel('Search calls and transcripts').fill('nobody said this');
    await ada.heading('No matching calls').waitFor();
    expect(await inspectPage(ada, 'calls-nothing-matches')).toEqual([]);
    await ada.page.getByRole('button', { name: 'Clear filters' }).last().click();
    await shown('1–25 of 1,007');
    expect(address()).toEqual({});
  });

  itNeeds(aBrowser, 'words of the transcript find a call, and are shown marked, as text', async () => {
    await ada.page.getByLabel('Search calls and transcripts').fill('gadgetry onerror');
    await shown('1–1 of 1');
    const marked = ada.page.locator('mark', { hasText: /^Gadgétry$/ });
    await marked.waitFor();
    expect(await marked.locator('..').textContent()).toBe(`About ${MARKUP} and Gadgétry, they said.`);
    expect(await ada.page.title()).toBe('Calls · Call Analytics');
    expect(await inspectPage(ada, 'calls-match')).toEqual([]);
  });

  itNeeds(aBrowser, 'what means nothing in the address is left out, and said', async () => {
    await ada.goTo(`/calls?status=done&sort=${encodeURIComponent(MARKUP)}&color=red&sale=sold`);
    await ada.page.getByText('“status=done”', { exact: false }).waitFor();
    await ada.page.getByText('“color=red”', { exact: false }).waitFor();
    await shown('1–25 of 250');
  });

  itNeeds(aBrowser, 'names and products are text, whatever is in them, and nothing goes over the edge', async () => {
    await shown('1–25 of 1,007');
    await ada.page.getByRole('link', { name: `${MARKUP}.mp3` }).waitFor();
    await ada.page.getByText('"><script>document.title=2</script>').waitFor();
    expect(await inspectPage(ada, 'calls')).toEqual([]);
    expect(await ada.page.title()).toBe('Calls · Call Analytics');
    await ada.page.setViewportSize({ width: 390, height: 844 });
    await ada.page
      .getByRole('list', { name: 'Calls' })
      .getByRole('link', { name: `${MARKUP}.mp3` })
      .waitFor();
    await ada.button('Filters').click();
    await pick('Sort by', 'Highest score first');
    await ada.page.waitForURL(/sort=score/);
    expect(await inspectPage(ada, 'calls-filters')).toEqual([]);
    await ada.page.setViewportSize({ width: 1440, height: 900 });
  });

  itNeeds(aBrowser, 'the keyboard is enough: to choose, to delete, to undo, and to open a report', async () => {
    await ada.page.getByLabel('Search calls and transcripts').fill('call-0001');
    await shown('1–1 of 1');
    await ada.page.getByRole('checkbox', { name: 'Select call-0001.mp3' }).focus();
    await ada.page.keyboard.press('Space');
    await ada.page.getByText('1 call selected').waitFor();
    await ada.button('Delete').focus();
    await ada.page.keyboard.press('Enter');
    await ada.heading('No matching calls').waitFor();
    // The focus is there by itself.
    await ada.page.locator('button:focus', { hasText: 'Undo' }).waitFor();
    await ada.page.keyboard.press('Enter');
    await ada.page.getByText('Call restored').waitFor();
    expect(await ada.page.evaluate('document.activeElement.textContent')).toBe('Calls');
    await ada.page.getByRole('checkbox', { name: 'Select call-0001.mp3' }).check();
    await ada.button('Delete').click();
    await ada.button('Undo').waitFor();
    await ada.page.getByRole('link', { name: 'Overview' }).focus();
    await ada.page.keyboard.press('Control+z');
    await ada.page.getByRole('link', { name: 'call-0001.mp3' }).focus();
    await ada.page.keyboard.press('Enter');
    await ada.heading('call-0001.mp3').waitFor();
    // Where a screen reader begins to read, and Tab goes on from.
    expect(await ada.page.evaluate('document.activeElement.textContent')).toBe('call-0001.mp3');
  });

  itNeeds(aBrowser, 'no row moves when one is selected, on a phone neither', async () => {
    for (const width of [1440, 390]) {
      await ada.page.setViewportSize({ width, height: 844 });
      const box = ada.page.getByRole('checkbox', { name: 'Select broken.mp3' });
      // The list changes its form after the viewport has.
      await box.waitFor();
      const before = await box.boundingBox();
      expect(before).not.toBeNull();
      await box.check();
      await ada.page.getByText('1 call selected').waitFor();
      expect(await box.boundingBox()).toEqual(before);
      await ada.button('Clear selection').click();
      expect(await box.boundingBox()).toEqual(before);
    }
    await ada.page.setViewportSize({ width: 1440, height: 900 });
  });

  itNeeds(aBrowser, 'several are deleted at once, in every tab, and come back when it is undone', async () => {
    const other = await web.tab(ada);
    await other.goTo('/calls');
    await other.page.getByText('1–25 of 1,007', { exact: true }).waitFor();
    await shown('1–25 of 1,007');
    for (const name of ['heard.mp3', 'judged.mp3', 'broken.mp3'])
      await ada.page.getByRole('checkbox', { name: `Select ${name}` }).check();
    await ada.button('Delete').click();
    await ada.page.getByText('3 calls deleted').waitFor();
    await ada.page.getByRole('link', { name: 'broken.mp3' }).waitFor({ state: 'detached' });
    // The other tab hears of it, or finds it out by asking again.
    await other.page.getByText('1–25 of 1,004', { exact: true }).waitFor({ timeout: 40_000 });
    await ada.button('Undo').click();
    await ada.page.getByText('3 calls restored').waitFor();
    await shown('1–25 of 1,007');
    await ada.page.getByRole('link', { name: 'broken.mp3' }).waitFor();
    await other.page.close();
  });

  itNeeds(aBrowser, 'what was deleted stays so when nobody undoes it', async () => {
    await ada.page.getByLabel('Search calls and transcripts').fill('call-0999');
    await ada.page.getByRole('checkbox', { name: 'Select call-0999.mp3' }).check();
    await ada.button('Delete').click();
    await ada.heading('No matching calls').waitFor();
    await ada.page.reload();
    await ada.heading('No matching calls').waitFor();
    await ada.goTo(`/calls/${ids[ODD.length + 998]}`);
    await ada.heading('Call not found').waitFor();
  });

  itNeeds(aBrowser, 'another account sees nothing of them', async () => {
    const { account } = await operator<{ account: { id: string } }>(web, 'create', '--name', 'Globex');
    const { url } = await operator<{ url: string }>(web, 'claim', account.id);
    const eve = await web.visitor();
    await eve.page.goto(url);
    await eve.fill({ 'Your name': 'Eve', Email: 'eve@example.com', Password: 'some other few words' });
    await eve.button('Join').click();
    await eve.heading('No calls yet').waitFor();
    await eve.goTo(`/calls/${ids[0]}`);
    await eve.heading('Call not found').waitFor();
    const asked = (method: string, path: string) =>
      eve.page.evaluate(`fetch(${JSON.stringify(path)}, { method: '${method}' }).then((answer) => answer.status)`);
    expect(await asked('GET', `/api/v1/calls/${ids[0]}`)).toBe(404);
    expect(await asked('DELETE', `/api/v1/calls/${ids[0]}`)).toBe(404);
    expect(await asked('POST', `/api/v1/calls/${ids[0]}/restore`)).toBe(404);
    await ada.page.getByRole('link', { name: 'waiting.mp3' }).waitFor();
  });
});
