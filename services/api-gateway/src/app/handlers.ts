import { deleteAccount } from './account/delete-account.ts';
import { searchCalls } from './calls/search-calls.ts';
import { hearChanges } from './events/hear-changes.ts';
import { showInstallation } from './installation/show-installation.ts';
import { findInvitation } from './invitations/find-invitation.ts';
import { invite } from './invitations/invite.ts';
import { listInvitations } from './invitations/list-invitations.ts';
import { withdrawInvitation } from './invitations/withdraw-invitation.ts';
import { listKeys } from './keys/list-keys.ts';
import { makeKey } from './keys/make-key.ts';
import { revokeKey } from './keys/revoke-key.ts';
import { changeRole } from './members/change-role.ts';
import { listMembers } from './members/list-members.ts';
import { removeMember } from './members/remove-member.ts';
import { showOverview } from './overview/show-overview.ts';
import type { AppParts } from './parts.ts';
import { changePassword } from './password/change-password.ts';
import { requestPasswordReset } from './password/request-password-reset.ts';
import { resetPassword } from './password/reset-password.ts';
import { changeProfile } from './profile/change-profile.ts';
import type { Handlers } from './serve.ts';
import { showSession } from './session/show-session.ts';
import { signIn } from './session/sign-in.ts';
import { signInByLink } from './session/sign-in-by-link.ts';
import { signOut } from './session/sign-out.ts';
import { requestSignUp, signUp } from './users/sign-up.ts';

export function handlersOf(parts: AppParts): Handlers {
  return {
    showInstallation: showInstallation(parts),
    showSession: showSession(parts),
    signIn: signIn(parts),
    signOut: signOut(parts),
    signInByLink: signInByLink(parts),
    requestSignUp: requestSignUp(parts),
    signUp: signUp(parts),
    changeProfile: changeProfile(parts),
    changePassword: changePassword(parts),
    requestPasswordReset: requestPasswordReset(parts),
    resetPassword: resetPassword(parts),
    listKeys: listKeys(parts),
    makeKey: makeKey(parts),
    revokeKey: revokeKey(parts),
    listMembers: listMembers(parts),
    changeRole: changeRole(parts),
    removeMember: removeMember(parts),
    listInvitations: listInvitations(parts),
    invite: invite(parts),
    withdrawInvitation: withdrawInvitation(parts),
    findInvitation: findInvitation(parts),
    deleteAccount: deleteAccount(parts),
    searchCalls: searchCalls(parts),
    showOverview: showOverview(parts),
    hearChanges: hearChanges(parts),
  };
}
