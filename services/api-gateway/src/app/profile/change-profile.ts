import type { Handler } from '../operation.ts';
import type { Operations } from '../operations.ts';
import type { AppParts } from '../parts.ts';
import { sessionView } from '../session/view.ts';

export function changeProfile({ users }: AppParts): Handler<Operations['changeProfile']> {
  return async ({ body: { name }, present: { session } }) => {
    const { user } = await users.rename({ userId: session.user.id, name });
    return sessionView({ ...session, user });
  };
}
