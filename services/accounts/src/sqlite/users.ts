import { kyselyAdapter } from '@better-auth/kysely-adapter';
import { NodeSqliteDialect } from '@better-auth/kysely-adapter/node-sqlite-dialect';
import { Kysely } from 'kysely';
import { makeUsers, type UsersOptions } from '../users/make-users.ts';
import type { Users } from '../users.ts';
import { sqliteAttempts } from './attempts.ts';
import { openDatabase } from './database.ts';
import { SqliteDirectory } from './directory.ts';
import { asking } from './errors.ts';
import { sqliteInstallation } from './installation.ts';
import { sqliteUserLinks } from './user-links.ts';

/**
 * The users, in the same database as the accounts (`openAccounts`), which several processes may use at once.
 * @param file the database; made, with its folder, when it is not there
 * @throws WorkError `transient` `accounts_unavailable` when it cannot be opened; Error when it was made by a newer version of this program; SettingsError when the settings of
 *   mail do not fit together
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
    return makeUsers(options, { database, ...stores, asking });
  } catch (error) {
    db.close();
    throw error;
  }
}
