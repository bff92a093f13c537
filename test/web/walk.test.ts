import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { itNeeds } from '../requirements.fixture.ts';
import { until } from '../until.fixture.ts';
import { aBrowser } from './browser.fixture.ts';
import { operator, WebInstallation } from './installation.fixture.ts';
import { paste } from './main-job.fixture.ts';
import type { Visitor } from './visitor.fixture.ts';

// What a person does in the first minutes, in the order in which they do it.
describe('the first minutes', () => {
  let web: WebInstallation;
  let ada: Visitor;

  beforeAll(async () => {
    if (!aBrowser.present) return;
    web = await WebInstallation.open();
    ada = await web.visitor();
  });
  afterAll(() => web?.close());

  itNeeds(aBrowser, 'whoever signs up first owns the installation, and sees what to do next', async () => {
    await ada.goTo('/');
    await ada.page.waitForURL(/\/sign-in/);
    await ada.signUp();
    await ada.heading('No calls yet').waitFor();
    expect(await ada.page.title()).toBe('Calls · Call Analytics');
  });

  itNeeds(
    aBrowser,
    'a key is shown once, with a curl line that works as pasted, until the key is revoked',
    async () => {
      await ada.goTo('/settings/keys');
      await ada.button('New key').click();
      await ada.fill({ Name: 'Phone system' });
      await ada.button('Create key').click();
      const line = (await ada.page.getByRole('region', { name: 'Try it in a terminal' }).textContent()) ?? '';
      expect(line).toMatch(/^curl /);
      expect(await paste(line)).toMatchObject({ name: 'Acme' });

      await ada.button('Done').click();
      expect(await ada.page.content()).not.toContain(line.match(/aca_\w+/)?.[0]);
      // Uses are written down a moment later.
      await until(async () => {
        await ada.page.reload();
        await ada.page.getByText('Phone system').waitFor();
        return (await ada.page.getByText(/Last used/).count()) > 0;
      }, 'the key says when it was used');
      await ada.button('Revoke Phone system').click();
      await ada.page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
      await ada.heading('No keys yet').waitFor();
      expect(await paste(line)).toMatchObject({ status: 401, code: 'invalid_api_key' });
    },
  );

  itNeeds(aBrowser, 'a key can be limited to reading and in time, and its row says so', async () => {
    await ada.goTo('/settings/keys');
    await ada.button('New key').click();
    await ada.fill({ Name: 'Dashboard' });
    await ada.page.getByLabel('Read only: list calls and read reports').check();
    await ada.page.getByLabel('Expires').selectOption({ label: 'In 30 days' });
    await ada.button('Create key').click();
    const secret = ((await ada.page.getByRole('region', { name: 'Dashboard' }).textContent()) ?? '').trim();
    await ada.button('Done').click();
    const row = ada.page.getByRole('listitem').filter({ hasText: 'Dashboard' });
    await row.getByText('Read only', { exact: true }).waitFor();
    await row.getByText(/^Expires [A-Z][a-z]{2} \d{1,2}, \d{4}$/).waitFor();
    const headers = { Authorization: `Bearer ${secret}` };
    expect((await fetch(`${web.url}/api/v1/calls`, { headers })).status).toBe(200);
    const refused = await fetch(`${web.url}/api/v1/calls/call_1`, { method: 'DELETE', headers });
    expect(await refused.json()).toMatchObject({ status: 403, code: 'insufficient_scope' });
    const { keys } = (await (await ada.page.request.get(`${web.url}/app/keys`)).json()) as {
      keys: { name: string; createdAt: string; expiresAt: string | null }[];
    };
    const key = keys.find(({ name }) => name === 'Dashboard');
    const days = (Date.parse(key?.expiresAt ?? '') - Date.parse(key?.createdAt ?? '')) / 86_400_000;
    expect(Math.round(days)).toBe(30);
  });

  itNeeds(aBrowser, 'an invited colleague joins by a link that works once, and sees the same account', async () => {
    await ada.goTo('/settings/members');
    await ada.button('Invite').click();
    await ada.button('Create link').click();
    const link = (await ada.page.getByRole('region', { name: 'Invitation as member' }).textContent()) ?? '';
    await ada.button('Done').click();

    const bob = await web.visitor();
    await bob.page.goto(link);
    await bob.heading('Join Acme').waitFor();
    await bob.fill({ 'Your name': 'Bob', Email: 'bob@example.com', Password: 'another few words' });
    await bob.button('Join').click();
    await bob.page.waitForURL(/\/calls$/);
    await bob.goTo('/settings/account');
    await bob.page.getByText('Acme').first().waitFor();

    const late = await web.visitor();
    await late.page.goto(link);
    await late.heading('This link does not work').waitFor();
    expect([...bob.pageErrors, ...late.pageErrors]).toEqual([]);
  });

  itNeeds(aBrowser, 'nobody else may sign up, and the page says how to get in', async () => {
    const stranger = await web.visitor();
    await stranger.goTo('/sign-up');
    await stranger.heading('Sign-up is closed').waitFor();
  });

  itNeeds(
    aBrowser,
    'an account made on the command line gets its first user by a claim link, and sees nothing of the others',
    async () => {
      const { account } = await operator<{ account: { id: string } }>(web, 'create', '--name', 'Globex');
      const { url } = await operator<{ url: string }>(web, 'claim', account.id);
      const eve = await web.visitor();
      await eve.page.goto(url);
      await eve.heading('Join Globex').waitFor();
      await eve.fill({ 'Your name': 'Eve', Email: 'eve@example.com', Password: 'some other few words' });
      await eve.button('Join').click();
      await eve.heading('No calls yet').waitFor();
      await eve.goTo('/settings/members');
      await eve.page.getByText('eve@example.com').first().waitFor();
      const seen = await eve.page.content();
      expect(seen).not.toContain('ada@example.com');
      expect(seen).not.toContain('Acme');
    },
  );

  itNeeds(aBrowser, 'an operator makes a link for a forgotten password, and one that signs in', async () => {
    const carl = await web.visitor();
    await carl.goTo('/forgot');
    await carl.page.getByText('npm run accounts -- reset-password').waitFor();
    const { url } = await operator<{ url: string }>(web, 'reset-password', 'bob@example.com');
    await carl.page.goto(url);
    await carl.fill({ 'New password': 'quite a new one' });
    await carl.button('Set password').click();
    await carl.page.getByRole('link', { name: 'Sign in' }).click();
    await carl.signIn('bob@example.com', 'quite a new one');
    await carl.page.waitForURL(/\/calls$/);

    const { url: once } = await operator<{ url: string }>(web, 'sign-in-link', 'ada@example.com');
    const dora = await web.visitor();
    await dora.page.goto(once);
    await dora.page.waitForURL(/\/calls$/);
    await dora.page.getByText('Ada Byron').first().waitFor();
    const late = await web.visitor();
    await late.page.goto(once);
    await late.heading('This link does not work').waitFor();
  });

  itNeeds(aBrowser, 'whoever signs out is out in every tab, and their pages are no longer to be had', async () => {
    const other = await web.tab(ada);
    await other.goTo('/settings/profile');
    await other.heading('Profile').waitFor();
    await ada.goTo('/calls');
    await ada.button(/Ada Byron/).click();
    await ada.page.getByRole('menuitem', { name: 'Sign out' }).click();
    await ada.page.waitForURL(/\/sign-in/);
    await other.heading('Sign in to continue').waitFor();
    await ada.goTo('/settings/keys');
    await ada.page.waitForURL(/\/sign-in\?next=%2Fsettings%2Fkeys/);
    await ada.signIn('ada@example.com');
    await ada.page.waitForURL(/\/settings\/keys$/);
    // Who signed in again in one tab has done so in all.
    await other.heading('Sign in to continue').waitFor({ state: 'detached' });
  });

  itNeeds(
    aBrowser,
    'an account is deleted by whoever types its name and their password, with everything in it',
    async () => {
      await ada.goTo('/settings/account');
      await ada.button('Delete account…').click();
      await ada.fill({ 'Type “Acme” to confirm': 'Acme', 'Your password': 'not this one' });
      await ada.button('Delete permanently').click();
      await ada.page.getByRole('dialog').getByRole('alert').waitFor();
      await ada.fill({ 'Your password': 'a few words in a row' });
      await ada.button('Delete permanently').click();
      await ada.page.waitForURL(/\/sign-in/);
      await ada.signIn('ada@example.com');
      await ada.page.getByRole('alert').waitFor();
    },
  );

  itNeeds(
    aBrowser,
    'no page asked another address for anything, nor did what the content security policy refuses',
    () => {
      expect(ada.foreignRequests).toEqual([]);
      expect(ada.pageErrors).toEqual([]);
    },
  );
});
