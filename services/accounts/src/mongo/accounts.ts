import { timingSafeEqual } from 'node:crypto';
import { type Clock, systemClock, WorkError } from '@call-analytics/service-kit';
import type { Connection } from 'mongoose';
import type { Account, Accounts, ApiKey, NewKey } from '../accounts.ts';
import { LastUsed, USED_AT_MOST_EVERY_MS, type WriteUses } from '../last-used.ts';
import { hashApiKey, isInTime, isWellFormedApiKey, newAccount, newKey, userOf } from '../records.ts';
import { accountsUnavailable, MAX_KEYS, noSuchAccount, refused, tooManyKeys } from '../refusals.ts';
import { keepWatching, type RevocationSource, type RevocationWatcher } from '../revocations.ts';
import { asAccountsError, connect } from './connection.ts';
import { accountOf, keyOf, type Models, makeIndexes, modelsOf } from './documents.ts';
import { type Session, type UsersDatabase, usersDatabaseOf } from './users-database.ts';

/**
 * The accounts and their API keys, in MongoDB. Any number of processes may use them at once: what one has written holds for all from then on.
 * @param url names the database, e.g. `mongodb://localhost:27017/call_analytics`
 * @throws WorkError `transient` `accounts_unavailable` when there is no connection within 5 s. Once open, it finds back to the server by itself.
 */
export async function openMongoAccounts({
  url,
  clock = systemClock,
}: {
  url: string;
  clock?: Clock;
}): Promise<Accounts & RevocationSource> {
  const connection = await connect(url);
  const models = modelsOf(connection);
  try {
    await makeIndexes(models);
  } catch (error) {
    await connection.close(true);
    throw asAccountsError(error);
  }
  return new MongoAccounts(connection, models, clock);
}

/** Of the changes of keys: those after which a key no longer works. Their last use is written all the time. */
const REVOCATIONS = [
  {
    $match: {
      $or: [{ operationType: { $ne: 'update' } }, { 'updateDescription.updatedFields.revokedAt': { $exists: true } }],
    },
  },
  { $match: { operationType: { $ne: 'insert' } } },
];

class MongoAccounts implements Accounts, RevocationSource {
  readonly #connection: Connection;
  readonly #models: Models;
  readonly #clock: Clock;
  readonly #lastUsed: LastUsed;
  /** The same database, for what several documents take part in. */
  readonly #database: UsersDatabase;
  #closed = false;

  constructor(connection: Connection, models: Models, clock: Clock) {
    this.#connection = connection;
    this.#models = models;
    this.#clock = clock;
    this.#lastUsed = new LastUsed(writesOfLastUse(models));
    this.#database = usersDatabaseOf(connection);
  }

  async authenticate({ apiKey }: { apiKey: string }) {
    if (!isWellFormedApiKey(apiKey)) return null;
    const client = await this.#asking(({ accounts, keys }) => clientOf(accounts, keys, hashApiKey(apiKey)));
    const now = this.#clock.now();
    if (client === null || !isInTime(client.key, now)) return null;
    this.#lastUsed.used(client.key.id, client.key.lastUsedAt, now);
    return client;
  }

