import { describe, expect, it } from '@jest/globals';
import { actorOf, ORIGIN, outcomeOf, PASSWORD, refusal, type UsersBench } from '../users.suite.ts';

export function deletion(bench: UsersBench): void {
  describe('an account that is deleted', () => {
    it('takes its users, sessions, links and keys with it at once, and nothing of another account', async () => {
      const owner = await bench.owner();
      const member = await bench.joined(owner, 'member', 'bob@example.com');
      const stranger = await bench.stranger();
      const { id: accountId } = owner.session.account;
      const { secret } = await bench.accounts.createKey({ accountId, name: 'first' });
      const { secret: theirs } = await bench.accounts.createKey({
        accountId: stranger.session.account.id,
        name: 'first',
      });
      const invited = await bench.users.invite({ actor: actorOf(owner), role: 'member' });
      const { token: link } = await bench.users.makeSignInLink({ email: 'bob@example.com' });
      expect(await bench.accounts.authenticate({ apiKey: secret })).not.toBeNull();

      await bench.users.deleteAccount({ actor: actorOf(owner), password: PASSWORD, origin: ORIGIN });

      expect(await bench.accounts.authenticate({ apiKey: secret })).toBeNull();
      for (const { token } of [owner, member]) expect(await bench.users.session({ token })).toBeNull();
      expect(await bench.users.findInvitation({ token: invited.token })).toBeNull();
      await expect(bench.users.signInByLink({ token: link, origin: ORIGIN })).rejects.toMatchObject(
        refusal('link_not_valid'),
      );
      for (const email of ['ada@example.com', 'bob@example.com']) {
        const signIn = bench.users.signIn({ email, password: PASSWORD, origin: ORIGIN });
        await expect(signIn).rejects.toMatchObject(refusal('wrong_credentials'));
      }
      await expect(bench.accounts.listKeys({ accountId })).rejects.toMatchObject(refusal('no_such_account'));
      expect(await bench.accounts.listAccounts()).toEqual({ accounts: [stranger.session.account] });
      expect(await bench.users.session({ token: stranger.token })).toEqual(stranger.session);
      expect(await bench.accounts.authenticate({ apiKey: theirs })).not.toBeNull();
    });

    it('is deleted by an owner with their password alone', async () => {
      const owner = await bench.owner();
      const attempt = (password: string) =>
        outcomeOf(bench.users.deleteAccount({ actor: actorOf(owner), password, origin: ORIGIN }));
      expect(await attempt('not the password')).toBe('wrong_credentials');
      expect(await bench.users.session({ token: owner.token })).not.toBeNull();
      expect(await attempt(PASSWORD)).toBe('done');
      expect(await attempt(PASSWORD)).toBe('not_allowed');
    });

    it('leaves its emails free, and no way in for the next person who comes: only the operator makes accounts then', async () => {
      const owner = await bench.owner();
      await bench.users.deleteAccount({ actor: actorOf(owner), password: PASSWORD, origin: ORIGIN });
      expect((await bench.users.installation()).signUp).toBe('closed');
      expect(await outcomeOf(bench.owner())).toBe('sign_up_closed');
      await expect(bench.users.makeSetupLink()).rejects.toMatchObject(refusal('already_set_up'));
      expect((await bench.stranger('ada@example.com')).session.role).toBe('owner');
    });
  });
}
