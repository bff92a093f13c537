import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cachedAccounts, openAccounts } from '@call-analytics/accounts';
import { circuitBreaker, makeLogger, makeMetrics } from '@call-analytics/service-kit';
import { accountsContract } from './accounts.suite.ts';

accountsContract('behind a cache and a circuit breaker', async (clock) => {
  const dir = await mkdtemp(join(tmpdir(), 'accounts-'));
  const unavailable = { code: 'accounts_unavailable', message: 'Accounts are temporarily unavailable.' };
  const open = () => {
    const log = makeLogger('test', 'silent');
    const breaker = circuitBreaker('accounts', { unavailable, deadlineMs: 5_000, log, metrics: makeMetrics() });
    return cachedAccounts(openAccounts({ file: join(dir, 'accounts.sqlite'), clock }), {
      ttlMs: 30_000,
      breaker,
      clock,
    });
  };
  let accounts = open();
  return {
    accounts,
    async reopen() {
      await accounts.close();
      accounts = open();
      return accounts;
    },
    async close() {
      await accounts.close();
      await rm(dir, { recursive: true });
    },
  };
});
