import {
  type CircuitBreaker,
  circuitBreaker,
  type Logger,
  type Metrics,
  withCircuitBreaker,
} from '@call-analytics/service-kit';
import type { Accounts } from '../accounts.ts';
import { isOutage, UNAVAILABLE } from '../refusals.ts';
import type { RevocationSource } from '../revocations.ts';
import type { AccountsServiceSettings } from '../settings.ts';
import type { Users } from '../users.ts';
import { openMongoAccounts } from './accounts.ts';
import { openMongoUsers } from './users.ts';

/** Longer than the driver takes to find, twice, that no server answers. */
const DEADLINE_MS = 11_000;

/**
 * The accounts in the database that the service's settings name, behind its circuit breaker.
 * @throws WorkError `transient` `accounts_unavailable` when it is not there now
 */
export async function connectAccountsStore(
  settings: AccountsServiceSettings,
  about: About,
): Promise<Accounts & RevocationSource> {
  const accounts = await openMongoAccounts({ url: settings.MONGODB_URL });
  return withCircuitBreaker(accounts, breakerOf('accounts store', about), {
    watchRevocations: 'direct',
    ready: 'direct',
    close: 'direct',
  });
}

/**
 * The users in that database.
 * @throws WorkError `transient` `accounts_unavailable` when it is not there now; SettingsError when the settings of
 * mail do not fit together
 */
export async function connectUsersStore(settings: AccountsServiceSettings, about: About): Promise<Users> {
  const users = await openMongoUsers({ url: settings.MONGODB_URL, settings, log: about.log });
  return withCircuitBreaker(users, breakerOf('users store', about), { close: 'direct' });
}

interface About {
  log: Logger;
  metrics: Metrics;
}

function breakerOf(name: string, about: About): CircuitBreaker {
  return circuitBreaker(name, {
    unavailable: UNAVAILABLE,
    deadlineMs: DEADLINE_MS,
    countsAsFailure: isOutage,
    ...about,
  });
}
