import { HttpProblem } from '../../http/problem.ts';
import type { Handler } from '../operation.ts';
import type { Operations } from '../operations.ts';
import type { AppParts } from '../parts.ts';

export function findInvitation({ users }: AppParts): Handler<Operations['findInvitation']> {
  return async ({ body: { token } }) => {
    const found = await users.findInvitation({ token });
    if (found === null)
      throw new HttpProblem(
        'invitation_not_valid',
        'This invitation has been used or has expired. Ask the sender for a new one.',
      );
    return { accountName: found.accountName, role: found.role, expiresAt: found.expiresAt.toISOString() };
  };
}
