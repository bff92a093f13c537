import { describe, expect, it } from '@jest/globals';
import { actorOf, ORIGIN, outcomeOf, PASSWORD, refusal, type UsersBench } from '../users.suite.ts';

const WEEK_MS = 7 * 86_400_000;

export function invitations(bench: UsersBench): void {
  const join = (email: string, invitation: string) =>
    bench.users.signUp({ name: 'Bob', email, password: PASSWORD, invitation, origin: ORIGIN });
  const invitationsOf = async (owner: Parameters<typeof actorOf>[0]) =>
    (await bench.users.listInvitations({ actor: actorOf(owner) })).invitations;

  describe('an invitation', () => {
    it('brings somebody into its account in its role, whether or not others may sign up', async () => {
      const owner = await bench.owner();
      const { invitation, token } = await bench.users.invite({ actor: actorOf(owner), role: 'member' });
      const expiresAt = new Date(bench.now.getTime() + WEEK_MS);
      expect(invitation).toEqual({
        id: expect.stringMatching(/^inv_/),
        role: 'member',
        createdAt: bench.now,
        expiresAt,
      });
      expect(await bench.users.findInvitation({ token })).toEqual({ accountName: 'Acme', role: 'member', expiresAt });
      expect((await join('bob@example.com', token)).session).toMatchObject({
        role: 'member',
        account: owner.session.account,
      });
    });

    it('works once, also when many come with it at once', async () => {
      const owner = await bench.owner();
      const { token } = await bench.users.invite({ actor: actorOf(owner), role: 'owner' });
      const outcomes = await Promise.all(['a', 'b', 'c'].map((name) => outcomeOf(join(`${name}@example.com`, token))));
      expect(outcomes.sort()).toEqual(['done', 'invitation_not_valid', 'invitation_not_valid']);
      expect((await bench.users.listUsers()).users).toHaveLength(2);
      expect(await bench.users.findInvitation({ token })).toBeNull();
      expect(await invitationsOf(owner)).toEqual([]);
    });

    it('is not used up by a sign-up that is refused', async () => {
      const owner = await bench.owner();
      const { token } = await bench.users.invite({ actor: actorOf(owner), role: 'member' });
      await expect(join('ada@example.com', token)).rejects.toMatchObject(refusal('email_taken'));
      await expect(join('not an email', token)).rejects.toMatchObject(refusal('invalid_email'));
      expect(await outcomeOf(join('bob@example.com', token))).toBe('done');
    });

    it('is one of at most 100 open ones, however many are made at once', async () => {
      const owner = await bench.owner();
      const invite = () => bench.users.invite({ actor: actorOf(owner), role: 'member' });
      for (let i = 0; i < 98; i += 1) await invite();
      const codes = await Promise.all(Array.from({ length: 4 }, () => outcomeOf(invite())));
      expect(codes.sort()).toEqual(['done', 'done', 'too_many_invitations', 'too_many_invitations']);
      const [first] = await invitationsOf(owner);
      await bench.users.withdrawInvitation({ actor: actorOf(owner), invitationId: first?.id ?? '' });
      expect(await outcomeOf(invite())).toBe('done');
    });

    it('works for a week, and is listed as long as it works, oldest first', async () => {
      const owner = await bench.owner();
      const first = await bench.users.invite({ actor: actorOf(owner), role: 'member' });
      bench.pass(1_000);
      const second = await bench.users.invite({ actor: actorOf(owner), role: 'owner' });
      expect(await invitationsOf(owner)).toEqual([first.invitation, second.invitation]);
      bench.pass(WEEK_MS - 1_000);
      expect(await invitationsOf(owner)).toEqual([second.invitation]);
      expect(await bench.users.findInvitation({ token: first.token })).toBeNull();
      await expect(join('bob@example.com', first.token)).rejects.toMatchObject(refusal('invitation_not_valid'));
      expect(await outcomeOf(join('bob@example.com', second.token))).toBe('done');
    });

    it('that was withdrawn does not work, and only its own account can withdraw it', async () => {
      const owner = await bench.owner();
      const stranger = await bench.stranger();
      const { invitation, token } = await bench.users.invite({ actor: actorOf(owner), role: 'member' });
      const withdraw = (by: typeof owner) =>
        bench.users.withdrawInvitation({ actor: actorOf(by), invitationId: invitation.id });
      expect(await withdraw(stranger)).toEqual({ withdrawn: false });
      expect(await bench.users.findInvitation({ token })).not.toBeNull();
      expect(await withdraw(owner)).toEqual({ withdrawn: true });
      expect(await withdraw(owner)).toEqual({ withdrawn: false });
      await expect(join('bob@example.com', token)).rejects.toMatchObject(refusal('invitation_not_valid'));
    });

    it.each(['', 'x'.repeat(43), '{"$ne":null}', 'x'.repeat(10_000)])('is not the text %#', async (token) => {
      const owner = await bench.owner();
      await bench.users.invite({ actor: actorOf(owner), role: 'member' });
      expect(await bench.users.findInvitation({ token })).toBeNull();
      await expect(join('bob@example.com', token)).rejects.toMatchObject(refusal('invitation_not_valid'));
    });
  });

  describe('a claim', () => {
    it('makes somebody the owner of an account that was made on the command line, with its keys', async () => {
      const { account } = await bench.accounts.createAccount({ name: 'From the command line' });
      const { secret } = await bench.accounts.createKey({ accountId: account.id, name: 'first' });
      const { token, expiresAt } = await bench.users.claim({ accountId: account.id });
      expect(expiresAt).toEqual(new Date(bench.now.getTime() + WEEK_MS));
      expect(await bench.users.findInvitation({ token })).toEqual({
        accountName: account.name,
        role: 'owner',
        expiresAt,
      });
      const { session } = await join('bob@example.com', token);
      expect(session).toMatchObject({ role: 'owner', account });
      expect((await bench.accounts.authenticate({ apiKey: secret }))?.account).toEqual(session.account);
      await expect(join('eve@example.com', token)).rejects.toMatchObject(refusal('invitation_not_valid'));
    });

    it('is not made for an account that is not there', async () => {
      await expect(bench.users.claim({ accountId: 'acc_none' })).rejects.toMatchObject(refusal('no_such_account'));
    });
  });
}
