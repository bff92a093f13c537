import type { Invitation } from '@call-analytics/accounts';
import type { Invitation as InvitationView } from '@call-analytics/contracts';

export function invitationView({ id, role, createdAt, expiresAt }: Invitation): InvitationView {
  return { id, role, createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() };
}
