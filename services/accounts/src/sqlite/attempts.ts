import type { DatabaseSync } from 'node:sqlite';
import type { Attempts } from '../users/attempts.ts';
import { inTransaction } from './database.ts';
import { Rows } from './rows.ts';

export function sqliteAttempts(db: DatabaseSync): Attempts {
  const rows = new Rows(db);
  return {
    async count(key, expiresAt, now) {
      return inTransaction(db, () => {
        rows.run('DELETE FROM attempts WHERE expires_at <= ?', now.getTime());
        const row = rows.get<{ count: number; expires_at: number }>(
          `INSERT INTO attempts (key, count, expires_at) VALUES (?, 1, ?)
             ON CONFLICT (key) DO UPDATE SET count = count + 1 RETURNING count, expires_at`,
          ...[key, expiresAt.getTime()],
        );
        return { count: row?.count ?? 1, until: new Date(row?.expires_at ?? expiresAt) };
      });
    },
    async uncount(key) {
      rows.run('UPDATE attempts SET count = count - 1 WHERE key = ? AND count > 0', key);
    },
  };
}
