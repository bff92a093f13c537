import { timingSafeEqual } from 'node:crypto';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { type Clock, systemClock } from '@call-analytics/service-kit';
import type { Account, Accounts, ApiKey } from '../accounts.ts';
import { hashApiKey, isWellFormedApiKey } from '../api-key.ts';
import { LastUsed } from '../last-used.ts';
import { newAccount, newKey } from '../new-records.ts';
import { noSuchAccount } from '../refusals.ts';
import { BUSY_TIMEOUT_MS, openDatabase } from './database.ts';
import { unavailable } from './errors.ts';
import { KnownKeys } from './known-keys.ts';
import { writesOfLastUse } from './last-use.ts';

/**
 * The accounts and their API keys, in a SQLite database that several processes may use at once: what one of them writes holds for the others at once.
 * @param file the database; made, with its folder, when it is not there
 * @throws WorkError `transient` `accounts_unavailable` when it cannot be opened; Error when it was made by a newer version of this program
 */
export function openAccounts({ file, clock = systemClock }: { file: string; clock?: Clock }): Accounts {
  return unavailable(() => {
    const db = openDatabase(file);
    try {
      const background = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
      background.exec('PRAGMA synchronous = NORMAL');
      const lastUsed = new LastUsed(writesOfLastUse(background));
      // From here on it gives up at once when another process writes. Not earlier: preparing its statement reads the schema.
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
  readonly #background: DatabaseSync;
  readonly #lastUsed: LastUsed;
  readonly #clock: Clock;
  readonly #byHash: StatementSync;
  readonly #known: KnownKeys<{ account: Account; key: ApiKey }>;

  constructor(db: DatabaseSync, background: DatabaseSync, lastUsed: LastUsed, clock: Clock) {
    this.#db = db;
    this.#background = background;
    this.#lastUsed = lastUsed;
    this.#clock = clock;
    this.#known = new KnownKeys(db);
    this.#byHash = db.prepare(
      `SELECT k.hash, k.id, k.name, k.prefix, k.created_at, k.last_used_at, k.revoked_at,
              a.id AS account_id, a.name AS account_name, a.created_at AS account_created_at
         FROM api_keys k JOIN accounts a ON a.id = k.account_id WHERE k.hash = ?`,
    );
  }

  async authenticate({ apiKey }: { apiKey: string }) {
    if (!isWellFormedApiKey(apiKey)) return null;
    const client = unavailable(() => this.#known.get(hashApiKey(apiKey), (hash) => this.#read(hash)));
    if (client === null) return null;
    this.#lastUsed.used(client.key.id, client.key.lastUsedAt, this.#clock.now());
    return client;
  }

  async createAccount({ name }: { name: string }) {
    const account = newAccount(name, this.#clock.now());
    unavailable(() =>
      this.#db
        .prepare('INSERT INTO accounts (id, name, created_at) VALUES (?, ?, ?)')
        .run(account.id, account.name, account.createdAt.getTime()),
    );
    return { account };
  }

  async listAccounts() {
    const rows = unavailable(() => this.#db.prepare('SELECT id, name, created_at FROM accounts ORDER BY created_at, id').all());
    return {
      accounts: (rows as unknown as AccountRow[]).map(({ id, name, created_at }) => ({ id, name, createdAt: new Date(created_at) })),
    };
  }

  async createKey({ accountId, name }: { accountId: string; name: string }) {
    const { key, secret, hash } = newKey(name, this.#clock.now());
    this.#mustExist(accountId);
    unavailable(() =>
      this.#db
        .prepare('INSERT INTO api_keys (hash, id, account_id, name, prefix, created_at) VALUES (?, ?, ?, ?, ?, ?)')
        .run(Buffer.from(hash, 'hex'), key.id, accountId, key.name, key.prefix, key.createdAt.getTime()),
    );
    return { key, secret };
  }

  async listKeys({ accountId }: { accountId: string }) {
    this.#mustExist(accountId);
    const rows = unavailable(() =>
      this.#db
        .prepare(
          `SELECT id, name, prefix, created_at, last_used_at, revoked_at FROM api_keys
            WHERE account_id = ? ORDER BY created_at, id`,
        )
        .all(accountId),
    );
    return { keys: (rows as unknown as KeyRow[]).map(keyOf) };
  }

  async revokeKey({ accountId, keyId }: { accountId: string; keyId: string }) {
    const { changes } = unavailable(() =>
      this.#db
        .prepare('UPDATE api_keys SET revoked_at = ? WHERE id = ? AND account_id = ? AND revoked_at IS NULL')
        .run(this.#clock.now().getTime(), keyId, accountId),
    );
    this.#known.forget();
    return { revoked: changes === 1 };
  }

  async ready() {
    try {
      this.#db.prepare('SELECT 1 FROM accounts LIMIT 1').get();
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
    if (unavailable(() => this.#db.prepare('SELECT 1 FROM accounts WHERE id = ?').get(accountId)) !== undefined) return;
    throw noSuchAccount(accountId);
  }
}

interface AccountRow {
  id: string;
  name: string;
  created_at: number;
}

interface KeyRow extends AccountRow {
  prefix: string;
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
    createdAt: new Date(row.created_at),
    lastUsedAt: row.last_used_at === null ? null : new Date(row.last_used_at),
    revokedAt: row.revoked_at === null ? null : new Date(row.revoked_at),
  };
}
