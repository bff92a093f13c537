import { oneTimeLink } from '@call-analytics/contracts';
import type { Handler } from '../operation.ts';
import type { Operations } from '../operations.ts';
import type { AppParts } from '../parts.ts';
import { invitationView } from './view.ts';

export function invite({ users, publicUrl }: AppParts): Handler<Operations['invite']> {
  return async ({ req, body: { role }, present: { actor } }) => {
    const { invitation, token } = await users.invite({ actor, role });
    // The address that the inviting page came from: it was found to be one of ours.
    const here = publicUrl ?? req.headers.origin ?? `http://${req.headers.host}`;
    return { invitation: invitationView(invitation), url: oneTimeLink(here, 'invitation', token) };
  };
}
