import { AccountDeletion, Me } from '@call-analytics/contracts';
import { HttpProblem } from '../http/problem.ts';
import { ME } from '../openapi/examples.ts';
import { DONE, operation } from './operation.ts';

const api = {
  getAccount: operation(
    {
      method: 'get',
      path: '/api/v1/me',
      tag: 'Account',
      summary: 'Read the account',
      description: 'Returns the account of the API key. Use it to check that a key is valid.',
      caller: 'client',
      answer: { status: 200, description: 'The account', schema: Me, examples: { account: ME } },
      problems: [],
    },
    async ({ caller: { account, key } }) => ({
      id: account.id,
      name: account.name,
      createdAt: account.createdAt.toISOString(),
      key: key && {
        id: key.id,
        name: key.name,
        prefix: key.prefix,
        scope: key.scope,
        createdAt: key.createdAt.toISOString(),
        expiresAt: key.expiresAt?.toISOString() ?? null,
        lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
      },
    }),
  ),
};

const app = {
  deleteAccount: operation(
    {
      method: 'delete',
      path: '/app/account',
      tag: 'Account',
      summary: 'Delete the account',
      description:
        'For owners. Users, sessions, invitations and keys are deleted at once. Calls cannot be read any more and are ' +
        'deleted in the background.',
      caller: 'session',
      body: AccountDeletion,
      answer: DONE,
      problems: ['not_allowed', 'account_name_differs', 'wrong_credentials', 'too_many_attempts'],
    },
    async (
      { res, body: { accountName, password }, caller: { session, actor }, origin },
      { users, calls, sessions },
    ) => {
      if (session.role !== 'owner') throw new HttpProblem('not_allowed', 'Only owners can delete the account.');
      if (accountName.trim() !== session.account.name)
        throw new HttpProblem(
          'account_name_differs',
          'The name does not match the name of the account. Type it exactly.',
        );
      // `deleteAccount` checks the password too, but only after the calls are marked.
      const { token } = await users.signIn({ email: session.user.email, password, origin: origin() });
      await users.signOut({ token });
      // The calls first: after a crash here the owner can repeat the deletion. In the other order the calls would stay.
      await calls.removeAccount(actor.accountId);
      await users.deleteAccount({ actor, password, origin: origin() });
      sessions.clearCookie(res);
    },
  ),
};

export const accountOperations = { api, app };
