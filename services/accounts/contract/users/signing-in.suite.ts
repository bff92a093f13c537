import { describe, expect, it } from '@jest/globals';
import { actorOf, ORIGIN, PASSWORD, refusal, type UsersFixture } from '../users.fixture.ts';

export function signingIn(fixture: UsersFixture): void {
  const signIn = (email: string, password = PASSWORD) => fixture.users.signIn({ email, password, origin: ORIGIN });

  describe('a sign-in', () => {
    it('with email and password opens the account of the user, however the email is written', async () => {
      const { session } = await fixture.owner();
      const { token, session: again } = await signIn(' Ada@EXAMPLE.com');
      expect(again).toEqual(session);
      expect(await fixture.users.session({ token })).toEqual(session);
    });

    it('tells a wrong password and an unknown email apart in nothing, and works as much for both', async () => {
      const owner = await fixture.owner();
      const member = await fixture.joined(owner, 'member', 'bob@example.com');
      await fixture.users.removeMember({ actor: actorOf(owner), userId: member.session.user.id });
      await signIn('ada@example.com');
      const refusals: unknown[] = [];
      for (const email of ['ada@example.com', 'nobody@example.com', 'bob@example.com', '', 'x'.repeat(1_000)]) {
        const before = fixture.hashed;
        await signIn(email, 'not the password').catch(({ name, failure, message }) =>
          refusals.push({ name, failure, message }),
        );
        expect(fixture.hashed - before).toBe(1);
      }
      expect(refusals).toHaveLength(5);
      expect(new Set(refusals.map((each) => JSON.stringify(each))).size).toBe(1);
      expect(refusals[0]).toMatchObject(refusal('wrong_credentials'));
    });

    it.each(['', ' ', `${PASSWORD} `, PASSWORD.toUpperCase(), 'x'.repeat(10_000)])(
      'with another password is none: %j',
      async (password) => {
        await fixture.owner();
        await expect(signIn('ada@example.com', password)).rejects.toMatchObject(refusal('wrong_credentials'));
      },
    );

    it('that was under way when the password was replaced opens nothing', async () => {
      await fixture.owner();
      const { token } = await fixture.users.makeResetLink({ email: 'ada@example.com' });
      fixture.meanwhile = () => fixture.users.resetPassword({ token, newPassword: 'a quite different password' });
      await expect(signIn('ada@example.com')).rejects.toMatchObject(refusal('wrong_credentials'));
    });

    it('that was under way when the user was removed opens nothing', async () => {
      const owner = await fixture.owner();
      const member = await fixture.joined(owner, 'member', 'bob@example.com');
      fixture.meanwhile = () => fixture.users.removeMember({ actor: actorOf(owner), userId: member.session.user.id });
      await expect(signIn('bob@example.com')).rejects.toMatchObject(refusal('wrong_credentials'));
    });

    it('opens no other account than that of the user', async () => {
      const owner = await fixture.owner();
      const stranger = await fixture.stranger();
      expect((await signIn('eve@other.example')).session.account).toEqual(stranger.session.account);
      expect((await signIn('ada@example.com')).session.account).toEqual(owner.session.account);
    });
  });
}
