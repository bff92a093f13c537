import { afterAll, beforeAll, beforeEach, describe, expect } from '@jest/globals';
import { itNeeds } from '../requirements.fixture.ts';
import { aBrowser } from './browser.fixture.ts';
import { WebInstallation } from './installation.fixture.ts';
import type { Visitor } from './visitor.fixture.ts';

// Pages come in chunks. What happens when one cannot be loaded: the server is away, or a deployment has replaced it.
describe('a page whose code cannot be loaded', () => {
  let web: WebInstallation;
  let ada: Visitor;
  /** The addresses of whole pages that were loaded. */
  let loads: string[];

  beforeAll(async () => {
    if (!aBrowser.present) return;
    web = await WebInstallation.open();
    ada = await web.visitor();
    ada.page.on('request', (request) => {
      if (request.isNavigationRequest()) loads.push(new URL(request.url()).pathname);
    });
    loads = [];
    await ada.signUp();
  });
  beforeEach(async () => {
    if (!aBrowser.present) return;
    await ada.page.unrouteAll();
    await ada.page.evaluate('sessionStorage.clear()');
    await ada.goTo('/calls');
    await ada.heading('No calls yet').waitFor();
    loads = [];
  });
  afterAll(() => web?.close());

  const link = (name: string) => ada.page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name });

  /**
   * As after a deployment: pages begin with another script, and the chunks of this version are gone. The new version is
   * there for whoever loads the page at this address.
   */
  async function deploy(address: string): Promise<void> {
    let isOld = true;
    const body = '<script type="module" crossorigin src="/assets/index-new.js"></script>';
    await ada.page.route(`${web.url}${address}`, (route) => {
      isOld = false;
      return route.continue();
    });
    await ada.page.route(`${web.url}/assets/*`, (route) => (isOld ? route.fulfill({ status: 404 }) : route.continue()));
    await ada.page.route(`${web.url}/`, (route) =>
      isOld ? route.fulfill({ contentType: 'text/html', body }) : route.continue(),
    );
  }

  itNeeds(
    aBrowser,
    'waits for the server inside the application, and opens by itself when the server is back',
    async () => {
      const port = new URL(web.url).port;
      await web.installation.kill('SIGTERM');
      await link('Settings').click();
      await ada.page.getByText('This page opens when the server responds.').waitFor();
      await ada.page.getByText('Connection lost. Reconnecting…').waitFor();
      expect(await link('Calls').isVisible()).toBe(true);
      await web.installation.start({ settings: { PORT: port } });
      await ada.heading('API keys').waitFor({ timeout: 30_000 });
      expect(loads).toEqual([]);
    },
  );

  itNeeds(aBrowser, 'keeps what was typed in a form that was left for a page without a server', async () => {
    const port = new URL(web.url).port;
    await link('Settings').click();
    await ada.page.getByRole('link', { name: 'Profile' }).click();
    await ada.fill({ Name: 'Ada Lovelace' });
    await web.installation.kill('SIGTERM');
    await link('Overview').click();
    await ada.page.getByText('This page opens when the server responds.').waitFor();
    await ada.page.goBack();
    expect(await ada.page.getByLabel('Name', { exact: true }).inputValue()).toBe('Ada Lovelace');
    await web.installation.start({ settings: { PORT: port } });
    await ada.page.getByText('Connection restored.').waitFor({ timeout: 30_000 });
    await ada.button('Save').click();
    await ada.page.getByText('Name saved.').waitFor();
  });

  itNeeds(aBrowser, 'is loaded anew after a deployment, once and by itself, with what was typed', async () => {
    await link('Settings').click();
    await ada.button('New key').click();
    await ada.fill({ Name: 'Typed before' });
    await ada.page.goBack();
    await link('Settings').click();
    await ada.page.getByRole('link', { name: 'Profile' }).click();
    await ada.fill({ Name: 'Ada King' });
    await deploy('/overview');
    const reloaded = ada.page.waitForEvent('load');
    await link('Overview').click();
    await reloaded;
    await ada.heading('No calls in this period').waitFor();
    expect(loads).toEqual(['/overview']);
    await link('Settings').click();
    await ada.button('New key').click();
    expect(await ada.page.getByRole('dialog').getByLabel('Name').inputValue()).toBe('Typed before');
    await ada.button('Cancel').click();
    await ada.page.getByRole('link', { name: 'Profile' }).click();
    expect(await ada.page.getByLabel('Name', { exact: true }).inputValue()).toBe('Ada King');
  });

  itNeeds(aBrowser, 'never reloads in a loop: the second time it asks', async () => {
    await ada.page.route(/\/assets\/(keys|settings)-page[^/]*\.js$/, (route) => route.fulfill({ status: 404 }));
    await link('Settings').click();
    await ada.page.getByRole('alert').filter({ hasText: 'A new version is available' }).waitFor({ timeout: 40_000 });
    await ada.button('Reload page').waitFor();
    expect(loads).toEqual(['/settings/keys']);
  });

  itNeeds(aBrowser, 'waits for uploads before it reloads after a deployment', async () => {
    const held: (() => void)[] = [];
    await ada.page.route('**/api/v1/calls', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      await new Promise<void>((resolve) => held.push(resolve));
      await route.continue();
    });
    const choosing = ada.page.waitForEvent('filechooser');
    await ada.button('Choose files').first().click();
    await (await choosing).setFiles({
      name: 'one.mp3',
      mimeType: 'audio/mpeg',
      buffer: Buffer.from('no audio, but bytes'),
    });
    await ada.page.getByText('Uploading 1').waitFor();
    await deploy('/overview');
    await link('Overview').click();
    await ada.page
      .getByText('The page reloads when your uploads are complete. If you reload now, they stop.')
      .waitFor();
    expect(loads).toEqual([]);
    const reloaded = ada.page.waitForEvent('load');
    for (const release of held) release();
    await reloaded;
    expect(loads).toEqual(['/overview']);
  });
});
