import mongoose, { type Connection } from 'mongoose';
import { asAccountsError } from './errors.ts';

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
