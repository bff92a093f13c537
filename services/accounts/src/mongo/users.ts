import { mongodbAdapter } from '@better-auth/mongo-adapter';
import { withCircuitBreaker } from '@call-analytics/service-kit';
import type { Users } from '../accounts.ts';
import type { AccountsServiceSettings } from '../settings.ts';
import type { WithStoreErrors } from '../users/identities.ts';
import { makeUsers, type UsersOptions } from '../users/make-users.ts';
import type { Attempts, InstallationStore, UserLinks } from '../users/stores.ts';
import { type About, breakerOf, Database, type DocumentOf, isDuplicate, userOf } from './database.ts';
import { isUnclaimed, MongoDirectory } from './directory.ts';

/**
 * The users, in the same MongoDB database as the accounts (`openMongoAccounts`). Any number of processes may use them
 * at once.
 * @param url of a replica set, with the name of the database
 * @throws WorkError `transient` `accounts_unavailable` when there is no connection within 5 s; SettingsError when the
 * settings of mail do not fit together
 */
export async function openMongoUsers({ url, ...options }: UsersOptions & { url: string }): Promise<Users> {
  const database = await Database.open(url);
  const withStoreErrors: WithStoreErrors = (ask) => database.run(ask);
  try {
    return makeUsers(options, {
      // Without the client it starts no transactions of its own.
      database: mongodbAdapter(database.db),
      directory: new MongoDirectory(database),
      links: userLinks(database),
      attempts: attemptsOf(database),
      installation: installationOf(database),
      withStoreErrors,
    });
  } catch (error) {
    await database.close();
    throw error;
  }
}

/**
 * The users in the database that the service's settings name, behind its circuit breaker.
 * @throws as `openMongoUsers`
 */
export async function connectUsersStore(settings: AccountsServiceSettings, about: About): Promise<Users> {
  const users = await openMongoUsers({ url: settings.MONGODB_URL, settings, log: about.log });
  return withCircuitBreaker(users, breakerOf('users store', about), { close: 'direct' });
}

function userLinks(database: Database): UserLinks {
  const { links } = database.collections;
  return {
    async add({ hash: _id, ...link }) {
      await database.run(() => links.deleteMany({ userId: link.userId, expiresAt: { $lte: link.createdAt } }));
      await database.run(() => links.insertOne({ _id, ...link }));
    },
    async find(kind, tokenHash, now) {
      const [found] = await database.run(() =>
        links
          .aggregate<{ user: DocumentOf<'users'> }>([
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
        (await database.run(() => links.deleteOne({ _id: tokenHash, kind, expiresAt: { $gt: now } }))).deletedCount ===
        1
      );
    },
  };
}

function attemptsOf(database: Database): Attempts {
  const { attempts } = database.collections;
  const counted = (_id: string, expiresAt: Date) =>
    attempts.findOneAndUpdate(
      { _id },
      { $inc: { count: 1 }, $setOnInsert: { expiresAt } },
      { upsert: true, returnDocument: 'after' },
    );
  return {
    async count(key, expiresAt, now) {
      await database.run(() => attempts.deleteMany({ expiresAt: { $lte: now } }));
      // Of two first attempts at once one makes the document, and the other counts on.
      const once = () => counted(key, expiresAt);
      const found = await database.run(() =>
        once().catch((error) => (isDuplicate(error) ? once() : Promise.reject(error))),
      );
      return { count: found?.count ?? 1, until: found?.expiresAt ?? expiresAt };
    },
    async uncount(key) {
      await database.run(() => attempts.updateOne({ _id: key, count: { $gt: 0 } }, { $inc: { count: -1 } }));
    },
  };
}

function installationOf(database: Database): InstallationStore {
  const { installation, signUpLinks } = database.collections;
  return {
    isUnclaimed: () => database.run(() => isUnclaimed(database.collections)),
    async deviceSecret() {
      const found = await database.run(() => installation.findOne({ _id: 'installation' }));
      if (!found?.deviceSecret) throw new Error('the database has no installation document');
      return found.deviceSecret;
    },
    async addSignUpLink({ hash: _id, ...link }) {
      await database.run(() => signUpLinks.deleteMany({ expiresAt: { $lte: link.createdAt } }));
      await database.run(() => signUpLinks.insertOne({ _id, ...link }));
    },
    async findSignUpLink(tokenHash, now) {
      const found = await database.run(() => signUpLinks.findOne({ _id: tokenHash, expiresAt: { $gt: now } }));
      return found === null ? null : { email: found.email ?? null };
    },
  };
}
