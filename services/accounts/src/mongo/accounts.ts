import { timingSafeEqual } from 'node:crypto';
import { type Clock, type Logger, systemClock, withCircuitBreaker } from '@call-analytics/service-kit';
import type { Account, Accounts, ApiKey, NewKey } from '../accounts.ts';
import { keepWatching, type RevocationSource, type RevocationWatcher } from '../cached-accounts.ts';
import {
  hashApiKey,
  isUnexpired,
  isWellFormedApiKey,
  LastUsed,
  newAccount,
  newKey,
  USED_AT_MOST_EVERY_MS,
  userOf,
  type WriteUses,
} from '../records.ts';
import { MAX_KEYS, noSuchAccount, refused, tooManyKeys } from '../refusals.ts';
import type { AccountsServiceSettings } from '../settings.ts';
import { type About, accountOf, breakerOf, Database, keyOf, type Session } from './database.ts';

/**
 * The accounts and their API keys, in MongoDB. Any number of processes may use them at once: what one has written holds
 * for all from then on.
 * @param url names the database, e.g. `mongodb://localhost:27017/call_analytics`
 * @throws WorkError `transient` `accounts_unavailable` when there is no connection within 5 s. Once open, it finds back
 * to the server by itself.
 */
export async function openMongoAccounts({
  url,
  clock = systemClock,
  log,
}: {
  url: string;
  clock?: Clock;
  log?: Logger;
}): Promise<Accounts & RevocationSource> {
  return new MongoAccounts(await Database.open(url), clock, log);
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
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #lastUsed: LastUsed;
  #closed = false;

  constructor(database: Database, clock: Clock, log: Logger | undefined) {
    this.#database = database;
    this.#clock = clock;
    this.#lastUsed = new LastUsed(writesOfLastUse(database), log);
  }

  async authenticate({ apiKey }: { apiKey: string }) {
    if (!isWellFormedApiKey(apiKey)) return null;
    const client = await this.#database.run(() => this.#clientOf(hashApiKey(apiKey)));
    const now = this.#clock.now();
    if (client === null || !isUnexpired(client.key, now)) return null;
    this.#lastUsed.used(client.key.id, client.key.lastUsedAt, now);
    return client;
  }

  async createAccount({ name }: { name: string }) {
    const account = newAccount(name, this.#clock.now());
    const { id: _id, ...rest } = account;
    const { accounts } = this.#database.collections;
    await this.#database.run(() => accounts.insertOne({ _id, ...rest }));
    return { account };
  }

  async listAccounts() {
    const { accounts } = this.#database.collections;
    const oldestFirst = { sort: { createdAt: 1, _id: 1 } } as const;
    const found = await this.#database.run(() => accounts.find({}, oldestFirst).toArray());
    return { accounts: found.map(accountOf) };
  }

  async createKey(request: NewKey) {
    const { accountId } = request;
    const now = this.#clock.now();
    const { key, secret, hash } = newKey(request, now);
    const { id: _id, ...rest } = key;
    await this.#database.transaction(async (session) => {
      const { accounts, members, keys } = this.#database.collections;
      const account = await accounts.findOneAndUpdate({ _id: accountId }, { $inc: { memberChanges: 1 } }, { session });
      if (account === null) throw noSuchAccount(accountId);
      const userId = userOf(key);
      if (userId !== null && (await members.findOne({ _id: userId, accountId }, { session })) === null)
        throw refused('no_such_user');
      await this.#makeRoom(session, accountId, now);
      await keys.insertOne({ _id, hash, accountId, ...rest }, { session });
    });
    return { key, secret };
  }

  async listKeys({ accountId }: { accountId: string }) {
    const { accounts, keys } = this.#database.collections;
    const account = await this.#database.run(() => accounts.findOne({ _id: accountId }, { projection: { _id: 1 } }));
    if (account === null) throw noSuchAccount(accountId);
    const oldestFirst = { sort: { createdAt: 1, _id: 1 } } as const;
    const found = await this.#database.run(() => keys.find({ accountId }, oldestFirst).toArray());
    return { keys: found.map(keyOf) };
  }

  async revokeKey({ accountId, keyId }: { accountId: string; keyId: string }) {
    const revokedAt = this.#clock.now();
    const { modifiedCount } = await this.#database.run(() =>
      this.#database.collections.keys.updateOne({ _id: keyId, accountId, revokedAt: null }, { $set: { revokedAt } }),
    );
    return { revoked: modifiedCount === 1 };
  }

  /** A change stream: it sees what every process writes. */
  watchRevocations(watcher: RevocationWatcher) {
    return keepWatching(async (heard, signal) => {
      const stream = this.#database.collections.keys.watch(REVOCATIONS);
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
      const { accounts } = this.#database.collections;
      await this.#database.run(() => accounts.findOne({}, { projection: { _id: 1 } }));
      return null;
    } catch {
      return 'the accounts database does not answer';
    }
  }

  async close() {
    if (this.#closed) return;
    await this.#lastUsed.close();
    this.#closed = true;
    await this.#database.close();
  }

  /** @throws WorkError `rejected` `too_many_keys` */
  async #makeRoom(session: Session, accountId: string, now: Date): Promise<void> {
    const { keys } = this.#database.collections;
    const inTime = [{ expiresAt: null }, { expiresAt: { $gt: now } }];
    const working = await keys.countDocuments({ accountId, revokedAt: null, $or: inTime }, { session });
    if (working >= MAX_KEYS) throw tooManyKeys();
    // Without an end to them, creating and revoking keys would fill the disk.
    const over = { accountId, $or: [{ revokedAt: { $ne: null } }, { expiresAt: { $ne: null, $lte: now } }] };
    const newestFirst = { sort: { createdAt: -1, _id: -1 }, projection: { _id: 1 } } as const;
    const old = await keys.find(over, { session, ...newestFirst, skip: MAX_KEYS }).toArray();
    if (old.length > 0) await keys.deleteMany({ _id: { $in: old.map((each) => each._id) } }, { session });
  }

  async #clientOf(hash: string): Promise<{ account: Account; key: ApiKey } | null> {
    const { accounts, keys } = this.#database.collections;
    const key = await keys.findOne({ hash });
    if (key === null || !timingSafeEqual(Buffer.from(key.hash), Buffer.from(hash)) || key.revokedAt) return null;
    const account = await accounts.findOne({ _id: key.accountId });
    // It was deleted a moment ago, and its keys are being deleted.
    return account === null ? null : { account: accountOf(account), key: keyOf(key) };
  }
}

/** Each write looks again at what is there: another process may have written the same minute. */
function writesOfLastUse({ collections: { keys } }: Database): WriteUses {
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

/**
 * The accounts in the database that the service's settings name, behind its circuit breaker.
 * @throws WorkError `transient` `accounts_unavailable` when it is not there now
 */
export async function connectAccountsStore(
  settings: AccountsServiceSettings,
  about: About,
): Promise<Accounts & RevocationSource> {
  const accounts = await openMongoAccounts({ url: settings.MONGODB_URL, log: about.log });
  return withCircuitBreaker(accounts, breakerOf('accounts store', about), {
    watchRevocations: 'direct',
    ready: 'direct',
    close: 'direct',
  });
}
