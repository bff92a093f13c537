import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { itNeeds } from '../requirements.fixture.ts';
import { aBrowser } from './browser.fixture.ts';
import { inspectPage } from './inspect-page.fixture.ts';
import { WebInstallation } from './installation.fixture.ts';
import { type PlacedCall, placeCalls } from './placed-calls.fixture.ts';
import type { Visitor } from './visitor.fixture.ts';

const DAY_MS = 24 * 3_600_000;
const found = (text: string) => [{ text, quote: null, line: null }];
const MARKUP = '<img src=x onerror="document.title=1">';

/** Every day of the last forty has one more call than three days before; some fail, some are being worked on. */
const CALLS: PlacedCall[] = Array.from({ length: 40 }, (_, day) =>
  Array.from({ length: 1 + (day % 7) }, (_, nth): PlacedCall => {
    const createdAt = new Date(Date.now() - day * DAY_MS - nth * 1_000);
    if (nth === 4)
      return { createdAt, status: 'failed', failure: { code: 'unreadable', message: 'Convert it to MP3.' } };
    if (nth === 5) return { createdAt, status: 'transcribing' };
    return {
      createdAt,
      score: 40 + ((day * 7 + nth * 11) % 55),
      saleStatus: (['sold', 'follow_up', 'not_sold'] as const)[(day + nth) % 3] ?? 'sold',
      product: nth === 0 ? MARKUP : 'Horizon',
      analysis: {
        objections: found('The price is too high'),
        managerMistakes: nth === 1 ? found('Interrupted the customer') : [],
      },
    };
  }),
).flat();

describe('the overview in the browser', () => {
  let web: WebInstallation;
  let ada: Visitor;

  beforeAll(async () => {
    if (!aBrowser.present) return;
    web = await WebInstallation.open({ SIGN_UP: 'open' });
    ada = await web.visitor();
    await ada.signUp();
  });
  afterAll(() => web?.close());

  itNeeds(aBrowser, 'says what to do as long as there is nothing to show', async () => {
    await ada.goTo('/overview');
    await ada.heading('No calls in this period').waitFor();
    await ada.page.getByRole('link', { name: 'Go to calls' }).click();
    await ada.heading('No calls yet').waitFor();
  });

  itNeeds(aBrowser, 'shows the days that the address says, drawn and as tables', async () => {
    await placeCalls(web, ada, CALLS);
    await ada.goTo('/overview');
    await ada.page.locator('.recharts-bar-rectangle').first().waitFor();
    await ada.page.getByText('Show as table').first().click();
    expect(await ada.page.getByRole('region', { name: 'Calls per day' }).getByRole('row').count()).toBe(31);
    await ada.page.getByRole('listitem').filter({ hasText: 'The price is too high' }).waitFor();
    await ada.page.getByText(MARKUP).waitFor();
    expect(await inspectPage(ada, 'overview')).toEqual([]);
    expect(await ada.page.title()).toBe('Overview · Call Analytics');

    await ada.page.getByText('7 days').click();
    await ada.page.waitForURL(/days=7d/);
    await ada.page.getByRole('region', { name: 'Calls per day' }).getByRole('row').nth(7).waitFor();
    await ada.page.getByText('1 year').click();
    await ada.heading('Calls per week').waitFor();
    expect(await inspectPage(ada, 'overview-year')).toEqual([]);
    await ada.page.goBack();
    await ada.heading('Calls per day').waitFor();
  });

  itNeeds(aBrowser, 'takes days of one own, and leaves out what makes no sense', async () => {
    await ada.goTo('/overview?from=2020-01-01&to=2019-01-01');
    await ada.page.getByText('“from=2020-01-01”', { exact: false }).waitFor();
    await ada.button('Custom range').click();
    await ada.fill({ From: '2026-01-01', To: '2026-01-31' });
    expect(await inspectPage(ada, 'overview-days')).toEqual([]);
    await ada.button('Apply').click();
    await ada.page.waitForURL(/from=2026-01-01&to=2026-01-31/);
    await ada.button('Jan 1, 2026 – Jan 31, 2026').waitFor();
    await ada.heading('No calls in this period').waitFor();
  });

  itNeeds(aBrowser, 'is printed with whole charts, although they were drawn for the screen', async () => {
    const tab = await web.tab(ada);
    // Printing lays the page out anew for the paper, and tells no script of it.
    await tab.page.addInitScript(`globalThis.ResizeObserver = class extends ResizeObserver {
      constructor(callback) {
        super((...args) => globalThis.isPrinting || callback(...args));
      }
    }`);
    await tab.goTo('/overview');
    const charts = tab.page.locator('.recharts-wrapper > svg');
    await charts.nth(1).waitFor();
    expect((await charts.first().boundingBox())?.width).toBeGreaterThan(900);
    await tab.page.evaluate('globalThis.isPrinting = true');
    await tab.page.emulateMedia({ media: 'print' });
    const paper = 700;
    await tab.page.setViewportSize({ width: paper, height: 1_000 });
    for (const chart of await charts.all()) {
      const box = await chart.boundingBox();
      expect((box?.x ?? 0) + (box?.width ?? paper + 1)).toBeLessThanOrEqual(paper);
      expect(box?.height).toBeGreaterThan(80);
    }
    await tab.page.close();
  });

  itNeeds(aBrowser, 'counts calls without a score in no average and no share, and their reports say why', async () => {
    const bob = await web.visitor();
    await bob.signUp({ name: 'Bob', account: 'Globex', email: 'bob@example.com' });
    const message = 'This is a service call. Only sales calls are scored.';
    const [, id] = await placeCalls(web, bob, [
      { score: 80, saleStatus: 'sold' },
      { score: null, analysis: { score: null, notScored: { code: 'not_a_sales_call', message } } },
    ]);
    await bob.goTo('/overview');
    const total = (name: string) => bob.page.getByText(name, { exact: true }).locator('xpath=..');
    await total('Not scored').waitFor();
    expect(await total('Not scored').textContent()).toMatch(/^Not scored\s*1\s*Not in averages or shares$/);
    expect(await total('Average score').textContent()).toMatch(/^Average score\s*80\D/);
    const outcomes = (name: string) =>
      bob.page
        .getByRole('listitem')
        .filter({ has: bob.page.getByText(name, { exact: true }) })
        .textContent();
    expect(await outcomes('Sold')).toMatch(/1 call\s*100%/);
    expect(await outcomes('Unclear')).toMatch(/0 calls\s*0%/);
    await bob.goTo(`/calls/${id}`);
    await bob.page.getByText(message).waitFor();
    expect(bob.pageErrors).toEqual([]);
  });
});
