import type { Member } from '@call-analytics/accounts';
import type { Member as MemberView } from '@call-analytics/contracts';

export function memberView({ id, name, email, role, joinedAt }: Member): MemberView {
  return { userId: id, name, email, role, joinedAt: joinedAt.toISOString() };
}
