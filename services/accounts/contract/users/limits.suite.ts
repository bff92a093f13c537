import { describe, expect, it } from '@jest/globals';
import { actorOf, ORIGIN, outcomeOf, PASSWORD, type UsersFixture } from '../users.fixture.ts';

const QUARTER_MS = 15 * 60_000;

export function limits(fixture: UsersFixture): void {
  const signIn = (email: string, password: string, ip = ORIGIN.ip, device?: string) =>
    outcomeOf(fixture.users.signIn({ email, password, origin: { ...ORIGIN, ip, device } }));
  const guess = async (times: number, email = 'ada@example.com', ip?: string, device?: string) => {
    const outcomes = new Set<string>();
    for (let i = 0; i < times; i += 1) outcomes.add(await signIn(email, `guess number ${i}`, ip, device));
    return [...outcomes];
  };

  describe('attempts', () => {
    it('at the password of one user are ten in a quarter of an hour from one address, also with the right password', async () => {
      await fixture.owner();
      expect(await guess(10)).toEqual(['wrong_credentials']);
      const late = fixture.users.signIn({ email: 'Ada@example.com', password: PASSWORD, origin: ORIGIN });
      const until = new Date(fixture.now.getTime() + QUARTER_MS);
      await expect(late).rejects.toMatchObject({ failure: { kind: 'rate-limited', code: 'too_many_attempts', until } });
      expect(await signIn('ada@example.com', PASSWORD, '192.0.2.1')).toBe('done');
      fixture.pass(QUARTER_MS - 1);
      expect(await signIn('ada@example.com', PASSWORD)).toBe('too_many_attempts');
      fixture.pass(1);
      expect(await signIn('ada@example.com', PASSWORD)).toBe('done');
    });

    it('at the password of one user are a hundred in an hour from all addresses', async () => {
      await fixture.owner();
      for (let i = 0; i < 10; i += 1)
        expect(await guess(10, 'ada@example.com', `198.51.100.${i}`)).toEqual(['wrong_credentials']);
      expect(await signIn('ada@example.com', PASSWORD, '192.0.2.1')).toBe('too_many_attempts');
      fixture.pass(4 * QUARTER_MS);
      expect(await signIn('ada@example.com', PASSWORD, '192.0.2.1')).toBe('done');
    });

    it('from elsewhere never lock a person out of a browser in which they have signed in', async () => {
      const { device } = await fixture.owner();
      for (let i = 0; i < 11; i += 1) await guess(10, 'ada@example.com', `198.51.100.${i}`);
      expect(await guess(10)).toEqual(['too_many_attempts']);
      for (let i = 0; i < 12; i += 1) expect(await signIn('ada@example.com', PASSWORD, ORIGIN.ip, device)).toBe('done');
      const ask = (more: object) =>
        outcomeOf(fixture.users.requestPasswordReset({ email: 'ada@example.com', origin: { ...ORIGIN, ...more } }));
      for (let i = 0; i < 5; i += 1) await ask({});
      expect(await ask({})).toBe('too_many_attempts');
      expect(await ask({ device })).toBe('done');
    });

    it('in such a browser are ten of its own, and it is known after a restart and a new sign-in, for a year', async () => {
      const { device } = await fixture.owner();
      expect(await guess(11, 'ada@example.com', '198.51.100.1', device)).toEqual([
        'wrong_credentials',
        'too_many_attempts',
      ]);
      fixture.pass(QUARTER_MS);
      await fixture.reopen();
      const again = await fixture.users.signIn({
        email: 'ada@example.com',
        password: PASSWORD,
        origin: { ...ORIGIN, device },
      });
      await guess(10);
      expect(await signIn('ada@example.com', PASSWORD)).toBe('too_many_attempts');
      expect(await signIn('ada@example.com', PASSWORD, ORIGIN.ip, again.device)).toBe('done');
      fixture.pass(366 * 86_400_000);
      await guess(10);
      expect(await signIn('ada@example.com', PASSWORD, ORIGIN.ip, again.device)).toBe('too_many_attempts');
    });

    it('are not helped by the browser of another person, a forged token or any other text', async () => {
      const owner = await fixture.owner();
      const { device: other } = await fixture.joined(owner, 'member', 'bob@example.com');
      const [expires = '', name = '', signed = ''] = owner.device.split('.');
      const forged = [
        `${expires}.${'A'.repeat(22)}.${signed}`,
        `z${expires}.${name}.${signed}`,
        'x',
        '~~',
        'x'.repeat(5_000),
        '',
      ];
      await guess(10);
      for (const device of [other, ...forged])
        expect(await signIn('ada@example.com', PASSWORD, ORIGIN.ip, device)).toBe('too_many_attempts');
    });

    it('of two people in one browser are known for both', async () => {
      const owner = await fixture.owner();
      await fixture.joined(owner, 'member', 'bob@example.com');
      const origin = { ...ORIGIN, device: owner.device };
      const { device } = await fixture.users.signIn({ email: 'bob@example.com', password: PASSWORD, origin });
      for (const email of ['ada@example.com', 'bob@example.com']) {
        await guess(10, email);
        expect(await signIn(email, PASSWORD)).toBe('too_many_attempts');
        expect(await signIn(email, PASSWORD, ORIGIN.ip, device)).toBe('done');
      }
    });

    it('are counted also where there is no such user', async () => {
      await fixture.owner();
      expect(await guess(10, 'nobody@example.com')).toEqual(['wrong_credentials']);
      expect(await guess(1, 'nobody@example.com')).toEqual(['too_many_attempts']);
    });

    it('are counted for all processes together, and over a restart', async () => {
      await fixture.owner();
      await guess(10);
      await fixture.reopen();
      expect(await signIn('ada@example.com', PASSWORD)).toBe('too_many_attempts');
    });

    it('from one address are fifty, whoever they are at; an IPv6 network is one address, and another address is free', async () => {
      await fixture.owner();
      const address = (i: number) => `2001:db8:1:2::${i.toString(16)}`;
      const outcomes: string[] = [];
      for (let i = 0; i < 50; i += 1)
        outcomes.push(await signIn(`user${i}@example.com`, 'a guess for all', address(i)));
      expect(new Set(outcomes)).toEqual(new Set(['wrong_credentials']));
      expect(await signIn('ada@example.com', PASSWORD, '2001:0db8:0001:0002:ffff::1')).toBe('too_many_attempts');
      expect(await signIn('ada@example.com', PASSWORD, '2001:db8:1:3::1')).toBe('done');
    });

    it('that come all at once are no more than those in a row', async () => {
      await fixture.owner();
      const outcomes = await Promise.all(
        Array.from({ length: 15 }, (_, i) => signIn('ada@example.com', `guess number ${i}`)),
      );
      expect(outcomes.filter((outcome) => outcome === 'wrong_credentials')).toHaveLength(10);
    });

    it('that were right do not count', async () => {
      await fixture.owner();
      for (let i = 0; i < 12; i += 1) expect(await signIn('ada@example.com', PASSWORD)).toBe('done');
    });

    it('of who is signed in count apart from those of others, to change the password and to delete the account', async () => {
      const owner = await fixture.owner();
      expect(await guess(11)).toEqual(['wrong_credentials', 'too_many_attempts']);
      const wrong = { currentPassword: 'a guess', newPassword: PASSWORD };
      const change = () => outcomeOf(fixture.users.changePassword({ token: owner.token, ...wrong, origin: ORIGIN }));
      const confirm = () => outcomeOf(fixture.users.confirmOwner({ actor: actorOf(owner), password: 'a guess' }));
      for (let i = 0; i < 5; i += 1)
        expect([await change(), await confirm()]).toEqual(['wrong_password', 'wrong_password']);
      expect([await change(), await confirm()]).toEqual(['too_many_attempts', 'too_many_attempts']);
    });

    it('to have mails sent to one person are five in an hour from one address', async () => {
      await fixture.owner();
      const ask = () => outcomeOf(fixture.users.requestPasswordReset({ email: 'ada@example.com', origin: ORIGIN }));
      for (let i = 0; i < 5; i += 1) expect(await ask()).toBe('done');
      expect(await ask()).toBe('too_many_attempts');
      fixture.pass(3_600_000);
      expect(await ask()).toBe('done');
    });

    it('to sign up from one address are twenty in an hour; who was invited does not count', async () => {
      const owner = await fixture.owner();
      const signUp = (i: number) =>
        outcomeOf(
          fixture.users.signUp({ name: 'Bob', email: `bob${i}@example.com`, password: PASSWORD, origin: ORIGIN }),
        );
      for (let i = 1; i < 19; i += 1) expect(await signUp(i)).toBe('sign_up_closed');
      for (const name of ['eve', 'dan']) await fixture.joined(owner, 'member', `${name}@example.com`);
      expect(await signUp(19)).toBe('sign_up_closed');
      expect(await signUp(20)).toBe('too_many_attempts');
    });
  });
}
