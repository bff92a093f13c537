import type { DatabaseSync } from 'node:sqlite';
import type { InstallationStore } from '../users/installation.ts';
import { inTransaction } from './database.ts';
import { Rows } from './rows.ts';

export function sqliteInstallation(db: DatabaseSync): InstallationStore {
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
        rows.run('DELETE FROM sign_up_links WHERE expires_at <= ?', createdAt.getTime());
        rows.run(
          'INSERT INTO sign_up_links (hash, email, created_at, expires_at) VALUES (?, ?, ?, ?)',
          ...[hash, email, createdAt.getTime(), expiresAt.getTime()],
        );
      });
    },
    async findSignUpLink(tokenHash, now) {
      const found = rows.get<{ email: string | null }>(
        'SELECT email FROM sign_up_links WHERE hash = ? AND expires_at > ?',
        ...[tokenHash, now.getTime()],
      );
      return found === undefined ? null : { email: found.email };
    },
  };
}

export function isUnclaimed(rows: Rows): boolean {
  const unclaimed = 'SELECT 1 FROM installation WHERE closed = 0 AND NOT EXISTS (SELECT 1 FROM accounts)';
  return rows.get(unclaimed) !== undefined;
}
