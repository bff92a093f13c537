import type { Handler } from '../operation.ts';
import type { Operations } from '../operations.ts';
import type { AppParts } from '../parts.ts';
import { memberView } from './view.ts';

export function changeRole({ users }: AppParts): Handler<Operations['changeRole']> {
  return async ({ id, body: { role }, present: { actor } }) => {
    const { member } = await users.changeRole({ actor, userId: id, role });
    return memberView(member);
  };
}
