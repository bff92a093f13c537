import { makeApiKey } from '@call-analytics/accounts';
import { describe, expect, it } from '@jest/globals';
import type { AccountsFixture } from '../accounts.fixture.ts';
import { outcomeOf } from '../users.fixture.ts';

export function apiKeys(fixture: AccountsFixture): void {
  describe('an API key', () => {
    it('opens the account it was made for, and no other', async () => {
      const acme = await fixture.accountWithKey('Acme');
      const other = await fixture.accountWithKey('Other');
      expect(await fixture.accounts.authenticate({ apiKey: acme.secret })).toEqual({
        account: acme.account,
        key: acme.key,
      });
      expect((await fixture.accounts.authenticate({ apiKey: other.secret }))?.account.id).toBe(other.account.id);
    });

    it('that was mistyped anywhere is refused without a question to the store', async () => {
      const { secret } = await fixture.accountWithKey();
      await fixture.accounts.close();
      for (let i = 0; i < secret.length; i += 1) {
        const typo = secret.slice(0, i) + (secret[i] === 'x' ? 'y' : 'x') + secret.slice(i + 1);
        expect(await fixture.accounts.authenticate({ apiKey: typo })).toBeNull();
      }
      await expect(fixture.accounts.authenticate({ apiKey: secret })).rejects.toMatchObject({
        failure: { kind: 'transient', code: 'accounts_unavailable' },
      });
    });

    it.each([
      '',
      'aca_',
      'aca_short',
      'Bearer aca_x',
      `aca_${'x'.repeat(38)}`,
      `aca_${'x'.repeat(1_000_000)}`,
      '\u0000',
      'aca_ключ',
    ])('is not the text %#', async (apiKey) => {
      expect(await fixture.accounts.authenticate({ apiKey })).toBeNull();
    });

    it('that is well formed but unknown opens nothing', async () => {
      await fixture.accountWithKey();
      expect(await fixture.accounts.authenticate({ apiKey: makeApiKey() })).toBeNull();
    });

    it('is one of several of its account, each with its own name, listed oldest first without the secret', async () => {
      const { account, key } = await fixture.accountWithKey();
      fixture.now = new Date('2026-05-01T10:00:05Z');
      const second = await fixture.accounts.createKey({ accountId: account.id, name: 'second' });
      const { keys } = await fixture.accounts.listKeys({ accountId: account.id });
      expect(keys).toEqual([key, second.key]);
      expect(second.key).toEqual({
        id: expect.stringMatching(/^key_[0-9a-f]{32}$/),
        name: 'second',
        prefix: second.secret.slice(0, 9),
        scope: 'write',
        createdBy: 'operator',
        createdAt: fixture.now,
        expiresAt: null,
        lastUsedAt: null,
        revokedAt: null,
      });
      expect(JSON.stringify(keys)).not.toContain(second.secret.slice(9));
    });

    it('is made once for each that asks, however many ask at once', async () => {
      const { account } = await fixture.accounts.createAccount({ name: 'Acme' });
      const made = await Promise.all(
        Array.from({ length: 20 }, (_, i) => fixture.accounts.createKey({ accountId: account.id, name: `key ${i}` })),
      );
      const opened = await Promise.all(made.map(({ secret }) => fixture.accounts.authenticate({ apiKey: secret })));
      expect(opened.map((client) => client?.key.name)).toEqual(made.map(({ key }) => key.name));
      expect((await fixture.accounts.listKeys({ accountId: account.id })).keys).toHaveLength(20);
    });

    it('that is revoked opens nothing from then on, while the others still do', async () => {
      const { account, key, secret } = await fixture.accountWithKey();
      const second = await fixture.accounts.createKey({ accountId: account.id, name: 'second' });
      expect(await fixture.accounts.authenticate({ apiKey: secret })).not.toBeNull();
      expect(await fixture.accounts.revokeKey({ accountId: account.id, keyId: key.id })).toEqual({ revoked: true });
      expect(await fixture.accounts.authenticate({ apiKey: secret })).toBeNull();
      expect(await fixture.accounts.authenticate({ apiKey: second.secret })).not.toBeNull();
      const revokedAt = fixture.now;
      fixture.now = new Date('2026-05-01T11:00:00Z');
      expect(await fixture.accounts.revokeKey({ accountId: account.id, keyId: key.id })).toEqual({ revoked: false });
      expect((await fixture.accounts.listKeys({ accountId: account.id })).keys[0]?.revokedAt).toEqual(revokedAt);
    });

    it('has a scope and an expiry, after which it opens nothing', async () => {
      const { account } = await fixture.accounts.createAccount({ name: 'Acme' });
      const expiresAt = new Date(fixture.now.getTime() + 60_000);
      const request = { accountId: account.id, name: 'reports', scope: 'read', expiresAt } as const;
      const { key, secret } = await fixture.accounts.createKey(request);
      expect(key).toMatchObject({ scope: 'read', expiresAt });
      expect(await fixture.accounts.authenticate({ apiKey: secret })).toEqual({ account, key });
      fixture.now = new Date(expiresAt.getTime() - 1);
      expect(await fixture.accounts.authenticate({ apiKey: secret })).not.toBeNull();
      fixture.now = expiresAt;
      expect(await fixture.accounts.authenticate({ apiKey: secret })).toBeNull();
      const refused = { failure: { kind: 'rejected', code: 'invalid_expiry' } };
      await expect(fixture.accounts.createKey(request)).rejects.toMatchObject(refused);
    });

    it('is one of at most 100 active ones, however many are created at once; of those that do not work 100 stay listed', async () => {
      const { account } = await fixture.accounts.createAccount({ name: 'Acme' });
      const make = () => fixture.accounts.createKey({ accountId: account.id, name: 'one of many' });
      const made = [];
      for (let i = 0; i < 97; i += 1) made.push(await make());
      const codes = await Promise.all(Array.from({ length: 6 }, () => outcomeOf(make())));
      expect(codes.sort()).toEqual(['done', 'done', 'done', 'too_many_keys', 'too_many_keys', 'too_many_keys']);
      for (let i = 0; i < 105; i += 1) {
        const { key } = made.shift() ?? (await make());
        await fixture.accounts.revokeKey({ accountId: account.id, keyId: key.id });
        made.push(await make());
      }
      const { keys } = await fixture.accounts.listKeys({ accountId: account.id });
      const active = keys.filter(({ revokedAt }) => revokedAt === null);
      expect(active).toHaveLength(100);
      expect(keys.length - active.length).toBeLessThanOrEqual(101);
    });

    it('cannot be revoked through another account', async () => {
      const acme = await fixture.accountWithKey('Acme');
      const other = await fixture.accountWithKey('Other');
      expect(await fixture.accounts.revokeKey({ accountId: other.account.id, keyId: acme.key.id })).toEqual({
        revoked: false,
      });
      expect(await fixture.accounts.revokeKey({ accountId: acme.account.id, keyId: 'key_none' })).toEqual({
        revoked: false,
      });
      expect(await fixture.accounts.authenticate({ apiKey: acme.secret })).not.toBeNull();
    });

    it.each(['acc_none', '', '{"$ne":null}'])(
      'cannot be made or listed for an account that is not there: %j',
      async (accountId) => {
        await fixture.accountWithKey();
        const refused = {
          failure: { kind: 'rejected', code: 'no_such_account', message: `Account ${accountId} does not exist.` },
        };
        await expect(fixture.accounts.createKey({ accountId, name: 'x' })).rejects.toMatchObject(refused);
        await expect(fixture.accounts.listKeys({ accountId })).rejects.toMatchObject(refused);
      },
    );
  });
}
