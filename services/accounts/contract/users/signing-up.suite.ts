import { until } from '@call-analytics/test/until.fixture.ts';
import { describe, expect, it } from '@jest/globals';
import { HERE, ORIGIN, outcomeOf, PASSWORD, refusal, type UsersFixture } from '../users.fixture.ts';

export function signingUp(fixture: UsersFixture): void {
  const signUp = (email: string, more: object = {}) =>
    fixture.users.signUp({ name: 'Ada', email, password: PASSWORD, origin: HERE, ...more });

  describe('a sign-up', () => {
    it('of the first user makes them the owner of a new account, signed in', async () => {
      expect(await fixture.users.installation()).toEqual({ signUp: 'first', resetByMail: true });
      const { session, token } = await signUp('ada@example.com', { accountName: 'Acme' });
      expect(session).toEqual({
        user: { id: expect.stringMatching(/^usr_[0-9a-f]{32}$/), name: 'Ada', email: 'ada@example.com' },
        account: { id: expect.stringMatching(/^acc_[0-9a-f]{32}$/), name: 'Acme', createdAt: fixture.now },
        role: 'owner',
        expiresAt: new Date(fixture.now.getTime() + 14 * 86_400_000),
      });
      expect(await fixture.users.session({ token })).toEqual(session);
      expect(await fixture.accounts.listAccounts()).toEqual({ accounts: [session.account] });
      expect(await fixture.users.installation()).toEqual({ signUp: 'closed', resetByMail: true });
    });

    it('without an invitation is for the first user alone, unless the setting is open', async () => {
      await fixture.owner();
      await expect(signUp('bob@example.com')).rejects.toMatchObject(refusal('sign_up_closed'));
      expect((await fixture.accounts.listAccounts()).accounts).toHaveLength(1);
      await fixture.reopen({ SIGN_UP: 'open' }, { mail: false });
      expect((await fixture.users.installation()).signUp).toBe('open');
      expect((await signUp('bob@example.com')).session).toMatchObject({ role: 'owner', account: { name: 'Ada' } });
      expect((await fixture.accounts.listAccounts()).accounts).toHaveLength(2);
    });

    it('of a first user there is none where an account was made on the command line', async () => {
      const { token: link } = await fixture.users.makeSetupLink();
      await fixture.accounts.createAccount({ name: 'From the command line' });
      expect((await fixture.users.installation()).signUp).toBe('closed');
      expect(await outcomeOf(signUp('ada@example.com'))).toBe('sign_up_closed');
      expect(await outcomeOf(signUp('ada@example.com', { link }))).toBe('link_not_valid');
      await expect(fixture.users.makeSetupLink()).rejects.toMatchObject(refusal('already_set_up'));
      expect((await fixture.users.listUsers()).users).toEqual([]);
    });

    it('of the first user needs the setup link when it does not come from this machine', async () => {
      const elsewhere = { origin: ORIGIN };
      await expect(signUp('eve@example.com', elsewhere)).rejects.toMatchObject(refusal('setup_link_needed'));
      await expect(signUp('eve@example.com', { ...elsewhere, link: 'x'.repeat(43) })).rejects.toMatchObject(
        refusal('link_not_valid'),
      );
      const { token: old } = await fixture.users.makeSetupLink();
      fixture.pass(24 * 3_600_000);
      await expect(signUp('eve@example.com', { ...elsewhere, link: old })).rejects.toMatchObject(
        refusal('link_not_valid'),
      );
      const [first, second] = [await fixture.users.makeSetupLink(), await fixture.users.makeSetupLink()];
      const { session } = await signUp('ada@example.com', { ...elsewhere, link: first.token, accountName: 'Acme' });
      expect(session).toMatchObject({ role: 'owner', account: { name: 'Acme' } });
      for (const link of [first.token, second.token])
        await expect(signUp('eve@example.com', { ...elsewhere, link })).rejects.toMatchObject(
          refusal('link_not_valid'),
        );
    });

    it('of the first user by one setup link is one, however many come with it at once', async () => {
      const { token: link } = await fixture.users.makeSetupLink();
      const names = ['a', 'b', 'c', 'd'];
      const outcomes = await Promise.all(
        names.map((name) => outcomeOf(signUp(`${name}@example.com`, { origin: ORIGIN, link }))),
      );
      expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1);
      expect((await fixture.accounts.listAccounts()).accounts).toHaveLength(1);
    });

    it('is that of the first user for one, however many come at once to a fresh installation', async () => {
      const outcomes = await Promise.all(['a', 'b', 'c', 'd'].map((name) => outcomeOf(signUp(`${name}@example.com`))));
      expect(outcomes.sort()).toEqual(['done', 'sign_up_closed', 'sign_up_closed', 'sign_up_closed']);
      expect((await fixture.users.listUsers()).users).toHaveLength(1);
      expect((await fixture.accounts.listAccounts()).accounts).toHaveLength(1);
    });

    it('that was refused leaves nothing: the same email may come in by an invitation', async () => {
      const outcomes = await Promise.all(
        ['a', 'b'].map(async (name) => ({ name, how: await outcomeOf(signUp(`${name}@example.com`)) })),
      );
      const refused = outcomes.find(({ how }) => how !== 'done')?.name;
      const [owner] = (await fixture.users.listUsers()).users;
      if (owner === undefined) throw new Error('nobody is in');
      const { token } = await fixture.users.invite({
        actor: { userId: owner.id, accountId: owner.account.id },
        role: 'member',
      });
      expect((await signUp(`${refused}@example.com`, { invitation: token })).session.account).toEqual(owner.account);
    });

    it.each(['ada@example.com', ' ADA@Example.COM '])('with an email that is taken is refused: %j', async (email) => {
      await fixture.owner();
      await fixture.reopen({ SIGN_UP: 'open' }, { mail: false });
      await expect(signUp(email)).rejects.toMatchObject(refusal('email_taken'));
      expect((await fixture.accounts.listAccounts()).accounts).toHaveLength(1);
    });

    it('with one email is one user, however many come at once', async () => {
      await fixture.reopen({ SIGN_UP: 'open' }, { mail: false });
      const outcomes = await Promise.all(Array.from({ length: 4 }, () => outcomeOf(signUp('ada@example.com'))));
      expect(outcomes.sort()).toEqual(['done', 'email_taken', 'email_taken', 'email_taken']);
      expect((await fixture.users.listUsers()).users).toHaveLength(1);
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
      ['password', '1234567890', 'weak_password'],
      ['password', 'Password123', 'weak_password'],
      ['password', 'password123!', 'weak_password'],
      ['password', 'qwertyuiop', 'weak_password'],
      ['password', 'aaaaaaaaaaaa', 'weak_password'],
      ['password', '1212121212', 'weak_password'],
      ['password', 'zyxwvutsrqp', 'weak_password'],
      ['password', '0987654321', 'weak_password'],
      ['password', '12345678901234567890', 'weak_password'],
      ['password', 'Password2026!', 'weak_password'],
      ['password', 'qwerty123!', 'weak_password'],
      ['password', 'pass word 123', 'weak_password'],
      ['password', 'qwertyqwerty', 'weak_password'],
      ['password', 'ada@example.com2026', 'weak_password'],
    ])('with the %s %j is refused', async (field, value, code) => {
      await expect(signUp('ada@example.com', { [field]: value })).rejects.toMatchObject(refusal(code));
      expect((await fixture.users.installation()).signUp).toBe('first');
      expect((await fixture.accounts.listAccounts()).accounts).toEqual([]);
    });

    it.each([
      [{ name: 'Ada King Byron' }, 'adakingbyron'],
      [{ accountName: 'Analytical Engines' }, 'Analytical Engines!'],
      [{ email: 'ada.lovelace@example.com' }, 'Ada.Lovelace'],
    ])('with a password that is the name or email of the user or the account is refused: %j', async (who, password) => {
      await expect(signUp('ada@example.com', { ...who, password })).rejects.toMatchObject(refusal('weak_password'));
    });

    it.each(['ada+calls@example.co.uk', 'ада@пример.рф', "o'brien@example.com", 'ada@localhost'])(
      'takes the email %s',
      async (email) => {
        expect((await signUp(email)).session.user.email).toBe(email);
      },
    );
  });

  describe('an open sign-up where email is set up', () => {
    const request = (email: string) => fixture.users.requestSignUp({ email, origin: ORIGIN });
    /** @returns the token of the newest email */
    const mailed = async (count: number) => {
      const mails = await until(
        () => fixture.mails,
        (all) => all.length === count,
      );
      return /token=([\w-]+)/.exec(mails.at(-1)?.text ?? '')?.[1] ?? '';
    };

    it('confirms the email first: by a link that works once, for this email alone, for a day', async () => {
      await fixture.owner();
      await fixture.reopen({ SIGN_UP: 'open' });
      expect((await fixture.users.installation()).signUp).toBe('confirm');
      await expect(signUp('bob@example.com')).rejects.toMatchObject(refusal('email_not_confirmed'));
      await request(' Bob@example.com ');
      const link = await mailed(1);
      expect(fixture.mails[0]).toMatchObject({ to: 'bob@example.com' });
      expect(fixture.mails[0]?.text).toContain(
        `https://calls.example.com/sign-up#token=${link}&email=bob%40example.com`,
      );
      await expect(signUp('eve@example.com', { link })).rejects.toMatchObject(refusal('link_not_valid'));
      await request('bob@example.com');
      const second = await mailed(2);
      fixture.pass(24 * 3_600_000 - 1);
      expect((await signUp('bob@example.com', { link })).session).toMatchObject({
        role: 'owner',
        user: { email: 'bob@example.com' },
      });
      await expect(signUp('bob@example.com', { link })).rejects.toMatchObject(refusal('link_not_valid'));
      fixture.pass(1);
      await expect(signUp('bob@example.com', { link: second })).rejects.toMatchObject(refusal('link_not_valid'));
    });

    it('does not reveal which emails have a user, but to their owners', async () => {
      await fixture.owner();
      await fixture.reopen({ SIGN_UP: 'open' });
      expect(await request('ada@example.com')).toBeUndefined();
      expect(await mailed(1)).toBe('');
      expect(fixture.mails[0]).toMatchObject({
        to: 'ada@example.com',
        subject: 'You already have a Call Analytics account',
      });
    });

    it('sends an email again, five times in an hour, and none where sign-up is closed or no email is set up', async () => {
      await fixture.owner();
      expect(await outcomeOf(request('bob@example.com'))).toBe('sign_up_closed');
      await fixture.reopen({ SIGN_UP: 'open' }, { mail: false });
      expect(await outcomeOf(request('bob@example.com'))).toBe('sign_up_closed');
      await fixture.reopen({ SIGN_UP: 'open' });
      expect(await outcomeOf(request('no email'))).toBe('invalid_email');
      for (let i = 0; i < 5; i += 1) expect(await outcomeOf(request('bob@example.com'))).toBe('done');
      expect(await outcomeOf(request('bob@example.com'))).toBe('too_many_attempts');
    });

    it('takes no link that was sent before sign-up was closed, and lets the invited in without one', async () => {
      const owner = await fixture.owner();
      await fixture.reopen({ SIGN_UP: 'open' });
      await request('bob@example.com');
      const link = await mailed(1);
      expect((await fixture.joined(owner, 'member', 'dan@example.com')).session.account).toEqual(owner.session.account);
      await fixture.reopen();
      await expect(signUp('bob@example.com', { link })).rejects.toMatchObject(refusal('sign_up_closed'));
    });
  });
}
