import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { itNeeds } from '../requirements.fixture.ts';
import { aBrowser } from './browser.fixture.ts';
import { WebInstallation } from './installation.fixture.ts';
import { placeCalls } from './placed-calls.fixture.ts';
import type { Visitor } from './visitor.fixture.ts';

// What a page asks for on its way, and in which order. How long that takes is measured in test/load.
describe('the first load', () => {
  let web: WebInstallation;
  let ada: Visitor;

  beforeAll(async () => {
    if (!aBrowser.present) return;
    web = await WebInstallation.open();
    ada = await web.visitor();
    await ada.signUp();
    await placeCalls(web, ada, [{ fileName: 'one.mp3' }]);
  });
  afterAll(() => web?.close());

  itNeeds(aBrowser, 'asks for the session and the list before its scripts are there, and once', async () => {
    const tab = await web.tab(ada);
    const asked: string[] = [];
    tab.page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (/^\/(app|api)\/(?!events)/.test(pathname)) asked.push(pathname);
    });
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    // No script of the application arrives before both were asked for.
    await tab.page.route('**/assets/*.js', async (route) => {
      await released;
      await route.continue();
    });
    const list = tab.page.waitForRequest('**/app/calls?*');
    await tab.page.goto(`${web.url}/calls`, { waitUntil: 'commit' });
    await list;
    expect(asked.sort()).toEqual(['/app/calls', '/app/session']);
    release();
    await tab.page.getByRole('link', { name: 'one.mp3' }).waitFor();
    expect(asked.filter((path) => path === '/app/calls' || path === '/app/session').sort()).toEqual([
      '/app/calls',
      '/app/session',
    ]);
    expect(tab.pageErrors).toEqual([]);
    await tab.page.close();
  });

  itNeeds(
    aBrowser,
    'leads to the sign-in page before the application has arrived, when nobody is signed in',
    async () => {
      const stranger = await web.visitor();
      await stranger.page.route('**/assets/index-*.js', () => {});
      await stranger.page.goto(`${web.url}/calls/call_1?x=1#part`, { waitUntil: 'commit' });
      await stranger.heading('Sign in').waitFor();
      expect(stranger.page.url()).toBe(`${web.url}/sign-in?next=${encodeURIComponent('/calls/call_1?x=1#part')}`);
      expect(stranger.pageErrors).toEqual([]);
    },
  );

  itNeeds(aBrowser, 'requests a stylesheet again that failed to load', async () => {
    for (const visitor of [await web.visitor(), await web.tab(ada)]) {
      const failed = new Set<string>();
      await visitor.page.route('**/assets/*.css', (route) => {
        const url = route.request().url();
        if (failed.has(url)) return route.continue();
        failed.add(url);
        return route.abort('connectionreset');
      });
      const isOutside = visitor.page.context() !== ada.page.context();
      await visitor.goTo(isOutside ? '/sign-in' : '/calls');
      await visitor.heading(isOutside ? 'Sign in' : 'Calls').waitFor();
      expect(failed.size).toBeGreaterThan(0);
      const margin = await visitor.page.evaluate('getComputedStyle(document.body).margin');
      expect({ isOutside, margin }).toEqual({ isOutside, margin: '0px' });
      await visitor.page.close();
    }
  });
});
