import { describe, expect, it } from '@jest/globals';
import type { AccountsFixture } from '../accounts.fixture.ts';

export function lastUse(fixture: AccountsFixture): void {
  describe('the time a key was last used', () => {
    const lastUsed = async (accountId: string) => (await fixture.accounts.listKeys({ accountId })).keys[0]?.lastUsedAt;
    /** Closing writes what is waiting to be written. */
    const use = async (secret: string, at: Date) => {
      fixture.now = at;
      expect(await fixture.accounts.authenticate({ apiKey: secret })).not.toBeNull();
      await fixture.reopen();
    };

    it('is written at most once a minute', async () => {
      const { account, secret } = await fixture.accountWithKey();
      const first = fixture.now;
      expect(await lastUsed(account.id)).toBeNull();
      await use(secret, first);
      expect(await lastUsed(account.id)).toEqual(first);
      await use(secret, new Date(first.getTime() + 59_000));
      expect(await lastUsed(account.id)).toEqual(first);
      await use(secret, new Date(first.getTime() + 60_000));
      expect(await lastUsed(account.id)).toEqual(fixture.now);
    });

    it('comes right again when the clock was set back', async () => {
      const { account, secret } = await fixture.accountWithKey();
      const before = fixture.now;
      await use(secret, new Date('2027-01-01T00:00:00Z'));
      await use(secret, before);
      expect(await lastUsed(account.id)).toEqual(before);
    });
  });
}
