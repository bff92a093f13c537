import { timingSafeEqual } from 'node:crypto';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { KeyScope } from '@call-analytics/contracts';
import { type Clock, type Logger, systemClock } from '@call-analytics/service-kit';
import type { Account, Accounts, ApiKey, NewKey } from '../accounts.ts';
import {
  hashApiKey,
  isUnexpired,
  isWellFormedApiKey,
  LastUsed,
  newAccount,
  newKey,
  userOf,
  type WriteUses,
} from '../records.ts';
import { MAX_KEYS, noSuchAccount, refused, tooManyKeys } from '../refusals.ts';
import { BUSY_TIMEOUT_MS, inTransaction, openDatabase, Rows, unavailable } from './database.ts';

/**
 * The accounts and their API keys, in a SQLite database. Several processes may use it; each sees the others' writes.
 * @param file the database; made, with its folder, when it is not there
 * @throws WorkError `transient` `accounts_unavailable` when it cannot be opened; Error when a newer version made it
 */
export function openAccounts({
  file,
  clock = systemClock,
  log,
}: {
  file: string;
  clock?: Clock;
  log?: Logger;
}): Accounts {
  return unavailable(() => {
    const db = openDatabase(file);
    try {
      const background = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
      background.exec('PRAGMA synchronous = NORMAL');
      const lastUsed = new LastUsed(writesOfLastUse(background), log);
      // It gives up at once when another process writes. Set after its statement is prepared, which reads the schema.
      background.exec('PRAGMA busy_timeout = 0');
      return new SqliteAccounts(db, background, lastUsed, clock);
    } catch (error) {
      db.close();
      throw error;
    }
  });
}

class SqliteAccounts implements Accounts {
  readonly #db: DatabaseSync;
  readonly #rows: Rows;
  readonly #background: DatabaseSync;
  readonly #lastUsed: LastUsed;
  readonly #clock: Clock;
  readonly #byHash: StatementSync;
  readonly #known: KnownKeys<{ account: Account; key: ApiKey }>;

