import { type CircuitBreaker, failureOf, guarded, type Routes } from '@call-analytics/service-kit';
import type { Accounts } from './accounts.ts';
import type { Users } from './users.ts';

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

const USERS_ROUTES: Routes<Users> = {
  installation: ASKS,
  signUp: ASKS,
  requestSignUp: ASKS,
  signIn: ASKS,
  signInByLink: ASKS,
  session: ASKS,
  signOut: ASKS,
  rename: ASKS,
  changePassword: ASKS,
  requestPasswordReset: ASKS,
  resetPassword: ASKS,
  listMembers: ASKS,
  changeRole: ASKS,
  removeMember: ASKS,
  invite: ASKS,
  listInvitations: ASKS,
  withdrawInvitation: ASKS,
  findInvitation: ASKS,
  deleteAccount: ASKS,
  makeSetupLink: ASKS,
  claim: ASKS,
  makeSignInLink: ASKS,
  makeResetLink: ASKS,
  listUsers: ASKS,
  close: 'straight',
};

/** Accounts behind a circuit breaker: while they do not answer, nobody waits for them. */
export function guardedAccounts(accounts: Accounts, breaker: CircuitBreaker): Accounts {
  return guarded(accounts, breaker, ROUTES);
}

/**
 * Users behind a circuit breaker: as accounts. That somebody has made too many attempts says nothing of the store, and must not hold up anybody else: to the breaker it is an
 * answer like any other.
 */
export function guardedUsers(users: Users, breaker: CircuitBreaker): Users {
  type Method = (request: unknown) => Promise<unknown>;
  const entries = Object.entries(users as unknown as Record<string, Method>).map(([name, method]) => {
    const answer: Method = async (request) => {
      try {
        return await method.call(users, request);
      } catch (error) {
        if (failureOf(error).kind === 'rate-limited') return new TooManyAttempts(error);
        throw error;
      }
    };
    return [name, answer] as const;
  });
  const behind = guarded(Object.fromEntries(entries) as unknown as Users, breaker, USERS_ROUTES) as unknown as Record<
    string,
    Method
  >;
  const open = Object.keys(USERS_ROUTES).map((name) => {
    const method: Method = async (request) => {
      const answer = await behind[name]?.(request);
      if (answer instanceof TooManyAttempts) throw answer.error;
      return answer;
    };
    return [name, method] as const;
  });
  return Object.fromEntries(open) as unknown as Users;
}

class TooManyAttempts {
  readonly error: unknown;
  constructor(error: unknown) {
    this.error = error;
  }
}
