import { mongodbAdapter } from '@better-auth/mongo-adapter';
import { makeUsers, type UsersOptions } from '../users/make-users.ts';
import type { Users } from '../users.ts';
import { connect } from './connection.ts';
import { MongoDirectory } from './directory.ts';
import { asAccountsError } from './errors.ts';
import { prepareUsers, usersDatabaseOf } from './users-database.ts';

/**
 * The users, in the same MongoDB database as the accounts (`openMongoAccounts`). Any number of processes may use them at once.
 * @param url of a replica set, with the name of the database
 * @throws WorkError `transient` `accounts_unavailable` when there is no connection within 5 s; SettingsError when the settings of mail do not fit together
 */
export async function openMongoUsers({ url, ...options }: UsersOptions & { url: string }): Promise<Users> {
  const connection = await connect(url);
  try {
    const database = usersDatabaseOf(connection);
    await prepareUsers(database);
    const directory = new MongoDirectory(database, () => connection.close(true));
    // Without the client it starts no transactions of its own.
    return makeUsers(options, { database: mongodbAdapter(database.db), directory, asking: (ask) => directory.asking(ask) });
  } catch (error) {
    await connection.close(true);
    throw asAccountsError(error);
  }
}
