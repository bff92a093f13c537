import { describe, expect, it } from '@jest/globals';
import { ORIGIN, outcomeOf, refusal, type UsersBench } from '../users.suite.ts';

export function links(bench: UsersBench): void {
  const useLink = (token: string) => bench.users.signInByLink({ token, origin: ORIGIN });

  describe('a sign-in link', () => {
    it('signs its user in once, within ten minutes', async () => {
      const { session } = await bench.owner();
      const { token, expiresAt } = await bench.users.makeSignInLink({ email: 'ADA@example.com' });
      expect(expiresAt).toEqual(new Date(bench.now.getTime() + 600_000));
      const signedIn = await useLink(token);
      expect(signedIn.session).toEqual(session);
      expect(await bench.users.session({ token: signedIn.token })).toEqual(session);
      await expect(useLink(token)).rejects.toMatchObject(refusal('link_not_valid'));
      const late = await bench.users.makeSignInLink({ email: 'ada@example.com' });
      bench.pass(600_000);
      await expect(useLink(late.token)).rejects.toMatchObject(refusal('link_not_valid'));
    });

    it('is used by one of many who come at once', async () => {
      await bench.owner();
      const { token } = await bench.users.makeSignInLink({ email: 'ada@example.com' });
      const outcomes = await Promise.all([1, 2, 3].map(() => outcomeOf(useLink(token))));
      expect(outcomes.sort()).toEqual(['done', 'link_not_valid', 'link_not_valid']);
    });

    it('is made for users only', async () => {
      await expect(bench.users.makeSignInLink({ email: 'ada@example.com' })).rejects.toMatchObject(
        refusal('no_such_user'),
      );
      await expect(bench.users.makeResetLink({ email: 'ada@example.com' })).rejects.toMatchObject(
        refusal('no_such_user'),
      );
    });

    it('resets no password, and no other token signs in', async () => {
      const { token: session } = await bench.owner();
      const { token: reset } = await bench.users.makeResetLink({ email: 'ada@example.com' });
      const { token: signIn } = await bench.users.makeSignInLink({ email: 'ada@example.com' });
      for (const token of [session, reset, '', 'x'.repeat(43), '{"$ne":null}']) {
        await expect(useLink(token)).rejects.toMatchObject(refusal('link_not_valid'));
      }
      await expect(bench.users.resetPassword({ token: signIn, newPassword: 'another password' })).rejects.toMatchObject(
        refusal('link_not_valid'),
      );
      expect(await bench.users.session({ token: signIn })).toBeNull();
      expect(await outcomeOf(useLink(signIn))).toBe('done');
    });
  });
}
