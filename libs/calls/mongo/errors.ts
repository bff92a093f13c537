import { types } from 'node:util';
import { WorkError } from '@call-analytics/service-kit';
import mongoose from 'mongoose';

const { MongoError, MongoServerError, MongoInvalidArgumentError, MongoParseError } = mongoose.mongo;
const { MongooseServerSelectionError } = mongoose.Error;

// Error codes of the server: https://github.com/mongodb/mongo/blob/r6.0.5/src/mongo/base/error_codes.yml

/** OutOfDiskSpace; AtlasError, which a hosted cluster gives for a quota that is used up. */
const FULL = new Set([14031, 8000]);
/** BSONObjectTooLarge; a document that an update would make too large, in two places of the server. */
const TOO_LARGE = new Set([10334, 17419, 17420]);
/** Network errors, timeouts, a server that stops, starts or changes its role, conflicting transactions: may pass. */
const PASSING = new Set([
  6, 7, 24, 50, 64, 89, 91, 100, 112, 133, 134, 189, 202, 239, 246, 251, 262, 290, 9001, 10058, 10107, 11600, 11601,
  11602, 13435, 13436,
]);
const PASSING_LABELS = [
  'RetryableWriteError',
  'RetryableError',
  'SystemOverloadedError',
  'TransientTransactionError',
  'UnknownTransactionCommitResult',
];

/**
 * Translates an error of the driver into one of the port.
 * @returns WorkError `transient` `store_unavailable` or `store_full` when it may pass; `rejected` `result_too_large`
 * when a record exceeds the size limit of a document; otherwise the error itself, e.g. wrong credentials or a bug
 */
export function asStoreError(error: unknown): unknown {
  if (isTooLarge(error)) {
    const message = 'The call has more text than can be stored. Upload the recording in parts.';
    return new WorkError({ kind: 'rejected', code: 'result_too_large', message }, { cause: error });
  }
  if (error instanceof MongoServerError && FULL.has(Number(error.code))) {
    return new WorkError(
      { kind: 'transient', code: 'store_full', message: 'There is no room left to store calls.' },
      { cause: error },
    );
  }
  return mayPass(error) ? storeUnavailable(error) : error;
}

export function storeUnavailable(cause?: unknown): WorkError {
  return new WorkError(
    { kind: 'transient', code: 'store_unavailable', message: 'The call store does not answer.' },
    { cause },
  );
}

/** @returns whether an insert found that the index holds these values already */
export function isDuplicateIn(error: unknown, index: string): boolean {
  return (
    error instanceof MongoServerError && error.code === 11000 && String(error.message).includes(` index: ${index} `)
  );
}

function isTooLarge(error: unknown): boolean {
  if (error instanceof MongoServerError) return TOO_LARGE.has(Number(error.code));
  // The driver makes documents in a buffer of 17 MB, and does not look whether there is room before it writes.
  return types.isNativeError(error) && 'code' in error && error.code === 'ERR_OUT_OF_RANGE';
}

function mayPass(error: unknown): boolean {
  if (error instanceof MongooseServerSelectionError) return true;
  // When a connection is reset while the driver writes to it, Node's own error comes through.
  if (types.isNativeError(error) && 'syscall' in error) return true;
  // What mongoose says to a request while it is not connected has no class of its own.
  if (error instanceof mongoose.Error && /bufferCommands|not connected|initial connection/.test(error.message))
    return true;
  if (!(error instanceof MongoError)) return false;
  if (error instanceof MongoServerError) {
    return PASSING.has(Number(error.code)) || PASSING_LABELS.some((label) => error.hasErrorLabel(label));
  }
  // All other errors of the driver are about reaching a server: network, no primary, timeouts, a closed pool or client.
  return !(error instanceof MongoInvalidArgumentError || error instanceof MongoParseError);
}
