import { cachedAccounts, openAccounts } from '@call-analytics/accounts';
import { circuitBreaker, makeLogger, makeMetrics } from '@call-analytics/service-kit';
import { accountsInFolder } from './accounts.fixture.ts';
import { accountsContract } from './accounts.suite.ts';

const unavailable = { code: 'accounts_unavailable', message: 'Accounts are temporarily unavailable.' };

accountsContract('behind a cache and a circuit breaker', (clock) =>
  accountsInFolder((file) => {
    const log = makeLogger('test', 'silent');
    const breaker = circuitBreaker('accounts', { unavailable, deadlineMs: 5_000, log, metrics: makeMetrics() });
    return cachedAccounts(openAccounts({ file, clock }), { ttlMs: 30_000, breaker, clock });
  }),
);
