import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { itNeeds } from '../requirements.fixture.ts';
import { until } from '../until.fixture.ts';
import { aBrowser } from './browser.fixture.ts';
import { accessibilityViolations } from './inspect-page.fixture.ts';
import { WebInstallation } from './installation.fixture.ts';
import type { Visitor } from './visitor.fixture.ts';

/**
 * What axe-core finds in the renderer itself: buttons that only show an icon, and "show more" under another name than
 * its text.
 */
const OF_THE_RENDERER = /^(button-name|label-content-name-mismatch): /;

describe('the documentation at /docs', () => {
  let web: WebInstallation;
  let reader: Visitor;

  beforeAll(async () => {
    if (!aBrowser.present) return;
    web = await WebInstallation.open();
    reader = await web.visitor();
  });
  afterAll(() => web?.close());

  itNeeds(aBrowser, 'is read without a session, and its commands name the installation that serves it', async () => {
    await reader.goTo('/docs');
    await reader.heading('Quick start').waitFor();
    await reader.page.getByText(`export CALLS_URL=${web.url}`).waitFor();
    expect(await reader.page.content()).not.toContain('calls.example.com');
    await reader.page.getByRole('link', { name: /^Upload a call/ }).click();
    await reader.heading('Upload a call').waitFor();
  });

  itNeeds(aBrowser, 'has nothing serious for axe-core, and nothing wider than the screen, light and dark', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const visitor = await web.visitor({ colorScheme });
      await visitor.goTo('/docs#tag/calls');
      await visitor.heading('Upload a call').waitFor();
      for (const width of [1440, 390]) {
        await visitor.page.setViewportSize({ width, height: 900 });
        const found = (await accessibilityViolations(visitor.page)).filter((barrier) => !OF_THE_RENDERER.test(barrier));
        const beyond = await visitor.page.evaluate('document.documentElement.scrollWidth - innerWidth');
        expect({ colorScheme, width, found, beyond }).toEqual({ colorScheme, width, found: [], beyond: 0 });
      }
      expect(await visitor.page.evaluate('document.body.classList.contains("dark-mode")')).toBe(colorScheme === 'dark');
      await visitor.page.context().close();
    }
  });

  itNeeds(aBrowser, 'opens at the error that the type of a problem names', async () => {
    const { type } = (await (await fetch(`${web.url}/api/v1/me`)).json()) as { type: string };
    await reader.page.goto(new URL(type, web.url).href);
    const heading = reader.heading('invalid_api_key');
    await heading.waitFor();
    await until(async () => Math.abs((await heading.boundingBox())?.y ?? 9_999) < 900, 'the page scrolls to the error');
  });

  itNeeds(aBrowser, 'sends a request with the key that the reader enters', async () => {
    const { key } = await web.installation.client('Acme');
    const { page } = reader;
    await reader.goTo('/docs#tag/account/GET/api/v1/me');
    const operation = page.locator('section[id$="tag/account/GET/api/v1/me"]');
    const answer = page.waitForResponse('**/api/v1/me');
    await operation.getByRole('button', { name: /^Test Request/ }).click();
    const client = page.getByRole('dialog');
    await client.getByPlaceholder('Token').fill(key);
    await client.getByRole('button', { name: /^Send Request/ }).click();
    const response = await answer;
    expect(response.status()).toBe(200);
    expect(new URL(response.url()).origin).toBe(web.url);
    expect(await response.json()).toMatchObject({ name: 'Acme' });
    await client.getByText('200 OK').first().waitFor();
  });

  itNeeds(
    aBrowser,
    'asks no other origin for anything, and does nothing that its content security policy refuses',
    () => {
      expect(reader.foreignRequests).toEqual([]);
      expect(reader.pageErrors).toEqual([]);
    },
  );
});
