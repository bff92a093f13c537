import { describe, expect, it } from '@jest/globals';
import { actorOf, outcomeOf, refusal, type UsersFixture } from '../users.fixture.ts';

type Owner = Awaited<ReturnType<UsersFixture['owner']>>;

export function keys(fixture: UsersFixture): void {
  const make = ({ session }: Owner, name = 'Telephone system') =>
    fixture.accounts.createKey({ accountId: session.account.id, name, createdBy: session.user.id });
  const works = async (apiKey: string) => (await fixture.accounts.authenticate({ apiKey })) !== null;
  const accountOf = async () => {
    const owner = await fixture.owner();
    return { owner, member: await fixture.joined(owner, 'member', 'bob@example.com') };
  };
  const remove = (owner: Owner, { session }: Owner) =>
    fixture.users.removeMember({ actor: actorOf(owner), userId: session.user.id });

  describe('the API keys of a member', () => {
    it('name the user who created them', async () => {
      const { member } = await accountOf();
      expect((await make(member)).key.createdBy).toBe(member.session.user.id);
    });

    it('are revoked in the step that removes the member; the keys of all others stay', async () => {
      const { owner, member } = await accountOf();
      const [theirs, second, others] = [await make(member), await make(member), await make(owner)];
      const byOperator = await fixture.accounts.createKey({ accountId: owner.session.account.id, name: 'server' });
      const stranger = await fixture.stranger();
      const elsewhere = await make(stranger);
      await remove(owner, member);
      expect(await works(theirs.secret)).toBe(false);
      expect(await works(second.secret)).toBe(false);
      for (const { secret } of [others, byOperator, elsewhere]) expect(await works(secret)).toBe(true);
      const { keys: listed } = await fixture.accounts.listKeys({ accountId: owner.session.account.id });
      expect(listed.find(({ id }) => id === theirs.key.id)).toMatchObject({ revokedAt: fixture.now });
    });

    it('are revoked when the member leaves', async () => {
      const { member } = await accountOf();
      const { secret } = await make(member);
      await remove(member, member);
      expect(await works(secret)).toBe(false);
    });

    it('are revoked when their password is reset, and stay when they change it themselves', async () => {
      const { owner, member } = await accountOf();
      const [theirs, others] = [await make(member), await make(owner)];
      const origin = { ip: '203.0.113.7', userAgent: 'a test' };
      const passwords = { currentPassword: 'correct horse battery staple', newPassword: 'a quite different password' };
      await fixture.users.changePassword({ token: member.token, ...passwords, origin });
      expect(await works(theirs.secret)).toBe(true);
      const { token } = await fixture.users.makeResetLink({ email: 'bob@example.com' });
      await fixture.users.resetPassword({ token, newPassword: 'another different password' });
      expect(await works(theirs.secret)).toBe(false);
      expect(await works(others.secret)).toBe(true);
    });

    it('cannot be created by a user who is no longer a member', async () => {
      const { owner, member } = await accountOf();
      await remove(owner, member);
      await expect(make(member)).rejects.toMatchObject(refusal('no_such_user'));
      const stranger = await fixture.stranger();
      const request = { accountId: owner.session.account.id, name: 'x', createdBy: stranger.session.user.id };
      await expect(fixture.accounts.createKey(request)).rejects.toMatchObject(refusal('no_such_user'));
    });

    it('leave none behind when keys are created while the member is removed', async () => {
      const { owner, member } = await accountOf();
      const making = Array.from({ length: 5 }, (_, i) => outcomeOf(make(member, `key ${i}`)));
      await Promise.all([...making, remove(owner, member)]);
      const { keys: listed } = await fixture.accounts.listKeys({ accountId: owner.session.account.id });
      expect(listed.filter(({ revokedAt }) => revokedAt === null)).toEqual([]);
    });
  });
}
