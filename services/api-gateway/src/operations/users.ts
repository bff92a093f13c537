import {
  PasswordChange,
  PasswordReset,
  PasswordResetRequest,
  ProfileChange,
  Session as SessionView,
} from '@call-analytics/contracts';
import { DONE, operation } from './operation.ts';
import { sessionView } from './session.ts';

/** The profile and the password of a user. */
export const userOperations = {
  changeProfile: operation(
    {
      method: 'patch',
      path: '/app/profile',
      tag: 'Profile',
      summary: 'Change the name of the user',
      description: 'Changes the name of the signed-in user.',
      caller: 'session',
      body: ProfileChange,
      answer: { status: 200, description: 'The session with the new name', schema: SessionView },
      problems: ['invalid_name'],
    },
    async ({ body: { name }, caller: { session } }, { users }) => {
      const { user } = await users.rename({ userId: session.user.id, name });
      return sessionView({ ...session, user });
    },
  ),

  changePassword: operation(
    {
      method: 'put',
      path: '/app/password',
      tag: 'Profile',
      summary: 'Change the password',
      description: 'All other sessions of the user end.',
      caller: 'session',
      body: PasswordChange,
      answer: DONE,
      problems: ['wrong_credentials', 'weak_password', 'too_many_attempts'],
    },
    async ({ body, caller: { token }, origin }, { users }) =>
      users.changePassword({ token, ...body, origin: origin() }),
  ),

  requestPasswordReset: operation(
    {
      method: 'post',
      path: '/app/password-resets',
      tag: 'Session',
      summary: 'Request a password reset link',
      description:
        'Sends the link by email if email is set up and the user exists. The answer and its time are the same in every case.',
      caller: 'anyone',
      body: PasswordResetRequest,
      answer: { status: 202, description: 'If the user exists, an email is sent' },
      problems: ['too_many_attempts'],
    },
    async ({ body: { email }, origin }, { users }) => users.requestPasswordReset({ email, origin: origin() }),
  ),

  resetPassword: operation(
    {
      method: 'put',
      path: '/app/password-resets',
      tag: 'Session',
      summary: 'Reset the password',
      description: 'The link works once. All sessions of the user end, and the API keys they created are revoked.',
      caller: 'anyone',
      body: PasswordReset,
      answer: DONE,
      problems: ['link_not_valid', 'weak_password', 'too_many_attempts'],
    },
    async ({ body }, { users }) => users.resetPassword(body),
  ),
};
