import { oneTimeLink } from '@call-analytics/contracts';
import { until } from '@call-analytics/test/until.fixture.ts';
import { describe, expect, it } from '@jest/globals';
import { actorOf, ORIGIN, outcomeOf, PASSWORD, refusal, type UsersFixture } from '../users.fixture.ts';

const NEW = 'a quite different password';

export function passwords(fixture: UsersFixture): void {
  const signIn = (password = PASSWORD) => fixture.users.signIn({ email: 'ada@example.com', password, origin: ORIGIN });
  const change = (token: string, currentPassword = PASSWORD, newPassword = NEW) =>
    fixture.users.changePassword({ token, currentPassword, newPassword, origin: ORIGIN });
  const reset = (token: string, newPassword = NEW) => fixture.users.resetPassword({ token, newPassword });

  describe('a password', () => {
    it('that is changed ends every other session and every link of the user, and the old one opens nothing', async () => {
      const { token } = await fixture.owner();
      const other = await signIn();
      const { token: link } = await fixture.users.makeResetLink({ email: 'ada@example.com' });
      await change(token);
      expect(await fixture.users.session({ token })).not.toBeNull();
      expect(await fixture.users.session({ token: other.token })).toBeNull();
      await expect(signIn()).rejects.toMatchObject(refusal('wrong_credentials'));
      await expect(reset(link)).rejects.toMatchObject(refusal('link_not_valid'));
      expect(await outcomeOf(signIn(NEW))).toBe('done');
    });

    it('is changed only by who knows it, and only to one that is strong enough', async () => {
      const { token } = await fixture.owner();
      await expect(change(token, 'not the password')).rejects.toMatchObject(refusal('wrong_password'));
      await expect(change(token, PASSWORD, 'short')).rejects.toMatchObject(refusal('weak_password'));
      await expect(change('x'.repeat(43))).rejects.toMatchObject(refusal('not_signed_in'));
      expect(await outcomeOf(signIn())).toBe('done');
    });

    it('of one user is not that of another', async () => {
      const owner = await fixture.owner();
      await fixture.joined(owner, 'member', 'bob@example.com');
      const stranger = await fixture.stranger();
      await change(owner.token);
      expect(await fixture.users.session({ token: stranger.token })).not.toBeNull();
      expect(
        await outcomeOf(fixture.users.signIn({ email: 'bob@example.com', password: PASSWORD, origin: ORIGIN })),
      ).toBe('done');
    });
  });

  describe('a reset', () => {
    it('comes by mail, works once, and ends every session of the user', async () => {
      const { token } = await fixture.owner();
      await fixture.users.requestPasswordReset({ email: ' ADA@example.com', origin: ORIGIN });
      await until(
        () => fixture.mails.length,
        (sent) => sent === 1,
      );
      const [mail] = fixture.mails;
      expect(mail).toMatchObject({ to: 'ada@example.com' });
      const link = /token=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? '';
      expect(mail?.text).toContain(oneTimeLink('https://calls.example.com', 'passwordReset', link));
      await reset(link);
      expect(await fixture.users.session({ token })).toBeNull();
      expect(await outcomeOf(signIn(NEW))).toBe('done');
      await expect(signIn()).rejects.toMatchObject(refusal('wrong_credentials'));
      await expect(reset(link, PASSWORD)).rejects.toMatchObject(refusal('link_not_valid'));
    });

    it('for an unknown email is answered like any other, and nothing is sent', async () => {
      const owner = await fixture.owner();
      const gone = await fixture.joined(owner, 'member', 'bob@example.com');
      await fixture.users.removeMember({ actor: actorOf(owner), userId: gone.session.user.id });
      for (const email of ['nobody@example.com', 'bob@example.com', '', 'x'.repeat(1_000)]) {
        expect(await fixture.users.requestPasswordReset({ email, origin: ORIGIN })).toBeUndefined();
      }
      await fixture.reopen();
      expect(fixture.mails).toEqual([]);
    });

    it('is used by one of many who come at once', async () => {
      await fixture.owner();
      const { token } = await fixture.users.makeResetLink({ email: 'ada@example.com' });
      const outcomes = await Promise.all(
        ['first', 'second', 'third'].map((each) => outcomeOf(reset(token, `the ${each} password`))),
      );
      expect(outcomes.sort()).toEqual(['done', 'link_not_valid', 'link_not_valid']);
    });

    it('works for an hour, and is not used up by a password that is too weak', async () => {
      await fixture.owner();
      const { token, expiresAt } = await fixture.users.makeResetLink({ email: 'ada@example.com' });
      expect(expiresAt).toEqual(new Date(fixture.now.getTime() + 3_600_000));
      await expect(reset(token, 'short')).rejects.toMatchObject(refusal('weak_password'));
      fixture.pass(3_600_000);
      await expect(reset(token)).rejects.toMatchObject(refusal('link_not_valid'));
      fixture.pass(-1);
      expect(await outcomeOf(reset(token))).toBe('done');
    });
  });
}
