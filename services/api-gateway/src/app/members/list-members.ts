import type { Handler } from '../operation.ts';
import type { Operations } from '../operations.ts';
import type { AppParts } from '../parts.ts';
import { memberView } from './view.ts';

export function listMembers({ users }: AppParts): Handler<Operations['listMembers']> {
  return async ({ present: { actor } }) => {
    const { members } = await users.listMembers({ actor });
    return { members: members.map(memberView) };
  };
}
