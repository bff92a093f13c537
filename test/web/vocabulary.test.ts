import type { Vocabulary } from '@call-analytics/contracts';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { itNeeds } from '../requirements.fixture.ts';
import { aBrowser } from './browser.fixture.ts';
import { inspectPage } from './inspect-page.fixture.ts';
import { WebInstallation } from './installation.fixture.ts';
import type { Visitor } from './visitor.fixture.ts';

describe('the vocabulary in the settings', () => {
  let web: WebInstallation;
  let ada: Visitor;

  beforeAll(async () => {
    if (!aBrowser.present) return;
    web = await WebInstallation.open();
    ada = await web.visitor();
    await ada.signUp();
  });
  afterAll(() => web?.close());

  const terms = (visitor: Visitor) => visitor.page.getByLabel('Terms');
  const stored = async () =>
    (await ada.page.evaluate('fetch("/api/v1/vocabulary").then((answer) => answer.json())')) as Vocabulary;
  const edit = async (visitor: Visitor, text: string) => {
    await terms(visitor).fill(text);
    await visitor.button('Save').click();
  };

  itNeeds(aBrowser, 'is a list with one term a line, and is there again when the page is opened again', async () => {
    await ada.goTo('/settings/vocabulary');
    await terms(ada).waitFor();
    expect(await ada.button('Save').isDisabled()).toBe(true);
    await edit(ada, '\n Riverbank  Printing \nKowalczyk\n\nkowalczyk\n');
    await ada.page.getByText('Vocabulary saved.').waitFor();
    expect(await stored()).toEqual({ revision: 1, terms: ['Riverbank Printing', 'Kowalczyk'] });
    await ada.goTo('/settings/vocabulary');
    expect(await terms(ada).inputValue()).toBe('Riverbank Printing\nKowalczyk');
    expect(await inspectPage(ada, 'vocabulary')).toEqual([]);
  });

  itNeeds(aBrowser, 'says which term breaks which rule, and keeps the text', async () => {
    await ada.goTo('/settings/vocabulary');
    await edit(ada, 'Riverbank Printing\nSay: "hello"!');
    await ada.page.getByText(/^“Say: "hello"!” must have 1 to 60 characters/).waitFor();
    expect(await inspectPage(ada, 'vocabulary-refused')).toEqual([]);
    expect(await terms(ada).inputValue()).toBe('Riverbank Printing\nSay: "hello"!');
    await edit(ada, Array.from({ length: 501 }, (_, n) => `term ${n}`).join('\n'));
    await ada.page.getByText('Vocabulary must have at most 500 entries.').waitFor();
  });

  itNeeds(aBrowser, 'of two editors, the second one sees the list of the first before anything is lost', async () => {
    await ada.goTo('/settings/vocabulary');
    const other = await web.tab(ada);
    await other.goTo('/settings/vocabulary');
    await terms(other).waitFor();
    await edit(ada, 'Halvorsen');
    await ada.page.getByText('Vocabulary saved.').waitFor();
    const { revision } = await stored();
    await edit(other, 'Zendrax');
    await other.page.getByText('Someone else has changed the vocabulary.').waitFor();
    expect(await terms(other).inputValue()).toBe('Zendrax');
    expect(await stored()).toEqual({ revision, terms: ['Halvorsen'] });
    await other.button('Load their list').click();
    await other.button('Load their list').waitFor({ state: 'detached' });
    expect(await terms(other).inputValue()).toBe('Halvorsen');
    await edit(other, `${await terms(other).inputValue()}\nZendrax`);
    await other.page.getByText('Vocabulary saved.').waitFor();
    expect(await stored()).toEqual({ revision: revision + 1, terms: ['Halvorsen', 'Zendrax'] });
  });
});
