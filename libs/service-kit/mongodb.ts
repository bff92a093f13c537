import { types } from 'node:util';
import { SettingsError } from './settings.ts';

/** The oldest supported major version, as docs/operations.md says. */
const OLDEST = 6;

/**
 * Checks the server of a connection. Every store in MongoDB needs the same one, and each declares its driver itself.
 * @param ask runs a command on the database `admin`
 * @returns its version, such as `8.0.4`
 * @throws SettingsError when the server is too old, or not a member of a replica set
 */
export async function checkedMongoVersion(
  ask: (command: { buildInfo: 1 } | { hello: 1 }) => Promise<Record<string, unknown>>,
): Promise<string> {
  const version = String((await ask({ buildInfo: 1 })).version);
  if (Number.parseInt(version, 10) < OLDEST)
    throw new SettingsError(`MongoDB ${version} is too old. Use ${OLDEST}.0 or later.`);
  if ((await ask({ hello: 1 })).setName === undefined) {
    throw new SettingsError(
      'The MongoDB server is not a member of a replica set. One member is enough (mongod --replSet): ' +
        'change streams and transactions need it.',
    );
  }
  return version;
}

type ErrorClass<E = Error> = abstract new (...given: never[]) => E;
interface ServerError extends Error {
  code?: unknown;
  hasErrorLabel(label: string): boolean;
}
/** The classes of mongoose by which its errors are told apart. */
interface ErrorClasses {
  mongo: {
    MongoError: ErrorClass;
    MongoServerError: ErrorClass<ServerError>;
    MongoInvalidArgumentError: ErrorClass;
    MongoParseError: ErrorClass;
  };
  Error: { MongooseServerSelectionError: ErrorClass };
}

/**
 * Network errors, timeouts, a server that stops, starts, is overloaded or changes its role, conflicting transactions.
 * https://github.com/mongodb/mongo/blob/master/src/mongo/base/error_codes.yml
 */
const TRANSIENT = new Set([
  6, 7, 24, 46, 50, 64, 89, 91, 100, 112, 133, 134, 189, 202, 239, 246, 251, 262, 290, 9001, 10058, 10107, 11600, 11601,
  11602, 13435, 13436,
]);
const TRANSIENT_LABELS = [
  'RetryableWriteError',
  'RetryableError',
  'SystemOverloadedError',
  'TransientTransactionError',
  'UnknownTransactionCommitResult',
];

/** Whether an error of a request to MongoDB may pass by itself. */
export function isTransientMongoError(
  error: unknown,
  { mongo, Error: { MongooseServerSelectionError } }: ErrorClasses,
) {
  if (error instanceof mongo.MongoServerError)
    return TRANSIENT.has(Number(error.code)) || TRANSIENT_LABELS.some((label) => error.hasErrorLabel(label));
  if (error instanceof mongo.MongoInvalidArgumentError || error instanceof mongo.MongoParseError) return false;
  // All other errors of the driver are about reaching a server: network, no primary, timeouts, a closed pool or client.
  return error instanceof mongo.MongoError || error instanceof MongooseServerSelectionError || isSocketError(error);
}

/**
 * Tells Node's own error, which the driver lets through when a connection is reset or ended while it writes to it. The
 * one of an ended connection (EPIPE) names no system call.
 */
function isSocketError(error: unknown): boolean {
  return types.isNativeError(error) && ('syscall' in error || ('code' in error && error.code === 'EPIPE'));
}
