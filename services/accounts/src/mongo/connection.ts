import { types } from 'node:util';
import mongoose, { type Connection } from 'mongoose';
import { accountsUnavailable } from '../refusals.ts';

/** How long each step may take: finding a server, connecting, waiting for an answer. What may be asked again the driver asks twice. */
const TIMEOUT_MS = 5_000;

/**
 * A connection that comes back by itself after whatever happens to the server or the network.
 * @param url as MongoDB writes them, with the name of the database
 * @throws WorkError `transient` `accounts_unavailable` when no server can be reached now
 */
export async function connect(url: string): Promise<Connection> {
  const connection = mongoose.createConnection(url, {
    appName: 'call-analytics accounts',
    serverSelectionTimeoutMS: TIMEOUT_MS,
    connectTimeoutMS: TIMEOUT_MS,
    socketTimeoutMS: TIMEOUT_MS,
    waitQueueTimeoutMS: TIMEOUT_MS,
    // A key that was shown to its owner, and a revocation that was confirmed, survive the loss of the primary.
    writeConcern: { w: 'majority', journal: true },
    readConcern: { level: 'majority' },
    readPreference: 'primary',
    // mongoose would keep questions while it is not connected and ask them later, when nobody waits for the answer any more.
    bufferCommands: false,
  });
  try {
    return await connection.asPromise();
  } catch (error) {
    await connection.close(true);
    throw asAccountsError(error);
  }
}

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
