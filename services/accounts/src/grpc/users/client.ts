import type { Users } from '../../users.ts';
import { accountFrom } from '../messages.ts';
import { usersProtocol } from '../protocol.ts';
import { type RemoteAccountsOptions, Wire } from '../wire.ts';
import {
  invitationFrom,
  linkFrom,
  memberFrom,
  openInvitationFrom,
  policyFrom,
  roleMessage,
  sessionFrom,
  signedInFrom,
  type UsersMethod,
  type UsersMethods,
  userFrom,
} from './messages.ts';

const NOTHING = () => undefined;

/**
 * The users of another process. Connects with the first call, and again whenever that is needed; while there is no connection calls fail at once.
 * @throws SettingsError when `url` is no address
 */
export function remoteUsers(options: RemoteAccountsOptions): Users {
  const wire = new Wire(options);
  const call = <M extends UsersMethod, T>(
    method: M,
    request: UsersMethods[M]['request'],
    read: (of: UsersMethods[M]['response']) => T,
  ) => wire.call(usersProtocol[method], request, (response) => read(response as UsersMethods[M]['response']));
  return {
    installation: () =>
      call('GetInstallation', {}, ({ signUp, resetByMail }) => ({ signUp: policyFrom(signUp), resetByMail })),

    signUp: (request) => call('SignUp', request, signedInFrom),
    requestSignUp: (request) => call('RequestSignUp', request, NOTHING),
    signIn: (request) => call('SignIn', request, signedInFrom),
    signInByLink: (request) => call('SignInByLink', request, signedInFrom),
    session: (request) =>
      call('GetSession', request, ({ session, noSession }) => {
        if (session) return sessionFrom(session);
        if (noSession) return null;
        throw new Error('The accounts service neither knew the session nor said that there is none.');
      }),
    signOut: (request) => call('SignOut', request, NOTHING),

    rename: (request) => call('Rename', request, ({ user }) => ({ user: userFrom(user) })),
    changePassword: (request) => call('ChangePassword', request, NOTHING),
    requestPasswordReset: (request) => call('RequestPasswordReset', request, NOTHING),
    resetPassword: (request) => call('ResetPassword', request, NOTHING),

    listMembers: (request) => call('ListMembers', request, ({ members }) => ({ members: members.map(memberFrom) })),
    changeRole: ({ role, ...request }) =>
      call('ChangeRole', { ...request, role: roleMessage(role) }, ({ member }) => ({ member: memberFrom(member) })),
    removeMember: (request) => call('RemoveMember', request, NOTHING),

    invite: ({ role, ...request }) =>
      call('Invite', { ...request, role: roleMessage(role) }, ({ invitation, token }) => ({
        invitation: invitationFrom(invitation),
        token,
      })),
    listInvitations: (request) =>
      call('ListInvitations', request, ({ invitations }) => ({ invitations: invitations.map(invitationFrom) })),
    withdrawInvitation: (request) => call('WithdrawInvitation', request, ({ withdrawn }) => ({ withdrawn })),
    findInvitation: (request) =>
      call('FindInvitation', request, ({ open, notValid }) => {
        if (open) return openInvitationFrom(open);
        if (notValid) return null;
        throw new Error('The accounts service neither knew the invitation nor said that it is not valid.');
      }),
    deleteAccount: (request) => call('DeleteAccount', request, NOTHING),

    makeSetupLink: () => call('MakeSetupLink', {}, linkFrom),
    claim: (request) => call('Claim', request, linkFrom),
    makeSignInLink: (request) => call('MakeSignInLink', request, linkFrom),
    makeResetLink: (request) => call('MakeResetLink', request, linkFrom),
    listUsers: () =>
      call('ListUsers', {}, ({ users }) => ({
        users: users.map(({ member, account }) => ({ ...memberFrom(member), account: accountFrom(account) })),
      })),

    async close() {
      wire.close();
    },
  };
}
