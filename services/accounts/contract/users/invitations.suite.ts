import { describe, expect, it } from '@jest/globals';
import { actorOf, ORIGIN, outcomeOf, PASSWORD, refusal, type UsersFixture } from '../users.fixture.ts';

const WEEK_MS = 7 * 86_400_000;

export function invitations(fixture: UsersFixture): void {
  const join = (email: string, invitation: string) =>
    fixture.users.signUp({ name: 'Bob', email, password: PASSWORD, invitation, origin: ORIGIN });
  const invitationsOf = async (owner: Parameters<typeof actorOf>[0]) =>
    (await fixture.users.listInvitations({ actor: actorOf(owner) })).invitations;

  describe('an invitation', () => {
    it('brings somebody into its account in its role, whether or not others may sign up', async () => {
      const owner = await fixture.owner();
      const { invitation, token } = await fixture.users.invite({ actor: actorOf(owner), role: 'member' });
      const expiresAt = new Date(fixture.now.getTime() + WEEK_MS);
      expect(invitation).toEqual({
        id: expect.stringMatching(/^inv_/),
        role: 'member',
        createdAt: fixture.now,
        expiresAt,
      });
      expect(await fixture.users.findInvitation({ token })).toEqual({ accountName: 'Acme', role: 'member', expiresAt });
      expect((await join('bob@example.com', token)).session).toMatchObject({
        role: 'member',
        account: owner.session.account,
      });
    });

    it('works once, also when many come with it at once', async () => {
      const owner = await fixture.owner();
      const { token } = await fixture.users.invite({ actor: actorOf(owner), role: 'owner' });
      const outcomes = await Promise.all(['a', 'b', 'c'].map((name) => outcomeOf(join(`${name}@example.com`, token))));
      expect(outcomes.sort()).toEqual(['done', 'invitation_not_valid', 'invitation_not_valid']);
      expect((await fixture.users.listUsers()).users).toHaveLength(2);
      expect(await fixture.users.findInvitation({ token })).toBeNull();
      expect(await invitationsOf(owner)).toEqual([]);
    });

    it('is not used up by a sign-up that is refused', async () => {
      const owner = await fixture.owner();
      const { token } = await fixture.users.invite({ actor: actorOf(owner), role: 'member' });
      await expect(join('ada@example.com', token)).rejects.toMatchObject(refusal('email_taken'));
      await expect(join('not an email', token)).rejects.toMatchObject(refusal('invalid_email'));
      expect(await outcomeOf(join('bob@example.com', token))).toBe('done');
    });

    it('is one of at most 100 pending ones, however many are made at once', async () => {
      const owner = await fixture.owner();
      const invite = () => fixture.users.invite({ actor: actorOf(owner), role: 'member' });
      for (let i = 0; i < 98; i += 1) await invite();
      const codes = await Promise.all(Array.from({ length: 4 }, () => outcomeOf(invite())));
      expect(codes.sort()).toEqual(['done', 'done', 'too_many_invitations', 'too_many_invitations']);
      const [first] = await invitationsOf(owner);
      await fixture.users.revokeInvitation({ actor: actorOf(owner), invitationId: first?.id ?? '' });
      expect(await outcomeOf(invite())).toBe('done');
    });

    it('works for a week, and is listed as long as it works, oldest first', async () => {
      const owner = await fixture.owner();
      const first = await fixture.users.invite({ actor: actorOf(owner), role: 'member' });
      fixture.pass(1_000);
      const second = await fixture.users.invite({ actor: actorOf(owner), role: 'owner' });
      expect(await invitationsOf(owner)).toEqual([first.invitation, second.invitation]);
      fixture.pass(WEEK_MS - 1_000);
      expect(await invitationsOf(owner)).toEqual([second.invitation]);
      expect(await fixture.users.findInvitation({ token: first.token })).toBeNull();
      await expect(join('bob@example.com', first.token)).rejects.toMatchObject(refusal('invitation_not_valid'));
      expect(await outcomeOf(join('bob@example.com', second.token))).toBe('done');
    });

    it('that was revoked does not work, and only its own account can revoke it', async () => {
      const owner = await fixture.owner();
      const stranger = await fixture.stranger();
      const { invitation, token } = await fixture.users.invite({ actor: actorOf(owner), role: 'member' });
      const revoke = (by: typeof owner) =>
        fixture.users.revokeInvitation({ actor: actorOf(by), invitationId: invitation.id });
      expect(await revoke(stranger)).toEqual({ revoked: false });
      expect(await fixture.users.findInvitation({ token })).not.toBeNull();
      expect(await revoke(owner)).toEqual({ revoked: true });
      expect(await revoke(owner)).toEqual({ revoked: false });
      await expect(join('bob@example.com', token)).rejects.toMatchObject(refusal('invitation_not_valid'));
    });

    it.each(['', 'x'.repeat(43), '{"$ne":null}', 'x'.repeat(10_000)])('is not the text %#', async (token) => {
      const owner = await fixture.owner();
      await fixture.users.invite({ actor: actorOf(owner), role: 'member' });
      expect(await fixture.users.findInvitation({ token })).toBeNull();
      await expect(join('bob@example.com', token)).rejects.toMatchObject(refusal('invitation_not_valid'));
    });
  });

  describe('a claim', () => {
    it('makes somebody the owner of an account that was made on the command line, with its keys', async () => {
      const { account } = await fixture.accounts.createAccount({ name: 'From the command line' });
      const { secret } = await fixture.accounts.createKey({ accountId: account.id, name: 'first' });
      const { token, expiresAt } = await fixture.users.claim({ accountId: account.id });
      expect(expiresAt).toEqual(new Date(fixture.now.getTime() + WEEK_MS));
      expect(await fixture.users.findInvitation({ token })).toEqual({
        accountName: account.name,
        role: 'owner',
        expiresAt,
      });
      const { session } = await join('bob@example.com', token);
      expect(session).toMatchObject({ role: 'owner', account });
      expect((await fixture.accounts.authenticate({ apiKey: secret }))?.account).toEqual(session.account);
      await expect(join('eve@example.com', token)).rejects.toMatchObject(refusal('invitation_not_valid'));
    });

    it('is not made for an account that is not there', async () => {
      await expect(fixture.users.claim({ accountId: 'acc_none' })).rejects.toMatchObject(refusal('no_such_account'));
    });
  });
}
