import type { DatabaseSync } from 'node:sqlite';
import { kyselyAdapter } from '@better-auth/kysely-adapter';
import { NodeSqliteDialect } from '@better-auth/kysely-adapter/node-sqlite-dialect';
import { Kysely } from 'kysely';
import type { Users } from '../accounts.ts';
import { makeUsers, type UsersOptions } from '../users/make-users.ts';
import type { Attempts, InstallationStore, UserLinks } from '../users/stores.ts';
import { inTransaction, openDatabase, Rows, USER, type UserRow, userOf, withStoreErrors } from './database.ts';
import { isUnclaimed, SqliteDirectory } from './directory.ts';

/**
 * The users, in the same database as the accounts (`openAccounts`), which several processes may use at once.
 * @param file the database; made, with its folder, when it is not there
 * @throws WorkError `transient` `accounts_unavailable` when it cannot be opened; Error when a newer version made it;
 *   SettingsError when the settings of mail do not fit together
 */
export function openUsers({ file, ...options }: UsersOptions & { file: string }): Users {
  const db = openDatabase(file);
  try {
    const database = kyselyAdapter(new Kysely({ dialect: new NodeSqliteDialect({ database: db }) }), {
      type: 'sqlite',
    });
    const stores = {
      directory: new SqliteDirectory(db),
      links: sqliteUserLinks(db),
      attempts: sqliteAttempts(db),
      installation: sqliteInstallation(db),
    };
    return makeUsers(options, { database, ...stores, withStoreErrors });
  } catch (error) {
    db.close();
    throw error;
  }
}

function sqliteUserLinks(db: DatabaseSync): UserLinks {
  const rows = new Rows(db);
  return {
    async add({ id, hash, kind, userId, createdAt, expiresAt }) {
      inTransaction(db, () => {
        rows.run('DELETE FROM user_links WHERE user_id = ? AND expires_at <= ?', userId, createdAt);
        rows.run(
          'INSERT INTO user_links (hash, id, kind, user_id, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)',
          hash,
          id,
          kind,
          userId,
          createdAt,
          expiresAt,
        );
      });
    },
    async find(kind, tokenHash, now) {
      const row = rows.get<UserRow>(
        `SELECT ${USER} FROM user_links l JOIN users u ON u.id = l.user_id
          WHERE l.hash = ? AND l.kind = ? AND l.expires_at > ?`,
        tokenHash,
        kind,
        now,
      );
      return row === undefined ? null : userOf(row);
    },
    async take(kind, tokenHash, now) {
      return (
        rows.run('DELETE FROM user_links WHERE hash = ? AND kind = ? AND expires_at > ?', tokenHash, kind, now) === 1
      );
    },
  };
}

function sqliteAttempts(db: DatabaseSync): Attempts {
  const rows = new Rows(db);
  return {
    async count(key, expiresAt, now) {
      return inTransaction(db, () => {
        rows.run('DELETE FROM attempts WHERE expires_at <= ?', now);
        const row = rows.get<{ count: number; expires_at: number }>(
          `INSERT INTO attempts (key, count, expires_at) VALUES (?, 1, ?)
             ON CONFLICT (key) DO UPDATE SET count = count + 1 RETURNING count, expires_at`,
          key,
          expiresAt,
        );
        return { count: row?.count ?? 1, until: new Date(row?.expires_at ?? expiresAt) };
      });
    },
    async uncount(key) {
      rows.run('UPDATE attempts SET count = count - 1 WHERE key = ? AND count > 0', key);
    },
  };
}

function sqliteInstallation(db: DatabaseSync): InstallationStore {
  const rows = new Rows(db);
  return {
    async isUnclaimed() {
      return isUnclaimed(rows);
    },
    async deviceSecret() {
      const row = rows.get<{ device_secret: string }>('SELECT device_secret FROM installation');
      if (row === undefined) throw new Error('the database has no installation row');
      return row.device_secret;
    },
    async addSignUpLink({ hash, email, createdAt, expiresAt }) {
      inTransaction(db, () => {
        rows.run('DELETE FROM sign_up_links WHERE expires_at <= ?', createdAt);
        rows.run(
          'INSERT INTO sign_up_links (hash, email, created_at, expires_at) VALUES (?, ?, ?, ?)',
          hash,
          email,
          createdAt,
          expiresAt,
        );
      });
    },
    async findSignUpLink(tokenHash, now) {
      const found = rows.get<{ email: string | null }>(
        'SELECT email FROM sign_up_links WHERE hash = ? AND expires_at > ?',
        tokenHash,
        now,
      );
      return found === undefined ? null : { email: found.email };
    },
  };
}
