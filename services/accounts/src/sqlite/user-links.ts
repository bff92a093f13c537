import type { DatabaseSync } from 'node:sqlite';
import type { UserLinks } from '../users/user-links.ts';
import { inTransaction } from './database.ts';
import { Rows } from './rows.ts';
import { USER, type UserRow, userOf } from './user-row.ts';

export function sqliteUserLinks(db: DatabaseSync): UserLinks {
  const rows = new Rows(db);
  return {
    async add({ id, hash, kind, userId, createdAt, expiresAt }) {
      inTransaction(db, () => {
        rows.run('DELETE FROM user_links WHERE user_id = ? AND expires_at <= ?', userId, createdAt.getTime());
        rows.run(
          'INSERT INTO user_links (hash, id, kind, user_id, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)',
          ...[hash, id, kind, userId, createdAt.getTime(), expiresAt.getTime()],
        );
      });
    },
    async find(kind, tokenHash, now) {
      const row = rows.get<UserRow>(
        `SELECT ${USER} FROM user_links l JOIN users u ON u.id = l.user_id WHERE l.hash = ? AND l.kind = ? AND l.expires_at > ?`,
        ...[tokenHash, kind, now.getTime()],
      );
      return row === undefined ? null : userOf(row);
    },
    async take(kind, tokenHash, now) {
      return (
        rows.run(
          'DELETE FROM user_links WHERE hash = ? AND kind = ? AND expires_at > ?',
          tokenHash,
          kind,
          now.getTime(),
        ) === 1
      );
    },
  };
}
