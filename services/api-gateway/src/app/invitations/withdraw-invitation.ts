import { HttpProblem } from '../../http/problem.ts';
import type { Handler } from '../operation.ts';
import type { Operations } from '../operations.ts';
import type { AppParts } from '../parts.ts';

export function withdrawInvitation({ users }: AppParts): Handler<Operations['withdrawInvitation']> {
  return async ({ id, present: { actor } }) => {
    const { withdrawn } = await users.withdrawInvitation({ actor, invitationId: id });
    if (!withdrawn)
      throw new HttpProblem(
        'invitation_not_found',
        'Invitation not found. It may have been used or withdrawn, or it has expired.',
      );
  };
}
