import { describe, expect, it } from '@jest/globals';
import { ORIGIN, outcomeOf, PASSWORD, refusal, type UsersBench } from '../users.suite.ts';

export function signingUp(bench: UsersBench): void {
  const signUp = (email: string, more: object = {}) =>
    bench.users.signUp({ name: 'Ada', email, password: PASSWORD, origin: ORIGIN, ...more });

  describe('a sign-up', () => {
    it('of the first user makes them the owner of a new account, signed in', async () => {
      expect(await bench.users.installation()).toEqual({ signUp: 'first', resetByMail: true });
      const { session, token } = await signUp('ada@example.com', { accountName: 'Acme' });
      expect(session).toEqual({
        user: { id: expect.stringMatching(/^usr_[0-9a-f]{32}$/), name: 'Ada', email: 'ada@example.com' },
        account: { id: expect.stringMatching(/^acc_[0-9a-f]{32}$/), name: 'Acme', createdAt: bench.now },
        role: 'owner',
        expiresAt: new Date(bench.now.getTime() + 14 * 86_400_000),
      });
      expect(await bench.users.session({ token })).toEqual(session);
      expect(await bench.accounts.listAccounts()).toEqual({ accounts: [session.account] });
      expect(await bench.users.installation()).toEqual({ signUp: 'closed', resetByMail: true });
    });

    it('without an invitation is for the first user alone, unless the setting is open', async () => {
      await bench.owner();
      await expect(signUp('bob@example.com')).rejects.toMatchObject(refusal('sign_up_closed'));
      expect((await bench.accounts.listAccounts()).accounts).toHaveLength(1);
      await bench.reopen({ SIGN_UP: 'open' });
      expect((await bench.users.installation()).signUp).toBe('open');
      expect((await signUp('bob@example.com')).session).toMatchObject({ role: 'owner', account: { name: 'Ada' } });
      expect((await bench.accounts.listAccounts()).accounts).toHaveLength(2);
    });

    it('of the first user makes a new account also when there are some from the command line', async () => {
      const { account } = await bench.accounts.createAccount({ name: 'From the command line' });
      expect((await bench.users.installation()).signUp).toBe('first');
      expect((await bench.owner()).session.account.id).not.toBe(account.id);
    });

    it('is that of the first user for one, however many come at once to a fresh installation', async () => {
      const outcomes = await Promise.all(['a', 'b', 'c', 'd'].map((name) => outcomeOf(signUp(`${name}@example.com`))));
      expect(outcomes.sort()).toEqual(['done', 'sign_up_closed', 'sign_up_closed', 'sign_up_closed']);
      expect((await bench.users.listUsers()).users).toHaveLength(1);
      expect((await bench.accounts.listAccounts()).accounts).toHaveLength(1);
    });

    it('that was refused leaves nothing: the same email may come in by an invitation', async () => {
      const outcomes = await Promise.all(['a', 'b'].map(async (name) => ({ name, how: await outcomeOf(signUp(`${name}@example.com`)) })));
      const refused = outcomes.find(({ how }) => how !== 'done')?.name;
      const [owner] = (await bench.users.listUsers()).users;
      if (owner === undefined) throw new Error('nobody is in');
      const { token } = await bench.users.invite({ actor: { userId: owner.id, accountId: owner.account.id }, role: 'member' });
      expect((await signUp(`${refused}@example.com`, { invitation: token })).session.account).toEqual(owner.account);
    });

    it.each(['ada@example.com', ' ADA@Example.COM '])('with an email that is taken is refused: %j', async (email) => {
      await bench.owner();
      await bench.reopen({ SIGN_UP: 'open' });
      await expect(signUp(email)).rejects.toMatchObject(refusal('email_taken'));
      expect((await bench.accounts.listAccounts()).accounts).toHaveLength(1);
    });

    it('with one email is one user, however many come at once', async () => {
      await bench.reopen({ SIGN_UP: 'open' });
      const outcomes = await Promise.all(Array.from({ length: 4 }, () => outcomeOf(signUp('ada@example.com'))));
      expect(outcomes.sort()).toEqual(['done', 'email_taken', 'email_taken', 'email_taken']);
      expect((await bench.users.listUsers()).users).toHaveLength(1);
    });

    it.each([
      ['email', '', 'invalid_email'],
      ['email', 'ada', 'invalid_email'],
      ['email', 'ada@', 'invalid_email'],
      ['email', 'a da@example.com', 'invalid_email'],
      ['email', 'ada@example.com\nBcc: eve@example.com', 'invalid_email'],
      ['email', 'ada@example.com, eve@example.com', 'invalid_email'],
      ['email', `${'a'.repeat(250)}@example.com`, 'invalid_email'],
      ['email', '\u0000@example.com', 'invalid_email'],
      ['name', '', 'invalid_name'],
      ['name', 'a\nb', 'invalid_name'],
      ['name', 'x'.repeat(201), 'invalid_name'],
      ['accountName', '  ', 'invalid_name'],
      ['password', 'ninechars', 'weak_password'],
      ['password', 'x'.repeat(129), 'weak_password'],
      ['password', 'Ada@Example.com', 'weak_password'],
    ])('with the %s %j is refused', async (field, value, code) => {
      await expect(signUp('ada@example.com', { [field]: value })).rejects.toMatchObject(refusal(code));
      expect((await bench.users.installation()).signUp).toBe('first');
      expect((await bench.accounts.listAccounts()).accounts).toEqual([]);
    });

    it.each(['ada+calls@example.co.uk', 'ада@пример.рф', "o'brien@example.com", 'ada@localhost'])('takes the email %s', async (email) => {
      expect((await signUp(email)).session.user.email).toBe(email);
    });
  });
}
