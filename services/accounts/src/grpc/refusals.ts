import { failureOf, WorkError } from '@call-analytics/service-kit';
import { Metadata, type ServiceError, type StatusObject, status } from '@grpc/grpc-js';
import { accountsUnavailable } from '../refusals.ts';
import { FAILURE_CODE, FAILURE_UNTIL } from './protocol.ts';

const STATUS_OF_REFUSAL: Readonly<Record<string, status>> = {
  invalid_name: status.INVALID_ARGUMENT,
  invalid_email: status.INVALID_ARGUMENT,
  invalid_expiry: status.INVALID_ARGUMENT,
  weak_password: status.INVALID_ARGUMENT,
  no_such_account: status.NOT_FOUND,
  no_such_member: status.NOT_FOUND,
  no_such_user: status.NOT_FOUND,
};

/** @returns what a caller is told of an error: never more than its failure says */
export function statusOf(error: unknown): Pick<StatusObject, 'code' | 'details' | 'metadata'> {
  const failure = failureOf(error);
  const { kind, code, message: details } = failure;
  if (kind === 'transient') return { code: status.UNAVAILABLE, details, metadata: new Metadata() };
  const metadata = new Metadata();
  metadata.set(FAILURE_CODE, code);
  if (kind === 'rejected') return { code: STATUS_OF_REFUSAL[code] ?? status.FAILED_PRECONDITION, details, metadata };
  if (failure.kind === 'rate-limited') {
    metadata.set(FAILURE_UNTIL, failure.until.toISOString());
    return { code: status.RESOURCE_EXHAUSTED, details, metadata };
  }
  return { code: status.INTERNAL, details: 'Something went wrong in the accounts service.', metadata };
}

const REFUSALS: readonly status[] = [status.INVALID_ARGUMENT, status.NOT_FOUND, status.FAILED_PRECONDITION];

/**
 * @returns the error of the accounts service as it was before the wire. Everything that did not come from the service itself (the network, a deadline, something between) is
 * `accounts_unavailable`, and so is that the service does not let us in: none of it says anything of an API key.
 */
export function errorOf(error: ServiceError): WorkError {
  const [code] = error.metadata?.get(FAILURE_CODE) ?? [];
  const [until] = error.metadata?.get(FAILURE_UNTIL) ?? [];
  if (typeof code === 'string' && REFUSALS.includes(error.code))
    return new WorkError({ kind: 'rejected', code, message: error.details });
  if (typeof code === 'string' && typeof until === 'string' && error.code === status.RESOURCE_EXHAUSTED)
    return new WorkError({ kind: 'rate-limited', code, message: error.details, until: new Date(until) });
  if (typeof code === 'string' && error.code === status.INTERNAL)
    return new WorkError({ kind: 'bug', code, message: error.details }, { cause: error });
  return accountsUnavailable(
    new Error(error.code === status.UNAUTHENTICATED ? NOT_LET_IN : `${status[error.code]}: ${error.details}`),
  );
}

export const NOT_LET_IN =
  'the accounts service does not let this service in: ACCOUNTS_SECRET must be the same on both sides';
