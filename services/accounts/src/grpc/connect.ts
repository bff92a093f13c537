import {
  type CircuitBreaker,
  circuitBreaker,
  type Logger,
  type Metrics,
  withCircuitBreaker,
} from '@call-analytics/service-kit';
import { type CachedAccounts, cachedAccounts } from '../cached-accounts.ts';
import { isOutage, UNAVAILABLE } from '../refusals.ts';
import type { AccountsClientSettings } from '../settings.ts';
import type { Users } from '../users.ts';
import { type RemoteAccountsOptions, remoteAccounts, remoteUsers } from './client.ts';
import { readTlsFiles } from './tls.ts';

/** Added to the client's deadline, so that the error comes from the client, which knows the cause. */
const BEYOND_MS = 500;

/**
 * The accounts service that the settings name, behind its circuit breaker and with a cache of valid keys.
 * @throws SettingsError when a file that the settings name cannot be used
 */
export function connectAccounts(settings: AccountsClientSettings, about: About): CachedAccounts {
  const remote = remoteAccounts(remoteOf(settings));
  return cachedAccounts(remote, {
    ttlMs: settings.AUTH_CACHE_TTL,
    revocations: remote,
    breaker: breakerOf('accounts', settings, about),
  });
}

/**
 * The users of that service, behind a circuit breaker of their own: slow passwords must not turn away API keys. Nothing
 * is cached, so that a sign-out or a removal takes effect at once.
 * @param accounts forget their cached keys after each request that revokes keys
 * @throws SettingsError when a file that the settings name cannot be used
 */
export function connectUsers(
  settings: AccountsClientSettings,
  about: About,
  accounts: Pick<CachedAccounts, 'forgetKeys'>,
): Users {
  return forgettingKeys(
    withCircuitBreaker(remoteUsers(remoteOf(settings)), breakerOf('users', settings, about), { close: 'direct' }),
    accounts,
  );
}

/** @returns the users. After a request that revokes keys this process uses no cached key. */
function forgettingKeys(users: Users, accounts: Pick<CachedAccounts, 'forgetKeys'>): Users {
  const after =
    <Request>(ask: (request: Request) => Promise<void>) =>
    // Also when it failed: the answer may have been lost after the change.
    (request: Request) =>
      ask(request).finally(() => accounts.forgetKeys());
  return {
    ...users,
    removeMember: after(users.removeMember),
    resetPassword: after(users.resetPassword),
    deleteAccount: after(users.deleteAccount),
  };
}

interface About {
  log: Logger;
  metrics: Metrics;
}

function remoteOf(settings: AccountsClientSettings): RemoteAccountsOptions {
  const { ACCOUNTS_URL: url, ACCOUNTS_SECRET: secret, ACCOUNTS_DEADLINE: deadlineMs } = settings;
  return { url, secret, deadlineMs, tls: readTlsFiles(settings) };
}

function breakerOf(
  name: string,
  { ACCOUNTS_DEADLINE: deadlineMs }: AccountsClientSettings,
  about: About,
): CircuitBreaker {
  return circuitBreaker(name, {
    unavailable: UNAVAILABLE,
    deadlineMs: deadlineMs + BEYOND_MS,
    countsAsFailure: isOutage,
    ...about,
  });
}
