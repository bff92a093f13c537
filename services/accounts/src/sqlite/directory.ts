import type { DatabaseSync } from 'node:sqlite';
import type { MemberRole } from '@call-analytics/contracts';
import type { Account } from '../accounts.ts';
import {
  assertMayRemove,
  assertMember,
  assertOwner,
  assertOwnerRemains,
  assertRoomForInvitation,
  noSuchAccount,
  refused,
} from '../refusals.ts';
import type { Directory } from '../users/stores.ts';
import type { Actor, Member } from '../users.ts';
import { inTransaction, Rows, USER, type UserRow, unavailable, userOf } from './database.ts';

const ACCOUNT = 'a.id AS account_id, a.name AS account_name, a.created_at AS account_created_at';

export const READ_SESSION = `SELECT ${USER}, ${ACCOUNT}, m.role, s.expiresAt AS expires_at
   FROM sessions s JOIN users u ON u.id = s.userId
   JOIN members m ON m.user_id = u.id JOIN accounts a ON a.id = m.account_id
  WHERE s.token = ?`;

/** In SQLite, on the connection of better-auth: this is safe because no transaction of either awaits anything. */
export function sqliteDirectory(db: DatabaseSync): Directory {
  const rows = new Rows(db);
  const session = db.prepare(READ_SESSION);

  const roleOf = ({ userId, accountId }: Actor) => {
    const query = 'SELECT role FROM members WHERE user_id = ? AND account_id = ?';
    return rows.get<{ role: MemberRole }>(query, userId, accountId)?.role ?? null;
  };
  const existingMember = (accountId: string, userId: string): Member => {
    const row = rows.get<MemberRow>(
      `SELECT ${USER}, m.role, m.joined_at FROM members m JOIN users u ON u.id = m.user_id
        WHERE m.user_id = ? AND m.account_id = ?`,
      ...[userId, accountId],
    );
    if (row === undefined) throw refused('no_such_member');
    return memberOf(row);
  };
  const assertRemains = ({ id, role }: Member, accountId: string) => {
    const others = `SELECT 1 FROM members WHERE account_id = ? AND role = 'owner' AND user_id <> ?`;
    assertOwnerRemains(role, rows.get(others, accountId, id) !== undefined);
  };
  const addMember = (userId: string, accountId: string, role: MemberRole, now: Date) => {
    const insert = 'INSERT INTO members (user_id, account_id, role, joined_at) VALUES (?, ?, ?, ?)';
    rows.run(insert, userId, accountId, role, now.getTime());
  };
  const setPassword = (userId: string, hash: string, except: string | null) => {
    rows.run(`UPDATE credentials SET password = ? WHERE userId = ? AND providerId = 'credential'`, hash, userId);
    rows.run('DELETE FROM sessions WHERE userId = ? AND token IS NOT ?', userId, except);
    rows.run('DELETE FROM user_links WHERE user_id = ?', userId);
  };
  const revokeKeysOf = (userId: string, now: Date) => {
    const revoke = 'UPDATE api_keys SET revoked_at = ? WHERE created_by = ? AND revoked_at IS NULL';
    rows.run(revoke, now.getTime(), userId);
  };

  return {
    async sessionOf(tokenHash) {
      const row = unavailable(() => session.get(tokenHash)) as unknown as SessionRow | undefined;
      if (row === undefined) return null;
      return { user: userOf(row), account: accountOf(row), role: row.role, expiresAt: new Date(row.expires_at) };
    },

    async endSession(tokenHash) {
      rows.run('DELETE FROM sessions WHERE token = ?', tokenHash);
    },

    async dropEndedSessions(now) {
      rows.run('DELETE FROM sessions WHERE expiresAt <= ?', now.toISOString());
    },

    async keepNewestSessions(userId, count) {
      const old = 'SELECT id FROM sessions WHERE userId = ? ORDER BY createdAt DESC, id DESC LIMIT -1 OFFSET ?';
      rows.run(`DELETE FROM sessions WHERE id IN (${old})`, userId, count);
    },

    async replacePassword({ userId, passwordHash, except }) {
      inTransaction(db, () => setPassword(userId, passwordHash, except));
    },

    async resetPassword({ tokenHash, passwordHash, now }) {
      return inTransaction(db, () => {
        const link = rows.get<{ user_id: string }>(
          `SELECT user_id FROM user_links WHERE hash = ? AND kind = 'reset' AND expires_at > ?`,
          ...[tokenHash, now.getTime()],
        );
        if (link === undefined) return false;
        setPassword(link.user_id, passwordHash, null);
        revokeKeysOf(link.user_id, now);
        return true;
      });
    },

    async memberOf(userId) {
      const row = rows.get<MembershipRow>(
        `SELECT ${ACCOUNT}, m.role FROM members m JOIN accounts a ON a.id = m.account_id WHERE m.user_id = ?`,
        userId,
      );
      return row === undefined ? null : { account: accountOf(row), role: row.role };
    },

    async forget(userId) {
      rows.run('DELETE FROM users WHERE id = ? AND id NOT IN (SELECT user_id FROM members)', userId);
    },

    async listUsers() {
      const found = rows.all<MemberRow & AccountRow>(
        `SELECT ${USER}, ${ACCOUNT}, m.role, m.joined_at
           FROM members m JOIN users u ON u.id = m.user_id JOIN accounts a ON a.id = m.account_id
          ORDER BY a.created_at, a.id, m.joined_at, m.user_id`,
      );
      return found.map((row) => ({ ...memberOf(row), account: accountOf(row) }));
    },

    async found({ userId, account: { id, name, createdAt }, entry, now }) {
      return inTransaction(db, () => {
        if (entry.onlyFirst && !isUnclaimed(rows)) return false;
        const taken = 'DELETE FROM sign_up_links WHERE hash = ? AND expires_at > ?';
        if (entry.linkHash !== null && rows.run(taken, entry.linkHash, now.getTime()) === 0) return false;
        rows.run('DELETE FROM sign_up_links WHERE email IS NULL');
        rows.run('INSERT INTO accounts (id, name, created_at) VALUES (?, ?, ?)', id, name, createdAt.getTime());
        addMember(userId, id, 'owner', now);
        return true;
      });
    },

    async join({ userId, tokenHash, now }) {
      return inTransaction(db, () => {
        const invitation = rows.get<MembershipRow>(
          `SELECT ${ACCOUNT}, i.role FROM invitations i JOIN accounts a ON a.id = i.account_id
            WHERE i.hash = ? AND i.expires_at > ?`,
          ...[tokenHash, now.getTime()],
        );
        if (invitation === undefined) return null;
        rows.run('DELETE FROM invitations WHERE hash = ?', tokenHash);
        addMember(userId, invitation.account_id, invitation.role, now);
        return { account: accountOf(invitation), role: invitation.role };
      });
    },

    async listMembers(actor) {
      assertMember(roleOf(actor));
      const found = rows.all<MemberRow>(
        `SELECT ${USER}, m.role, m.joined_at FROM members m JOIN users u ON u.id = m.user_id
          WHERE m.account_id = ? ORDER BY m.joined_at, m.user_id`,
        actor.accountId,
      );
      return found.map(memberOf);
    },

    async changeRole(actor, userId, role) {
      return inTransaction(db, () => {
        assertOwner(roleOf(actor));
        const member = existingMember(actor.accountId, userId);
        if (role === 'member') assertRemains(member, actor.accountId);
        rows.run('UPDATE members SET role = ? WHERE user_id = ?', role, userId);
        return { ...member, role };
      });
    },

    async removeMember(actor, userId, now) {
      inTransaction(db, () => {
        assertMayRemove(roleOf(actor), actor, userId);
        assertRemains(existingMember(actor.accountId, userId), actor.accountId);
        revokeKeysOf(userId, now);
        // The password, the sessions, the links and the membership are deleted with the user.
        rows.run('DELETE FROM users WHERE id = ?', userId);
      });
    },

    async deleteAccount(actor) {
      const { accountId } = actor;
      inTransaction(db, () => {
        assertOwner(roleOf(actor));
        rows.run('DELETE FROM users WHERE id IN (SELECT user_id FROM members WHERE account_id = ?)', accountId);
        for (const table of ['invitations', 'api_keys'])
          rows.run(`DELETE FROM ${table} WHERE account_id = ?`, accountId);
        rows.run('DELETE FROM accounts WHERE id = ?', accountId);
        // The next person who comes must not become the first user.
        rows.run('UPDATE installation SET closed = 1');
      });
    },

    async addInvitation(actor, { id, hash, accountId, role, createdAt, expiresAt }) {
      const of = 'invitations WHERE account_id = ?';
      inTransaction(db, () => {
        if (actor !== null) assertOwner(roleOf(actor));
        if (rows.get('SELECT 1 FROM accounts WHERE id = ?', accountId) === undefined) throw noSuchAccount(accountId);
        rows.run(`DELETE FROM ${of} AND expires_at <= ?`, accountId, createdAt.getTime());
        assertRoomForInvitation(rows.get<{ open: number }>(`SELECT count(*) AS open FROM ${of}`, accountId)?.open ?? 0);
        rows.run(
          'INSERT INTO invitations (hash, id, account_id, role, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)',
          ...[hash, id, accountId, role, createdAt.getTime(), expiresAt.getTime()],
        );
      });
    },

    async listInvitations(actor, now) {
      assertOwner(roleOf(actor));
      const found = rows.all<{ id: string; role: MemberRole; created_at: number; expires_at: number }>(
        `SELECT id, role, created_at, expires_at FROM invitations
          WHERE account_id = ? AND expires_at > ? ORDER BY created_at, id`,
        ...[actor.accountId, now.getTime()],
      );
      return found.map(({ id, role, created_at, expires_at }) => ({
        ...{ id, role, createdAt: new Date(created_at), expiresAt: new Date(expires_at) },
      }));
    },

    async withdrawInvitation(actor, invitationId, now) {
      const withdraw = 'DELETE FROM invitations WHERE id = ? AND account_id = ? AND expires_at > ?';
      return inTransaction(db, () => {
        assertOwner(roleOf(actor));
        return rows.run(withdraw, invitationId, actor.accountId, now.getTime()) === 1;
      });
    },

    async findInvitation(tokenHash, now) {
      const row = rows.get<{ account_name: string; role: MemberRole; expires_at: number }>(
        `SELECT a.name AS account_name, i.role, i.expires_at FROM invitations i JOIN accounts a ON a.id = i.account_id
          WHERE i.hash = ? AND i.expires_at > ?`,
        ...[tokenHash, now.getTime()],
      );
      return row === undefined
        ? null
        : { accountName: row.account_name, role: row.role, expiresAt: new Date(row.expires_at) };
    },

    async close() {
      if (db.isOpen) db.close();
    },
  };
}

interface AccountRow {
  account_id: string;
  account_name: string;
  account_created_at: number;
}

interface MembershipRow extends AccountRow {
  role: MemberRole;
}

interface MemberRow extends UserRow {
  role: MemberRole;
  joined_at: number;
}

interface SessionRow extends UserRow, MembershipRow {
  expires_at: string;
}

function accountOf({ account_id: id, account_name: name, account_created_at: createdAt }: AccountRow): Account {
  return { id, name, createdAt: new Date(createdAt) };
}

function memberOf(row: MemberRow): Member {
  return { ...userOf(row), role: row.role, joinedAt: new Date(row.joined_at) };
}

/** Whether there is no account and never was one that was deleted. */
export function isUnclaimed(rows: Rows): boolean {
  const unclaimed = 'SELECT 1 FROM installation WHERE closed = 0 AND NOT EXISTS (SELECT 1 FROM accounts)';
  return rows.get(unclaimed) !== undefined;
}