  constructor(db: DatabaseSync, background: DatabaseSync, lastUsed: LastUsed, clock: Clock) {
    this.#db = db;
    this.#rows = new Rows(db);
    this.#background = background;
    this.#lastUsed = lastUsed;
    this.#clock = clock;
    this.#known = new KnownKeys(db);
    this.#byHash = db.prepare(
      `SELECT k.hash, k.id, k.name, k.prefix, k.scope, k.created_by, k.created_at, k.expires_at, k.last_used_at,
              k.revoked_at, a.id AS account_id, a.name AS account_name, a.created_at AS account_created_at
         FROM api_keys k JOIN accounts a ON a.id = k.account_id WHERE k.hash = ?`,
    );
  }

  async authenticate({ apiKey }: { apiKey: string }) {
    if (!isWellFormedApiKey(apiKey)) return null;
    const client = unavailable(() => this.#known.get(hashApiKey(apiKey), (hash) => this.#read(hash)));
    const now = this.#clock.now();
    if (client === null || !isUnexpired(client.key, now)) return null;
    this.#lastUsed.used(client.key.id, client.key.lastUsedAt, now);
    return client;
  }

  async createAccount({ name }: { name: string }) {
    const account = newAccount(name, this.#clock.now());
    const { id, createdAt } = account;
    this.#rows.run('INSERT INTO accounts (id, name, created_at) VALUES (?, ?, ?)', id, account.name, createdAt);
    return { account };
  }

  async listAccounts() {
    const rows = this.#rows.all<AccountRow>('SELECT id, name, created_at FROM accounts ORDER BY created_at, id');
    return { accounts: rows.map(({ id, name, created_at }) => ({ id, name, createdAt: new Date(created_at) })) };
  }

  async createKey(request: NewKey) {
    const { accountId } = request;
    const now = this.#clock.now();
    const { key, secret, hash } = newKey(request, now);
    inTransaction(this.#db, () => {
      this.#mustExist(accountId);
      this.#mustBeMember(userOf(key), accountId);
      const working = this.#rows.all(`SELECT 1 FROM api_keys WHERE account_id = ? AND ${WORKS}`, accountId, now);
      if (working.length >= MAX_KEYS) throw tooManyKeys();
      this.#rows.run(DROP_OLD_KEYS, accountId, now, MAX_KEYS);
      this.#rows.run(
        `INSERT INTO api_keys (hash, id, account_id, name, prefix, scope, created_by, created_at, expires_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        Buffer.from(hash, 'hex'),
        key.id,
        accountId,
        key.name,
        key.prefix,
        key.scope,
        key.createdBy,
        key.createdAt,
        key.expiresAt,
      );
    });
    return { key, secret };
  }

  async listKeys({ accountId }: { accountId: string }) {
    this.#mustExist(accountId);
    const rows = this.#rows.all<KeyRow>(
      `SELECT id, name, prefix, scope, created_by, created_at, expires_at, last_used_at, revoked_at FROM api_keys
        WHERE account_id = ? ORDER BY created_at, id`,
      accountId,
    );
    return { keys: rows.map(keyOf) };
  }

  async revokeKey({ accountId, keyId }: { accountId: string; keyId: string }) {
    const revoke = 'UPDATE api_keys SET revoked_at = ? WHERE id = ? AND account_id = ? AND revoked_at IS NULL';
    const changes = this.#rows.run(revoke, this.#clock.now(), keyId, accountId);
    this.#known.forget();
    return { revoked: changes === 1 };
  }

  async ready() {
    try {
      this.#rows.get('SELECT 1 FROM accounts LIMIT 1');
      return null;
    } catch {
      return 'the accounts database does not answer';
    }
  }

  async close() {
    await this.#lastUsed.close();
    if (!this.#db.isOpen) return;
    this.#background.close();
    this.#db.close();
  }

  #read(hash: string): { account: Account; key: ApiKey } | null {
    const asked = Buffer.from(hash, 'hex');
    const row = this.#byHash.get(asked) as unknown as KeyWithAccountRow | undefined;
    if (row === undefined || !timingSafeEqual(row.hash, asked) || row.revoked_at !== null) return null;
    return {
      account: { id: row.account_id, name: row.account_name, createdAt: new Date(row.account_created_at) },
      key: keyOf(row),
    };
  }

  #mustExist(accountId: string): void {
    if (this.#rows.get('SELECT 1 FROM accounts WHERE id = ?', accountId) === undefined) throw noSuchAccount(accountId);
  }

  #mustBeMember(userId: string | null, accountId: string): void {
    if (userId === null) return;
    const member = 'SELECT 1 FROM members WHERE user_id = ? AND account_id = ?';
    if (this.#rows.get(member, userId, accountId) === undefined) throw refused('no_such_user');
  }
}

/** A key that works at a time (ms). */
const WORKS = 'revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)';

/** Without an end to them, creating and revoking keys would fill the disk. */
const DROP_OLD_KEYS = `DELETE FROM api_keys WHERE hash IN (
  SELECT hash FROM api_keys WHERE account_id = ? AND NOT (${WORKS})
   ORDER BY created_at DESC, id DESC LIMIT -1 OFFSET ?)`;

interface AccountRow {
  id: string;
  name: string;
  created_at: number;
}

interface KeyRow extends AccountRow {
  prefix: string;
  scope: KeyScope;
  created_by: string | null;
  expires_at: number | null;
  last_used_at: number | null;
  revoked_at: number | null;
}

interface KeyWithAccountRow extends KeyRow {
  hash: Uint8Array;
  account_id: string;
  account_name: string;
  account_created_at: number;
}

function keyOf(row: KeyRow): ApiKey {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    scope: row.scope,
    createdBy: row.created_by,
    createdAt: new Date(row.created_at),
    expiresAt: row.expires_at === null ? null : new Date(row.expires_at),
    lastUsedAt: row.last_used_at === null ? null : new Date(row.last_used_at),
    revokedAt: row.revoked_at === null ? null : new Date(row.revoked_at),
  };
}

const MAX_ENTRIES = 10_000;

/**
 * A cache of keys that is valid until another connection, also of another process, commits a change
 * (https://www.sqlite.org/pragma.html#pragma_data_version). The count of commits costs a third of reading a key, so it
 * is read once for all requests of a turn of the event loop.
 */
class KnownKeys<T> {
  readonly #entries = new Map<string, T>();
  readonly #dataVersion: StatementSync;
  #seenVersion: number | null = null;
  #isCurrent = false;

  /** @param db reads the keys. Its own writes are not counted: after them, call `forget`. */
  constructor(db: DatabaseSync) {
    this.#dataVersion = db.prepare('PRAGMA data_version');
    this.#dataVersion.setReturnArrays(true);
  }

  /** @returns what `read` returned before or returns now. null is not cached, because unknown keys have no limit. */
  get(hash: string, read: (hash: string) => T | null): T | null {
    if (!this.#isCurrent) this.#update();
    const known = this.#entries.get(hash);
    if (known !== undefined) return known;
    const found = read(hash);
    if (found !== null) this.#entries.set(hash, found);
    return found;
  }

  forget(): void {
    this.#entries.clear();
  }

  #update(): void {
    const [version] = this.#dataVersion.get() as unknown as [number];
    if (version !== this.#seenVersion || this.#entries.size >= MAX_ENTRIES) this.forget();
    this.#seenVersion = version;
    this.#isCurrent = true;
    setImmediate(() => {
      this.#isCurrent = false;
    });
  }
}

/**
 * @param db a connection of its own, outside of all other transactions. It gives up at once when another process
 *   writes, and the caller tries again later.
 */
export function writesOfLastUse(db: DatabaseSync): WriteUses {
  const write = db.prepare('UPDATE api_keys SET last_used_at = ? WHERE id = ?');
  return (uses) => {
    db.exec('BEGIN IMMEDIATE');
    try {
      for (const [keyId, at] of uses) write.run(at, keyId);
      db.exec('COMMIT');
    } catch (error) {
      db.exec('ROLLBACK');
      throw error;
    }
  };
}
