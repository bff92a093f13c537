import type { MemberRole } from '@call-analytics/contracts';
import type { Actor, Invitation, Member, Session as SignedInSession } from '../accounts.ts';
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
import { accountOf, type Database, type DocumentOf, type Session, userOf } from './database.ts';

type AccountDocument = DocumentOf<'accounts'>;
type MemberDocument = DocumentOf<'members'>;
type UserDocument = DocumentOf<'users'>;

/** With each member its user and account, by their ids. */
const WITH_USER = [
  { $lookup: { from: 'users', localField: '_id', foreignField: '_id', as: 'user' } },
  { $unwind: '$user' },
];
const WITH_ACCOUNT = [
  { $lookup: { from: 'accounts', localField: 'accountId', foreignField: '_id', as: 'account' } },
  { $unwind: '$account' },
];

/** Who belongs to which account, in MongoDB. */
export class MongoDirectory implements Directory {
  readonly #database: Database;
  readonly #collections: Database['collections'];

  constructor(database: Database) {
    this.#database = database;
    this.#collections = database.collections;
  }

  async sessionOf(tokenHash: string): Promise<SignedInSession | null> {
    const [found] = await this.#run(({ sessions }) =>
      sessions
        .aggregate<{ user: UserDocument; member: MemberDocument; account: AccountDocument; expiresAt: Date }>([
          { $match: { token: tokenHash } },
          { $lookup: { from: 'users', localField: 'userId', foreignField: '_id', as: 'user' } },
          { $unwind: '$user' },
          { $lookup: { from: 'members', localField: 'userId', foreignField: '_id', as: 'member' } },
          { $unwind: '$member' },
          { $lookup: { from: 'accounts', localField: 'member.accountId', foreignField: '_id', as: 'account' } },
          { $unwind: '$account' },
        ])
        .toArray(),
    );
    if (found === undefined) return null;
    const { user, member, account, expiresAt } = found;
    return { user: userOf(user), account: accountOf(account), role: member.role, expiresAt };
  }

  async endSession(tokenHash: string): Promise<void> {
    await this.#run(({ sessions }) => sessions.deleteOne({ token: tokenHash }));
  }

  async dropEndedSessions(now: Date): Promise<void> {
    await this.#run(({ sessions }) => sessions.deleteMany({ expiresAt: { $lte: now } }));
  }

  async keepNewestSessions(userId: string, count: number): Promise<void> {
    const newestFirst = { sort: { createdAt: -1, _id: -1 }, projection: { _id: 1 }, skip: count } as const;
    await this.#run(async ({ sessions }) => {
      const old = await sessions.find({ userId }, newestFirst).toArray();
      if (old.length > 0) await sessions.deleteMany({ _id: { $in: old.map(({ _id }) => _id) } });
    });
  }

  async replacePassword({ userId, passwordHash, except }: NewPassword): Promise<void> {
    await this.#database.transaction((session) => this.#setPassword(session, userId, passwordHash, except));
  }

  resetPassword({ tokenHash, passwordHash, now }: PasswordReset): Promise<boolean> {
    return this.#database.transaction(async (session) => {
      const { links } = this.#collections;
      const link = await links.findOneAndDelete(
        { _id: tokenHash, kind: 'reset', expiresAt: { $gt: now } },
        { session },
      );
      if (link === null) return false;
      await this.#setPassword(session, link.userId, passwordHash, null);
      await this.#revokeKeysOf(session, link.userId, now);
      return true;
    });
  }

  async memberOf(userId: string): Promise<Membership | null> {
    const [found] = await this.#run(({ members }) =>
      members
        .aggregate<MemberDocument & { account: AccountDocument }>([{ $match: { _id: userId } }, ...WITH_ACCOUNT])
        .toArray(),
    );
    return found === undefined ? null : { account: accountOf(found.account), role: found.role };
  }

  async forget(userId: string): Promise<void> {
    await this.#database.transaction(async (session) => {
      if ((await this.#collections.members.findOne({ _id: userId }, { session })) === null)
        await this.#removeUsers(session, [userId]);
    });
  }

  async listUsers(): Promise<MemberOfAccount[]> {
    const found = await this.#run(({ members }) =>
      members
        .aggregate<MemberDocument & { user: UserDocument; account: AccountDocument }>([
          ...WITH_USER,
          ...WITH_ACCOUNT,
          { $sort: { 'account.createdAt': 1, 'account._id': 1, joinedAt: 1, _id: 1 } },
        ])
        .toArray(),
    );
    return found.map((member) => ({ ...memberOf(member), account: accountOf(member.account) }));
  }

  createAccount({ userId, account, entry, now }: AccountCreation): Promise<boolean> {
    return this.#database.transaction(async (session) => {
      const { members, installation, accounts, signUpLinks } = this.#collections;
      if (entry.onlyFirst) {
        await installation.updateOne({ _id: 'installation' }, { $inc: { foundings: 1 } }, { session });
        if (!(await isUnclaimed(this.#collections, session))) return false;
      }
      if (entry.linkHash !== null) {
        const { deletedCount } = await signUpLinks.deleteOne(
          { _id: entry.linkHash, expiresAt: { $gt: now } },
          { session },
        );
        if (deletedCount === 0) return false;
      }
      await signUpLinks.deleteMany({ email: null }, { session });
      const { id: _id, name, createdAt } = account;
      await accounts.insertOne({ _id, name, createdAt }, { session });
      await members.insertOne({ _id: userId, accountId: _id, role: 'owner', joinedAt: now }, { session });
      return true;
    });
  }

  acceptInvitation({ userId, tokenHash, now }: InvitationAcceptance): Promise<Membership | null> {
    return this.#database.transaction(async (session) => {
      const { invitations, members } = this.#collections;
      const invitation = await invitations.findOneAndDelete({ _id: tokenHash, expiresAt: { $gt: now } }, { session });
      const account = invitation && (await this.#changing(session, invitation.accountId));
      if (!invitation || !account) return null;
      const { accountId, role } = invitation;
      await members.insertOne({ _id: userId, accountId, role, joinedAt: now }, { session });
      return { account: accountOf(account), role };
    });
  }

  async listMembers(actor: Actor): Promise<Member[]> {
    assertMember(await this.#run(() => this.#roleOf(actor)));
    const found = await this.#run(({ members }) =>
      members
        .aggregate<MemberDocument & { user: UserDocument }>([
          { $match: { accountId: actor.accountId } },
          { $sort: { joinedAt: 1, _id: 1 } },
          ...WITH_USER,
        ])
        .toArray(),
    );
    return found.map(memberOf);
  }

  changeRole(actor: Actor, userId: string, role: MemberRole): Promise<Member> {
    return this.#database.transaction(async (session) => {
      await this.#changing(session, actor.accountId);
      assertOwner(await this.#roleOf(actor, session));
      const member = await this.#member(session, actor.accountId, userId);
      if (role === 'member') await this.#assertOwnerRemains(session, member);
      await this.#collections.members.updateOne({ _id: userId }, { $set: { role } }, { session });
      return { ...memberOf(member), role };
    });
  }

  async removeMember(actor: Actor, userId: string, now: Date): Promise<void> {
    await this.#database.transaction(async (session) => {
      await this.#changing(session, actor.accountId);
      assertMayRemove(await this.#roleOf(actor, session), actor.userId === userId);
      await this.#assertOwnerRemains(session, await this.#member(session, actor.accountId, userId));
      await this.#revokeKeysOf(session, userId, now);
      await this.#removeUsers(session, [userId]);
    });
  }

  async deleteAccount(actor: Actor): Promise<void> {
    await this.#database.transaction(async (session) => {
      const { accountId } = actor;
      await this.#changing(session, accountId);
      assertOwner(await this.#roleOf(actor, session));
      const { members, invitations, keys, accounts } = this.#collections;
      const all = await members.find({ accountId }, { session, projection: { _id: 1 } }).toArray();
      await this.#removeUsers(
        session,
        all.map(({ _id }) => _id),
      );
      await invitations.deleteMany({ accountId }, { session });
      await keys.deleteMany({ accountId }, { session });
      await accounts.deleteOne({ _id: accountId }, { session });
      // The next sign-up must not become the first user.
      await this.#collections.installation.updateOne({ _id: 'installation' }, { $set: { closed: true } }, { session });
    });
  }

  async addInvitation(actor: Actor | null, { hash: _id, ...invitation }: NewInvitation): Promise<void> {
    const { accountId, createdAt } = invitation;
    await this.#database.transaction(async (session) => {
      const account = await this.#changing(session, accountId);
      if (actor !== null) assertOwner(await this.#roleOf(actor, session));
      if (account === null) throw noSuchAccount(accountId);
      const { invitations } = this.#collections;
      await invitations.deleteMany({ accountId, expiresAt: { $lte: createdAt } }, { session });
      const pending = await invitations.countDocuments({ accountId }, { session });
      assertRoomForInvitation(pending);
      await invitations.insertOne({ _id, ...invitation }, { session });
    });
  }

  async listInvitations(actor: Actor, now: Date): Promise<Invitation[]> {
    assertOwner(await this.#run(() => this.#roleOf(actor)));
    const { accountId } = actor;
    const found = await this.#run(({ invitations }) =>
      invitations.find({ accountId, expiresAt: { $gt: now } }, { sort: { createdAt: 1, id: 1 } }).toArray(),
    );
    return found.map(({ id, role, createdAt, expiresAt }) => ({ id, role, createdAt, expiresAt }));
  }

  revokeInvitation(actor: Actor, invitationId: string, now: Date): Promise<boolean> {
    return this.#database.transaction(async (session) => {
      await this.#changing(session, actor.accountId);
      assertOwner(await this.#roleOf(actor, session));
      const ofTheirs = { accountId: actor.accountId, id: invitationId, expiresAt: { $gt: now } };
      return (await this.#collections.invitations.deleteOne(ofTheirs, { session })).deletedCount === 1;
    });
  }

  async findInvitation(tokenHash: string, now: Date) {
    const [found] = await this.#run(({ invitations }) =>
      invitations
        .aggregate<DocumentOf<'invitations'> & { account: AccountDocument }>([
          { $match: { _id: tokenHash, expiresAt: { $gt: now } } },
          ...WITH_ACCOUNT,
        ])
        .toArray(),
    );
    return found === undefined
      ? null
      : { accountName: found.account.name, role: found.role, expiresAt: found.expiresAt };
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  /** Whatever changes who belongs to an account comes one after the other. @returns null when it is not there */
  #changing(session: Session, accountId: string): Promise<AccountDocument | null> {
    return this.#collections.accounts.findOneAndUpdate({ _id: accountId }, { $inc: { memberChanges: 1 } }, { session });
  }

  async #setPassword(session: Session, userId: string, password: string, except: string | null): Promise<void> {
    const { credentials, sessions, links } = this.#collections;
    await credentials.updateOne({ userId, providerId: 'credential' }, { $set: { password } }, { session });
    await sessions.deleteMany({ userId, ...(except !== null && { token: { $ne: except } }) }, { session });
    await links.deleteMany({ userId }, { session });
  }

  async #revokeKeysOf(session: Session, createdBy: string, now: Date): Promise<void> {
    await this.#collections.keys.updateMany({ createdBy, revokedAt: null }, { $set: { revokedAt: now } }, { session });
  }

  async #removeUsers(session: Session, ids: string[]): Promise<void> {
    const { users, sessions, credentials, members, links } = this.#collections;
    await members.deleteMany({ _id: { $in: ids } }, { session });
    await sessions.deleteMany({ userId: { $in: ids } }, { session });
    await credentials.deleteMany({ userId: { $in: ids } }, { session });
    await links.deleteMany({ userId: { $in: ids } }, { session });
    await users.deleteMany({ _id: { $in: ids } }, { session });
  }

  async #member(session: Session, accountId: string, userId: string): Promise<MemberDocument & { user: UserDocument }> {
    const [found] = await this.#collections.members
      .aggregate<MemberDocument & { user: UserDocument }>([{ $match: { _id: userId, accountId } }, ...WITH_USER], {
        session,
      })
      .toArray();
    if (found === undefined) throw refused('no_such_member');
    return found;
  }

  async #roleOf({ userId, accountId }: Actor, session?: Session): Promise<MemberRole | null> {
    const member = await this.#collections.members.findOne({ _id: userId, accountId }, session && { session });
    return member?.role ?? null;
  }

  async #assertOwnerRemains(session: Session, { _id, accountId, role }: MemberDocument): Promise<void> {
    if (role !== 'owner') return;
    const other = await this.#collections.members.findOne({ accountId, role: 'owner', _id: { $ne: _id } }, { session });
    assertOwnerRemains(other !== null);
  }

  #run<T>(ask: (collections: Database['collections']) => Promise<T>): Promise<T> {
    return this.#database.run(() => ask(this.#collections));
  }
}

function memberOf({ user, role, joinedAt }: MemberDocument & { user: UserDocument }): Member {
  return { ...userOf(user), role, joinedAt };
}

/** Whether there is no account and never was one that was deleted. */
export async function isUnclaimed(
  { accounts, installation }: Database['collections'],
  session?: Session,
): Promise<boolean> {
  const about = { ...(session && { session }), projection: { _id: 1 } } as const;
  if ((await installation.findOne({ _id: 'installation', closed: true }, about)) !== null) return false;
  return (await accounts.findOne({}, about)) === null;
}