  async createAccount({ name }: { name: string }) {
    const account = newAccount(name, this.#clock.now());
    const { id: _id, ...rest } = account;
    await this.#asking(({ accounts }) => accounts.insertOne({ _id, ...rest }));
    return { account };
  }

  async listAccounts() {
    const found = await this.#asking(({ accounts }) => accounts.find().sort({ createdAt: 1, _id: 1 }).lean());
    return { accounts: found.map(accountOf) };
  }

  async createKey(request: NewKey) {
    const { accountId } = request;
    const now = this.#clock.now();
    const { key, secret, hash } = newKey(request, now);
    const { id: _id, ...rest } = key;
    await this.#asking(() =>
      this.#database.transaction(async (session) => {
        const { accounts, members, keys } = this.#database;
        // Written by all that changes the members or keys of an account, so that no two of these pass each other.
        const account = await accounts.findOneAndUpdate(
          { _id: accountId },
          { $inc: { memberChanges: 1 } },
          { session },
        );
        if (account === null) throw noSuchAccount(accountId);
        const userId = userOf(key);
        if (userId !== null && (await members.findOne({ _id: userId, accountId }, { session })) === null)
          throw refused('no_such_user');
        await this.#makeRoom(session, accountId, now);
        await keys.insertOne({ _id, hash, accountId, ...rest }, { session });
      }),
    );
    return { key, secret };
  }

  async listKeys({ accountId }: { accountId: string }) {
    await this.#mustExist(accountId);
    const found = await this.#asking(({ keys }) => keys.find({ accountId }).sort({ createdAt: 1, _id: 1 }).lean());
    return { keys: found.map(keyOf) };
  }

  async revokeKey({ accountId, keyId }: { accountId: string; keyId: string }) {
    const revokedAt = this.#clock.now();
    const { modifiedCount } = await this.#asking(({ keys }) =>
      keys.updateOne({ _id: keyId, accountId, revokedAt: null }, { $set: { revokedAt } }),
    );
    return { revoked: modifiedCount === 1 };
  }

  /** A change stream: it sees what every process writes. */
  watchRevocations(watcher: RevocationWatcher) {
    return keepWatching(async (heard, signal) => {
      const stream = this.#models.keys.collection.watch(REVOCATIONS);
      const close = () => void stream.close().catch(() => {});
      signal.addEventListener('abort', close, { once: true });
      try {
        // Places the stream: from here on it misses nothing.
        await stream.tryNext();
        for (;;) {
          heard();
          await stream.next();
        }
      } finally {
        signal.removeEventListener('abort', close);
        close();
      }
    }, watcher);
  }

  async ready() {
    try {
      await this.#asking(({ accounts }) => accounts.findOne({}, { _id: 1 }).lean());
      return null;
    } catch {
      return 'the accounts database does not answer';
    }
  }

  async close() {
    if (this.#closed) return;
    await this.#lastUsed.close();
    this.#closed = true;
    await this.#connection.close(true);
  }

  /** @throws WorkError `rejected` `too_many_keys` */
  async #makeRoom(session: Session, accountId: string, now: Date): Promise<void> {
    const { keys } = this.#database;
    const inTime = [{ expiresAt: null }, { expiresAt: { $gt: now } }];
    const working = await keys.countDocuments({ accountId, revokedAt: null, $or: inTime }, { session });
    if (working >= MAX_KEYS) throw tooManyKeys();
    // Without an end to them, creating and revoking keys would fill the disk.
    const over = { accountId, $or: [{ revokedAt: { $ne: null } }, { expiresAt: { $ne: null, $lte: now } }] };
    const newestFirst = { sort: { createdAt: -1, _id: -1 }, projection: { _id: 1 } } as const;
    const old = await keys.find(over, { session, ...newestFirst, skip: MAX_KEYS }).toArray();
    if (old.length > 0) await keys.deleteMany({ _id: { $in: old.map((each) => each._id) } }, { session });
  }

  async #mustExist(accountId: string): Promise<void> {
    if ((await this.#asking(({ accounts }) => accounts.exists({ _id: accountId }))) === null)
      throw noSuchAccount(accountId);
  }

  async #asking<T>(ask: (models: Models) => PromiseLike<T>): Promise<T> {
    // The driver would connect again for whoever still asks.
    if (this.#closed) throw accountsUnavailable(new Error('closed'));
    try {
      return await ask(this.#models);
    } catch (error) {
      throw error instanceof WorkError ? error : asAccountsError(error);
    }
  }
}

async function clientOf(
  accounts: Models['accounts'],
  keys: Models['keys'],
  hash: string,
): Promise<{ account: Account; key: ApiKey } | null> {
  const key = await keys.findOne({ hash }).lean();
  if (key === null || !timingSafeEqual(Buffer.from(key.hash), Buffer.from(hash)) || key.revokedAt !== null) return null;
  const account = await accounts.findById(key.accountId).lean();
  // It was deleted a moment ago, and its keys are being so.
  if (account === null) return null;
  return { account: accountOf(account), key: keyOf(key) };
}

/** Each write looks again at what is there: another process may have written the same minute. */
export function writesOfLastUse({ keys }: Models): WriteUses {
  return async (uses) => {
    const writes = [...uses].map(([keyId, at]) => {
      const used = new Date(at);
      const aMinuteFrom = [
        { lastUsedAt: null },
        { lastUsedAt: { $lte: new Date(at - USED_AT_MOST_EVERY_MS) } },
        { lastUsedAt: { $gt: new Date(at + USED_AT_MOST_EVERY_MS) } },
      ];
      return { updateOne: { filter: { _id: keyId, $or: aMinuteFrom }, update: { $set: { lastUsedAt: used } } } };
    });
    await keys.bulkWrite(writes, { ordered: false });
  };
}
