import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { MemberRole } from '@call-analytics/contracts';
import type { Account, Actor, Invitation, Member, Session } from '../accounts.ts';
import {
  assertMayRemove,
  assertMember,
  assertOwner,
  assertOwnerRemains,
  assertRoomForInvitation,
  noSuchAccount,
  refused,
} from '../refusals.ts';
import type {
  AccountCreation,
  Directory,
  InvitationAcceptance,
  MemberOfAccount,
  Membership,
  NewInvitation,
  NewPassword,
  PasswordReset,
} from '../users/stores.ts';
import { inTransaction, Rows, USER, type UserRow, unavailable, userOf } from './database.ts';

const ACCOUNT = 'a.id AS account_id, a.name AS account_name, a.created_at AS account_created_at';

export const READ_SESSION = `SELECT ${USER}, ${ACCOUNT}, m.role, s.expiresAt AS expires_at
   FROM sessions s JOIN users u ON u.id = s.userId JOIN members m ON m.user_id = u.id
    JOIN accounts a ON a.id = m.account_id
  WHERE s.token = ?`;

/** In SQLite, on the connection of better-auth: this is safe because no transaction of either awaits anything. */
export class SqliteDirectory implements Directory {
  readonly #db: DatabaseSync;
  readonly #rows: Rows;
  readonly #session: StatementSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#rows = new Rows(db);
    this.#session = db.prepare(READ_SESSION);
  }

  async sessionOf(tokenHash: string): Promise<Session | null> {
    const row = unavailable(() => this.#session.get(tokenHash)) as unknown as SessionRow | undefined;
    if (row === undefined) return null;
    return { user: userOf(row), account: accountOf(row), role: row.role, expiresAt: new Date(row.expires_at) };
  }

  async endSession(tokenHash: string): Promise<void> {
    this.#rows.run('DELETE FROM sessions WHERE token = ?', tokenHash);
  }

  async dropEndedSessions(now: Date): Promise<void> {
    this.#rows.run('DELETE FROM sessions WHERE expiresAt <= ?', now.toISOString());
  }

  async keepNewestSessions(userId: string, count: number): Promise<void> {
    const old = 'SELECT id FROM sessions WHERE userId = ? ORDER BY createdAt DESC, id DESC LIMIT -1 OFFSET ?';
    this.#rows.run(`DELETE FROM sessions WHERE id IN (${old})`, userId, count);
  }

  async replacePassword({ userId, passwordHash, except }: NewPassword): Promise<void> {
    inTransaction(this.#db, () => this.#setPassword(userId, passwordHash, except));
  }

  async resetPassword({ tokenHash, passwordHash, now }: PasswordReset): Promise<boolean> {
    return inTransaction(this.#db, () => {
      const link = this.#rows.get<{ user_id: string }>(
        `SELECT user_id FROM user_links WHERE hash = ? AND kind = 'reset' AND expires_at > ?`,
        tokenHash,
        now,
      );
      if (link === undefined) return false;
      this.#setPassword(link.user_id, passwordHash, null);
      this.#revokeKeysOf(link.user_id, now);
      return true;
    });
  }

  async memberOf(userId: string): Promise<Membership | null> {
    const row = this.#rows.get<MembershipRow>(
      `SELECT ${ACCOUNT}, m.role FROM members m JOIN accounts a ON a.id = m.account_id WHERE m.user_id = ?`,
      userId,
    );
    return row === undefined ? null : { account: accountOf(row), role: row.role };
  }

  async forget(userId: string): Promise<void> {
    this.#rows.run('DELETE FROM users WHERE id = ? AND id NOT IN (SELECT user_id FROM members)', userId);
  }

  async listUsers(): Promise<MemberOfAccount[]> {
    const rows = this.#rows.all<MemberRow & AccountRow>(
      `SELECT ${USER}, ${ACCOUNT}, m.role, m.joined_at
         FROM members m JOIN users u ON u.id = m.user_id JOIN accounts a ON a.id = m.account_id
        ORDER BY a.created_at, a.id, m.joined_at, m.user_id`,
    );
    return rows.map((row) => ({ ...memberOf(row), account: accountOf(row) }));
  }

  async createAccount({ userId, account, entry, now }: AccountCreation): Promise<boolean> {
    return inTransaction(this.#db, () => {
      if (entry.onlyFirst && !isUnclaimed(this.#rows)) return false;
      const taken = 'DELETE FROM sign_up_links WHERE hash = ? AND expires_at > ?';
      if (entry.linkHash !== null && this.#rows.run(taken, entry.linkHash, now) === 0) return false;
      this.#rows.run('DELETE FROM sign_up_links WHERE email IS NULL');
      const { id, name, createdAt } = account;
      this.#rows.run('INSERT INTO accounts (id, name, created_at) VALUES (?, ?, ?)', id, name, createdAt);
      this.#addMember(userId, id, 'owner', now);
      return true;
    });
  }

  async acceptInvitation({ userId, tokenHash, now }: InvitationAcceptance): Promise<Membership | null> {
    return inTransaction(this.#db, () => {
      const invitation = this.#rows.get<MembershipRow>(
        `SELECT ${ACCOUNT}, i.role FROM invitations i JOIN accounts a ON a.id = i.account_id
          WHERE i.hash = ? AND i.expires_at > ?`,
        tokenHash,
        now,
      );
      if (invitation === undefined) return null;
      this.#rows.run('DELETE FROM invitations WHERE hash = ?', tokenHash);
      this.#addMember(userId, invitation.account_id, invitation.role, now);
      return { account: accountOf(invitation), role: invitation.role };
    });
  }

  async listMembers(actor: Actor): Promise<Member[]> {
    assertMember(this.#roleOf(actor));
    const rows = this.#rows.all<MemberRow>(
      `SELECT ${USER}, m.role, m.joined_at FROM members m JOIN users u ON u.id = m.user_id
        WHERE m.account_id = ? ORDER BY m.joined_at, m.user_id`,
      actor.accountId,
    );
    return rows.map(memberOf);
  }

  async changeRole(actor: Actor, userId: string, role: MemberRole): Promise<Member> {
    return inTransaction(this.#db, () => {
      assertOwner(this.#roleOf(actor));
      const member = this.#member(actor.accountId, userId);
      if (role === 'member') this.#assertOwnerRemains(member, actor.accountId);
      this.#rows.run('UPDATE members SET role = ? WHERE user_id = ?', role, userId);
      return { ...member, role };
    });
  }

  async removeMember(actor: Actor, userId: string, now: Date): Promise<void> {
    inTransaction(this.#db, () => {
      assertMayRemove(this.#roleOf(actor), actor.userId === userId);
      this.#assertOwnerRemains(this.#member(actor.accountId, userId), actor.accountId);
      this.#revokeKeysOf(userId, now);
      // The password, the sessions, the links and the membership are deleted with the user.
      this.#rows.run('DELETE FROM users WHERE id = ?', userId);
    });
  }

  async deleteAccount(actor: Actor): Promise<void> {
    inTransaction(this.#db, () => {
      assertOwner(this.#roleOf(actor));
      this.#rows.run(
        'DELETE FROM users WHERE id IN (SELECT user_id FROM members WHERE account_id = ?)',
        actor.accountId,
      );
      for (const table of ['invitations', 'api_keys'])
        this.#rows.run(`DELETE FROM ${table} WHERE account_id = ?`, actor.accountId);
      this.#rows.run('DELETE FROM accounts WHERE id = ?', actor.accountId);
      // The next sign-up must not become the first user.
      this.#rows.run('UPDATE installation SET closed = 1');
    });
  }

  async addInvitation(
    actor: Actor | null,
    { id, hash, accountId, role, createdAt, expiresAt }: NewInvitation,
  ): Promise<void> {
    inTransaction(this.#db, () => {
      if (actor !== null) assertOwner(this.#roleOf(actor));
      if (this.#rows.get('SELECT 1 FROM accounts WHERE id = ?', accountId) === undefined)
        throw noSuchAccount(accountId);
      this.#rows.run('DELETE FROM invitations WHERE account_id = ? AND expires_at <= ?', accountId, createdAt);
      const pending = this.#rows.get<{ count: number }>(
        'SELECT count(*) AS count FROM invitations WHERE account_id = ?',
        accountId,
      );
      assertRoomForInvitation(pending?.count ?? 0);
      this.#rows.run(
        'INSERT INTO invitations (hash, id, account_id, role, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)',
        hash,
        id,
        accountId,
        role,
        createdAt,
        expiresAt,
      );
    });
  }

  async listInvitations(actor: Actor, now: Date): Promise<Invitation[]> {
    assertOwner(this.#roleOf(actor));
    const rows = this.#rows.all<InvitationRow>(
      `SELECT id, role, created_at, expires_at FROM invitations WHERE account_id = ? AND expires_at > ?
          ORDER BY created_at, id`,
      actor.accountId,
      now,
    );
    return rows.map(({ id, role, created_at, expires_at }) => ({
      id,
      role,
      createdAt: new Date(created_at),
      expiresAt: new Date(expires_at),
    }));
  }

  async revokeInvitation(actor: Actor, invitationId: string, now: Date): Promise<boolean> {
    return inTransaction(this.#db, () => {
      assertOwner(this.#roleOf(actor));
      const ofTheirs = [invitationId, actor.accountId, now];
      return (
        this.#rows.run('DELETE FROM invitations WHERE id = ? AND account_id = ? AND expires_at > ?', ...ofTheirs) === 1
      );
    });
  }

  async findInvitation(tokenHash: string, now: Date) {
    const row = this.#rows.get<{ account_name: string; role: MemberRole; expires_at: number }>(
      `SELECT a.name AS account_name, i.role, i.expires_at FROM invitations i JOIN accounts a ON a.id = i.account_id
        WHERE i.hash = ? AND i.expires_at > ?`,
      tokenHash,
      now,
    );
    return row === undefined
      ? null
      : { accountName: row.account_name, role: row.role, expiresAt: new Date(row.expires_at) };
  }

  async close(): Promise<void> {
    if (this.#db.isOpen) this.#db.close();
  }

  #setPassword(userId: string, passwordHash: string, except: string | null): void {
    this.#rows.run(
      `UPDATE credentials SET password = ? WHERE userId = ? AND providerId = 'credential'`,
      passwordHash,
      userId,
    );
    this.#rows.run('DELETE FROM sessions WHERE userId = ? AND token IS NOT ?', userId, except);
    this.#rows.run('DELETE FROM user_links WHERE user_id = ?', userId);
  }

  #revokeKeysOf(userId: string, now: Date): void {
    this.#rows.run('UPDATE api_keys SET revoked_at = ? WHERE created_by = ? AND revoked_at IS NULL', now, userId);
  }

  #addMember(userId: string, accountId: string, role: MemberRole, now: Date): void {
    this.#rows.run(
      'INSERT INTO members (user_id, account_id, role, joined_at) VALUES (?, ?, ?, ?)',
      userId,
      accountId,
      role,
      now,
    );
  }

  #member(accountId: string, userId: string): Member {
    const row = this.#rows.get<MemberRow>(
      `SELECT ${USER}, m.role, m.joined_at FROM members m JOIN users u ON u.id = m.user_id
        WHERE m.user_id = ? AND m.account_id = ?`,
      userId,
      accountId,
    );
    if (row === undefined) throw refused('no_such_member');
    return memberOf(row);
  }

  #roleOf({ userId, accountId }: Actor): MemberRole | null {
    const row = this.#rows.get<{ role: MemberRole }>(
      'SELECT role FROM members WHERE user_id = ? AND account_id = ?',
      userId,
      accountId,
    );
    return row?.role ?? null;
  }

  #assertOwnerRemains(member: Member, accountId: string): void {
    if (member.role !== 'owner') return;
    const other = `SELECT 1 FROM members WHERE account_id = ? AND role = 'owner' AND user_id <> ?`;
    assertOwnerRemains(this.#rows.get(other, accountId, member.id) !== undefined);
  }
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

interface InvitationRow {
  id: string;
  role: MemberRole;
  created_at: number;
  expires_at: number;
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
