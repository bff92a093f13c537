import { describe, expect, it } from '@jest/globals';
import { ORIGIN, PASSWORD, refusal, type UsersFixture } from '../users.fixture.ts';

const DAY_MS = 86_400_000;

export function sessions(fixture: UsersFixture): void {
  const read = (token: string) => fixture.users.session({ token });

  describe('a session', () => {
    it('is one of at most 50 of its user: the oldest ends', async () => {
      const oldest = await fixture.owner();
      const tokens: string[] = [];
      for (let i = 0; i < 50; i += 1) {
        fixture.pass(1_000);
        tokens.push(
          (await fixture.users.signIn({ email: 'ada@example.com', password: PASSWORD, origin: ORIGIN })).token,
        );
      }
      expect(await fixture.users.session({ token: oldest.token })).toBeNull();
      for (const token of tokens) expect(await fixture.users.session({ token })).not.toBeNull();
    });

    it('is there after a restart', async () => {
      const { session, token } = await fixture.owner();
      await fixture.reopen();
      expect(await read(token)).toEqual(session);
    });

    it('lasts for 14 days when nobody comes, and not a moment longer', async () => {
      const { token } = await fixture.owner();
      const other = await fixture.users.signIn({ email: 'ada@example.com', password: PASSWORD, origin: ORIGIN });
      fixture.pass(14 * DAY_MS - 1);
      expect(await read(token)).not.toBeNull();
      fixture.pass(1);
      expect(await read(other.token)).toBeNull();
    });

    it('is extended now and then for who comes, by what is stored', async () => {
      const { session, token } = await fixture.owner();
      fixture.pass(DAY_MS - 1);
      expect((await read(token))?.expiresAt).toEqual(session.expiresAt);
      fixture.pass(1);
      const extended = new Date(fixture.now.getTime() + 14 * DAY_MS);
      expect((await read(token))?.expiresAt).toEqual(extended);
      fixture.pass(1_000);
      expect((await read(token))?.expiresAt).toEqual(extended);
      for (let day = 0; day < 40; day += 13) {
        fixture.pass(13 * DAY_MS);
        expect(await read(token)).not.toBeNull();
      }
    });

    it('ends when its user signs out, and no other does', async () => {
      const { token } = await fixture.owner();
      const other = await fixture.users.signIn({ email: 'ada@example.com', password: PASSWORD, origin: ORIGIN });
      await fixture.users.signOut({ token });
      await fixture.users.signOut({ token });
      expect(await read(token)).toBeNull();
      expect(await read(other.token)).not.toBeNull();
    });

    it.each(['', 'x', 'x'.repeat(43), 'x'.repeat(10_000), '{"$ne":null}', '\u0000', "' OR 1=1 --"])(
      'is not the text %#',
      async (token) => {
        await fixture.owner();
        expect(await read(token)).toBeNull();
        await fixture.users.signOut({ token });
      },
    );

    it('has 256 random bits', async () => {
      const tokens = [(await fixture.owner()).token];
      for (let i = 0; i < 3; i += 1) {
        tokens.push(
          (await fixture.users.signIn({ email: 'ada@example.com', password: PASSWORD, origin: ORIGIN })).token,
        );
      }
      for (const token of tokens) expect(Buffer.from(token, 'base64url')).toHaveLength(32);
      expect(new Set(tokens).size).toBe(4);
    });

    it('shows the name that its user has now', async () => {
      const { session, token } = await fixture.owner();
      const { user } = session;
      expect(await fixture.users.rename({ userId: user.id, name: ' Ada Lovelace 🦌 ' })).toEqual({
        user: { ...user, name: 'Ada Lovelace 🦌' },
      });
      expect((await read(token))?.user.name).toBe('Ada Lovelace 🦌');
      await expect(fixture.users.rename({ userId: user.id, name: 'a\u0007b' })).rejects.toMatchObject(
        refusal('invalid_name'),
      );
      await expect(fixture.users.rename({ userId: 'usr_none', name: 'x' })).rejects.toMatchObject(
        refusal('no_such_user'),
      );
    });

    it('cannot be read while its store cannot: nobody is told that they are not signed in', async () => {
      const { token } = await fixture.owner();
      await fixture.users.close();
      const unavailable = { failure: { kind: 'transient', code: 'accounts_unavailable' } };
      await expect(read(token)).rejects.toMatchObject(unavailable);
      await expect(
        fixture.users.signIn({ email: 'ada@example.com', password: PASSWORD, origin: ORIGIN }),
      ).rejects.toMatchObject(unavailable);
      await expect(fixture.users.signOut({ token })).rejects.toMatchObject(unavailable);
      await fixture.reopen();
      expect(await read(token)).not.toBeNull();
    });
  });
}
