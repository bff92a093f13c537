import type { Session } from '@call-analytics/accounts';
import {
  AUDIO_FORMATS,
  Installation,
  LinkToken,
  PasswordChange,
  PasswordReset,
  PasswordResetRequest,
  ProfileChange,
  Session as SessionView,
  SignIn,
  SignUp,
  SignUpRequest,
  SPEECH_LANGUAGES,
} from '@call-analytics/contracts';
import { DONE, operation } from './operation.ts';

const NEW_SESSION = { description: 'The new session; its cookie is set', schema: SessionView } as const;

/** Sign-in, sign-up and the session. */
export const sessionOperations = {
  showInstallation: operation(
    {
      method: 'get',
      path: '/app/installation',
      tag: 'Installation',
      summary: 'Read the sign-up rules',
      description: 'The settings that the pages need before sign-in.',
      caller: 'anyone',
      answer: { status: 200, description: 'The rules of this installation', schema: Installation },
    },
    async ({ origin }, { users, maxUploadBytes }) => {
      const { local } = origin();
      const { signUp: policy, resetByMail } = await users.installation();
      const installation: Installation = {
        signUp: policy === 'first' && !local ? 'setup' : policy,
        passwordReset: resetByMail ? 'mail' : 'operator',
        maxUploadBytes,
        languages: [...SPEECH_LANGUAGES],
        formats: [...AUDIO_FORMATS],
      };
      return installation;
    },
  ),

  showSession: operation(
    {
      method: 'get',
      path: '/app/session',
      tag: 'Session',
      summary: 'Read the session',
      description: 'Returns the signed-in user and renews the session cookie.',
      caller: 'session',
      answer: { status: 200, description: 'The session', schema: SessionView },
    },
    async ({ res, caller }, { sessions }) => {
      sessions.setCookie(res, caller);
      return sessionView(caller.session);
    },
  ),

  signIn: operation(
    {
      method: 'post',
      path: '/app/session',
      tag: 'Session',
      summary: 'Sign in',
      description:
        'A wrong password and an unknown email get the same answer in the same time. An earlier session of the ' +
        'browser ends.',
      caller: 'anyone',
      body: SignIn,
      answer: { status: 200, ...NEW_SESSION },
      problems: ['wrong_credentials', 'too_many_attempts'],
    },
    async ({ req, res, body, origin }, { users, sessions }) =>
      sessionView(await sessions.replace(req, res, await users.signIn({ ...body, origin: origin() }))),
  ),

  signOut: operation(
    {
      method: 'delete',
      path: '/app/session',
      tag: 'Session',
      summary: 'Sign out',
      description: 'Ends the session, if there is one, and removes the cookie.',
      caller: 'anyone',
      answer: DONE,
    },
    async ({ req, res }, { sessions }) => sessions.end(req, res),
  ),

  signInByLink: operation(
    {
      method: 'post',
      path: '/app/session/link',
      tag: 'Session',
      summary: 'Sign in with a one-time link',
      description: 'The command line and the demo create such links. An earlier session of the browser ends.',
      caller: 'anyone',
      body: LinkToken,
      answer: { status: 200, ...NEW_SESSION },
      problems: ['link_not_valid', 'too_many_attempts'],
    },
    async ({ req, res, body, origin }, { users, sessions }) =>
      sessionView(await sessions.replace(req, res, await users.signInByLink({ ...body, origin: origin() }))),
  ),

  requestSignUp: operation(
    {
      method: 'post',
      path: '/app/sign-ups',
      tag: 'Session',
      summary: 'Request a link to sign up',
      description:
        'Only where sign-up is open and email is set up (`signUp` of the installation is `confirm`). The link ' +
        'confirms the email, works once and expires after 24 hours. Send the request again for another link. The ' +
        'answer is the same when the email has a user.',
      caller: 'anyone',
      body: SignUpRequest,
      answer: { status: 202, description: 'An email is on its way' },
      problems: ['sign_up_closed', 'invalid_email', 'too_many_attempts'],
    },
    async ({ body: { email }, origin }, { users }) => users.requestSignUp({ email, origin: origin() }),
  ),

  signUp: operation(
    {
      method: 'post',
      path: '/app/users',
      tag: 'Session',
      summary: 'Sign up',
      description:
        'Creates a user and signs them in. With an invitation they join its account; without, they become the owner ' +
        'of a new one. The first user of an installation needs the setup link that the server printed at start, ' +
        'unless the request comes from the same machine.',
      caller: 'anyone',
      body: SignUp,
      answer: { status: 201, ...NEW_SESSION },
      problems: [
        'sign_up_closed',
        'setup_link_needed',
        'email_not_confirmed',
        'link_not_valid',
        'invitation_not_valid',
        'email_taken',
        'invalid_email',
        'invalid_name',
        'weak_password',
        'too_many_attempts',
      ],
    },
    async ({ req, res, body, origin }, { users, sessions }) =>
      sessionView(await sessions.replace(req, res, await users.signUp({ ...body, origin: origin() }))),
  ),
};

/** The session as the pages see it, without its token. */
function sessionView({ user, account, role, expiresAt }: Session): SessionView {
  return {
    user: { id: user.id, name: user.name, email: user.email },
    account: { id: account.id, name: account.name, createdAt: account.createdAt.toISOString() },
    role,
    expiresAt: expiresAt.toISOString(),
  };
}

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
      problems: ['wrong_password', 'weak_password', 'too_many_attempts'],
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
        'Sends the link by email if email is set up and the user exists. The answer and its time are the same in ' +
        'every case.',
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
