import type { MemberRole } from '@call-analytics/contracts';
import { describe, expect, it } from '@jest/globals';
import { actorOf, ORIGIN, outcomeOf, PASSWORD, refusal, type UsersFixture } from '../users.fixture.ts';

export function members(fixture: UsersFixture): void {
  const accountOf = async () => {
    const owner = await fixture.owner();
    const member = await fixture.joined(owner, 'member', 'bob@example.com');
    return { owner, member };
  };
  const list = async (signedIn: Parameters<typeof actorOf>[0]) =>
    (await fixture.users.listMembers({ actor: actorOf(signedIn) })).members;

  describe('members', () => {
    it('are listed in the order of joining, to every member, and to nobody else', async () => {
      const { owner, member } = await accountOf();
      const stranger = await fixture.stranger();
      const expected = [
        { ...owner.session.user, role: 'owner', joinedAt: owner.session.account.createdAt },
        { ...member.session.user, role: 'member', joinedAt: fixture.now },
      ];
      expect(await list(owner)).toEqual(expected);
      expect(await list(member)).toEqual(expected);
      const actor = { userId: stranger.session.user.id, accountId: owner.session.account.id };
      await expect(fixture.users.listMembers({ actor })).rejects.toMatchObject(refusal('not_allowed'));
      expect((await fixture.users.listUsers()).users.map(({ email, account }) => [email, account.name])).toEqual([
        ['ada@example.com', 'Acme'],
        ['bob@example.com', 'Acme'],
        ['eve@other.example', 'Other'],
      ]);
    });

    it('get another role from an owner, which holds for their sessions at once', async () => {
      const { owner, member } = await accountOf();
      const { id: userId } = member.session.user;
      const change = (role: MemberRole) => fixture.users.changeRole({ actor: actorOf(owner), userId, role });
      expect(await change('owner')).toEqual({
        member: { ...member.session.user, role: 'owner', joinedAt: fixture.now },
      });
      expect((await fixture.users.session({ token: member.token }))?.role).toBe('owner');
      await change('member');
      expect((await fixture.users.session({ token: member.token }))?.role).toBe('member');
    });

    it('that are removed are gone at once with all their sessions and links, and may be invited again', async () => {
      const { owner, member } = await accountOf();
      const second = await fixture.users.signIn({ email: 'bob@example.com', password: PASSWORD, origin: ORIGIN });
      const { token: link } = await fixture.users.makeSignInLink({ email: 'bob@example.com' });
      await fixture.users.removeMember({ actor: actorOf(owner), userId: member.session.user.id });
      for (const { token } of [member, second]) expect(await fixture.users.session({ token })).toBeNull();
      await expect(fixture.users.signInByLink({ token: link, origin: ORIGIN })).rejects.toMatchObject(
        refusal('link_not_valid'),
      );
      await expect(fixture.users.makeSignInLink({ email: 'bob@example.com' })).rejects.toMatchObject(
        refusal('no_such_user'),
      );
      expect(await list(owner)).toHaveLength(1);
      const again = await fixture.joined(owner, 'member', 'bob@example.com');
      expect(again.session.user.id).not.toBe(member.session.user.id);
    });

    it('may leave', async () => {
      const { owner, member } = await accountOf();
      await fixture.users.removeMember({ actor: actorOf(member), userId: member.session.user.id });
      expect(await fixture.users.session({ token: member.token })).toBeNull();
      expect(await list(owner)).toHaveLength(1);
    });

    it('who are no owners change nothing', async () => {
      const { owner, member } = await accountOf();
      const actor = actorOf(member);
      const { id: ownerId } = owner.session.user;
      const { id: userId } = member.session.user;
      const attempts = [
        () => fixture.users.changeRole({ actor, userId, role: 'owner' }),
        () => fixture.users.changeRole({ actor, userId: ownerId, role: 'member' }),
        () => fixture.users.removeMember({ actor, userId: ownerId }),
        () => fixture.users.invite({ actor, role: 'member' }),
        () => fixture.users.listInvitations({ actor }),
        () => fixture.users.revokeInvitation({ actor, invitationId: 'inv_x' }),
        () => fixture.users.confirmOwner({ actor, password: PASSWORD }),
        () => fixture.users.deleteAccount({ actor }),
      ];
      for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject(refusal('not_allowed'));
      expect((await list(owner)).map(({ role }) => role)).toEqual(['owner', 'member']);
    });

    it('of another account are out of reach, also when its id is given', async () => {
      const { owner, member } = await accountOf();
      const stranger = await fixture.stranger();
      const { id: userId } = member.session.user;
      const theirs = actorOf(stranger);
      await expect(fixture.users.changeRole({ actor: theirs, userId, role: 'owner' })).rejects.toMatchObject(
        refusal('no_such_member'),
      );
      await expect(fixture.users.removeMember({ actor: theirs, userId })).rejects.toMatchObject(
        refusal('no_such_member'),
      );
      const pretending = { ...theirs, accountId: owner.session.account.id };
      const attempts = [
        () => fixture.users.changeRole({ actor: pretending, userId, role: 'owner' }),
        () => fixture.users.removeMember({ actor: pretending, userId }),
        () => fixture.users.removeMember({ actor: pretending, userId: theirs.userId }),
        () => fixture.users.invite({ actor: pretending, role: 'owner' }),
        () => fixture.users.listInvitations({ actor: pretending }),
        () => fixture.users.confirmOwner({ actor: pretending, password: PASSWORD }),
        () => fixture.users.deleteAccount({ actor: pretending }),
      ];
      for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject(refusal('not_allowed'));
      expect(await list(owner)).toHaveLength(2);
    });

    it('that are not there cannot be changed or removed', async () => {
      const owner = await fixture.owner();
      const request = { actor: actorOf(owner), userId: 'usr_none' };
      await expect(fixture.users.changeRole({ ...request, role: 'owner' })).rejects.toMatchObject(
        refusal('no_such_member'),
      );
      await expect(fixture.users.removeMember(request)).rejects.toMatchObject(refusal('no_such_member'));
    });
  });

  describe('the last owner', () => {
    it('cannot leave and cannot become a member', async () => {
      const { owner, member } = await accountOf();
      const request = { actor: actorOf(owner), userId: owner.session.user.id };
      await expect(fixture.users.removeMember(request)).rejects.toMatchObject(refusal('last_owner'));
      await expect(fixture.users.changeRole({ ...request, role: 'member' })).rejects.toMatchObject(
        refusal('last_owner'),
      );
      await fixture.users.changeRole({ actor: actorOf(owner), userId: member.session.user.id, role: 'owner' });
      await fixture.users.removeMember(request);
      expect((await list(member)).map(({ role }) => role)).toEqual(['owner']);
    });

    it.each(['member', 'leave'] as const)('is there also when two owners give up at once: %s', async (how) => {
      const owner = await fixture.owner();
      const other = await fixture.joined(owner, 'owner', 'bob@example.com');
      const outcomes = await Promise.all(
        [owner, other].map((each) => {
          const request = { actor: actorOf(each), userId: each.session.user.id };
          return outcomeOf(
            how === 'leave'
              ? fixture.users.removeMember(request)
              : fixture.users.changeRole({ ...request, role: 'member' }),
          );
        }),
      );
      expect(outcomes.sort()).toEqual(['done', 'last_owner']);
      expect((await fixture.users.listUsers()).users.filter(({ role }) => role === 'owner')).toHaveLength(1);
    });

    it('is there also when two owners remove each other at once', async () => {
      const owner = await fixture.owner();
      const other = await fixture.joined(owner, 'owner', 'bob@example.com');
      const remove = (one: typeof owner, two: typeof owner) =>
        outcomeOf(fixture.users.removeMember({ actor: actorOf(one), userId: two.session.user.id }));
      const outcomes = await Promise.all([remove(owner, other), remove(other, owner)]);
      expect(outcomes.sort()).toEqual(['done', 'not_allowed']);
      expect((await fixture.users.listUsers()).users).toHaveLength(1);
    });
  });
}
