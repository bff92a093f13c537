import { mongodbAdapter } from '@better-auth/mongo-adapter';
import type { Asking } from '../users/identities.ts';
import { makeUsers, type UsersOptions } from '../users/make-users.ts';
import type { Attempts, InstallationStore, UserLinks } from '../users/stores.ts';
import type { Users } from '../users.ts';
import { asAccountsError, connect } from './connection.ts';
import { isUnclaimed, MongoDirectory } from './directory.ts';
import {
  isDuplicate,
  prepareUsers,
  type UserDocument,
  type UsersDatabase,
  userOf,
  usersDatabaseOf,
} from './users-database.ts';

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

export function mongoUserLinks({ links }: UsersDatabase, asking: Asking): UserLinks {
  return {
    async add({ hash: _id, ...link }) {
      await asking(() => links.deleteMany({ userId: link.userId, expiresAt: { $lte: link.createdAt } }));
      await asking(() => links.insertOne({ _id, ...link }));
    },
    async find(kind, tokenHash, now) {
      const [found] = await asking(() =>
        links
          .aggregate<{ user: UserDocument }>([
            { $match: { _id: tokenHash, kind, expiresAt: { $gt: now } } },
            { $lookup: { from: 'users', localField: 'userId', foreignField: '_id', as: 'user' } },
            { $unwind: '$user' },
          ])
          .toArray(),
      );
      return found === undefined ? null : userOf(found.user);
    },
    async take(kind, tokenHash, now) {
      return (
        (await asking(() => links.deleteOne({ _id: tokenHash, kind, expiresAt: { $gt: now } }))).deletedCount === 1
      );
    },
  };
}

export function mongoAttempts({ attempts }: UsersDatabase, asking: Asking): Attempts {
  const counted = (_id: string, expiresAt: Date) =>
    attempts.findOneAndUpdate(
      { _id },
      { $inc: { count: 1 }, $setOnInsert: { expiresAt } },
      { upsert: true, returnDocument: 'after' },
    );
  return {
    async count(key, expiresAt, now) {
      await asking(() => attempts.deleteMany({ expiresAt: { $lte: now } }));
      // Of two first attempts at once one makes the document, and the other counts on.
      const once = () => counted(key, expiresAt);
      const found = await asking(() => once().catch((error) => (isDuplicate(error) ? once() : Promise.reject(error))));
      return { count: found?.count ?? 1, until: found?.expiresAt ?? expiresAt };
    },
    async uncount(key) {
      await asking(() => attempts.updateOne({ _id: key, count: { $gt: 0 } }, { $inc: { count: -1 } }));
    },
  };
}

export function mongoInstallation(database: UsersDatabase, asking: Asking): InstallationStore {
  const { installation, signUpLinks } = database;
  return {
    isUnclaimed: () => asking(() => isUnclaimed(database)),
    async deviceSecret() {
      const found = await asking(() => installation.findOne({ _id: 'installation' }));
      if (found?.deviceSecret === undefined) throw new Error('the database has no installation document');
      return found.deviceSecret;
    },
    async addSignUpLink({ hash: _id, ...link }) {
      await asking(() => signUpLinks.deleteMany({ expiresAt: { $lte: link.createdAt } }));
      await asking(() => signUpLinks.insertOne({ _id, ...link }));
    },
    async findSignUpLink(tokenHash, now) {
      const found = await asking(() => signUpLinks.findOne({ _id: tokenHash, expiresAt: { $gt: now } }));
      return found === null ? null : { email: found.email };
    },
  };
}
