import type { Users } from '../accounts.ts';
import { checkedName, refused } from '../refusals.ts';
import type { Dependencies } from './dependencies.ts';
import { normalizedEmail } from './identities.ts';
import { hashToken, makeInvitation, makeUserLink } from './links.ts';

type Methods =
  | 'rename'
  | 'listMembers'
  | 'changeRole'
  | 'removeMember'
  | 'invite'
  | 'listInvitations'
  | 'revokeInvitation'
  | 'findInvitation'
  | 'confirmOwner'
  | 'deleteAccount';

export function members(dependencies: Dependencies): Pick<Users, Methods> {
  const { directory, identities, limits, clock } = dependencies;
  return {
    async rename({ userId, name }) {
      const user = await identities.rename(userId, checkedName(name));
      if (user === null) throw refused('no_such_user');
      return { user: { id: user.id, name: user.name, email: user.email } };
    },
    async listMembers({ actor }) {
      return { members: await directory.listMembers(actor) };
    },
    async changeRole({ actor, userId, role }) {
      return { member: await directory.changeRole(actor, userId, role) };
    },
    removeMember({ actor, userId }) {
      return directory.removeMember(actor, userId, clock.now());
    },
    async invite({ actor, role }) {
      return makeInvitation(dependencies, actor, { accountId: actor.accountId, role });
    },
    async listInvitations({ actor }) {
      return { invitations: await directory.listInvitations(actor, clock.now()) };
    },
    async revokeInvitation({ actor, invitationId }) {
      return { revoked: await directory.revokeInvitation(actor, invitationId, clock.now()) };
    },
    async findInvitation({ token }) {
      const hash = hashToken(token);
      return hash === null ? null : directory.findInvitation(hash, clock.now());
    },
    async confirmOwner({ actor, password }) {
      const membership = await directory.memberOf(actor.userId);
      const user = await identities.findById(actor.userId);
      if (user === null || membership?.account.id !== actor.accountId || membership.role !== 'owner')
        throw refused('not_allowed');
      const forgiveAttempt = await limits.attemptOf(user.id);
      if (!(await identities.isPassword(await identities.passwordOf(user.id), password)))
        throw refused('wrong_password');
      await forgiveAttempt();
    },
    deleteAccount({ actor }) {
      return directory.deleteAccount(actor);
    },
  };
}

/** What only operators may do. */
export function operators(
  dependencies: Dependencies,
): Pick<Users, 'claim' | 'makeSignInLink' | 'makeResetLink' | 'listUsers'> {
  const { directory, identities } = dependencies;
  const userIdOf = async (email: string): Promise<string> => {
    const user = await identities.findByEmail(normalizedEmail(email));
    if (user === null || (await directory.memberOf(user.id)) === null) throw refused('no_such_user');
    return user.id;
  };
  return {
    async claim({ accountId }) {
      const { token, invitation } = await makeInvitation(dependencies, null, { accountId, role: 'owner' });
      return { token, expiresAt: invitation.expiresAt };
    },
    async makeSignInLink({ email }) {
      return makeUserLink(dependencies, 'sign-in', await userIdOf(email));
    },
    async makeResetLink({ email }) {
      return makeUserLink(dependencies, 'reset', await userIdOf(email));
    },
    async listUsers() {
      return { users: await directory.listUsers() };
    },
  };
}
