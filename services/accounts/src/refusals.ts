import { type Failure, WorkError } from '@call-analytics/service-kit';

export const UNAVAILABLE = { code: 'accounts_unavailable', message: 'Accounts are temporarily unavailable.' } as const;

/** For circuit breakers: a caller that exceeds its limit of attempts must not open the circuit for the others. */
export function isOutage({ kind }: Failure): boolean {
  return kind === 'transient';
}

/** @param cause what the store or the network said; it is for the operator and never shown to a caller */
export function accountsUnavailable(cause: unknown): WorkError {
  return new WorkError({ kind: 'transient', ...UNAVAILABLE }, { cause });
}

export function noSuchAccount(accountId: string): WorkError {
  return new WorkError({ kind: 'rejected', code: 'no_such_account', message: `Account ${accountId} does not exist.` });
}

/** How many keys of an account may work at a time. Of those that no longer work, so many are kept to be listed. */
export const MAX_KEYS = 100;

export function tooManyKeys(): WorkError {
  const message = `This account has ${MAX_KEYS} active API keys, which is the limit. Revoke one that is no longer used, then try again.`;
  return new WorkError({ kind: 'rejected', code: 'too_many_keys', message });
}

/** @returns the name without the blanks around it. @throws WorkError `rejected` `invalid_name` */
export function checkedName(name: string): string {
  const trimmed = name.trim();
  // Half a surrogate pair is no text: each store and the wire would keep something else of it.
  if (trimmed.length >= 1 && trimmed.length <= 200 && !/\p{Cc}/u.test(trimmed) && trimmed.isWellFormed())
    return trimmed;
  throw new WorkError({
    kind: 'rejected',
    code: 'invalid_name',
    message: 'A name must have 1 to 200 characters and no line breaks.',
  });
}
