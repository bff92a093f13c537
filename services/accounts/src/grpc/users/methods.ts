import type { Users } from '../../users.ts';
import { accountMessage, present } from '../messages.ts';
import {
  invitationMessage,
  linkMessage,
  memberMessage,
  openInvitationMessage,
  policyMessage,
  roleFrom,
  sessionMessage,
  signedInMessage,
  type UsersMethod,
  type UsersMethods,
} from './messages.ts';

type Handlers = { [M in UsersMethod]: (request: UsersMethods[M]['request']) => Promise<UsersMethods[M]['response']> };

/** Each method of the service Users in accounts.proto, done by the users. */
export function usersHandlersOf(users: Users): Handlers {
  return {
    async GetInstallation() {
      const { signUp, resetByMail } = await users.installation();
      return { signUp: policyMessage(signUp), resetByMail };
    },
    async SignUp({ name, email, password, accountName, invitation, link, origin }) {
      const optional = {
        ...(accountName !== undefined && { accountName }),
        ...(invitation !== undefined && { invitation }),
        ...(link !== undefined && { link }),
      };
      return signedInMessage(await users.signUp({ name, email, password, ...optional, origin: present(origin) }));
    },
    async RequestSignUp({ email, origin }) {
      await users.requestSignUp({ email, origin: present(origin) });
      return {};
    },
    async SignIn({ email, password, origin }) {
      return signedInMessage(await users.signIn({ email, password, origin: present(origin) }));
    },
    async SignInByLink({ token, origin }) {
      return signedInMessage(await users.signInByLink({ token, origin: present(origin) }));
    },
    async GetSession({ token }) {
      const session = await users.session({ token });
      return session === null ? { noSession: {} } : { session: sessionMessage(session) };
    },
    async SignOut({ token }) {
      await users.signOut({ token });
      return {};
    },
    Rename: ({ userId, name }) => users.rename({ userId, name }),
    async ChangePassword({ token, currentPassword, newPassword, origin }) {
      await users.changePassword({ token, currentPassword, newPassword, origin: present(origin) });
      return {};
    },
    async RequestPasswordReset({ email, origin }) {
      await users.requestPasswordReset({ email, origin: present(origin) });
      return {};
    },
    async ResetPassword({ token, newPassword }) {
      await users.resetPassword({ token, newPassword });
      return {};
    },
    async ListMembers({ actor }) {
      return { members: (await users.listMembers({ actor: present(actor) })).members.map(memberMessage) };
    },
    async ChangeRole({ actor, userId, role }) {
      return {
        member: memberMessage((await users.changeRole({ actor: present(actor), userId, role: roleFrom(role) })).member),
      };
    },
    async RemoveMember({ actor, userId }) {
      await users.removeMember({ actor: present(actor), userId });
      return {};
    },
    async Invite({ actor, role }) {
      const { invitation, token } = await users.invite({ actor: present(actor), role: roleFrom(role) });
      return { invitation: invitationMessage(invitation), token };
    },
    async ListInvitations({ actor }) {
      return {
        invitations: (await users.listInvitations({ actor: present(actor) })).invitations.map(invitationMessage),
      };
    },
    WithdrawInvitation: ({ actor, invitationId }) => users.withdrawInvitation({ actor: present(actor), invitationId }),
    async FindInvitation({ token }) {
      const found = await users.findInvitation({ token });
      return found === null ? { notValid: {} } : { open: openInvitationMessage(found) };
    },
    async DeleteAccount({ actor, password, origin }) {
      await users.deleteAccount({ actor: present(actor), password, origin: present(origin) });
      return {};
    },
    async MakeSetupLink() {
      return linkMessage(await users.makeSetupLink());
    },
    async Claim({ accountId }) {
      return linkMessage(await users.claim({ accountId }));
    },
    async MakeSignInLink({ email }) {
      return linkMessage(await users.makeSignInLink({ email }));
    },
    async MakeResetLink({ email }) {
      return linkMessage(await users.makeResetLink({ email }));
    },
    async ListUsers() {
      const { users: all } = await users.listUsers();
      return { users: all.map((user) => ({ member: memberMessage(user), account: accountMessage(user.account) })) };
    },
  };
}
