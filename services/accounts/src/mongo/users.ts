import { mongodbAdapter } from '@better-auth/mongo-adapter';
import type { Asking } from '../users/identities.ts';
import { makeUsers, type UsersOptions } from '../users/make-users.ts';
import type { Users } from '../users.ts';
import { mongoAttempts } from './attempts.ts';
import { connect } from './connection.ts';
import { MongoDirectory } from './directory.ts';
import { asAccountsError } from './errors.ts';
import { mongoInstallation } from './installation.ts';
import { mongoUserLinks } from './user-links.ts';
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
    const asking: Asking = (ask) => directory.asking(ask);
    const [links, attempts] = [mongoUserLinks(database, asking), mongoAttempts(database, asking)];
    const installation = mongoInstallation(database, asking);
    // Without the client it starts no transactions of its own.
    return makeUsers(options, {
      database: mongodbAdapter(database.db),
      directory,
      links,
      attempts,
      installation,
      asking,
    });
  } catch (error) {
    await connection.close(true);
    throw asAccountsError(error);
  }
}
