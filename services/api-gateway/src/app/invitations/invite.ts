import { oneTimeLink } from '@call-analytics/contracts';
import type { Handler } from '../operation.ts';
import type { Operations } from '../operations.ts';
import type { AppParts } from '../parts.ts';
import { invitationView } from './view.ts';

export function invite({ users, publicUrl }: AppParts): Handler<Operations['invite']> {
  return async ({ body: { role }, present: { actor } }) => {
    const { invitation, token } = await users.invite({ actor, role });
    return { invitation: invitationView(invitation), url: oneTimeLink(publicUrl(), 'invitation', token) };
  };
}
