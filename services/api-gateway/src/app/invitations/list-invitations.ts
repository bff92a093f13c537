import type { Handler } from '../operation.ts';
import type { Operations } from '../operations.ts';
import type { AppParts } from '../parts.ts';
import { invitationView } from './view.ts';

export function listInvitations({ users }: AppParts): Handler<Operations['listInvitations']> {
  return async ({ present: { actor } }) => {
    const { invitations } = await users.listInvitations({ actor });
    return { invitations: invitations.map(invitationView) };
  };
}
