import type { Handler } from '../operation.ts';
import type { Operations } from '../operations.ts';
import type { AppParts } from '../parts.ts';

export function removeMember({ users, sessions }: AppParts): Handler<Operations['removeMember']> {
  return async ({ id, res, present: { actor } }) => {
    await users.removeMember({ actor, userId: id });
    if (id === actor.userId) sessions.forget(res);
  };
}
