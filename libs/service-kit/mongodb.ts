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

/**
 * Tells Node's own error, which the driver lets through when a connection is reset or ended while it writes to it. The
 * one of an ended connection (EPIPE) names no system call.
 */
export function isSocketError(error: unknown): boolean {
  return types.isNativeError(error) && ('syscall' in error || ('code' in error && error.code === 'EPIPE'));
}
