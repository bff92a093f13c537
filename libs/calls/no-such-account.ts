import { WorkError } from '@call-analytics/service-kit';

/** For an upload that was under way when its account was removed. */
export function noSuchAccount(): WorkError {
  return new WorkError({ kind: 'rejected', code: 'no_such_account', message: 'This account was deleted.' });
}
