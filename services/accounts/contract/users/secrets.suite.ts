import { expect, it } from '@jest/globals';
import { actorOf, ORIGIN, outcomeOf, PASSWORD, type UsersFixture } from '../users.fixture.ts';

export function secrets(fixture: UsersFixture): void {
  it('leaves no password and no token in the log, whatever happens', async () => {
    const owner = await fixture.owner();
    const member = await fixture.joined(owner, 'member', 'bob@example.com');
    const [reset, signIn, { account }] = await Promise.all([
      fixture.users.makeResetLink({ email: 'bob@example.com' }),
      fixture.users.makeSignInLink({ email: 'bob@example.com' }),
      fixture.accounts.createAccount({ name: 'Other' }),
    ]);
    const { token: claim } = await fixture.users.claim({ accountId: account.id });
    const { token: invitation } = await fixture.users.invite({ actor: actorOf(owner), role: 'member' });
    const passwords = [PASSWORD, 'a wrong password', 'a new password to be'];
    const everything = async () => {
      const origin = ORIGIN;
      await outcomeOf(fixture.users.signIn({ email: 'ada@example.com', password: 'a wrong password', origin }));
      await outcomeOf(
        fixture.users.signUp({ name: 'Eve', email: 'bob@example.com', password: PASSWORD, invitation, origin }),
      );
      await outcomeOf(
        fixture.users.changePassword({
          token: owner.token,
          currentPassword: 'a wrong password',
          newPassword: PASSWORD,
          origin,
        }),
      );
      await outcomeOf(fixture.users.requestPasswordReset({ email: 'ada@example.com', origin }));
      await outcomeOf(fixture.users.signInByLink({ token: signIn.token, origin }));
      await outcomeOf(fixture.users.resetPassword({ token: reset.token, newPassword: 'a new password to be' }));
      await outcomeOf(fixture.users.findInvitation({ token: claim }));
      await outcomeOf(fixture.users.session({ token: member.token }));
      await outcomeOf(fixture.users.confirmOwner({ actor: actorOf(owner), password: 'a wrong password' }));
    };
    await everything();
    await fixture.users.close();
    await everything();
    const log = fixture.log.join('\n');
    for (const secret of [...passwords, owner.token, member.token, reset.token, signIn.token, claim, invitation]) {
      expect(log).not.toContain(secret);
    }
  });
}
