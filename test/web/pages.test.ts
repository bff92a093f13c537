import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { itNeeds } from '../requirements.fixture.ts';
import { aBrowser } from './browser.fixture.ts';
import { accessibilityViolations, inspectPage } from './inspect-page.fixture.ts';
import { WebInstallation } from './installation.fixture.ts';
import type { Visitor } from './visitor.fixture.ts';

/** Names and headings of people and accounts are text, whatever is in them. */
const MARKUP = '<img src=x onerror="document.title=1"><b>Ada</b>';

const OUTSIDE = [
  ['sign-in', '/sign-in', 'Sign in'],
  ['sign-up', '/sign-up', 'Create an account'],
  ['forgot', '/forgot', 'Reset your password'],
  ['password-reset', '/password-reset#token=x', 'Choose a new password'],
  ['invitation-bad', '/invitation#token=x', 'This link does not work'],
  ['link-bad', '/link#token=x', 'This link does not work'],
] as const;

const INSIDE = [
  ['calls-none', '/calls', 'No calls yet'],
  ['overview-none', '/overview', 'Overview'],
  ['settings-keys', '/settings/keys', 'API keys'],
  ['settings-scorecard-none', '/settings/scorecard', 'Calls are judged by the default rubric'],
  ['settings-trackers-none', '/settings/trackers', 'No trackers yet'],
  ['settings-vocabulary', '/settings/vocabulary', 'Vocabulary'],
  ['settings-members', '/settings/members', 'Pending invitations'],
  ['settings-profile', '/settings/profile', 'Password'],
  ['settings-account', '/settings/account', 'Delete account'],
  ['not-found', '/nowhere', 'Page not found'],
  ['call-not-found', '/calls/call_nowhere', /./],
] as const;

describe('every page', () => {
  let web: WebInstallation;
  let ada: Visitor;
  let nobody: Visitor;

  beforeAll(async () => {
    if (!aBrowser.present) return;
    web = await WebInstallation.open({ SIGN_UP: 'open' });
    nobody = await web.visitor();
    ada = await web.visitor();
    await ada.signUp({ name: MARKUP, account: `${MARKUP} & Sons` });
  });
  afterAll(() => web?.close());

  for (const [name, path, heading] of OUTSIDE)
    itNeeds(
      aBrowser,
      `${name}: nothing serious for axe-core, nothing wider than the screen, nothing refused by the policy`,
      async () => {
        await nobody.goTo(path);
        await nobody.heading(heading).first().waitFor();
        expect(await inspectPage(nobody, name)).toEqual([]);
      },
    );

  for (const [name, path, heading] of INSIDE)
    itNeeds(
      aBrowser,
      `${name}: nothing serious for axe-core, nothing wider than the screen, nothing refused by the policy`,
      async () => {
        await ada.goTo(path);
        await ada.heading(heading).first().waitFor();
        expect(await inspectPage(ada, name)).toEqual([]);
      },
    );

  itNeeds(aBrowser, 'the dialogs too', async () => {
    await ada.goTo('/settings/keys');
    await ada.button('New key').click();
    await ada.page.getByLabel('Name').waitFor();
    expect(await inspectPage(ada, 'key-new')).toEqual([]);
    await ada.fill({ Name: MARKUP });
    await ada.button('Create key').click();
    await ada.heading('Key created').waitFor();
    expect(await inspectPage(ada, 'key-made')).toEqual([]);
    await ada.button('Done').click();
    await ada.button(/^Revoke/).click();
    await ada.heading(/^Revoke the key/).waitFor();
    expect(await inspectPage(ada, 'key-revoke')).toEqual([]);
    await ada.button('Cancel').click();

    await ada.goTo('/settings/members');
    await ada.button('Invite').click();
    expect(await inspectPage(ada, 'invite')).toEqual([]);
    await ada.button('Create link').click();
    await ada.heading('Invitation created').waitFor();
    expect(await inspectPage(ada, 'invite-made')).toEqual([]);
    await ada.button('Done').click();
    expect(await inspectPage(ada, 'members-invited')).toEqual([]);

    await ada.goTo('/settings/account');
    await ada.button('Delete account…').click();
    await ada.heading(/^Delete <img/).waitFor();
    expect(await inspectPage(ada, 'account-delete')).toEqual([]);
  });

  itNeeds(
    aBrowser,
    'nothing is in the page for screen readers that is not seen: the drop zone comes with a dragged file',
    async () => {
      await ada.goTo('/calls');
      await ada.heading('No calls yet').waitFor();
      expect(await ada.page.content()).not.toContain('Drop recordings to upload them');
      await ada.page.evaluate(`(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['x'], 'x.mp3'));
      document.body.dispatchEvent(new DragEvent('dragenter', { bubbles: true, dataTransfer }));
      window.dragged = dataTransfer;
    })()`);
      await ada.heading('Drop recordings to upload them').waitFor();
      await ada.page.evaluate(
        `document.body.dispatchEvent(new DragEvent('dragleave', { bubbles: true, dataTransfer: window.dragged }))`,
      );
      await ada.heading('Drop recordings to upload them').waitFor({ state: 'detached' });
    },
  );

  itNeeds(aBrowser, 'the menus too', async () => {
    await ada.goTo('/calls');
    await ada.button(/Ada/).first().click();
    await ada.page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
    expect(await accessibilityViolations(ada.page)).toEqual([]);
    // The keyboard is in the menu, and back on its button when it is closed.
    await ada.page.keyboard.press('ArrowDown');
    await ada.page.locator('[role=menuitem]:focus').waitFor();
    await ada.page.keyboard.press('Escape');
    await ada.page.locator('[aria-haspopup=menu]:focus').waitFor();
    await ada.page.setViewportSize({ width: 390, height: 844 });
    await ada.button('Menu').click();
    await ada.page.getByRole('dialog').getByRole('link', { name: 'Overview' }).waitFor();
    expect(await accessibilityViolations(ada.page)).toEqual([]);
    await ada.page.getByRole('dialog').getByRole('link', { name: 'Overview' }).click();
    await ada.page.waitForURL(/\/overview$/);
    await ada.page.waitForFunction("document.title === 'Overview · Call Analytics'");
  });
});
