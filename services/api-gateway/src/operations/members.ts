import type { Invitation, Member } from '@call-analytics/accounts';
import {
  CreatedInvitation,
  InvitationList,
  type Invitation as InvitationView,
  LinkToken,
  MemberList,
  Member as MemberView,
  NewInvitation,
  oneTimeLink,
  PendingInvitation,
  RoleChange,
} from '@call-analytics/contracts';
import { HttpProblem } from '../http/problem.ts';
import { DONE, operation } from './operation.ts';

/** Members of an account, and invitations to it. */
export const memberOperations = {
  listMembers: operation(
    {
      method: 'get',
      path: '/app/members',
      tag: 'Members',
      summary: 'List the members of the account',
      description: 'For owners and members.',
      caller: 'session',
      answer: { status: 200, description: 'The members, in the order of joining', schema: MemberList },
    },
    async ({ caller: { actor } }, { users }) => {
      const { members } = await users.listMembers({ actor });
      return { members: members.map(memberView) };
    },
  ),

  changeRole: operation(
    {
      method: 'patch',
      path: '/app/members/{id}',
      tag: 'Members',
      summary: 'Change the role of a member',
      description: 'For owners. `id` is the id of the user. The last owner cannot become a member.',
      caller: 'session',
      body: RoleChange,
      answer: { status: 200, description: 'The member in the new role', schema: MemberView },
      problems: ['not_allowed', 'member_not_found', 'last_owner'],
    },
    async ({ id, body: { role }, caller: { actor } }, { users }) => {
      const { member } = await users.changeRole({ actor, userId: id, role });
      return memberView(member);
    },
  ),

  removeMember: operation(
    {
      method: 'delete',
      path: '/app/members/{id}',
      tag: 'Members',
      summary: 'Remove a member or leave',
      description:
        'For owners, and for members who leave. `id` is that of the user. The user and their sessions are deleted ' +
        'and the API keys they created are revoked, in one step. The account and its calls stay.',
      caller: 'session',
      answer: DONE,
      problems: ['not_allowed', 'member_not_found', 'last_owner'],
    },
    async ({ id, res, caller: { actor } }, { users, sessions }) => {
      await users.removeMember({ actor, userId: id });
      if (id === actor.userId) sessions.clearCookie(res);
    },
  ),

  listInvitations: operation(
    {
      method: 'get',
      path: '/app/invitations',
      tag: 'Members',
      summary: 'List pending invitations',
      description: 'For owners.',
      caller: 'session',
      answer: { status: 200, description: 'The pending invitations, oldest first', schema: InvitationList },
      problems: ['not_allowed'],
    },
    async ({ caller: { actor } }, { users }) => {
      const { invitations } = await users.listInvitations({ actor });
      return { invitations: invitations.map(invitationView) };
    },
  ),

  invite: operation(
    {
      method: 'post',
      path: '/app/invitations',
      tag: 'Members',
      summary: 'Create an invitation',
      description: 'For owners. Only this answer has the link. The link works once and expires after seven days.',
      caller: 'session',
      body: NewInvitation,
      answer: { status: 201, description: 'The invitation with its link', schema: CreatedInvitation },
      problems: ['not_allowed', 'too_many_invitations'],
    },
    async ({ body: { role }, caller: { actor } }, { users, publicUrl }) => {
      const { invitation, token } = await users.invite({ actor, role });
      return { invitation: invitationView(invitation), url: oneTimeLink(publicUrl(), 'invitation', token) };
    },
  ),

  // Before the address with an id, which would match it too.
  findInvitation: operation(
    {
      method: 'post',
      path: '/app/invitations/find',
      tag: 'Session',
      summary: 'Read an invitation',
      description: 'The token is in the body so that it does not appear in logs.',
      caller: 'anyone',
      body: LinkToken,
      answer: { status: 200, description: 'The account and the role', schema: PendingInvitation },
      problems: ['invitation_not_valid', 'too_many_attempts'],
    },
    async ({ body: { token } }, { users }) => {
      const found = await users.findInvitation({ token });
      if (found === null)
        throw new HttpProblem(
          'invitation_not_valid',
          'This invitation was already used or revoked, or has expired. Ask the sender for a new one.',
        );
      return { accountName: found.accountName, role: found.role, expiresAt: found.expiresAt.toISOString() };
    },
  ),

  revokeInvitation: operation(
    {
      method: 'delete',
      path: '/app/invitations/{id}',
      tag: 'Members',
      summary: 'Revoke an invitation',
      description: 'For owners.',
      caller: 'session',
      answer: DONE,
      problems: ['not_allowed', 'invitation_not_found'],
    },
    async ({ id, caller: { actor } }, { users }) => {
      const { revoked } = await users.revokeInvitation({ actor, invitationId: id });
      if (!revoked)
        throw new HttpProblem(
          'invitation_not_found',
          'Invitation not found. It may have been used or revoked, or it has expired.',
        );
    },
  ),
};

function memberView({ id, name, email, role, joinedAt }: Member): MemberView {
  return { userId: id, name, email, role, joinedAt: joinedAt.toISOString() };
}

function invitationView({ id, role, createdAt, expiresAt }: Invitation): InvitationView {
  return { id, role, createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() };
}
