import { expect, it } from '@jest/globals';
import { actorOf, ORIGIN, outcomeOf, PASSWORD, type UsersBench } from '../users.suite.ts';

export function secrets(bench: UsersBench): void {
  it('leaves no password and no token in the log, whatever happens', async () => {
    const owner = await bench.owner();
    const member = await bench.joined(owner, 'member', 'bob@example.com');
    const [reset, signIn, { account }] = await Promise.all([
      bench.users.makeResetLink({ email: 'bob@example.com' }),
      bench.users.makeSignInLink({ email: 'bob@example.com' }),
      bench.accounts.createAccount({ name: 'Other' }),
    ]);
    const { token: claim } = await bench.users.claim({ accountId: account.id });
    const { token: invitation } = await bench.users.invite({ actor: actorOf(owner), role: 'member' });
    const passwords = [PASSWORD, 'a wrong password', 'a new password to be'];
    const everything = async () => {
      const origin = ORIGIN;
      await outcomeOf(bench.users.signIn({ email: 'ada@example.com', password: 'a wrong password', origin }));
      await outcomeOf(
        bench.users.signUp({ name: 'Eve', email: 'bob@example.com', password: PASSWORD, invitation, origin }),
      );
      await outcomeOf(
        bench.users.changePassword({
          token: owner.token,
          currentPassword: 'a wrong password',
          newPassword: PASSWORD,
          origin,
        }),
      );
      await outcomeOf(bench.users.requestPasswordReset({ email: 'ada@example.com', origin }));
      await outcomeOf(bench.users.signInByLink({ token: signIn.token, origin }));
      await outcomeOf(bench.users.resetPassword({ token: reset.token, newPassword: 'a new password to be' }));
      await outcomeOf(bench.users.findInvitation({ token: claim }));
      await outcomeOf(bench.users.session({ token: member.token }));
      await outcomeOf(bench.users.deleteAccount({ actor: actorOf(owner), password: 'a wrong password', origin }));
    };
    await everything();
    await bench.users.close();
    await everything();
    const log = bench.log.join('\n');
    for (const secret of [...passwords, owner.token, member.token, reset.token, signIn.token, claim, invitation]) {
      expect(log).not.toContain(secret);
    }
  });
}
