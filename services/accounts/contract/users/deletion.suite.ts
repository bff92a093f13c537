import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { actorOf, ORIGIN, outcomeOf, PASSWORD, refusal, type UsersFixture } from '../users.fixture.ts';

export function deletion(fixture: UsersFixture): void {
  describe('an account that is deleted', () => {
    it('takes its users, sessions, links and keys with it at once, and nothing of another account', async () => {
      const owner = await fixture.owner();
      const member = await fixture.joined(owner, 'member', 'bob@example.com');
      const stranger = await fixture.stranger();
      const { id: accountId } = owner.session.account;
      const { secret } = await fixture.accounts.createKey({ accountId, name: 'first' });
      const { secret: theirs } = await fixture.accounts.createKey({
        accountId: stranger.session.account.id,
        name: 'first',
      });
      const invited = await fixture.users.invite({ actor: actorOf(owner), role: 'member' });
      const { token: link } = await fixture.users.makeSignInLink({ email: 'bob@example.com' });
      expect(await fixture.accounts.authenticate({ apiKey: secret })).not.toBeNull();

      await fixture.users.deleteAccount({ actor: actorOf(owner) });

      // In SQLite a key that was read counts for the rest of this turn of the event loop.
      await setImmediate();
      expect(await fixture.accounts.authenticate({ apiKey: secret })).toBeNull();
      for (const { token } of [owner, member]) expect(await fixture.users.session({ token })).toBeNull();
      expect(await fixture.users.findInvitation({ token: invited.token })).toBeNull();
      await expect(fixture.users.signInByLink({ token: link, origin: ORIGIN })).rejects.toMatchObject(
        refusal('link_not_valid'),
      );
      for (const email of ['ada@example.com', 'bob@example.com']) {
        const signIn = fixture.users.signIn({ email, password: PASSWORD, origin: ORIGIN });
        await expect(signIn).rejects.toMatchObject(refusal('wrong_credentials'));
      }
      await expect(fixture.accounts.listKeys({ accountId })).rejects.toMatchObject(refusal('no_such_account'));
      expect(await fixture.accounts.listAccounts()).toEqual({ accounts: [stranger.session.account] });
      expect(await fixture.users.session({ token: stranger.token })).toEqual(stranger.session);
      expect(await fixture.accounts.authenticate({ apiKey: theirs })).not.toBeNull();
    });

    it('has an owner who confirms it with their password; that hashes once, ends no session and begins none', async () => {
      const owner = await fixture.owner();
      const sessions = [owner];
      while (sessions.length < 50) {
        const { token } = await fixture.users.makeSignInLink({ email: 'ada@example.com' });
        sessions.push(await fixture.users.signInByLink({ token, origin: ORIGIN }));
      }
      const confirm = (password: string) => outcomeOf(fixture.users.confirmOwner({ actor: actorOf(owner), password }));
      expect(await confirm('not the password')).toBe('wrong_password');
      const before = fixture.hashed;
      expect(await confirm(PASSWORD)).toBe('done');
      expect(fixture.hashed - before).toBe(1);
      for (const { token } of sessions) expect(await fixture.users.session({ token })).not.toBeNull();
      await fixture.users.deleteAccount({ actor: actorOf(owner) });
      expect(await confirm(PASSWORD)).toBe('not_allowed');
      expect(await outcomeOf(fixture.users.deleteAccount({ actor: actorOf(owner) }))).toBe('not_allowed');
    });

    it('leaves its emails free, and no way in for the next person who comes: only the operator makes accounts then', async () => {
      const owner = await fixture.owner();
      await fixture.users.deleteAccount({ actor: actorOf(owner) });
      expect((await fixture.users.installation()).signUp).toBe('closed');
      expect(await outcomeOf(fixture.owner())).toBe('sign_up_closed');
      await expect(fixture.users.makeSetupLink()).rejects.toMatchObject(refusal('already_set_up'));
      expect((await fixture.stranger('ada@example.com')).session.role).toBe('owner');
    });
  });
}
