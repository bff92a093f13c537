import { type CircuitBreaker, guarded, type Routes } from '@call-analytics/service-kit';
import type { Accounts } from './accounts.ts';

const ASKS = {};

const ROUTES: Routes<Accounts> = {
  authenticate: ASKS,
  createAccount: ASKS,
  listAccounts: ASKS,
  createKey: ASKS,
  listKeys: ASKS,
  revokeKey: ASKS,
  ready: 'straight',
  close: 'straight',
};

/** Accounts behind a circuit breaker: while they do not answer, nobody waits for them. */
export function guardedAccounts(accounts: Accounts, breaker: CircuitBreaker): Accounts {
  return guarded(accounts, breaker, ROUTES);
}
