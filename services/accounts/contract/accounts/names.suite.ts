import { describe, expect, it } from '@jest/globals';
import type { AccountsFixture } from '../accounts.fixture.ts';

export function names(fixture: AccountsFixture): void {
  describe('a name', () => {
    it.each([
      ['empty', ''],
      ['blank', '   '],
      ['longer than 200 characters', 'x'.repeat(201)],
      ['of two lines', 'a\nb'],
      ['with a NUL in it', 'a\u0000b'],
    ])('is not %s', async (_, name) => {
      const { account } = await fixture.accounts.createAccount({ name: 'Acme' });
      const refused = {
        failure: { kind: 'rejected', code: 'invalid_name', message: expect.stringContaining('200 characters') },
      };
      await expect(fixture.accounts.createAccount({ name })).rejects.toMatchObject(refused);
      await expect(fixture.accounts.createKey({ accountId: account.id, name })).rejects.toMatchObject(refused);
      expect(await fixture.accounts.listAccounts()).toEqual({ accounts: [account] });
      expect(await fixture.accounts.listKeys({ accountId: account.id })).toEqual({ keys: [] });
    });

    it('is kept in any language, and at its full length', async () => {
      const longest = '🦌'.repeat(100);
      await fixture.accounts.createAccount({ name: ' Рога и копыта 🦌 ' });
      await fixture.accounts.createAccount({ name: longest });
      expect((await fixture.accounts.listAccounts()).accounts.map(({ name }) => name)).toEqual([
        'Рога и копыта 🦌',
        longest,
      ]);
    });
  });
}
