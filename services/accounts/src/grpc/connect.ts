import { circuitBreaker, type Logger, type Metrics } from '@call-analytics/service-kit';
import type { Accounts } from '../accounts.ts';
import { cachedAccounts } from '../cached/cached-accounts.ts';
import { UNAVAILABLE } from '../refusals.ts';
import type { AccountsClientSettings } from '../settings.ts';
import { remoteAccounts } from './client.ts';
import { readTlsFiles } from './tls.ts';

/** What the breaker waits beyond the client's own deadline, so that it is the client that says what was wrong. */
const BEYOND_MS = 500;

/**
 * The accounts service that a service's settings name, behind its circuit breaker and a short memory for good keys.
 * @throws SettingsError when a file that the settings name cannot be used
 */
export function connectAccounts(settings: AccountsClientSettings, { log, metrics }: { log: Logger; metrics: Metrics }): Accounts {
  const { ACCOUNTS_URL: url, ACCOUNTS_SECRET: secret, ACCOUNTS_DEADLINE: deadlineMs, AUTH_CACHE_TTL: ttlMs } = settings;
  const breaker = circuitBreaker('accounts', { unavailable: UNAVAILABLE, deadlineMs: deadlineMs + BEYOND_MS, log, metrics });
  return cachedAccounts(remoteAccounts({ url, secret, tls: readTlsFiles(settings), deadlineMs }), { ttlMs, breaker });
}
