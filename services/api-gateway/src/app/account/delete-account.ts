import { HttpProblem } from '../../http/problem.ts';
import type { Handler } from '../operation.ts';
import type { Operations } from '../operations.ts';
import type { AppParts } from '../parts.ts';

/**
 * First everything is checked, then the calls are marked, then the account goes. A process that dies in between leaves an account without calls, whose owner can do it again;
 * the other way round calls would be left that nobody can delete.
 */
export function deleteAccount({ users, calls, sessions }: AppParts): Handler<Operations['deleteAccount']> {
  return async ({ res, body: { accountName, password }, present: { session, actor }, origin }) => {
    if (session.role !== 'owner') throw new HttpProblem('not_allowed', 'Only owners can delete the account.');
    if (accountName.trim() !== session.account.name)
      throw new HttpProblem(
        'account_name_differs',
        'The name does not match the name of the account. Type it exactly.',
      );
    // The account itself checks the password too, but only after its calls are marked.
    const { token } = await users.signIn({ email: session.user.email, password, origin });
    await users.signOut({ token });
    await calls.removeAccount(actor.accountId);
    await users.deleteAccount({ actor, password, origin });
    sessions.forget(res);
  };
}
