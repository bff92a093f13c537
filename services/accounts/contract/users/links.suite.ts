import { describe, expect, it } from '@jest/globals';
import { ORIGIN, outcomeOf, refusal, type UsersFixture } from '../users.fixture.ts';

export function links(fixture: UsersFixture): void {
  const useLink = (token: string) => fixture.users.signInByLink({ token, origin: ORIGIN });

  describe('a sign-in link', () => {
    it('signs its user in once, within ten minutes', async () => {
      const { session } = await fixture.owner();
      const { token, expiresAt } = await fixture.users.makeSignInLink({ email: 'ADA@example.com' });
      expect(expiresAt).toEqual(new Date(fixture.now.getTime() + 600_000));
      const signedIn = await useLink(token);
      expect(signedIn.session).toEqual(session);
      expect(await fixture.users.session({ token: signedIn.token })).toEqual(session);
      await expect(useLink(token)).rejects.toMatchObject(refusal('link_not_valid'));
      const late = await fixture.users.makeSignInLink({ email: 'ada@example.com' });
      fixture.pass(600_000);
      await expect(useLink(late.token)).rejects.toMatchObject(refusal('link_not_valid'));
    });

    it('is used by one of many who come at once', async () => {
      await fixture.owner();
      const { token } = await fixture.users.makeSignInLink({ email: 'ada@example.com' });
      const outcomes = await Promise.all([1, 2, 3].map(() => outcomeOf(useLink(token))));
      expect(outcomes.sort()).toEqual(['done', 'link_not_valid', 'link_not_valid']);
    });

    it('is made for users only', async () => {
      await expect(fixture.users.makeSignInLink({ email: 'ada@example.com' })).rejects.toMatchObject(
        refusal('no_such_user'),
      );
      await expect(fixture.users.makeResetLink({ email: 'ada@example.com' })).rejects.toMatchObject(
        refusal('no_such_user'),
      );
    });

    it('resets no password, and no other token signs in', async () => {
      const { token: session } = await fixture.owner();
      const { token: reset } = await fixture.users.makeResetLink({ email: 'ada@example.com' });
      const { token: signIn } = await fixture.users.makeSignInLink({ email: 'ada@example.com' });
      for (const token of [session, reset, '', 'x'.repeat(43), '{"$ne":null}']) {
        await expect(useLink(token)).rejects.toMatchObject(refusal('link_not_valid'));
      }
      await expect(
        fixture.users.resetPassword({ token: signIn, newPassword: 'another password' }),
      ).rejects.toMatchObject(refusal('link_not_valid'));
      expect(await fixture.users.session({ token: signIn })).toBeNull();
      expect(await outcomeOf(useLink(signIn))).toBe('done');
    });
  });
}
