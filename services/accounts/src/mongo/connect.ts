import { circuitBreaker, type Logger, type Metrics } from '@call-analytics/service-kit';
import type { Accounts } from '../accounts.ts';
import { guardedAccounts } from '../guarded.ts';
import { UNAVAILABLE } from '../refusals.ts';
import type { AccountsServiceSettings } from '../settings.ts';
import { openMongoAccounts } from './accounts.ts';

/** Longer than the driver takes to find, twice, that no server answers. */
const DEADLINE_MS = 11_000;

/** The accounts in the database that the service's settings name, behind its circuit breaker. @throws WorkError `transient` `accounts_unavailable` when it is not there now */
export async function connectAccountsStore(
  settings: AccountsServiceSettings,
  { log, metrics }: { log: Logger; metrics: Metrics },
): Promise<Accounts> {
  const breaker = circuitBreaker('accounts store', { unavailable: UNAVAILABLE, deadlineMs: DEADLINE_MS, log, metrics });
  return guardedAccounts(await openMongoAccounts({ url: settings.MONGODB_URL }), breaker);
}
