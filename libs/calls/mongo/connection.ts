import mongoose, { type Connection } from 'mongoose';
import { asStoreError } from './failures.ts';

/**
 * A server that refuses connections shows after `selection`, one that takes them and does not answer after `answer` and `selection` together. A majority that cannot be
 * had is told by the server itself, so that the client does not have to guess what became of its write.
 */
const TIMEOUT_MS = { selection: 3_000, connect: 2_000, answer: 5_000, majority: 4_000 };
/** How often the driver looks whether its servers are alive: what it has not noticed, the next request waits for. */
const HEARTBEAT_MS = 1_000;

/** A write that this process tells others of: it survives the loss of power, and of the primary. */
export const DURABLE = { w: 'majority', journal: true, wtimeoutMS: TIMEOUT_MS.majority } as const;
/** Survives the death of this process, and not that of the primary. For what costs only some work when it is lost, and what nobody is told of; see docs of `store.ts`. */
export const LIGHT = { w: 1 } as const;

/**
 * Connects to a replica set (of one member at least). The connection comes back by itself after whatever happens to servers and network.
 * @param url as MongoDB writes them, with the name of the database
 * @throws WorkError `transient` `store_unavailable` when no primary can be reached now; Error when the server is not a member of a replica set, or refuses the credentials
 */
export async function connect(url: string, options: { monitorCommands?: boolean } = {}): Promise<Connection> {
  const connection = mongoose.createConnection(url, {
    appName: 'call-analytics calls',
    serverSelectionTimeoutMS: TIMEOUT_MS.selection,
    connectTimeoutMS: TIMEOUT_MS.connect,
    socketTimeoutMS: TIMEOUT_MS.answer,
    waitQueueTimeoutMS: TIMEOUT_MS.selection,
    heartbeatFrequencyMS: HEARTBEAT_MS,
    readPreference: 'primary',
    // No write concern: each write says its own, and the driver would copy one into the options of each read, only to take it out again.
    // mongoose would keep requests while it is not connected and send them later, when nobody waits for the answer any more.
    bufferCommands: false,
    autoIndex: false,
    autoCreate: false,
    ...options,
  });
  try {
    await connection.asPromise();
    const hello = await connection.db?.admin().command({ hello: 1 });
    if (hello?.setName === undefined) {
      throw new Error(
        'The MongoDB server is not a member of a replica set. One member is enough (mongod --replSet): change streams and transactions need it.',
      );
    }
    return connection;
  } catch (error) {
    await connection.destroy(true);
    throw asStoreError(error);
  }
}
