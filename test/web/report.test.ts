import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { itNeeds } from '../requirements.fixture.ts';
import { aBrowser } from './browser.fixture.ts';
import { inspectPage } from './inspect-page.fixture.ts';
import { WebInstallation } from './installation.fixture.ts';
import { placeCalls } from './placed-calls.fixture.ts';
import { HOSTILE, LONG, payload, STATES, SWAPPED, WRONG } from './reports.fixture.ts';
import type { Visitor } from './visitor.fixture.ts';

describe('a report in the browser', () => {
  let web: WebInstallation;
  let ada: Visitor;
  let hostile: string;
  let long: string;
  let swapped: string;
  let wrong: string;
  let states: string[];

  beforeAll(async () => {
    if (!aBrowser.present) return;
    web = await WebInstallation.open();
    ada = await web.visitor();
    await ada.signUp();
    [hostile = '', long = '', swapped = '', wrong = '', ...states] = await placeCalls(web, ada, [
      HOSTILE,
      LONG,
      SWAPPED,
      WRONG,
      ...STATES,
    ]);
  });
  afterAll(() => web?.close());

  itNeeds(aBrowser, 'shows every field that a caller or an engine controls as text and nothing else', async () => {
    await ada.goTo(`/calls/${hostile}`);
    await ada.heading(`${payload('name')}.mp3`).waitFor();
    const seen = await ada.page.locator('main').textContent();
    for (const where of [
      'product',
      'summary',
      'intent',
      'step',
      'positive',
      'issue',
      'objection',
      'mistake',
      'recommendation',
    ])
      expect(seen).toContain(payload(where));
    for (const where of ['manager', 'customer', 'other', 'title', 'content', 'point'])
      expect(seen).toContain(payload(where));
    expect(await ada.page.title()).toBe(`${payload('name')}.mp3 · Call Analytics`);
    expect(await inspectPage(ada, 'report-hostile')).toEqual([]);
    expect(
      await ada.page.evaluate('[window.hit ?? null, document.querySelectorAll("main img, main script").length]'),
    ).toEqual([null, 0]);
  });

  itNeeds(aBrowser, 'leads from a finding to its words in the transcript', async () => {
    for (const width of [1_280, 390]) {
      await ada.page.setViewportSize({ width, height: 800 });
      await ada.goTo(`/calls/${long}`);
      await ada.button('Show these words in the transcript, at 50:00').click();
      const mark = ada.page.locator('mark[data-current]');
      expect(await mark.textContent()).toBe('Line 3000 of a long call');
      expect((await mark.boundingBox())?.y).toBeLessThan(800);
    }
    await ada.page.setViewportSize({ width: 1_280, height: 800 });
  });

  itNeeds(
    aBrowser,
    'names the action items and the questions of the customer, each with a way to its words',
    async () => {
      await ada.goTo(`/calls/${long}`);
      const item = ada.page.getByRole('listitem').filter({ hasText: 'Manager: “Line 3900 of”' });
      expect(await item.textContent()).toContain('on Friday · Nov 27, 2026');
      const ways: [string, string][] = [
        ['1:05:00', 'Line 3900 of a long call'],
        ['1:00:01', 'Line 3601 of a long call'],
        ['1:00:02', 'Line 3602 of a long call'],
      ];
      for (const [time, said] of ways) {
        await ada.button(`Show these words in the transcript, at ${time}`).click();
        await ada.page.locator('mark[data-current]', { hasText: said }).waitFor();
      }
    },
  );

  itNeeds(aBrowser, 'whose answers are wrong is corrected by a person, and says by whom', async () => {
    await ada.goTo(`/calls/${wrong}`);
    await ada.page.getByText('Not answered').waitFor();
    await ada.button('Correct the report').click();
    expect(await inspectPage(ada, 'report-corrections')).toEqual([]);
    await ada.page.getByRole('combobox', { name: 'Outcome' }).click();
    await ada.page.getByRole('option', { name: 'Sold', exact: true }).click();
    await ada.page.getByRole('checkbox', { name: 'Price: “too expensive”' }).uncheck();
    await ada.button('Save').click();
    await ada.page.getByText(/^Corrected by .+: Outcome, Objections$/).waitFor();
    await ada.page.getByText('Price: “too expensive”').waitFor({ state: 'detached' });
    await ada.goTo('/overview');
    await ada.page.getByText('1 of 3 reviewed').waitFor();
  });

  itNeeds(aBrowser, 'says what was heard in place of a term, also where a search marks it', async () => {
    await ada.goTo(`/calls/${swapped}`);
    const term = ada.page.locator('main ol li').getByTitle('Heard as “Akmey”');
    expect(await term.textContent()).toBe('Acme, (Heard as “Akmey”)');
    await ada.page.getByLabel('Search the transcript').fill('from acme, i');
    expect(await term.locator('mark').textContent()).toBe('Acme,');
  });

  itNeeds(aBrowser, 'whose roles are wrong is corrected by a person, and written again', async () => {
    await ada.goTo(`/calls/${swapped}`);
    const firstSpeaker = () => ada.page.locator('ol li').filter({ hasText: 'this is Anna' }).first().textContent();
    await ada.button('Correct the speakers').click();
    expect(await inspectPage(ada, 'report-speakers')).toEqual([]);
    expect(await firstSpeaker()).toContain('Customer');
    await ada.page
      .getByRole('radiogroup', { name: 'Role of speaker 1' })
      .getByText('Customer', { exact: true })
      .click();
    await ada.button('Save and analyze again').click();
    await ada.page
      .locator('ol li')
      .filter({ hasText: /Manager.*this is Anna/s })
      .first()
      .waitFor();
    const speakers = await ada.page.request.get(`${web.url}/api/v1/calls/${swapped}/speakers`);
    expect(await speakers.json()).toMatchObject({
      confidence: 1,
      speakers: [
        { speaker: 1, role: 'customer', firstWords: expect.stringMatching(/^Good morning\. We plan/) },
        { speaker: 2, role: 'manager' },
      ],
    });
  });

  itNeeds(
    aBrowser,
    'is copied, and downloaded as text, as Markdown and as subtitles under a name that is safe everywhere',
    async () => {
      await ada.goTo(`/calls/${hostile}`);
      const download = async (kind: string) => {
        await ada.button('Download').click();
        const saved = ada.page.waitForEvent('download');
        await ada.page.getByRole('menuitem', { name: kind }).click();
        const file = await saved;
        return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') };
      };
      const text = await download('Report as text (.txt)');
      expect(text.name).toMatch(/^name _img src=x onerror=[^<>:"/\\|?*]* report\.txt$/);
      expect(text.text).toContain('Score: 61 of 100 (fair)');
      expect(text.text).toContain(`Manager: ${payload('manager')}`);
      const markdown = await download('Report as Markdown (.md)');
      expect(markdown.name).toMatch(/report\.md$/);
      expect(markdown.text).toContain('\\<img src=x');
      expect(markdown.text).not.toMatch(/(?<!\\)<img/);

      const subtitles = await download('Subtitles (.vtt)');
      expect(subtitles.name).toMatch(/transcript\.vtt$/);
      expect(subtitles.text).toMatch(/^WEBVTT\n\n/);
      expect(subtitles.text).toContain('<v Manager>manager &lt;img src=x');

      await ada.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await ada.button('Copy').click();
      await ada.page.getByText('Copied').waitFor();
      expect(await ada.page.evaluate('navigator.clipboard.readText()')).toBe(text.text);
    },
  );

  itNeeds(
    aBrowser,
    'finds words in the transcript, counts them, and goes from one to the next by keyboard',
    async () => {
      await ada.goTo(`/calls/${long}`);
      const field = ada.page.getByLabel('Search the transcript');
      await field.fill('line 39');
      await ada.page.getByText('1 of 111').waitFor();
      const current = () => ada.page.locator('mark[data-current]');
      expect(await current().textContent()).toBe('Line 39');
      await field.press('Enter');
      await ada.page.getByText('2 of 111').waitFor();
      await field.press('Shift+Enter');
      await field.press('Shift+Enter');
      await ada.page.getByText('111 of 111').waitFor();
      expect(await current().isVisible()).toBe(true);
      const box = await current().boundingBox();
      expect(box !== null && box.y > 0 && box.y < 900).toBe(true);
      await field.fill('(A.B)');
      await ada.page.getByText('1 of 2,000 or more').waitFor();
      await field.fill('.*');
      await ada.page.getByText('No matches').waitFor();
      await field.press('Escape');
      expect(await ada.page.locator('mark').count()).toBe(0);
    },
  );

  itNeeds(aBrowser, 'is printed without the application around it, with the transcript', async () => {
    await ada.goTo(`/calls/${hostile}`);
    await ada.heading('Summary').waitFor();
    await ada.page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    const isSeen = (what: ReturnType<Visitor['button']>) => what.isVisible();
    expect(await isSeen(ada.page.getByRole('navigation', { name: 'Main' }).first())).toBe(false);
    expect([await isSeen(ada.button('Download')), await isSeen(ada.page.getByLabel('Search the transcript'))]).toEqual([
      false,
      false,
    ]);
    expect(await isSeen(ada.page.getByText(payload('customer')).last())).toBe(true);
    expect(await ada.page.evaluate('getComputedStyle(document.querySelector("main h2")).color')).toBe('rgb(0, 0, 0)');
    await ada.page.emulateMedia({ media: null, colorScheme: null });
  });

  itNeeds(aBrowser, 'says what happens now as long as it is not there, and why there is none', async () => {
    const [waiting, heard, judged, broken, silent] = states;
    for (const [id, name, now, step] of [
      [waiting, 'waiting', 'The recording is waiting in the queue.', 'Queued'],
      [heard, 'heard', 'Transcribing and identifying speakers', 'Transcription'],
      [judged, 'judged', 'Analyzing the transcript', 'Analysis'],
    ] as const) {
      await ada.goTo(`/calls/${id}`);
      await ada.page.getByText(now, { exact: false }).waitFor();
      expect(await ada.page.locator('[aria-current=step]').textContent()).toContain(step);
      expect(await inspectPage(ada, `report-${name}`)).toEqual([]);
    }
    await ada.goTo(`/calls/${broken}`);
    await ada.page.getByText('It could not be decoded. Convert it to MP3.').waitFor();
    await ada.button('Upload a recording').waitFor();
    expect(await inspectPage(ada, 'report-failed')).toEqual([]);
    await ada.goTo(`/calls/${silent}`);
    await ada.page.getByText('Not scored').waitFor();
    await ada.page.getByText('No speech was found in this recording.').waitFor();
    await ada.page.getByText('This recording has no transcript.').waitFor();
    expect(await ada.heading('Details').count()).toBe(0);
    expect(await inspectPage(ada, 'report-silent')).toEqual([]);
    await ada.goTo('/calls/call_nowhere');
    await ada.heading('Call not found').waitFor();
    expect(await inspectPage(ada, 'report-missing')).toEqual([]);
  });

  itNeeds(aBrowser, 'is deleted from its page, and brought back', async () => {
    await ada.goTo(`/calls/${long}`);
    await ada.button('Delete').click();
    await ada.page.waitForURL(/\/calls$/);
    await ada.page.getByText('Call deleted').waitFor();
    await ada.page.getByRole('link', { name: 'long.mp3' }).waitFor({ state: 'detached' });
    await ada.button('Undo').click();
    await ada.page.getByRole('link', { name: 'long.mp3' }).click();
    await ada.heading('long.mp3').waitFor();
  });

  itNeeds(aBrowser, 'shows one side at a time on a phone', async () => {
    await ada.page.setViewportSize({ width: 390, height: 844 });
    await ada.goTo(`/calls/${hostile}`);
    await ada.heading('Summary').waitFor();
    expect(await ada.heading('Transcript').isVisible()).toBe(false);
    await ada.page.getByText('Transcript', { exact: true }).first().click();
    await ada.heading('Transcript').waitFor();
    expect(await ada.heading('Summary').isVisible()).toBe(false);
    const field = await ada.page.getByLabel('Search the transcript').boundingBox();
    const line = await ada.page.getByText(payload('manager')).last().boundingBox();
    expect((line?.y ?? 0) > (field?.y ?? 0) + (field?.height ?? 0)).toBe(true);
    expect(await inspectPage(ada, 'report-transcript')).toEqual([]);
    await ada.page.setViewportSize({ width: 1440, height: 900 });
  });
});
