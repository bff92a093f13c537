import type { Clock } from '@call-analytics/service-kit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { apiKeys } from './accounts/api-keys.suite.ts';
import { lastUse } from './accounts/last-use.suite.ts';
import { names } from './accounts/names.suite.ts';
import type { AccountsFixture, OpenedAccounts } from './accounts.fixture.ts';

/**
 * What every adapter of `Accounts` must do.
 * @param open gives accounts without any account, which take the time of what they write from `clock`
 */
export function accountsContract(name: string, open: (clock: Clock) => Promise<OpenedAccounts>): void {
  describe(`accounts contract: ${name}`, () => {
    let opened: OpenedAccounts;
    const fixture: AccountsFixture = {
      get accounts() {
        return opened.accounts;
      },
      now: new Date(0),
      async reopen() {
        opened.accounts = await opened.reopen();
      },
      async accountWithKey(of = 'Acme') {
        const { account } = await opened.accounts.createAccount({ name: of });
        return { account, ...(await opened.accounts.createKey({ accountId: account.id, name: 'first' })) };
      },
    };
    beforeEach(async () => {
      fixture.now = new Date('2026-05-01T10:00:00.123Z');
      opened = await open({ now: () => fixture.now });
    });
    afterEach(() => opened.close());

    apiKeys(fixture);
    names(fixture);
    lastUse(fixture);

    it('are there after a restart', async () => {
      const { account, key, secret } = await fixture.accountWithKey();
      await fixture.reopen();
      expect(await fixture.accounts.listAccounts()).toEqual({ accounts: [account] });
      expect(await fixture.accounts.authenticate({ apiKey: secret })).toMatchObject({ account, key: { id: key.id } });
    });

    it('are ready while they are open, and say why not when they are closed', async () => {
      expect(await fixture.accounts.ready()).toBeNull();
      await fixture.accounts.close();
      await fixture.accounts.close();
      expect(await fixture.accounts.ready()).toEqual(expect.any(String));
      const unavailable = { failure: { kind: 'transient', code: 'accounts_unavailable' } };
      await expect(fixture.accounts.listAccounts()).rejects.toMatchObject(unavailable);
      await expect(fixture.accounts.createAccount({ name: 'Acme' })).rejects.toMatchObject(unavailable);
    });
  });
}
