import { WorkError } from '@call-analytics/service-kit';

export const UNAVAILABLE = { code: 'accounts_unavailable', message: 'The accounts cannot be reached now.' } as const;

/** @param cause what the store or the network said; it is for the operator and never shown to a caller */
export function accountsUnavailable(cause: unknown): WorkError {
  return new WorkError({ kind: 'transient', ...UNAVAILABLE }, { cause });
}

export function noSuchAccount(accountId: string): WorkError {
  return new WorkError({ kind: 'rejected', code: 'no_such_account', message: `There is no account ${accountId}.` });
}

/** @returns the name without the blanks around it. @throws WorkError `rejected` `invalid_name` */
export function checkedName(name: string): string {
  const trimmed = name.trim();
  // Half a surrogate pair is no text: each store and the wire would keep something else of it.
  if (trimmed.length >= 1 && trimmed.length <= 200 && !/\p{Cc}/u.test(trimmed) && trimmed.isWellFormed()) return trimmed;
  throw new WorkError({ kind: 'rejected', code: 'invalid_name', message: 'A name has 1 to 200 characters and no line breaks.' });
}
