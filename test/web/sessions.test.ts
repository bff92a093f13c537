import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { itNeeds } from '../requirements.fixture.ts';
import { aBrowser } from './browser.fixture.ts';
import { operator, WebInstallation } from './installation.fixture.ts';
import { PASSWORD, type Visitor } from './visitor.fixture.ts';

// What happens to an open page when something happens to its session, or to the server.
describe('an open page', () => {
  let web: WebInstallation;
  let ada: Visitor;

  beforeAll(async () => {
    if (!aBrowser.present) return;
    web = await WebInstallation.open();
    ada = await web.visitor();
    await ada.signUp();
  });
  afterAll(() => web?.close());

  itNeeds(
    aBrowser,
    'keeps what was typed when its session is over, asks to sign in, and then does what was asked',
    async () => {
      await ada.goTo('/settings/keys');
      await ada.button('New key').click();
      await ada.fill({ Name: 'Typed before' });
      await ada.page.context().clearCookies();
      await ada.button('Create key').click();
      await ada.heading('Sign in to continue').waitFor();
      const dialog = ada.page.getByRole('dialog', { name: 'Sign in to continue' });
      expect(await dialog.getByLabel('Email').inputValue()).toBe('ada@example.com');
      await dialog.getByLabel('Password', { exact: true }).fill('wrong');
      await dialog.getByRole('button', { name: 'Sign in' }).click();
      await dialog.getByRole('alert').waitFor();
      await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await dialog.getByRole('button', { name: 'Sign in' }).click();
      await ada.heading('Key created').waitFor();
      await ada.button('Done').click();
      await ada.page.getByText('Typed before').waitFor();
    },
  );

  itNeeds(aBrowser, 'of a member who was removed shows nothing more of the account', async () => {
    await ada.goTo('/settings/members');
    await ada.button('Invite').click();
    await ada.button('Create link').click();
    const link = (await ada.page.getByRole('region', { name: 'Invitation as member' }).textContent()) ?? '';
    await ada.button('Done').click();
    const bob = await web.visitor();
    await bob.page.goto(link);
    await bob.fill({ 'Your name': 'Bob', Email: 'bob@example.com', Password: PASSWORD });
    await bob.button('Join').click();
    await bob.page.waitForURL(/\/calls$/);

    await ada.page.reload();
    await ada.button('Remove Bob').click();
    await ada.page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await ada.page.getByText('Bob removed.').waitFor();

    await bob.page.getByRole('link', { name: 'Settings' }).click();
    const dialog = bob.page.getByRole('dialog', { name: 'Sign in to continue' });
    await dialog.waitFor();
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.getByRole('alert').waitFor();
    expect(await bob.page.content()).not.toContain('Typed before');
  });

  itNeeds(aBrowser, 'says that the server is gone, and goes on when it is back', async () => {
    await ada.goTo('/settings/profile');
    await ada.fill({ Name: 'Ada Lovelace' });
    const port = new URL(web.url).port;
    await web.installation.kill('SIGTERM');
    await ada.button('Save').click();
    await ada.page.getByText('Connection lost. Reconnecting…').waitFor();
    await ada.page.getByRole('alert').first().waitFor();
    await web.installation.start({ settings: { PORT: port } });
    await ada.page.getByText('Connection restored.').waitFor({ timeout: 30_000 });
    expect(await ada.page.getByLabel('Name', { exact: true }).inputValue()).toBe('Ada Lovelace');
    await ada.button('Save').click();
    await ada.page.getByText('Name saved.').waitFor();
  });

  itNeeds(aBrowser, 'is never blank: what could not be loaded says why, and can be tried again', async () => {
    const detail = 'The accounts cannot be read now. Try again.';
    const problem = {
      type: '/docs#temporarily_unavailable',
      title: 'Unavailable',
      status: 503,
      code: 'temporarily_unavailable',
      detail,
      requestId: 'r1',
    };
    await ada.page.route('**/app/keys', (route) =>
      route.fulfill({ status: 503, contentType: 'application/problem+json', body: JSON.stringify(problem) }),
    );
    await ada.goTo('/settings/keys');
    await ada.page.getByText(detail).waitFor();
    await ada.page.unroute('**/app/keys');
    await ada.button('Try again').click();
    await ada.page.getByText('Typed before').waitFor();
  });

  itNeeds(
    aBrowser,
    'can be used with the keyboard alone: the first stop skips to the content, and pages are announced',
    async () => {
      await ada.goTo('/calls');
      await ada.heading(/^Calls$/).waitFor();
      await ada.page.keyboard.press('Tab');
      expect(await ada.page.evaluate('document.activeElement.textContent')).toBe('Skip to content');
      await ada.page.keyboard.press('Enter');
      expect(await ada.page.evaluate('document.activeElement.id')).toBe('content');
      await ada.page.getByRole('link', { name: 'Overview' }).focus();
      await ada.page.keyboard.press('Enter');
      await ada.heading('Overview').waitFor();
      await ada.page.waitForFunction('document.activeElement.tagName === "H1"');
      expect(await ada.page.evaluate('document.activeElement.textContent')).toBe('Overview');
      expect(await ada.page.title()).toBe('Overview · Call Analytics');
    },
  );

  itNeeds(aBrowser, 'remembers the chosen colors before it paints', async () => {
    await ada.goTo('/calls');
    await ada.button(/Ada/).click();
    await ada.page.getByText('Dark', { exact: true }).click();
    await ada.page.reload({ waitUntil: 'commit' });
    await ada.page.waitForSelector('html[data-mantine-color-scheme=dark]', { state: 'attached' });
  });

  itNeeds(aBrowser, 'shows nothing of one account to whoever signs in to another, in another tab', async () => {
    await ada.goTo('/settings/keys');
    await ada.page.getByText('Typed before').waitFor();
    const { account } = await operator<{ account: { id: string } }>(web, 'create', '--name', 'Globex');
    const { url } = await operator<{ url: string }>(web, 'claim', account.id);
    const tab = await web.tab(ada);
    await tab.page.goto(url);
    await tab.heading('You are signed in as ada@example.com').waitFor();
    await tab.button('Sign out').click();
    await ada.heading('Sign in to continue').waitFor();
    await tab.heading('Join Globex').waitFor();
    await tab.fill({ 'Your name': 'Eve', Email: 'eve@example.com', Password: PASSWORD });
    await tab.button('Join').click();
    await ada.button(/Eve/).waitFor();
    // The key that an account made on the command line begins with.
    await ada.page.getByText('default', { exact: true }).waitFor();
    expect(await ada.page.content()).not.toContain('Typed before');
  });

  itNeeds(aBrowser, 'goes nowhere else after signing in, whatever its address says', async () => {
    for (const next of ['//evil.example/', 'https://evil.example/', '/\\evil.example', 'javascript:alert(1)']) {
      // Another browser each time: an answer that is still on its way would bring a cookie back.
      const eve = await web.visitor();
      await eve.goTo(`/sign-in?next=${encodeURIComponent(next)}`);
      await eve.signIn('ada@example.com');
      await eve.page.waitForURL(`${web.url}/calls`);
      expect(eve.foreignRequests).toEqual([]);
      await eve.page.context().close();
    }
  });
});
