import { types } from 'node:util';
import mongoose from 'mongoose';
import { accountsUnavailable } from '../refusals.ts';

const { MongoError, MongoServerError, MongoInvalidArgumentError, MongoParseError } = mongoose.mongo;
const { MongooseServerSelectionError } = mongoose.Error;

/**
 * What a server answers while it changes roles, stops, is overloaded or full, or does not let us in: all of it passes, or is mended by an operator without changing
 * the program. https://github.com/mongodb/mongo/blob/master/src/mongo/base/error_codes.yml
 */
const PASSING = new Set([
  6, 7, 89, 9001, 24, 46, 50, 262, 64, 91, 100, 133, 134, 189, 202, 10058, 10107, 11600, 11602, 13435, 13436,
  // Unauthorized, AuthenticationFailed; OutOfDiskSpace
  13, 18, 14031,
]);
const PASSING_LABELS = ['RetryableWriteError', 'RetryableError', 'SystemOverloadedError', 'TransientTransactionError'];

/** @returns WorkError `transient` `accounts_unavailable` for what may pass; otherwise the error itself */
export function asAccountsError(error: unknown): unknown {
  return mayPass(error) ? accountsUnavailable(error) : error;
}

function mayPass(error: unknown): boolean {
  if (error instanceof MongooseServerSelectionError) return true;
  // When a connection is reset while the driver writes to it, it lets Node's own error through.
  if (types.isNativeError(error) && 'syscall' in error) return true;
  if (!(error instanceof MongoError)) return false;
  if (error instanceof MongoServerError) {
    return PASSING.has(Number(error.code)) || PASSING_LABELS.some((label) => error.hasErrorLabel(label));
  }
  // Everything else that the driver throws is about reaching a server: the network, no primary, time-outs, a pool or a client that was closed.
  return !(error instanceof MongoInvalidArgumentError || error instanceof MongoParseError);
}
