import { describe, expect, it } from '@jest/globals';
import { actorOf, ORIGIN, outcomeOf, PASSWORD, type UsersBench } from '../users.suite.ts';

const QUARTER_MS = 15 * 60_000;

export function limits(bench: UsersBench): void {
  const signIn = (email: string, password: string, ip = ORIGIN.ip) =>
    outcomeOf(bench.users.signIn({ email, password, origin: { ...ORIGIN, ip } }));
  const guess = async (times: number, email = 'ada@example.com', ip?: string) => {
    const outcomes = new Set<string>();
    for (let i = 0; i < times; i += 1) outcomes.add(await signIn(email, `guess number ${i}`, ip));
    return [...outcomes];
  };

  describe('attempts', () => {
    it('at the password of one user are ten in a quarter of an hour, wherever they come from, also by who then knows it', async () => {
      await bench.owner();
      expect(await guess(5)).toEqual(['wrong_credentials']);
      expect(await guess(5, 'ada@example.com', '198.51.100.1')).toEqual(['wrong_credentials']);
      const late = bench.users.signIn({ email: 'Ada@example.com', password: PASSWORD, origin: { ...ORIGIN, ip: '192.0.2.1' } });
      const until = new Date(bench.now.getTime() + QUARTER_MS);
      await expect(late).rejects.toMatchObject({ failure: { kind: 'rate-limited', code: 'too_many_attempts', until } });
      bench.pass(QUARTER_MS - 1);
      expect(await signIn('ada@example.com', PASSWORD)).toBe('too_many_attempts');
      bench.pass(1);
      expect(await signIn('ada@example.com', PASSWORD)).toBe('done');
    });

    it('are counted also where there is no such user', async () => {
      await bench.owner();
      expect(await guess(10, 'nobody@example.com')).toEqual(['wrong_credentials']);
      expect(await guess(1, 'nobody@example.com')).toEqual(['too_many_attempts']);
    });

    it('are counted for all processes together, and over a restart', async () => {
      await bench.owner();
      await guess(10);
      await bench.reopen();
      expect(await signIn('ada@example.com', PASSWORD)).toBe('too_many_attempts');
    });

    it('from one address are fifty, whoever they are at; an IPv6 network is one address, and another address is free', async () => {
      await bench.owner();
      const address = (i: number) => `2001:db8:1:2::${i.toString(16)}`;
      const outcomes: string[] = [];
      for (let i = 0; i < 50; i += 1) outcomes.push(await signIn(`user${i}@example.com`, 'a guess for all', address(i)));
      expect(new Set(outcomes)).toEqual(new Set(['wrong_credentials']));
      expect(await signIn('ada@example.com', PASSWORD, '2001:0db8:0001:0002:ffff::1')).toBe('too_many_attempts');
      expect(await signIn('ada@example.com', PASSWORD, '2001:db8:1:3::1')).toBe('done');
    });

    it('that come all at once are no more than those in a row', async () => {
      await bench.owner();
      const outcomes = await Promise.all(Array.from({ length: 15 }, (_, i) => signIn('ada@example.com', `guess number ${i}`)));
      expect(outcomes.filter((outcome) => outcome === 'wrong_credentials')).toHaveLength(10);
    });

    it('that were right do not count', async () => {
      await bench.owner();
      for (let i = 0; i < 12; i += 1) expect(await signIn('ada@example.com', PASSWORD)).toBe('done');
    });

    it('at a password count together, also those to change it or to delete the account', async () => {
      const owner = await bench.owner();
      await guess(8);
      const wrong = { currentPassword: 'a guess', newPassword: PASSWORD };
      expect(await outcomeOf(bench.users.changePassword({ token: owner.token, ...wrong, origin: ORIGIN }))).toBe('wrong_credentials');
      const remove = () => outcomeOf(bench.users.deleteAccount({ actor: actorOf(owner), password: 'a guess', origin: ORIGIN }));
      expect(await remove()).toBe('wrong_credentials');
      expect(await remove()).toBe('too_many_attempts');
      expect(await outcomeOf(bench.users.changePassword({ token: owner.token, ...wrong, origin: ORIGIN }))).toBe('too_many_attempts');
    });

    it('to have mails sent to one person are five in an hour', async () => {
      await bench.owner();
      const ask = () => outcomeOf(bench.users.requestPasswordReset({ email: 'ada@example.com', origin: ORIGIN }));
      for (let i = 0; i < 5; i += 1) expect(await ask()).toBe('done');
      expect(await ask()).toBe('too_many_attempts');
      bench.pass(3_600_000);
      expect(await ask()).toBe('done');
    });

    it('to sign up from one address are twenty in an hour; who was invited does not count', async () => {
      const owner = await bench.owner();
      const signUp = (i: number) =>
        outcomeOf(bench.users.signUp({ name: 'Bob', email: `bob${i}@example.com`, password: PASSWORD, origin: ORIGIN }));
      for (let i = 1; i < 19; i += 1) expect(await signUp(i)).toBe('sign_up_closed');
      for (const name of ['eve', 'dan']) await bench.joined(owner, 'member', `${name}@example.com`);
      expect(await signUp(19)).toBe('sign_up_closed');
      expect(await signUp(20)).toBe('too_many_attempts');
    });
  });
}
