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
import { accountOf, type Database, type DocumentOf, type Session, userOf } from './database.ts';

type AccountDocument = DocumentOf<'accounts'>;
type MemberDocument = DocumentOf<'members'>;
type UserDocument = DocumentOf<'users'>;

/** Adds the document of another collection that has this id. */
const withOne = (from: string, localField: string, as: string) => [
  { $lookup: { from, localField, foreignField: '_id', as } },
  { $unwind: `$${as}` },
];
const WITH_USER = withOne('users', '_id', 'user');
const WITH_ACCOUNT = withOne('accounts', 'accountId', 'account');

/** Who belongs to which account, in MongoDB. */
export function mongoDirectory(database: Database): Directory {
  const { collections } = database;
  const { accounts, credentials, installation, invitations, keys, links, members, sessions, signUpLinks, users } =
    collections;
  const asking: Database['asking'] = (ask) => database.asking(ask);
  const transaction: Database['transaction'] = (work) => database.transaction(work);

  /** Makes the changes of an account's members come one after the other. @returns null when there is no such account */
  const locked = (session: Session, accountId: string) =>
    accounts.findOneAndUpdate({ _id: accountId }, { $inc: { memberChanges: 1 } }, { session });
  const roleOf = async ({ userId, accountId }: Actor, session?: Session) =>
    (await members.findOne({ _id: userId, accountId }, session && { session }))?.role ?? null;
  const existingMember = async (session: Session, accountId: string, userId: string) => {
    const pipeline = [{ $match: { _id: userId, accountId } }, ...WITH_USER];
    const [found] = await members.aggregate<MemberDocument & { user: UserDocument }>(pipeline, { session }).toArray();
    if (found === undefined) throw refused('no_such_member');
    return found;
  };
  const assertRemains = async (session: Session, { _id, accountId, role }: MemberDocument) => {
    const other = await members.findOne({ accountId, role: 'owner', _id: { $ne: _id } }, { session });
    assertOwnerRemains(role, other !== null);
  };
  const setPassword = async (session: Session, userId: string, password: string, except: string | null) => {
    await credentials.updateOne({ userId, providerId: 'credential' }, { $set: { password } }, { session });
    await sessions.deleteMany({ userId, ...(except !== null && { token: { $ne: except } }) }, { session });
    await links.deleteMany({ userId }, { session });
  };
  const revokeKeysOf = (session: Session, createdBy: string, now: Date) =>
    keys.updateMany({ createdBy, revokedAt: null }, { $set: { revokedAt: now } }, { session });
  const removeUsers = async (session: Session, ids: string[]) => {
    const _id = { $in: ids };
    await members.deleteMany({ _id }, { session });
    for (const collection of [sessions, credentials, links])
      await (collection as typeof sessions).deleteMany({ userId: _id }, { session });
    await users.deleteMany({ _id }, { session });
  };

  return {
    async sessionOf(tokenHash) {
      type Found = { user: UserDocument; member: MemberDocument; account: AccountDocument; expiresAt: Date };
      const pipeline = [
        { $match: { token: tokenHash } },
        ...withOne('users', 'userId', 'user'),
        ...withOne('members', 'userId', 'member'),
        ...withOne('accounts', 'member.accountId', 'account'),
      ];
      const [found] = await asking(() => sessions.aggregate<Found>(pipeline).toArray());
      if (found === undefined) return null;
      const { user, member, account, expiresAt } = found;
      return { user: userOf(user), account: accountOf(account), role: member.role, expiresAt };
    },

    async endSession(tokenHash) {
      await asking(() => sessions.deleteOne({ token: tokenHash }));
    },

    async dropEndedSessions(now) {
      await asking(() => sessions.deleteMany({ expiresAt: { $lte: now } }));
    },

    async keepNewestSessions(userId, count) {
      const newestFirst = { sort: { createdAt: -1, _id: -1 }, projection: { _id: 1 }, skip: count } as const;
      await asking(async () => {
        const old = await sessions.find({ userId }, newestFirst).toArray();
        if (old.length > 0) await sessions.deleteMany({ _id: { $in: old.map(({ _id }) => _id) } });
      });
    },

    async replacePassword({ userId, passwordHash, except }) {
      await transaction((session) => setPassword(session, userId, passwordHash, except));
    },

    resetPassword: ({ tokenHash, passwordHash, now }) =>
      transaction(async (session) => {
        const usable = { _id: tokenHash, kind: 'reset', expiresAt: { $gt: now } };
        const link = await links.findOneAndDelete(usable, { session });
        if (link === null) return false;
        await setPassword(session, link.userId, passwordHash, null);
        await revokeKeysOf(session, link.userId, now);
        return true;
      }),

    async memberOf(userId) {
      const pipeline = [{ $match: { _id: userId } }, ...WITH_ACCOUNT];
      const [found] = await asking(() =>
        members.aggregate<MemberDocument & { account: AccountDocument }>(pipeline).toArray(),
      );
      return found === undefined ? null : { account: accountOf(found.account), role: found.role };
    },

    async forget(userId) {
      await transaction(async (session) => {
        if ((await members.findOne({ _id: userId }, { session })) === null) await removeUsers(session, [userId]);
      });
    },

    async listUsers() {
      const order = { $sort: { 'account.createdAt': 1, 'account._id': 1, joinedAt: 1, _id: 1 } };
      const found = await asking(() =>
        members
          .aggregate<MemberDocument & { user: UserDocument; account: AccountDocument }>([
            ...WITH_USER,
            ...WITH_ACCOUNT,
            order,
          ])
          .toArray(),
      );
      return found.map((member) => ({ ...memberOf(member), account: accountOf(member.account) }));
    },

    found: ({ userId, account: { id: _id, name, createdAt }, entry, now }) =>
      transaction(async (session) => {
        if (entry.onlyFirst) {
          await installation.updateOne({ _id: 'installation' }, { $inc: { foundings: 1 } }, { session });
          if (!(await isUnclaimed(collections, session))) return false;
        }
        if (entry.linkHash !== null) {
          const usable = { _id: entry.linkHash, expiresAt: { $gt: now } };
          if ((await signUpLinks.deleteOne(usable, { session })).deletedCount === 0) return false;
        }
        await signUpLinks.deleteMany({ email: null }, { session });
        await accounts.insertOne({ _id, name, createdAt }, { session });
        await members.insertOne({ _id: userId, accountId: _id, role: 'owner', joinedAt: now }, { session });
        return true;
      }),

    join: ({ userId, tokenHash, now }) =>
      transaction(async (session) => {
        const invitation = await invitations.findOneAndDelete({ _id: tokenHash, expiresAt: { $gt: now } }, { session });
        const account = invitation && (await locked(session, invitation.accountId));
        if (!invitation || !account) return null;
        const { accountId, role } = invitation;
        await members.insertOne({ _id: userId, accountId, role, joinedAt: now }, { session });
        return { account: accountOf(account), role };
      }),

    async listMembers(actor) {
      assertMember(await asking(() => roleOf(actor)));
      const ofAccount = [{ $match: { accountId: actor.accountId } }, { $sort: { joinedAt: 1, _id: 1 } }];
      const found = await asking(() =>
        members.aggregate<MemberDocument & { user: UserDocument }>([...ofAccount, ...WITH_USER]).toArray(),
      );
      return found.map(memberOf);
    },

    changeRole: (actor, userId, role) =>
      transaction(async (session) => {
        await locked(session, actor.accountId);
        assertOwner(await roleOf(actor, session));
        const member = await existingMember(session, actor.accountId, userId);
        if (role === 'member') await assertRemains(session, member);
        await members.updateOne({ _id: userId }, { $set: { role } }, { session });
        return { ...memberOf(member), role };
      }),

    async removeMember(actor, userId, now) {
      await transaction(async (session) => {
        await locked(session, actor.accountId);
        assertMayRemove(await roleOf(actor, session), actor, userId);
        await assertRemains(session, await existingMember(session, actor.accountId, userId));
        await revokeKeysOf(session, userId, now);
        await removeUsers(session, [userId]);
      });
    },

    async deleteAccount(actor) {
      const { accountId } = actor;
      await transaction(async (session) => {
        await locked(session, accountId);
        assertOwner(await roleOf(actor, session));
        const all = await members.find({ accountId }, { session, projection: { _id: 1 } }).toArray();
        const ids = all.map(({ _id }) => _id);
        await removeUsers(session, ids);
        await invitations.deleteMany({ accountId }, { session });
        await keys.deleteMany({ accountId }, { session });
        await accounts.deleteOne({ _id: accountId }, { session });
        // The next person who comes must not become the first user.
        await installation.updateOne({ _id: 'installation' }, { $set: { closed: true } }, { session });
      });
    },

    async addInvitation(actor, { hash: _id, ...invitation }) {
      const { accountId, createdAt } = invitation;
      await transaction(async (session) => {
        const account = await locked(session, accountId);
        if (actor !== null) assertOwner(await roleOf(actor, session));
        if (account === null) throw noSuchAccount(accountId);
        await invitations.deleteMany({ accountId, expiresAt: { $lte: createdAt } }, { session });
        assertRoomForInvitation(await invitations.countDocuments({ accountId }, { session }));
        await invitations.insertOne({ _id, ...invitation }, { session });
      });
    },

    async listInvitations(actor, now) {
      assertOwner(await asking(() => roleOf(actor)));
      const open = { accountId: actor.accountId, expiresAt: { $gt: now } };
      const found = await asking(() => invitations.find(open, { sort: { createdAt: 1, id: 1 } }).toArray());
      return found.map(({ id, role, createdAt, expiresAt }) => ({ id, role, createdAt, expiresAt }));
    },

    withdrawInvitation: (actor, invitationId, now) =>
      transaction(async (session) => {
        await locked(session, actor.accountId);
        assertOwner(await roleOf(actor, session));
        const open = { accountId: actor.accountId, id: invitationId, expiresAt: { $gt: now } };
        return (await invitations.deleteOne(open, { session })).deletedCount === 1;
      }),

    async findInvitation(tokenHash, now) {
      const pipeline = [{ $match: { _id: tokenHash, expiresAt: { $gt: now } } }, ...WITH_ACCOUNT];
      const [found] = await asking(() =>
        invitations.aggregate<DocumentOf<'invitations'> & { account: AccountDocument }>(pipeline).toArray(),
      );
      return found === undefined
        ? null
        : { accountName: found.account.name, role: found.role, expiresAt: found.expiresAt };
    },

    close: () => database.close(),
  };
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
